"""Claude Code's own messages between its sessions: the call by which a sender wakes a recipient.

Only a model can send such a message: of the protocol of the session's socket no more is documented
than its greeting. So the sender's model reads the call, and its message is a fixed line; the mail
itself comes as context with the turn that this line begins.
"""

from collections.abc import Sequence

from hookd.core.mail.addresses import Address
from hookd.core.mail.senders import Sender
from hookd.core.mail.waking import IDLE, waits, wake_line
from hookd.core.model.effects.mail import SendMail
from hookd.core.model.facts import Facts
from hookd.core.model.mail import OpenAgent
from hookd.core.model.mail_requests import OpenAgents
from hookd.core.model.method import Wire

TOOL = "SendMessage"

_SINCE = (2, 1, 224)
_SCHEME = "uds:"
"""How the client begins the address of a session's socket, as in the `from` of its messages."""

_MOST_CALLS = 8


class WakeCall(Wire):
    """A call of SendMessage that wakes an agent: its inputs `to` and `message`."""

    agent: str
    to: str
    message: str


def wake_calls(
    number: int, mail: SendMail, address: Address, sender: Sender, facts: Facts
) -> tuple[WakeCall, ...]:
    """Return the calls by which a sender wakes the idle recipients of a mail that only it can wake.

    Both ends have the client's messages, and hookd wakes the recipient by nothing else. The line
    has the mail's number, since the client drops a message that repeats the one before.
    """
    own = _own(sender, facts)
    if mail.held or mail.priority == "low" or own is None or not _has_messages(own):
        return ()
    keys = facts.settings.mail.tmux_keys
    chosen = [
        one
        for one in address.windows
        if one.status in IDLE
        and _has_messages(one)
        and not waits(one.waker_seen, facts.now)
        and not (keys and one.in_tmux)
    ]
    return tuple(
        WakeCall(
            agent=one.shown,
            to=f"{_SCHEME}{one.inbox}",
            message=f"{wake_line(one.waiting + 1)} (mail {number})",
        )
        for one in chosen[:_MOST_CALLS]
    )


def recipient(to: str, windows: Sequence[OpenAgent]) -> str:
    """Return the agent whose socket a message goes to, by its name; else the address itself."""
    path = to.removeprefix(_SCHEME)
    return next((one.shown for one in windows if one.inbox and one.inbox == path), to)


def _own(sender: Sender, facts: Facts) -> OpenAgent | None:
    """Return the window of the sender: a subagent's messages are those of its window."""
    if sender.session is None:
        return None
    windows = facts.require(OpenAgents()) or ()
    return next((one for one in windows if one.conversation == sender.conversation), None)


def _has_messages(one: OpenAgent) -> bool:
    return bool(one.inbox) and one.client == "claude-code" and _version(one.version) >= _SINCE


def _version(text: str | None) -> tuple[int, ...]:
    """Return a version as numbers.

    >>> _version("2.1.330"), _version("2.1.330-beta.1"), _version(None)
    ((2, 1, 330), (2, 1, 330), ())
    """
    parts = (text or "").partition("-")[0].split(".")
    return tuple(map(int, parts)) if all(part.isdecimal() for part in parts) else ()
