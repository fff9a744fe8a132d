"""The guard of messages that a client sends itself; its examples have the rest."""

from hookd.core.model.effects.mail import SendMail
from hookd.core.model.facts import Facts, Session
from hookd.events.model import PostToolUse, PreToolUse
from hookd.policies.mail_guard import Options, opine

KNOWN = Facts(session=Session(7, "s"))


def test_other_tools_and_subagents_without_a_session_cost_nothing() -> None:
    call = PreToolUse(tool_name="Bash", tool_input={"to": "x", "message": "y"})
    assert opine(call, KNOWN, Options()) is None


def test_a_record_has_at_most_as_much_text_as_mail() -> None:
    event = PostToolUse(
        tool_name="SendMessage", tool_input={"to": "b" * 999, "message": "ü" * 9_000}
    )
    opinion = opine(event, KNOWN, Options())
    assert opinion is not None
    (sent,) = opinion.effects
    assert isinstance(sent, SendMail)
    assert sent.text == "ü" * 8_192
    assert (sent.recipient, sent.sender, sent.channel) == ("b" * 200, "session 7", "claude-code")


def test_odd_input_is_recorded_as_it_is() -> None:
    event = PostToolUse(tool_name="SendMessage", tool_input={"message": ["a", 1]})
    opinion = opine(event, KNOWN, Options())
    assert opinion is not None
    (sent,) = opinion.effects
    assert isinstance(sent, SendMail)
    assert (sent.recipient, sent.text) == ("another agent", "['a', 1]")
