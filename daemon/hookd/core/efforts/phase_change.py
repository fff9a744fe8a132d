"""How an effort enters a phase: in sequence, with the proof of the one it leaves."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hookd.core.context_window.injections import Fresh, put_by
from hookd.core.efforts.briefing import queued, started
from hookd.core.efforts.lifecycle import EffortRequest, task_for, without
from hookd.core.efforts.log_entry import windows
from hookd.core.efforts.phases import PhaseError, PhaseStep, find, missing_proof, step
from hookd.core.efforts.skill import Phase
from hookd.core.efforts.skill_lookup import commands, find_skill
from hookd.core.model.effects.efforts import EnterPhase
from hookd.core.model.effects.sessions import SetHeartbeat
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import SkillByPhase
from hookd.core.model.facts import Effort, Facts, KnownSkill


@dataclass(frozen=True, slots=True)
class PhaseChange:
    """The phase that an effort stands in now, and what makes it so."""

    effort: Effort
    known: KnownSkill | None
    step: PhaseStep
    effects: tuple[Effect, ...]


def enter(
    effort: Effort, asked: str, proof: Mapping[str, Any] | None, reason: str | None, facts: Facts
) -> PhaseChange:
    """Enter a phase. Raise DomainError: UNKNOWN_PHASE, PHASE_NOT_SEQUENTIAL, PROOF_MISSING.

    A step forward takes the proof of the phase that is left; one out of order takes a reason.
    """
    found = find_skill(effort.skill, facts)
    phases = found.known.skill.phases if found.known else ()
    try:
        taken = step(phases, effort.phase, asked, reason)
    except PhaseError as error:
        raise DomainError(error.code, str(error)) from error
    if not taken.moved:
        return PhaseChange(effort, found.known, taken, found.effects)
    leaving = find(phases, effort.phase) if effort.phase else None
    reason = reason.strip() if reason else None
    missing = () if reason else missing_proof(leaving, proof)
    if leaving and missing:
        told = f"leaving {leaving.title} takes a proof of: {', '.join(missing)}"
        raise DomainError("PROOF_MISSING", told)
    effects = (
        *found.effects,
        EnterPhase(effort.id, taken.phase.title, proof, reason),
        *(SetHeartbeat(window, 0, None) for window in windows(effort, facts)),
        *without(effort, "loading", "dehydrating"),
        *_commands(taken.phase, found.known, windows(effort, facts), facts),
    )
    return PhaseChange(replace(effort, phase=taken.phase.title), found.known, taken, effects)


def _commands(
    phase: Phase, known: KnownSkill | None, told: tuple[int, ...], facts: Facts
) -> tuple[Effect, ...]:
    """Return the effects by which the command texts of a phase wait for its windows."""
    if known is None or not phase.commands:
        return ()
    rule_id = f"phase {phase.title}"
    texts = [
        Fresh(rule_id, file.text, file.path) for file in commands(phase.commands, known, facts)
    ]
    return tuple(one for window in told for one in put_by(window, texts, facts))


def begun_by_phase(asked: str, task_name: str, facts: Facts) -> tuple[Effort, tuple[Effect, ...]]:
    """Begin the effort of the skill that has this phase, on the task of this name.

    Raise DomainError (NO_ACTIVE_EFFORT) where no skill that is known here has it.
    """
    project = facts.project
    known = facts.require(SkillByPhase(project.id, asked)) if project else None
    task = task_for(known.skill.name, task_name, facts) if known else None
    if known is None or task is None:
        told = f"no effort is active here, and no one skill is known by the phase {asked}"
        raise DomainError("NO_ACTIVE_EFFORT", told)
    wanted = EffortRequest(task, known.skill.name, title=task_name)
    beginning = started(wanted, facts, resume=True)
    return beginning.effort, queued(beginning, facts)
