"""Live: an effort goes through the phases of its skill, in order and with proofs."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.flows import has_run, put, skill, told, typed, within
from support.home import Window
from support.payloads import context

PROOF = {"files": ["src/orders.py"], "tests": "12 pass"}


@pytest.fixture
def loading(window: Window) -> Window:
    """A window whose effort has just started automatically; its skill has phases."""
    folder = skill(window)
    put(f"{folder}/commands/build.md", "Build with care.")
    typed(window, "implement", "pages")
    return window


def effort(window: Window) -> int:
    """Return the number of the effort that the window works on."""
    ((number,),) = window.sessions("effort_id")
    return int(number)


def history(window: Window) -> list[Any]:
    """Return the phases that the effort entered, with proofs and reasons."""
    rows = window.home.rpc("effort.history", {"effortId": effort(window)})["phases"]
    return [(one["phase"], one["proof"], one["reason"]) for one in rows]


def refused(window: Window, phase: str, **more: Any) -> tuple[str, str]:
    """Ask for a phase that is refused; return the code and what is said."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    params = {"phase": phase, "env": env} | more
    request = {"jsonrpc": "2.0", "id": 1, "method": "effort.phase", "params": params}
    error = json.loads(window.home.line(json.dumps(request).encode()))["error"]
    return error["data"]["code"], error["message"]


def test_phases_are_entered_in_order_with_the_proof_of_the_one_that_is_left(
    loading: Window,
) -> None:
    first = within(loading, "effort.phase", phase="0: Setup")
    assert (first["phase"], first["previous"], first["moved"]) == ("0: Setup", None, True)
    assert first["next"] == "1: Build"
    second = within(loading, "effort.phase", phase="1")
    assert (second["phase"], second["previous"]) == ("1: Build", "0: Setup")
    assert "To leave it: --proof JSON with files, tests." in second["text"]
    third = within(loading, "effort.phase", phase="check", proof=PROOF)
    assert (third["phase"], third["next"]) == ("2: Check", None)
    assert history(loading) == [
        ("0: Setup", None, None),
        ("1: Build", None, None),
        ("2: Check", PROOF, None),
    ]
    assert "Phase: 2: Check" in context(loading.says("UserPromptSubmit"))


def test_a_phase_out_of_order_needs_a_reason(loading: Window) -> None:
    code, said = refused(loading, "2: Check")
    assert code == "PHASE_NOT_SEQUENTIAL"
    assert "the first phase is 0: Setup" in said
    within(loading, "effort.phase", phase="2: Check", reason="It is built already.")
    assert refused(loading, "1: Build")[0] == "PHASE_NOT_SEQUENTIAL"
    assert refused(loading, "9: Nowhere")[0] == "UNKNOWN_PHASE"
    within(loading, "effort.phase", phase="1: Build", reason="A test fails.")
    assert history(loading) == [
        ("2: Check", None, "It is built already."),
        ("1: Build", None, "A test fails."),
    ]


@pytest.mark.parametrize(
    ("proof", "missing"),
    [(None, "files, tests"), ({"files": ["a"]}, "tests"), ({"files": [], "tests": " "}, "files")],
)
def test_a_phase_is_not_left_without_its_proof(loading: Window, proof: Any, missing: str) -> None:
    for phase in ("0", "1"):
        within(loading, "effort.phase", phase=phase)
    code, said = refused(loading, "2", proof=proof)
    assert code == "PROOF_MISSING"
    assert f"leaving 1: Build requires a proof of: {missing}" in said
    assert len(history(loading)) == 2


def test_the_phase_it_stands_in_is_told_and_nothing_moves(loading: Window) -> None:
    within(loading, "effort.phase", phase="0")
    for params in ({}, {"phase": "0: setup"}):
        result = within(loading, "effort.phase", **params)
        assert (result["phase"], result["moved"]) == ("0: Setup", False)
        assert result["phases"] == ["0: Setup", "1: Build", "2: Check"]
    assert len(history(loading)) == 1


def test_nothing_is_counted_before_the_first_phase(loading: Window) -> None:
    for turn in range(12):
        assert loading.bash(f"echo {turn}") is None
    assert loading.count == 0
    within(loading, "effort.phase", phase="0")
    said = [context(loading.bash(f"echo {turn}")) for turn in range(3)]
    assert loading.count == 3
    assert "3 tool calls without a log entry" in said[2]
    within(loading, "effort.phase", phase="1")
    assert loading.count == 0


def test_what_was_counted_before_the_effort_began_does_not_hold_it_up(window: Window) -> None:
    skill(window)
    for turn in range(12):
        window.bash(f"echo {turn}")
    typed(window, "implement", "pages")
    within(window, "effort.phase", phase="0")
    assert window.bash("ls") is None


def test_the_command_texts_of_a_phase_come_with_the_next_event(loading: Window) -> None:
    path = f"{loading.project}/.claude/skills/implement/commands/build.md"
    within(loading, "effort.phase", phase="0")
    assert told(loading) == []
    within(loading, "effort.phase", phase="1")
    text = context(has_run(loading, "Bash", command="hookd effort phase 1"))
    assert text == f"[Preloaded: {path}]\nBuild with care."
    assert told(loading) == []


def test_a_long_command_text_comes_in_pieces(loading: Window) -> None:
    path = f"{loading.project}/.claude/skills/implement/commands/build.md"
    lines = [f"line {number:05}" for number in range(2_000)]
    put(path, "\n".join(lines))
    within(loading, "effort.phase", phase="0")
    within(loading, "effort.phase", phase="1")
    pieces = told(loading)
    assert len(pieces) > 1
    assert all(len(piece) <= 10_000 for piece in pieces)
    found = [line for piece in pieces for line in piece.splitlines() if line.startswith("line ")]
    assert found == lines


def test_from_outside_all_windows_of_the_effort_are_told(loading: Window) -> None:
    second = Window(loading.home, loading.project)
    second.says("SessionStart")
    loading.rpc("effort.phase", phase="0")
    loading.rpc("effort.phase", phase="1")
    for one in (loading, second):
        assert "Build with care." in context(has_run(one, "Bash", command="ls"))


def test_an_edited_skill_is_followed_in_the_midst_of_it(loading: Window) -> None:
    path = Path(loading.project, ".claude/skills/implement/SKILL.md")
    within(loading, "effort.phase", phase="0")
    path.write_text(path.read_text().replace('"2: Check"', '"2: Review"'))
    assert within(loading, "effort.phase")["phases"] == ["0: Setup", "1: Build", "2: Review"]


def test_a_phase_begins_the_effort_of_the_skill_that_has_it(window: Window) -> None:
    folder = skill(window)
    typed(window, "implement", "pages")
    within(window, "effort.finish")
    assert refused(window, "0: Setup")[0] == "NO_ACTIVE_EFFORT"
    result = within(window, "effort.phase", phase="0: Setup", proof={"taskName": "More pages"})
    assert result["phase"] == "0: Setup"
    ((task,),) = window.home.rows("SELECT task_dir FROM efforts WHERE id = ?", effort(window))
    assert task == f"{window.project}/tasks/more-pages"
    assert folder
    window.bash()
    assert window.count == 1, "it is loading no more"
