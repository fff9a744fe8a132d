"""Judge and record what Claude Code's own SendMessage sends to other agents.

Claude Code sends messages between its sessions since 2.1.224, and to its subagents: `to` is the
recipient, `message` the text, which is empty where it only asks for a notice. hookd does not carry
them. It asks the user before a message that has a secret, and before one above the limit of
`mail.per_hour_and_pair` for a recipient; what was sent is among `hookd mail list`, redacted, with
the channel `claude-code`. The line by which `hookd send` lets a sender wake an agent is such a
message, too: it counts for that agent by its name, and not as one of its mails.
"""

from datetime import timedelta
from typing import Any

from hookd.config.models import MailOptions, PolicyOptions, Settings
from hookd.core.mail.client_messages import TOOL as _TOOL
from hookd.core.mail.client_messages import recipient
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.fact_requests import FactRequest
from hookd.core.model.facts import Facts, FactValue, Session, iso
from hookd.core.model.mail import MAX_TEXT_BYTES, OpenAgent
from hookd.core.model.mail_requests import MailTraffic, OpenAgents
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.call_parts import BATCH
from hookd.events.model import PostToolUse, PreToolUse
from hookd.redaction.redact import redact

NAME = "mail-guard"
_CARRIERS = frozenset({_TOOL, BATCH})
"""Tools by which a call may send a message, itself or by the calls that it carries."""

_MAX_NAME_CHARS = 200


class Options(PolicyOptions):
    """No options of its own; the limit is a setting of mail."""


def opine(event: PreToolUse | PostToolUse, facts: Facts, _options: Options) -> Opinion | None:
    """Ask about a message with a secret, or above the limit; record a sent one."""
    if event.tool_name != _TOOL or facts.session is None:
        return None
    text = _text(event.tool_input, "message")
    to = recipient(_text(event.tool_input, "to"), facts.require(OpenAgents()) or ())
    if isinstance(event, PostToolUse):
        if not (text and _was_sent(event.tool_response)):
            return None
        return Opinion(effects=(_sent(to[:_MAX_NAME_CHARS], text, facts.session, facts),))
    if redact(text) != text:
        return Opinion("ask", f"{NAME}: the message to {_shown(to)} has a secret in it.", rule=NAME)
    most, count = facts.settings.mail.per_hour_and_pair, _count(to, facts.session, facts)
    if count < most:
        return None
    return Opinion(
        "ask",
        f"{NAME}: this session has sent {count} messages to {_shown(to)} in an hour; the setting"
        f" mail.per_hour_and_pair is {most}.",
        rule=NAME,
    )


def _applies(event: PreToolUse | PostToolUse, _facts: Facts) -> bool:
    return event.tool_name in _CARRIERS


def _text(given: dict[str, Any], name: str) -> str:
    return str(given.get(name) or "")


def _was_sent(response: Any) -> bool:
    """Return whether the client sent a message; a response of another shape counts as sent."""
    return not isinstance(response, dict) or response.get("success") is not False


def _shown(to: str) -> str:
    return " ".join(redact(to).split())[:40] or "another agent"


def _count(to: str, session: Session, facts: Facts) -> int:
    want = _traffic(session, facts)
    return dict(facts.require(want) or ()).get(redact(to[:_MAX_NAME_CHARS]), 0)


def _traffic(session: Session, facts: Facts) -> MailTraffic:
    return MailTraffic(session.claude_session_id, _name(session), iso(facts.now - _HOUR))


_HOUR = timedelta(hours=1)


def _name(session: Session) -> str:
    return session.owner or f"session {session.id}"


def _sent(to: str, text: str, session: Session, facts: Facts) -> SendMail:
    return SendMail(
        sender=_name(session),
        sender_kind="agent",
        to_kind="agent",
        recipient=to or "another agent",
        text=text.encode("utf-8", "replace")[:MAX_TEXT_BYTES].decode("utf-8", "ignore"),
        sender_session_id=session.id,
        sender_conversation=session.claude_session_id,
        project_id=session.project_id,
        channel="claude-code",
    )


def _call(message: str, to: str = "builder") -> PreToolUse:
    given = {"to": to, "message": message}
    return PreToolUse(hook_event_name="PreToolUse", tool_name=_TOOL, tool_input=given)


def _facts(count: int) -> Facts:
    known = Facts(
        session=Session(1, "s", owner="ann"),
        settings=Settings(mail=MailOptions(per_hour_and_pair=3)),
    )
    want = _traffic(known.session, known) if known.session else None
    rows: dict[FactRequest, FactValue | None] = {OpenAgents(): (_BUILDER,)}
    if want:
        rows[want] = (("builder", count),)
    return known.with_facts(rows)


_BUILDER = OpenAgent(2, "b", "builder", "claude-code", None, None, None, inbox="/run/2.sock")


def _examples() -> tuple[PolicyExample, ...]:
    key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
    done = PostToolUse(
        hook_event_name="PostToolUse",
        tool_name=_TOOL,
        tool_input={"to": "builder", "message": "Done."},
    )
    return (
        PolicyExample(_call("The parser is done."), _facts(2), says=""),
        PolicyExample(_call("The parser is done."), _facts(3), says="ask"),
        PolicyExample(_call("The parser is done.", "tester"), _facts(3), says=""),
        PolicyExample(_call("hookd: 1 message waiting", "uds:/run/2.sock"), _facts(2), says=""),
        PolicyExample(_call("hookd: 1 message waiting", "uds:/run/2.sock"), _facts(3), says="ask"),
        PolicyExample(_call(f"Use {key}"), _facts(0), says="ask"),
        PolicyExample(done, _facts(0), says="effects"),
        PolicyExample(done.model_copy(update={"tool_response": {"success": False}}), _facts(0), ""),
        PolicyExample(_call("x"), Facts(), says=""),
    )


POLICY = Policy(
    name=NAME,
    priority=28,
    events=frozenset({"PreToolUse", "PostToolUse"}),
    options=Options,
    on_error="ask",
    opine=opine,
    examples=_examples,
    by_part=True,
    applies=_applies,
)
