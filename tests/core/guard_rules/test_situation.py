"""A rule with conditions fires only in the situation that it names."""

from dataclasses import replace
from typing import Any

from hookd.core.guard_rules.rule import Rule, fired
from hookd.core.model.fact_requests import GitBranch, MissingFacts
from hookd.core.model.facts import Facts, Guard, Project, Session
from hookd.events.model import PreToolUse
from hookd.events.tool_pattern import ToolCall
from support.parametrize import parametrize_all

ROOT = "/w/shop"


def fires(keys: dict[str, Any], call: ToolCall, branches: dict[str, str] | None = None) -> bool:
    """Whether a rule fires for a call, in a window that is 80 % full."""
    rule = Rule.model_validate({"id": "a", "urgency": "block", **keys})
    guard = Guard(1, "a", "user", rule.model_dump_json(by_alias=True, exclude_none=True))
    session = Session(1, "s", context_usage=0.8)
    facts = Facts(project=Project(1, ROOT), session=session, guards=(guard,))
    try:
        return bool(fired(call, facts))
    except MissingFacts as lack:
        known = {
            one: (branches or {}).get(one.folder)
            for one in lack.requests
            if isinstance(one, GitBranch)
        }
        assert len(known) == len(lack.requests)
        return bool(fired(call, facts.with_facts(known)))


def bash(command: str, agent: str = "") -> ToolCall:
    return ToolCall("Bash", {"command": command}, ROOT, agent)


AGENTS = [
    (["main"], "", True),
    (["main"], "Explore", False),
    (["subagent"], "", False),
    (["subagent"], "Explore", True),
    (["Explore"], "Explore", True),
    (["Exp*"], "Explore", True),
    (["Plan", "main"], "Explore", False),
]


@parametrize_all(("agents", "agent", "does"), AGENTS)
def test_the_agent(agents: list[str], agent: str, does: bool) -> None:
    assert fires({"agents": agents}, bash("ls", agent)) == does


@parametrize_all(
    ("fields", "agent"),
    [
        ({}, ""),
        ({"agent_type": "planner"}, ""),
        ({"agent_id": "a1", "agent_type": "Explore"}, "Explore"),
        ({"agent_id": "a1"}, "subagent"),
    ],
)
def test_the_agent_of_an_event(fields: dict[str, str], agent: str) -> None:
    event = PreToolUse.model_validate({"tool_name": "Bash", "tool_input": {}, **fields})
    assert event.call.agent == agent


@parametrize_all(
    ("context", "does"), [(0.8, True), (0.81, False), ("warn", True), ("overflow", False)]
)
def test_the_context_window(context: Any, does: bool) -> None:
    assert fires({"context": context}, bash("ls")) == does


LINES = "a\n" * 501
SIZES = [
    ("Write", {"content": LINES}, True),
    ("Write", {"content": "a\n" * 500}, False),
    ("Write", {"content": "a\n" * 499 + "b"}, False),
    ("Edit", {"old_string": LINES, "new_string": "b"}, False),
    ("Edit", {"old_string": "b", "new_string": LINES}, True),
    ("MultiEdit", {"edits": [{"new_string": "a\n" * 300}, {"new_string": "a\n" * 300}]}, True),
    ("MultiEdit", {"edits": "odd"}, False),
    ("NotebookEdit", {"new_source": LINES}, True),
    ("Bash", {"command": LINES}, True),
    ("mcp__a__b", {"x": [{"y": LINES}]}, True),
    ("mcp__a__b", {"x": 1}, False),
]


@parametrize_all(("tool", "given", "does"), SIZES, ids=lambda value: str(value)[:40])
def test_the_size_of_the_input(tool: str, given: dict[str, Any], does: bool) -> None:
    assert fires({"largerThan": "500 lines"}, ToolCall(tool, given, ROOT)) == does


def test_the_size_in_characters() -> None:
    for size, does in (("1 kB", True), ("1001", False), (1000, True)):
        call = ToolCall("Write", {"content": "é" * 1001}, ROOT)
        assert fires({"largerThan": size}, call) == does


COMMIT = {"branch": "main", "toolFilter": {"include": ["Bash(git commit *)"]}}
ON = {ROOT: "main", f"{ROOT}/sub": "fix"}
BRANCH = [
    ("git commit -m x", True),
    ("cd sub && git commit -m x", True),  # the text may also run in the folder above
    ("git checkout -b fix && git commit -m x", False),
    ("git switch -c fix && git add . && git commit -m x", False),
    ("git checkout -b fix; git commit -m x", True),
    ("git commit -m x && git checkout fix", True),
    ("git status", False),
]


@parametrize_all(("command", "does"), BRANCH)
def test_the_branch(command: str, does: bool) -> None:
    assert fires(COMMIT, bash(command), ON) == does


@parametrize_all(("path", "does"), [(f"{ROOT}/a", True), ("a", True), (f"{ROOT}/sub/a", False)])
def test_the_branch_of_a_file_s_folder(path: str, does: bool) -> None:
    assert fires({"branch": "main"}, ToolCall("Edit", {"file_path": path}, ROOT), ON) == does


def test_a_folder_without_git_is_on_no_branch() -> None:
    assert not fires({"branch": "*"}, bash("git commit -m x"), {})


def test_a_closing_rule_shares_its_whitelist_only_while_it_applies() -> None:
    on_main = {"id": "b", "urgency": "block", "branch": "main", "whitelist": ["Read"]}
    always = {"id": "a", "urgency": "block"}
    guards = tuple(
        Guard(at, "x", "user", Rule.model_validate(rule).model_dump_json(by_alias=True))
        for at, rule in enumerate((always, on_main))
    )
    facts = Facts(project=Project(1, ROOT), guards=guards)
    read = ToolCall("Read", {"file_path": f"{ROOT}/a"}, ROOT)
    for branch, stopped in (("main", []), ("fix", ["a"])):
        known = facts.with_facts({GitBranch(ROOT): branch})
        assert [one.rule.id for one in fired(read, known)] == stopped


def test_no_fact_is_requested_for_a_call_that_the_rule_is_not_about() -> None:
    keys = {"branch": "main", "changes": "migrations/**", "toolFilter": {"include": ["Bash"]}}
    rule = Rule.model_validate({"id": "a", "urgency": "block", **keys})
    guard = Guard(1, "a", "user", rule.model_dump_json(by_alias=True))
    facts = Facts(project=Project(1, ROOT), guards=(guard,))
    for call in (bash("git status"), ToolCall("Read", {"file_path": "/a"}, ROOT)):
        assert fired(call, replace(facts)) == ()
