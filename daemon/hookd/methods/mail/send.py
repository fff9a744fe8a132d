"""Send a mail to agents: AGENT, a session, `@task`, `@all`; or to the person, `@person`.

It is delivered with the next event of each recipient that can carry context, in order, by priority,
once to each conversation. Mail to a task also reaches the sessions that join it before the mail
expires. Mail that agents exchange above the setting `mail.per_hour_and_pair` waits for a person.
With `replyTo` and without `to` it goes to the sender of that mail, in its thread. A call that its
sender repeats with the same `key` sends nothing: its result is the mail that was sent.
"""

from pydantic import Field, model_validator

from hookd.core.mail.client_messages import WakeCall, wake_calls
from hookd.core.mail.senders import sender_of
from hookd.core.mail.sending import Draft, send, sent_before
from hookd.core.mail.waking import IDLE
from hookd.core.model.effects.after_commit import AnnounceMail
from hookd.core.model.facts import Facts
from hookd.core.model.mail import Mail, Priority
from hookd.core.model.mail_requests import NextMail, OpenAgents
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire
from hookd.core.sessions.caller import caller_place
from hookd.policies.session_notification import mail_effects


class Params(Wire):
    """`expiresS` is in seconds, a day by default. `terminal`: the caller is at one."""

    to: str | None = Field(None, min_length=1, max_length=4_096)
    text: str = Field(max_length=1_000_000)
    reply_to: RowId | None = None
    priority: Priority = "normal"
    expires_s: int | None = Field(None, ge=1, le=10**9)
    terminal: bool = False
    key: str | None = Field(None, pattern=r"^[A-Za-z0-9_.:-]{8,100}$")

    @model_validator(mode="after")
    def _has_address(self) -> "Params":
        if self.to is None and self.reply_to is None:
            raise ValueError("to or replyTo is required")
        return self


class Result(Wire):
    """The mail's number; `state` is waiting, or held with the reason `held`; or what it is by now.

    `recipients` are the names of the sessions that it goes to now; those of `idle` send no event
    until their next prompt, unless mail wakes them. `wake` has the calls by which the sender wakes
    those of them that nothing else wakes. `again`: it was sent before.
    """

    id: int
    state: str
    recipient: str
    recipients: list[str]
    idle: list[str]
    wake: list[WakeCall]
    held: str
    expires_at: str
    again: bool


def decide(params: Params, facts: Facts) -> Change:
    """Send it. NO_RECIPIENT, MAIL_REFUSED, NOT_FOUND, NO_ACTIVE_EFFORT."""
    sender = sender_of(facts, terminal=params.terminal)
    draft = Draft(
        params.text, params.to, params.reply_to, params.priority, params.expires_s, params.key
    )
    if known := sent_before(draft, sender, facts):
        return Change(_result_of(known, facts))
    address, effect = send(draft, sender, facts)
    number = facts.require(NextMail()) or 1
    result = Result(
        id=number,
        state="held" if effect.held else "waiting",
        recipient=effect.recipient,
        recipients=[one.shown for one in address.windows],
        idle=[one.shown for one in address.windows if one.status in IDLE],
        wake=list(wake_calls(number, effect, address, sender, facts)),
        held=effect.held,
        expires_at=effect.expires_at or "",
        again=False,
    )
    why = ""
    if effect.held:
        why = f"{effect.held}. To let mail {number} pass: hookd mail allow {number}, or drop"
    elif effect.to_kind == "person" and sender.kind == "agent":
        why = f"{sender.name} wrote to you: hookd inbox {number}"
    return Change(result, (effect, AnnounceMail(), *mail_effects(facts, sender.session, why)))


def _result_of(mail: Mail, facts: Facts) -> Result:
    """Return the result of the call that has sent a mail."""
    windows = facts.require(OpenAgents()) or ()
    return Result(
        id=mail.id,
        state=mail.state,
        recipient=mail.recipient,
        recipients=[one.shown for one in windows if one.conversation in mail.conversations],
        idle=[],
        wake=[],
        held=mail.reason or "",
        expires_at=mail.expires_at or "",
        again=True,
    )


METHOD = ChangeMethod(
    "mail.send",
    Params,
    Result,
    caller_place,
    decide,
    (Example({"to": "builder", "text": "The parser is done."}, says="NO_RECIPIENT"),),
)
