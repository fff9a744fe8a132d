"""What goes through the gate while no effort is active."""

from typing import Any

import pytest

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.facts import Effort, Facts, Session
from hookd.core.model.policy import opinion_kind
from hookd.events.model import PreToolUse
from hookd.policies import session_gate
from hookd.policies.session_gate import NAME, POLICY, Options
from support.parametrize import parametrize_all

BUSY = Effort(1, "/work/tasks/a", "build")


def verdict(
    tool: str,
    given: dict[str, Any],
    effort: Effort | None = None,
    session: Session | None = None,
    **more: Any,
) -> str:
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name=tool,
        tool_input=given,
        agent_id=more.pop("by", None),
    )
    options = Options(mode="enforce", **more)
    facts = Facts(session=session, effort=effort, options={NAME: options})
    return "".join(
        opinion_kind(one.opinion) for one in ask_policies([POLICY], event, facts, lambda: 0.0)
    )


@parametrize_all(
    ("tool", "given", "says"),
    [
        ("Write", {"file_path": "/a"}, "deny"),
        ("Edit", {"file_path": "/a"}, "deny"),
        ("Agent", {"prompt": "x"}, "deny"),
        ("mcp__db__write", {}, "deny"),
        ("Bash", {"command": "hookd effort start tasks/a build; make"}, "deny"),
        ("Bash", {"command": "hookd log x > app.py"}, "deny"),
        ("Bash", {"command": "./hookd effort start tasks/a build"}, "deny"),
        ("Bash", {"command": "if ("}, "deny"),
        ("Bash", {"command": "hookd run -- rm -rf build"}, "deny"),
        ("Bash", {"command": "hookd policy disable session-gate"}, "deny"),
        ("Bash", {"command": "hookd rpc guards.remove '{}'"}, "deny"),
        ("Bash", {"command": "hookd effort start tasks/a build"}, ""),
        ("Bash", {"command": "hookd --help"}, ""),
        ("Bash", {"command": "hookd claim src/a.py && hookd release --all"}, ""),
        ("Bash", {"command": "hookd event -n 5 && hookd agent list"}, ""),
        ("Bash", {"command": "hookd events -n 5 && hookd agents list"}, ""),
        ("Bash", {"command": "hookd policies disable session-gate"}, "deny"),
        ("Bash", {"command": "hookd status && hookd effort list"}, ""),
        ("Bash", {"command": "hookd inbox && hookd reply 3 'On it.'"}, ""),
        ("Bash", {"command": "hookd wait --for builder && make"}, "deny"),
        ("Read", {"file_path": "/a"}, ""),
        ("Glob", {"pattern": "**"}, ""),
        ("Grep", {"pattern": "x"}, ""),
        ("Skill", {"skill": "effort", "args": "start a build"}, ""),
        ("AskUserQuestion", {"questions": []}, ""),
    ],
)
def test_things_can_be_read_but_not_done(tool: str, given: dict[str, Any], says: str) -> None:
    assert verdict(tool, given) == says
    assert verdict(tool, given, BUSY) == ""


@parametrize_all(
    ("command", "says"),
    [
        ("ls", ""),
        ("ls -la src 2>/dev/null", ""),
        ("cat README.md", ""),
        ("git status", ""),
        ("git log --oneline -5", ""),
        ("cd src && grep -rn 'a b' . | head -n 3", ""),
        ("cat $FILE", ""),
        ("ls > list", "deny"),
        ("ls; make", "deny"),
        ("cat $(make)", "deny"),
        ("cat <(make)", "deny"),
        ("PATH=. ls", "deny"),
        ("./ls", "deny"),
        ("ls() { make; }; ls", "deny"),
        ("alias ls=make; ls", "deny"),
        ("ls | tee list", "deny"),
        ("sort -o list list", "deny"),
        ("find . -delete", "deny"),
        ("git checkout .", "deny"),
        ("git -c core.pager=make log", "deny"),
        ("git diff --output=list", "deny"),
        ("git diff --outpu list", "deny"),
        ("git show $FLAGS", "deny"),
        ("git log *", "deny"),
    ],
)
def test_commands_that_only_read_go_through(command: str, says: str) -> None:
    assert verdict("Bash", {"command": command}) == says


def test_the_page_names_each_program_that_goes_through() -> None:
    page = " ".join((session_gate.__doc__ or "").split())
    for pattern in session_gate._READING:
        program = pattern.text.removeprefix("Bash(").removesuffix(" *)").removeprefix("git ")
        assert f"`{program}`" in page


def test_what_is_allowed_goes_through_beside_what_only_reads() -> None:
    given = {"command": "cd app && npm test | tail -n 3"}
    assert verdict("Bash", given, allow=("Bash(npm test *)",)) == ""
    assert verdict("Bash", given, allow=("Bash(npm run *)", "Read")) == "deny"


def test_an_effort_that_is_over_is_none() -> None:
    over = Effort(1, "/work/tasks/a", "build", lifecycle="finished")
    assert verdict("Write", {"file_path": "/a"}, over) == "deny"


def test_a_subagent_is_not_held_back_by_itself() -> None:
    assert verdict("Write", {"file_path": "/a"}, session=Session(1, "s", agent_id="a")) == ""
    assert verdict("Write", {"file_path": "/a"}, by="a") == ""


def test_the_options_let_further_calls_through() -> None:
    allow = ("Bash(git status *)", "mcp__docs__*")
    assert verdict("Bash", {"command": "git status -s"}, allow=allow) == ""
    assert verdict("Bash", {"command": "git status -s; rm x"}, allow=allow) == "deny"
    assert verdict("mcp__docs__search", {"q": "x"}, allow=allow) == ""
    with pytest.raises(ValueError, match="parenthesis"):
        Options(allow=("Bash(",))


def test_without_being_switched_on_it_is_silent() -> None:
    event = PreToolUse(hook_event_name="PreToolUse", tool_name="Write", tool_input={})
    assert list(ask_policies([POLICY], event, Facts(), lambda: 0.0)) == []
