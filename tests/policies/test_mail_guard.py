"""The guard of messages that a client sends itself; its examples have the rest."""

from hookd.core.model.effects.mail import SendMail
from hookd.core.model.facts import Facts, Session
from hookd.core.model.mail import OpenAgent
from hookd.core.model.mail_requests import OpenAgents
from hookd.events.model import PostToolUse, PreToolUse
from hookd.policies.mail_guard import Options, opine
from support.payloads import payload

BUILDER = OpenAgent(2, "b", "builder", "claude-code", None, None, None, inbox="/run/2.sock")
KNOWN = Facts(session=Session(7, "s"), resolved={OpenAgents(): (BUILDER,)})


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


def test_what_the_client_sends_is_read_by_its_own_names() -> None:
    event = PostToolUse.model_validate(payload("PostToolUse.SendMessage"))
    opinion = opine(event, KNOWN, Options())
    assert opinion is not None
    (sent,) = opinion.effects
    assert isinstance(sent, SendMail)
    assert (sent.recipient, sent.text) == ("tester", "The parser is done.\nStart please.")
    call = PreToolUse.model_validate(payload("PreToolUse.SendMessage"))
    key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    secret = call.model_copy(update={"tool_input": call.tool_input | {"message": f"Use {key}"}})
    asked = opine(secret, KNOWN, Options())
    assert asked is not None
    assert "the message to tester has a secret in it" in (asked.reason or "")


def test_a_message_that_was_not_sent_or_has_no_text_is_not_recorded() -> None:
    given = payload("PostToolUse.SendMessage")
    refused = given | {"tool_response": {"success": False, "message": "no such agent"}}
    told = given | {"tool_input": {"to": "tester", "message": "", "notify_when_idle": True}}
    for one in (refused, told):
        assert opine(PostToolUse.model_validate(one), KNOWN, Options()) is None


def test_odd_input_is_recorded_as_it_is() -> None:
    event = PostToolUse(tool_name="SendMessage", tool_input={"message": ["a", 1]})
    opinion = opine(event, KNOWN, Options())
    assert opinion is not None
    (sent,) = opinion.effects
    assert isinstance(sent, SendMail)
    assert (sent.recipient, sent.text) == ("another agent", "['a', 1]")


def test_a_line_that_wakes_an_agent_is_recorded_by_its_name() -> None:
    line = "hookd: 1 message waiting (mail 12)"
    for to in ("uds:/run/2.sock", "/run/2.sock"):
        event = PostToolUse(tool_name="SendMessage", tool_input={"to": to, "message": line})
        opinion = opine(event, KNOWN, Options())
        assert opinion is not None
        (sent,) = opinion.effects
        assert isinstance(sent, SendMail)
        assert (sent.recipient, sent.text, sent.conversations) == ("builder", line, ())
