"""Phases of an effort: their order, which step needs a reason, and entering a phase."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hookd.core.context_window.injections import NewText, queue_texts
from hookd.core.efforts.lifecycle import without_flags
from hookd.core.efforts.log_entry import affected_sessions
from hookd.core.efforts.skill import Phase, normalized_label, split_title
from hookd.core.efforts.skill_lookup import commands, find_skill
from hookd.core.model.effects.efforts import EnterPhase
from hookd.core.model.effects.sessions import SetHeartbeat
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Effort, Facts, KnownSkill
from hookd.lazy_dataclass import dataclass


class PhaseError(ValueError):
    """A rejected step; `code` is for programs, the text for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class PhaseStep:
    """A step to `phase`; `phases` are the declared ones, and `phase` if it is new."""

    phase: Phase
    phases: tuple[Phase, ...]
    moved: bool


def find_phase(phases: Sequence[Phase], asked: str) -> Phase | None:
    """Return the phase with this title, label or name; case and white space are ignored."""
    words = _plain(asked)
    label, name = split_title(words) or (words, "")
    for phase in phases:
        if normalized_label(phase.label) == normalized_label(label) and name in (
            "",
            _plain(phase.name),
        ):
            return phase
    return next((phase for phase in phases if words and _plain(phase.name) == words), None)


def take_step(
    phases: Sequence[Phase], current: str | None, asked: str, reason: str | None = None
) -> PhaseStep:
    """Return the step from the phase `current` to the requested one.

    Raise PhaseError: PHASE_NOT_SEQUENTIAL if it needs a reason, UNKNOWN_PHASE if there is no such
    phase.
    """
    known = tuple(phases)
    standing = _current(known, current)
    phase = find_phase(known, asked) or (find_phase((standing,), asked) if standing else None)
    if phase is None:
        return _unknown(known, standing, asked)
    if phase == standing:
        return PhaseStep(phase, known, moved=False)
    if not (reason and reason.strip()) and not _follows(known, standing, phase):
        raise PhaseError("PHASE_NOT_SEQUENTIAL", _out_of_order(known, standing, phase))
    return PhaseStep(phase, known, moved=True)


def next_phase(phases: Sequence[Phase], current: str | None) -> Phase | None:
    """Return the phase after `current`, the first if it is None; None after the last."""
    return _after(phases, _current(phases, current))


def missing_proof(phase: Phase | None, proof: Mapping[str, object] | None) -> tuple[str, ...]:
    """Return the fields that leaving `phase` requires and `proof` lacks."""
    given = proof or {}
    return tuple(name for name in (phase.proof if phase else ()) if _empty(given.get(name)))


def _empty(value: object) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is None or value in ([], (), {})


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _phase(title: str) -> Phase:
    words = " ".join(title.split())
    return Phase(*(split_title(words) or (words, "")))


def _order(label: str) -> tuple[int, ...]:
    """Return a label as numbers to sort by: 3.B is (3, 2), 3 and 3.0 are (3,), a word is ()."""
    if split_title(label) is None:
        return ()
    parts = normalized_label(label).split(".")
    return tuple(int(part) if part.isdigit() else ord(part) - ord("A") + 1 for part in parts)


def _current(phases: Sequence[Phase], current: str | None) -> Phase | None:
    """Return the phase with that title, even if it was renamed or is no longer declared.

    A phase that is not declared is ordered by its label.
    """
    if current is None or not current.strip():
        return None
    undeclared = _phase(current)
    return find_phase(phases, current) or find_phase(phases, undeclared.label) or undeclared


def _follows(phases: Sequence[Phase], standing: Phase | None, phase: Phase) -> bool:
    if phase == _after(phases, standing):
        return True
    place = _order(standing.label) if standing else ()
    return bool(place) and _order(phase.label) == (place[0] + 1,)


def _unknown(phases: tuple[Phase, ...], standing: Phase | None, asked: str) -> PhaseStep:
    """Return the step to an undeclared phase: any if none is declared, else a new sub-phase."""
    phase = _phase(asked)
    if not phase.label:
        raise PhaseError("UNKNOWN_PHASE", "a phase has a label or a name, such as 1: Plan")
    if not phases:
        return PhaseStep(phase, (), moved=True)
    if find_phase(phases, phase.label) or not _is_new_subphase(phases, standing, phase.label):
        titles = ", ".join(known.title for known in phases)
        raise PhaseError(
            "UNKNOWN_PHASE", f"there is no phase {phase.title!r}; the phases are: {titles}"
        )
    at = _end_of(phases, _order(phase.label)[0])
    return PhaseStep(phase, (*phases[:at], phase, *phases[at:]), moved=True)


def _is_new_subphase(phases: Sequence[Phase], standing: Phase | None, label: str) -> bool:
    """Return whether a sub-phase may be entered without being declared: 3.2 from 3 or 3.1."""
    place = _order(label)
    if len(place) < 2:
        return False
    if standing is None:
        return any(_order(phase.label)[:1] == place[:1] for phase in phases)
    here = _order(standing.label)
    return here[:1] == place[:1] and place > here


def _end_of(phases: Sequence[Phase], major: int) -> int:
    """Return the index after the last phase of `major`, else after the last of a lower major."""
    majors = [_order(phase.label)[:1] for phase in phases]
    lower = [one for one in majors if one <= (major,)]
    return len(majors) - majors[::-1].index(max(lower)) if lower else 0


def _after(phases: Sequence[Phase], standing: Phase | None) -> Phase | None:
    if standing is None:
        return phases[0] if phases else None
    if standing in phases:
        return next(iter(phases[phases.index(standing) + 1 :]), None)
    place = _order(standing.label)
    return next((phase for phase in phases if _order(phase.label) > place), None)


def _out_of_order(phases: Sequence[Phase], standing: Phase | None, asked: Phase) -> str:
    expected = _after(phases, standing)
    if standing is None:
        told = f"the first phase is {phases[0].title}"
    elif expected is None:
        told = f"no phase comes after {standing.title}"
    else:
        told = f"{standing.title} is followed by {expected.title}"
    return f"{told}; going to {asked.title} instead needs a reason"


@dataclass(frozen=True, slots=True)
class PhaseChange:
    """The phase that an effort entered, and the effects."""

    effort: Effort
    known: KnownSkill | None
    step: PhaseStep
    effects: tuple[Effect, ...]


def enter_phase(
    effort: Effort, asked: str, proof: Mapping[str, Any] | None, reason: str | None, facts: Facts
) -> PhaseChange:
    """Enter a phase. Raise DomainError: UNKNOWN_PHASE, PHASE_NOT_SEQUENTIAL, PROOF_MISSING.

    A step forward requires the proof of the phase that is left; a step out of order, a reason.
    """
    found = find_skill(effort.skill, facts)
    phases = found.known.skill.phases if found.known else ()
    try:
        taken = take_step(phases, effort.phase, asked, reason)
    except PhaseError as error:
        raise DomainError(error.code, str(error)) from error
    if not taken.moved:
        return PhaseChange(effort, found.known, taken, found.effects)
    leaving = find_phase(phases, effort.phase) if effort.phase else None
    reason = reason.strip() if reason else None
    missing = () if reason else missing_proof(leaving, proof)
    if leaving and missing:
        why = f"leaving {leaving.title} requires a proof of: {', '.join(missing)}"
        raise DomainError("PROOF_MISSING", why)
    effects = (
        *found.effects,
        EnterPhase(effort.id, taken.phase.title, proof, reason),
        *(SetHeartbeat(window, 0, None) for window in affected_sessions(effort, facts)),
        *without_flags(effort, "loading", "dehydrating"),
        *_commands(taken.phase, found.known, affected_sessions(effort, facts), facts),
    )
    return PhaseChange(replace(effort, phase=taken.phase.title), found.known, taken, effects)


def _commands(
    phase: Phase, known: KnownSkill | None, told: tuple[int, ...], facts: Facts
) -> tuple[Effect, ...]:
    """Return the effects that queue the command texts of a phase for its sessions."""
    if known is None or not phase.commands:
        return ()
    rule_id = f"phase {phase.title}"
    texts = [
        NewText(rule_id, file.text, file.path) for file in commands(phase.commands, known, facts)
    ]
    return tuple(one for window in told for one in queue_texts(window, texts, facts))
