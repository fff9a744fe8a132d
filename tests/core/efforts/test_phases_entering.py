"""Entering a phase: in sequence, with its proof, and what it brings to which windows."""

from collections.abc import Mapping
from typing import Any

import pytest

from hookd.core.efforts.briefing import start_by_phase
from hookd.core.efforts.phases import PhaseChange, enter_phase
from hookd.core.efforts.skill import parse_skill
from hookd.core.model.effects.efforts import EnterPhase, KeepSkill, SetMetadata, StartEffort
from hookd.core.model.effects.messages import AddInjection
from hookd.core.model.effects.sessions import AddSeen, SetHeartbeat
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import SkillByName, SkillByPhase
from hookd.core.model.facts import Effort, Facts, KnownSkill, NextIds
from support.fact_lookup import PHASED, ROOT, SKILL, ask, here
from support.parametrize import parametrize_all

FOLDER = f"{ROOT}/.claude/skills/build"
FILES = {SKILL: PHASED, f"{FOLDER}/LOG.md": "the template", f"{FOLDER}/make.md": "run make"}
TASK = f"{ROOT}/tasks/pages"
FRESH = Effort(4, TASK, "build", metadata={"loading": True, "warnAfter": 2})
MAKING = Effort(4, TASK, "build", phase="1: Make")


def entered(
    effort: Effort,
    asked: str,
    proof: Mapping[str, Any] | None = None,
    reason: str | None = None,
    facts: Facts | None = None,
    **files: str,
) -> PhaseChange:
    known = facts or here(effort=effort)
    return ask(lambda more: enter_phase(effort, asked, proof, reason, more), known, FILES | files)


def test_the_first_phase_ends_the_loading_and_sets_the_heartbeat_to_zero() -> None:
    one = entered(FRESH, "0")
    assert one.effort.phase == "0: Setup"
    assert one.effects[1:] == (
        EnterPhase(4, "0: Setup", None, None),
        SetHeartbeat(3, 0, None),
        SetMetadata(4, {"warnAfter": 2}),
    )
    assert isinstance(one.effects[0], KeepSkill)


def test_a_step_takes_the_proof_of_the_phase_it_leaves() -> None:
    one = entered(MAKING, "2: check", {"files": ["a.py"]})
    assert EnterPhase(4, "2: Check", {"files": ["a.py"]}, None) in one.effects


REFUSED: list[tuple[Effort, str, dict[str, Any] | None, str, str]] = [
    (FRESH, "1", None, "PHASE_NOT_SEQUENTIAL", "the first phase is 0: Setup"),
    (FRESH, "7: Fly", None, "UNKNOWN_PHASE", "there is no phase"),
    (MAKING, "0", None, "PHASE_NOT_SEQUENTIAL", "1: Make is followed by 2: Check"),
    (MAKING, "2", None, "PROOF_MISSING", "leaving 1: Make requires a proof of: files"),
    (MAKING, "2", {"files": " "}, "PROOF_MISSING", "files"),
    (MAKING, "2", {"other": 1}, "PROOF_MISSING", "files"),
]


@parametrize_all(("effort", "asked", "proof", "code", "said"), REFUSED)
def test_a_step_that_is_not_due_is_refused(
    effort: Effort, asked: str, proof: dict[str, Any] | None, code: str, said: str
) -> None:
    with pytest.raises(DomainError, match=said) as refused:
        entered(effort, asked, proof)
    assert refused.value.code == code


def test_with_a_reason_a_step_out_of_order_takes_no_proof() -> None:
    one = entered(MAKING, "0", reason="start over")
    assert EnterPhase(4, "0: Setup", None, "start over") in one.effects


def test_where_it_stands_already_nothing_happens() -> None:
    one = entered(MAKING, "make")
    assert not one.step.moved
    assert one.effort == MAKING
    assert all(isinstance(effect, KeepSkill) for effect in one.effects)


AT_SETUP = Effort(4, TASK, "build", phase="0: Setup")


def waits(one: PhaseChange) -> list[tuple[int, str | None, str]]:
    texts = [effect for effect in one.effects if isinstance(effect, AddInjection)]
    assert all(effect.offered_by is None for effect in texts)
    return [(effect.session_id, effect.path, effect.content) for effect in texts]


def test_the_command_texts_of_a_phase_wait_for_the_asker() -> None:
    assert waits(entered(AT_SETUP, "1")) == [(3, f"{FOLDER}/make.md", "run make")]


def test_from_outside_they_wait_for_every_open_window_of_the_effort() -> None:
    facts = here(effort=AT_SETUP, session=None, effort_windows=(7, 8))
    one = entered(AT_SETUP, "1", facts=facts)
    assert [window for window, *_ in waits(one)] == [7, 8]
    assert {SetHeartbeat(7, 0, None), SetHeartbeat(8, 0, None)} <= {
        effect for effect in one.effects if isinstance(effect, SetHeartbeat)
    }


def test_a_long_command_text_waits_in_pieces_that_an_answer_has_room_for() -> None:
    text = "\n".join(f"step {number}" for number in range(3_000))
    pieces = waits(entered(AT_SETUP, "1", **{f"{FOLDER}/make.md": text}))
    assert len(pieces) > 2
    assert all(len(content) <= 9_000 for _, _, content in pieces)
    lines = [line for _, _, content in pieces for line in content.split("\n")[1:]]
    assert lines == text.split("\n")


def test_a_command_text_that_is_not_there_is_left_out() -> None:
    effort = Effort(4, TASK, "build", phase="0: Setup")
    files = {SKILL: PHASED.replace("commands: [make]", "commands: [none, ../../../../etc/passwd]")}
    assert waits(ask(lambda more: enter_phase(effort, "1", None, None, more), here(), files)) == []


def test_of_a_skill_that_is_not_known_any_phase_is_entered() -> None:
    effort = Effort(4, TASK, "other")
    one = entered(effort, "3: Anything")
    assert (one.known, one.effort.phase) == (None, "3: Anything")


KNOWN = KnownSkill(parse_skill(PHASED, "build"), SKILL, "1")
ROWS: dict[Any, Any] = {SkillByPhase(1, "0: Setup"): KNOWN, SkillByName(1, "build"): KNOWN}


def test_without_an_effort_a_phase_begins_the_one_of_its_skill_and_its_templates_wait() -> None:
    facts = here(next=NextIds(effort=9))
    effort, effects = ask(
        lambda more: start_by_phase("0: Setup", "Pages of orders", more), facts, FILES, ROWS
    )
    assert (effort.id, effort.skill) == (9, "build")
    assert effort.task_dir == f"{ROOT}/tasks/pages-of-orders"
    kinds = [type(effect) for effect in effects]
    assert StartEffort in kinds
    # What is kept as had by the window is on its way to it.
    assert AddSeen(3, (f"{FOLDER}/LOG.md",), ()) in effects
    assert AddInjection(3, "preload", "the template", f"{FOLDER}/LOG.md") in effects


NOBODYS = [(here(), "7: Fly"), (here(project=None), "0: Setup")]


@parametrize_all(("facts", "asked"), NOBODYS)
def test_where_no_skill_has_it_nothing_begins(facts: Facts, asked: str) -> None:
    with pytest.raises(DomainError, match=f"no known skill has the phase {asked}") as error:
        ask(lambda more: start_by_phase(asked, "x", more), facts, FILES, ROWS)
    assert error.value.code == "NO_ACTIVE_EFFORT"


def test_from_outside_of_any_window_nothing_waits() -> None:
    facts = here(session=None)
    _, effects = ask(lambda more: start_by_phase("0: Setup", "x", more), facts, FILES, ROWS)
    assert not any(isinstance(effect, AddInjection | AddSeen) for effect in effects)
