"""A command is proven only by its own success, and an edit takes the proof away."""

from typing import Any

from hookd.core.guard_rules.conditions import After
from hookd.core.guard_rules.required_commands import (
    STATE,
    missing,
    owner_id,
    requirement_key,
    runs,
    state_after,
)
from hookd.core.model.fact_requests import StateOfSession
from hookd.core.model.facts import Facts, Session
from hookd.events.tool_pattern import ToolCall, matches, parse
from hookd.risk.model import CallContext
from support.parametrize import parametrize_all

ROOT = "/w/shop"
PLACE = CallContext(cwd=ROOT, project=ROOT, home="/home/me")
TESTS = After.model_validate("npm test")
KEY = requirement_key(TESTS)


def bash(command: str) -> ToolCall:
    return ToolCall("Bash", {"command": command}, ROOT)


def edit(path: str) -> ToolCall:
    return ToolCall("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, ROOT)


@parametrize_all(
    ("given", "command", "since"),
    [
        ("npm test", "npm test", "edit"),
        ('"npm test" succeeded since the last edit', "npm test", "edit"),
        ("npm test succeeded", "npm test", "start"),
        ("Bash(npm test)", "npm test", "edit"),
        ({"command": "npm test", "since": "start"}, "npm test", "start"),
    ],
)
def test_the_ways_to_write_a_requirement(given: Any, command: str, since: str) -> None:
    one = After.model_validate(given)
    assert (one.command, one.since) == (command, since)


RUNS = [
    ("npm test", True),
    ("npm test --silent", True),
    ("CI=1 npm test", True),
    ("npm test > out.log 2>&1", True),
    ("timeout 60 npm test", True),
    ("env CI=1 npm test", True),
    ("echo $(npm test)", False),
    ("bash -c 'npm test; true'", False),
    ("npm run test", False),
    ("echo npm test", False),
]


@parametrize_all(("text", "does"), RUNS)
def test_a_text_that_runs_the_command(text: str, does: bool) -> None:
    assert runs(TESTS, text) == does


PROVEN = [
    (bash("npm test"), True, True),
    (bash("cd app && npm test"), True, True),
    (bash("npm test > out.log 2>&1"), True, True),
    (bash("sed -i s/a/b/ src/a && npm test"), True, True),
    (bash("npm test && git status"), True, True),
    (bash("npm test && echo x > src/a"), True, False),
    (bash("npm test | tail -3"), True, False),
    (bash("npm test; echo done"), True, False),
    (bash("npm test || true"), True, False),
    (bash("npm test"), False, False),
    (bash("npm run build"), True, False),
]


@parametrize_all(("call", "success", "proven"), PROVEN, ids=str)
def test_what_proves_a_command(call: ToolCall, success: bool, proven: bool) -> None:
    assert state_after((), {KEY: TESTS}, call, PLACE, success=success) == ((KEY,) if proven else ())


KEPT = [
    (edit(f"{ROOT}/src/a"), True, False),
    (edit("/tmp/a"), True, True),
    (edit(f"{ROOT}/build/a"), True, True),
    (edit(f"{ROOT}/src/a"), False, True),
    (bash("sed -i s/a/b/ src/a"), True, False),
    (bash("sed -i s/a/b/ src/a; false"), False, False),
    (bash("git pull"), True, False),
    (bash("git checkout main"), True, False),
    (bash("git reset --hard HEAD~1"), True, False),
    (bash("git checkout -b fix"), True, True),
    (bash("git stash list"), True, True),
    (bash("git add . && git commit -m x"), True, True),
    (bash("ls > /tmp/out"), True, True),
    (bash("cat src/a"), True, True),
    (bash("npm test | tail"), True, True),
    (bash("npm test"), False, False),
    (ToolCall("Read", {"file_path": f"{ROOT}/src/a"}, ROOT), True, True),
]


@parametrize_all(("call", "success", "kept"), KEPT, ids=str)
def test_what_takes_the_proof_away(call: ToolCall, success: bool, kept: bool) -> None:
    after = state_after((KEY,), {KEY: TESTS}, call, PLACE, success=success)
    assert after == ((KEY,) if kept else ())


def test_only_some_files_count_as_edits() -> None:
    one = After.model_validate({"command": "npm test", "edits": ["**/*.js", "!docs/**"]})
    key = requirement_key(one)
    for path, kept in (("src/a.js", False), ("docs/a.js", True), ("README.md", True)):
        after = state_after((key,), {key: one}, edit(f"{ROOT}/{path}"), PLACE, success=True)
        assert bool(after) == kept, path


def test_the_start_of_a_session_needs_no_new_run() -> None:
    one = After.model_validate({"command": "npm test", "since": "start"})
    key = requirement_key(one)
    assert state_after((key,), {key: one}, edit("src/a"), PLACE, success=True) == (key,)


def test_a_requirement_of_no_rule_is_forgotten() -> None:
    assert state_after((KEY, "old"), {KEY: TESTS}, bash("ls"), PLACE, success=True) == (KEY,)


def is_commit(call: ToolCall) -> bool:
    return matches(parse("Bash(git commit *)"), call)


MET = [
    ("npm test && git commit -m x", (), True),
    ("npm test && git add . && git commit -m x", (), True),
    ("npm test || exit 1; git commit -m x", (), True),
    ("set -e\nnpm test\ngit commit -m x", (), True),
    ("npm test; git commit -m x", (), False),
    ("npm test | tail && git commit -m x", (), False),
    ("git commit -m x && npm test", (), False),
    ("npm test && sed -i s/a/b/ a && git commit -am x", (), False),
    ("npm test && git commit -m x; git commit -m y", (), False),
    ("git commit -m x", (KEY,), True),
    ("git commit -m x", (), False),
    ("sed -i s/a/b/ a && git commit -am x", (KEY,), False),
]


@parametrize_all(("command", "state", "does"), MET)
def test_a_call_meets_a_requirement(command: str, state: tuple[str, ...], does: bool) -> None:
    facts = Facts(session=Session(1, "s"), policy_state={STATE: list(state)})
    assert missing((TESTS,), bash(command), PLACE, is_commit, facts) == (() if does else (TESTS,))


def test_a_subagent_shares_the_state_of_its_window() -> None:
    session = Session(2, "s", agent_id="a1", parent_session_id=1)
    assert owner_id(session) == 1
    known = {StateOfSession(1, STATE): f'["{KEY}"]'.replace("\x1f", "\\u001f")}
    facts = Facts(session=session, resolved=known)
    assert missing((TESTS,), bash("git commit -m x"), PLACE, is_commit, facts) == ()
