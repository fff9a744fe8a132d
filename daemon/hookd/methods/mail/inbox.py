"""Return the mail of the caller: what waits for it, or also what it has got; oldest first.

Of an agent it is the mail to its conversation, of a person or a script the mail to `@person`. To
read changes nothing: `mail.read` counts mail as delivered.
"""

from pydantic import Field

from hookd.core.mail.addresses import known_sender, session_number
from hookd.core.mail.frame import Framed, frame
from hookd.core.mail.senders import sender_of
from hookd.core.model.facts import Facts
from hookd.core.model.mail import InboxItem
from hookd.core.model.mail_requests import InboxOf
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.sessions.caller import caller_place

_NO_LIMIT = 1_000_000


class Params(Wire):
    """`every`: also delivered mail. `id` is one mail; the caller may have sent it, too.

    `sender` is one sender, by its name or the number of its session; `limit` the number of mails,
    of the newest.
    """

    id: RowId | None = None
    sender: str | None = None
    every: bool = False
    limit: int = Field(100, ge=1, le=1_000)


class Item(Wire):
    """A mail as its recipient has it.

    `state` is waiting, offered (sent with an answer, not confirmed), delivered, or that of a mail
    that is not delivered any more. `framed` is the text as a model reads it; of one mail by its
    `id` it is the whole text.
    """

    id: int
    thread_id: int
    reply_to: int | None
    sender: str
    sender_kind: str
    sender_conversation: str | None
    recipient: str
    priority: str
    channel: str
    state: str
    text: str
    framed: str
    created_at: str


class Result(Wire):
    """The mail; `owner` is the name of the agent whose it is, null for a person.

    `absent`: `sender` is given, and no open session has this name.
    """

    owner: str | None
    absent: bool = False
    mail: list[Item]


def decide(params: Params, facts: Facts) -> Change:
    """Return the mail."""
    sender = sender_of(facts, terminal=True)
    own = sender.session
    if own is None and sender.kind == "agent":  # mail to the person is not for it
        return Change(Result(owner=sender.name, mail=[]))
    want = InboxOf(
        sender.conversation, params.id, params.sender, every=params.every, limit=params.limit,
        person=sender.kind == "person",
        sender_session=session_number(params.sender) if params.sender else None,
    )  # fmt: skip
    rows = facts.require(want) or ()
    return Change(
        Result(
            owner=sender.name if own else None,
            absent=params.sender is not None and not known_sender(params.sender, facts),
            mail=[_item(one, whole=params.id is not None) for one in rows],
        )
    )


def _item(one: InboxItem, *, whole: bool) -> Item:
    item = Item.model_validate(one, from_attributes=True)
    if not whole:
        return item
    framed = Framed(one.id, one.sender, one.sender_kind, one.origin, one.text)
    return item.model_copy(update={"framed": frame(framed, _NO_LIMIT)})


METHOD = ChangeMethod(
    "mail.inbox", Params, Result, caller_place, decide, (Example({}), Example({"every": True}))
)
