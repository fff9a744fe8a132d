"""Enter the next phase of an effort's skill, or report the current phase.

Phases are entered in the order in which the skill declares them. Leaving a phase takes the proof
that it requires; a step out of order takes a reason instead. A sub-phase that is not declared
follows its phase. The heartbeat is set to zero, and the model receives the command texts of the new
phase. If no effort is active, `proof.taskName` names the task of a new one, of the skill that has
this phase.
"""

from dataclasses import replace
from typing import Any

from pydantic import Field

from hookd.core.efforts.briefing import exit_requirements, start_by_phase
from hookd.core.efforts.phases import enter_phase, find_phase, next_phase
from hookd.core.efforts.skill import Phase
from hookd.core.efforts.skill_lookup import find_skill
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Effort, Facts
from hookd.core.model.identity import own_or_named_effort
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`phase` is its title, label or name; without it nothing changes."""

    effort_id: RowId | None = None
    phase: str | None = Field(None, min_length=1, max_length=300)
    proof: dict[str, Any] | None = None
    reason: str | None = Field(None, max_length=1_000)


class Result(Wire):
    """The effort's phase; `moved` is false if it was the current one before."""

    effort_id: int
    phase: str | None
    previous: str | None
    moved: bool
    phases: list[str]
    next: str | None
    text: str


def decide(params: Params, facts: Facts) -> Change:
    """Take the step. UNKNOWN_PHASE, PHASE_NOT_SEQUENTIAL and PROOF_MISSING name what is missing."""
    effort, begun = _at_hand(params, facts)
    if params.phase is None:
        found = find_skill(effort.skill, facts)
        phases = found.known.skill.phases if found.known else ()
        return Change(_result(effort, effort.phase, phases, moved=False), found.effects)
    if begun and facts.session:  # from now on the asker's window works on it
        facts = replace(facts, session=replace(facts.session, effort_id=effort.id))
    one = enter_phase(effort, params.phase, params.proof, params.reason, facts)
    result = _result(one.effort, effort.phase, one.step.phases, moved=one.step.moved)
    return Change(result, (*begun, *one.effects))


def _at_hand(params: Params, facts: Facts) -> tuple[Effort, tuple[Effect, ...]]:
    effort, named = facts.effort, (params.proof or {}).get("taskName")
    if effort is None and params.effort_id is not None:
        raise DomainError("NOT_FOUND", f"there is no effort {params.effort_id}")
    if effort is None and params.phase and isinstance(named, str) and named.strip():
        return start_by_phase(params.phase, named, facts)
    if effort is None:
        raise DomainError("NO_ACTIVE_EFFORT", "no effort is active here")
    if not effort.active:
        raise DomainError("EFFORT_FINISHED", f"effort {effort.id} is finished")
    return effort, ()


def _result(
    effort: Effort, previous: str | None, phases: tuple[Phase, ...], *, moved: bool
) -> Result:
    current = find_phase(phases, effort.phase) if effort.phase else None
    after = next_phase(phases, effort.phase)
    said = f"Effort {effort.id} is in {effort.phase or 'no phase yet'}."
    said += exit_requirements(current) if current else ""
    said += f" The next phase is {after.title}." if after else ""
    return Result(
        effort_id=effort.id,
        phase=effort.phase,
        previous=previous,
        moved=moved,
        phases=[phase.title for phase in phases],
        next=after.title if after else None,
        text=said,
    )


METHOD = ChangeMethod(
    "effort.phase",
    Params,
    Result,
    own_or_named_effort,
    decide,
    (Example({}, says="NO_ACTIVE_EFFORT"),),
)
