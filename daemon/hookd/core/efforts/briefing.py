"""Effort briefing: the text for the model when an effort is started or resumed, and its files."""

import posixpath
from dataclasses import replace

from hookd.core.context_window.injections import NewText, queue_texts
from hookd.core.context_window.preload import mark_given, preload
from hookd.core.efforts.lifecycle import (
    EffortRequest,
    EffortStart,
    begin,
    bind_to_effort,
    file_root,
    task_for,
)
from hookd.core.efforts.phases import find_phase, next_phase
from hookd.core.efforts.skill import Phase
from hookd.core.efforts.skill_lookup import SkillLookup, find_skill, templates
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import DirListing, SkillByPhase
from hookd.core.model.facts import Effort, Facts, KnownSkill
from hookd.core.sessions.open_session import project_of
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class EffortBriefing:
    """A started or resumed effort: the effects, the text for the model, and files to add."""

    effort: Effort
    effects: tuple[Effect, ...]
    text: str
    fresh: tuple[NewText, ...]
    resumed: bool


def start_effort(wanted: EffortRequest, facts: Facts, *, resume: bool) -> EffortBriefing:
    """Start an effort; with `resume`, resume the active effort of the same skill and task."""
    project, opened = project_of(facts, facts.identity.cwd or wanted.task_dir)
    facts = replace(facts, project=project)
    found = find_skill(wanted.skill, facts)
    skill = found.known.skill if found.known else None
    begun = begin(wanted, facts, skill, resume=resume)
    return _briefing(begun, found, facts, (*opened, *found.effects))


def resume_effort(effort: Effort, facts: Facts) -> EffortBriefing:
    """Resume an effort."""
    found = find_skill(effort.skill, facts)
    return _briefing(bind_to_effort(effort, facts), found, facts, found.effects)


def _briefing(
    begun: EffortStart, found: SkillLookup, facts: Facts, before: tuple[Effect, ...]
) -> EffortBriefing:
    known = found.known
    fresh = preload(templates(known, facts), facts, known).fresh if known else ()
    text = _text(begun, known, facts)
    effects = (*before, *begun.effects, *mark_given(facts, fresh))
    return EffortBriefing(begun.effort, effects, text, fresh, begun.resumed)


def with_queued_files(beginning: EffortBriefing, facts: Facts) -> tuple[Effect, ...]:
    """Return the effects, with the files queued for the caller's session, if there is one."""
    session = facts.session
    if session is None:
        return beginning.effects
    return (*beginning.effects, *queue_texts(session.id, beginning.fresh, facts))


def start_by_phase(asked: str, task_name: str, facts: Facts) -> tuple[Effort, tuple[Effect, ...]]:
    """Start an effort of the skill that has this phase, on the task with this name.

    Raise DomainError (NO_ACTIVE_EFFORT) if no known skill has the phase.
    """
    project = facts.project
    known = facts.require(SkillByPhase(project.id, asked)) if project else None
    task = task_for(known.skill.name, task_name, facts) if known else None
    if known is None or task is None:
        why = f"no effort is active here, and no known skill has the phase {asked}"
        raise DomainError("NO_ACTIVE_EFFORT", why)
    wanted = EffortRequest(task, known.skill.name, title=task_name)
    beginning = start_effort(wanted, facts, resume=True)
    return beginning.effort, with_queued_files(beginning, facts)


def _text(begun: EffortStart, known: KnownSkill | None, facts: Facts) -> str:
    effort = begun.effort
    state = "is resumed" if begun.resumed else "is active"
    lines = [
        f"[hookd:effort] Effort {effort.id} {state}: {effort.skill} on {effort.task_dir}.",
        f'Log: {effort.log_path}. To write an entry: hookd log "..."',
        *(_phases(effort, known) if known else ()),
        *_earlier_results(effort, facts),
    ]
    if known and known.skill.next_skills:
        lines.append(f"Next skills: {', '.join(known.skill.next_skills)}.")
    return "\n".join(lines)


def _phases(effort: Effort, known: KnownSkill) -> list[str]:
    phases = known.skill.phases
    if not phases:
        return []
    lines = [f"Phases: {'; '.join(phase.title for phase in phases)}."]
    current = find_phase(phases, effort.phase) if effort.phase else None
    if current:
        lines.append(f"Current phase: {current.title}.{exit_requirements(current)}")
    if after := next_phase(phases, effort.phase):
        lines.append(f"To enter the next phase: hookd effort phase '{after.label}'")
    return lines


def exit_requirements(phase: Phase) -> str:
    """Return the steps of a phase and the proof for leaving it, with a leading space."""
    steps = f" Steps: {'; '.join(phase.steps)}." if phase.steps else ""
    fields = ", ".join(phase.proof)
    return steps + (f" To leave it: --proof JSON with {fields}." if fields else "")


def _earlier_results(effort: Effort, facts: Facts) -> list[str]:
    """Return a line with the files of earlier efforts in the task's folder."""
    folder = facts.require(DirListing(effort.task_dir, file_root(effort, facts)))
    names = folder.names if folder else ()
    texts = [name for name in names if name.endswith(".md") and name[:1].isdigit()]
    own = [name for name in texts if not name.startswith(f"{effort.ordinal}_")]
    own.sort(key=_ordinal)
    if not own:
        return []
    listed = ", ".join(posixpath.join(effort.task_dir, name) for name in own[-_SHOWN:])
    return [f"Files of earlier efforts on this task: {listed}."]


def _ordinal(name: str) -> int:
    digits = name.partition("_")[0]
    return int(digits) if digits.isdecimal() and len(digits) < 10 else 0


_SHOWN = 8
"""Maximum files of earlier efforts that are named."""
