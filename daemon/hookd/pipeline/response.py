"""The response to an event: the method's result and the client's answer, as JSON texts."""

from hookd import json_text
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import Evaluation
from hookd.system.running_client import running_client

SILENCE = b"null"
"""The answer that says nothing."""

_QUESTIONS = frozenset({"ask", "defer"})


@dataclass(frozen=True, slots=True)
class EventResponse:
    """The response to a delivery: `result` of its method, and `answer` for the client.

    `number` is the event's, 0 if it is not stored, or was before. `after_commit` are the effects
    that wait for the commit. `spill` is a file, and the whole of the texts that were cut in the
    answer. `outcome` is None for an answer that was stored before. `rewrites`: the client runs
    another tool input.
    """

    result: bytes
    answer: bytes
    after_commit: tuple[AfterCommitEffect, ...] = ()
    number: int = 0
    spill: tuple[str, str] | None = None
    outcome: Outcome | None = None
    rewrites: bool = False

    @property
    def silent(self) -> bool:
        """Whether the client gets nothing to read."""
        return self.answer == SILENCE


def respond(
    delivery: Delivery, evaluation: Evaluation, number: int, spill: str = ""
) -> EventResponse:
    """Return the response to an evaluated event, signed with the event's number.

    A text that is too long for the client is cut, and names the file `spill` as the whole.
    """
    event, outcome = _asked(delivery, evaluation.outcome), evaluation.outcome
    rendered = delivery.client.encode.render(event, outcome, number, spill)
    result = evaluation.result
    if rendered.output is not None:
        result = result.model_copy(update={"hook_output": rendered.output})
    overflow = rendered.overflow_text if spill else None
    return EventResponse(
        result.model_dump_json(by_alias=True).encode(),
        json_text.dump(rendered.output),
        number=number,
        spill=None if overflow is None else (spill, overflow),
        outcome=outcome,
        rewrites=rendered.rewrites,
    )


def _asked(delivery: Delivery, outcome: Outcome) -> HookInput:
    """Return the event; if the client depends on it, with whether a person can answer a question.

    Only then is the client's process looked at.
    """
    attended = delivery.client.attended
    if attended is None or outcome.verdict not in _QUESTIONS:
        return delivery.event
    peer = delivery.received.terms.peer
    client = running_client(peer) if peer else None
    known = None if client is None else attended(client)
    return delivery.event.model_copy(update={"interactive": known})
