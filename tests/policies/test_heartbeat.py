"""What the heartbeat counts, whose numbers hold, and which calls set an agent free."""

from dataclasses import replace
from typing import Any

from hookd.core.model.facts import Effort, Facts, Session
from hookd.core.model.policy import opinion_kind as of
from hookd.events.model import PreToolUse
from hookd.events.tool_pattern import ToolCall
from hookd.policies.heartbeat import Options, counted, limits, logs, opine, own_command
from support.parametrize import parametrize_all


def bash(command: str) -> ToolCall:
    return ToolCall("Bash", {"command": command})


OWN = [
    ("hookd log 'x'", "log"),
    ("hookd log", "log"),
    ("hookd", ""),
    ("hookd session list", "session"),
    ("/home/user/.local/bin/hookd log x", None),
    ("hookd log x; ls", None),
    ("hookd log x && hookd fleet", None),
    ("hookd log $(date)", None),
    ("echo hookd log x", None),
    ("hookdx log x", None),
    ("ls", None),
    ("if (", None),
]


@parametrize_all(("command", "expected"), OWN)
def test_only_one_whole_simple_command_is_our_own(command: str, expected: str | None) -> None:
    assert own_command(bash(command)) == expected


LOGS = [
    ("hookd log done", True),
    ("hookd effort log done", True),
    ("hookd effort log --effort 3 done", True),
    ("hookd effort log", False),
    ("hookd effort log --help", False),
    ("hookd log -h", False),
    ("hookd effort list", False),
    ("hookd effort", False),
    ("hookd session log x", False),
    ("hookd", False),
]


@parametrize_all(("command", "expected"), LOGS)
def test_an_entry_is_written_by_log_and_by_effort_log(command: str, expected: bool) -> None:
    assert logs(bash(command)) is expected


def test_another_tool_is_never_our_own_command() -> None:
    assert own_command(ToolCall("Write", {"file_path": "/hookd"})) is None
    assert own_command(ToolCall("Bash", {})) is None


def effort(**more: Any) -> Effort:
    return Effort(1, "/work/orders", "implement", **more)


COUNTED = [
    (bash("ls"), None, True),
    (bash("ls"), effort(), True),
    (bash("ls"), effort(lifecycle="finished"), False),
    (bash("ls"), effort(metadata={"loading": True}), False),
    (bash("ls"), effort(metadata={"dehydrating": True}), True),
    (bash("ls"), effort(metadata={"loading": False}), True),
    (bash("hookd fleet"), effort(), False),
    (bash("hookd log x; ls"), effort(), True),
    (ToolCall("Task", {}), effort(), False),
    (ToolCall("Agent", {}), effort(), False),
    (ToolCall("TaskOutput", {}), effort(), False),
    (ToolCall("mcp__db__read", {}), effort(), True),
]


@parametrize_all(("call", "under", "expected"), COUNTED, ids=str)
def test_calls_count_while_somebody_works(call: ToolCall, under: Any, expected: bool) -> None:
    assert counted(call, Facts(effort=under)) == expected


def test_a_window_that_has_handed_over_is_not_counted_and_another_on_its_effort_is() -> None:
    facts = Facts(effort=effort(metadata={"dehydrating": True}), session=Session(1, "s"))
    assert counted(bash("ls"), facts)
    done = replace(facts, session=Session(1, "s", handover=True))
    assert not counted(bash("ls"), done)


LIMITS: list[tuple[Facts, tuple[int, int]]] = [
    (Facts(), (3, 10)),
    (Facts(options={"heartbeat": Options(warn_after=5)}), (5, 10)),
    (Facts(effort=effort(metadata={"blockAfter": 40})), (3, 40)),
    (Facts(effort=effort(metadata={"warnAfter": 0, "blockAfter": 0})), (0, 0)),
    (Facts(effort=effort(metadata={"warnAfter": "9", "blockAfter": True})), (3, 10)),
    (
        Facts(
            effort=effort(metadata={"warnAfter": 7}),
            options={"heartbeat": Options(warn_after=5, block_after=6)},
        ),
        (7, 6),
    ),
]


@parametrize_all(("facts", "expected"), LIMITS)
def test_the_efforts_own_numbers_win(facts: Facts, expected: tuple[int, int]) -> None:
    assert limits(facts) == expected


FREE = [
    ("Bash", {"command": "hookd log 'done'"}),
    ("Bash", {"command": "hookd session list"}),
    ("Read", {"file_path": "/home/user/.claude/skills/x.md"}),
    ("Read", {"file_path": "/work/TEMPLATE_IMPLEMENT_LOG.md"}),
    ("Task", {"subagent_type": "x"}),
    ("Agent", {"subagent_type": "x"}),
    ("TaskOutput", {}),
    ("Write", {"file_path": "/work/x"}),
    ("AskUserQuestion", {}),
]
STOPPED = [
    ("Bash", {"command": "ls"}),
    ("Bash", {"command": "hookd log x > /etc/passwd"}),
    ("Bash", {"command": "hookd log x && rm -rf y"}),
    ("Bash", {"command": "X=1 hookd log x"}),
    ("Bash", {"command": "hookd log $(rm -rf y)"}),
    ("Read", {"file_path": "/work/x"}),
    ("Edit", {"file_path": "/work/x"}),
    ("WriteX", {}),
]


def verdict(tool: str, given: dict[str, object]) -> str | None:
    facts = Facts(effort=effort(), session=Session(1, "s", heartbeat_counter=10))
    said = opine(PreToolUse(tool_name=tool, tool_input=given), facts, Options())
    return said.verdict if said else None


@parametrize_all(("tool", "given"), FREE, ids=str)
def test_a_call_that_sets_free_is_never_denied(tool: str, given: dict[str, object]) -> None:
    assert verdict(tool, given) is None


@parametrize_all(("tool", "given"), STOPPED, ids=str)
def test_any_other_call_is_denied_once_the_limit_is_reached(
    tool: str, given: dict[str, object]
) -> None:
    assert verdict(tool, given) == "deny"


@parametrize_all(
    ("warn", "block", "said"),
    [
        (3, 10, ["", "", "", "context", "", ""]),
        (50, 4, ["", "", "", "context", "deny", "deny"]),
        (4, 4, ["", "", "", "context", "deny", "deny"]),
        (3, 1, ["context", "deny", "deny", "deny", "deny", "deny"]),
        (3, 0, ["deny", "deny", "deny", "deny", "deny", "deny"]),
    ],
)
def test_whatever_the_numbers_are_a_reminder_comes_before_the_first_denied_call(
    warn: int, block: int, said: list[str]
) -> None:
    options = Options(warn_after=warn, block_after=block)
    event = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
    heard = []
    for count in range(6):
        session = Session(1, "s", heartbeat_counter=count)
        facts = Facts(effort=effort(), session=session, options={"heartbeat": options})
        heard.append(of(opine(event, facts, options)))
    assert heard == said


def test_a_denied_call_is_told_by_the_policy_of_that_name() -> None:
    facts = Facts(effort=effort(), session=Session(1, "s", heartbeat_counter=12))
    event = PreToolUse(tool_name="Bash", tool_input={"command": "ls"})
    opinion = opine(event, facts, Options())
    assert opinion is not None
    assert opinion.reason.startswith("heartbeat: 12/10 tool calls without logging")


SUBAGENT = Session(2, "s", agent_id="a1", heartbeat_counter=12)
GREP, BASH = ToolCall("Grep", {"pattern": "x"}), bash("ls")


@parametrize_all(
    ("whose", "state", "call", "expected"),
    [
        ("able", {}, GREP, False),
        ("able", {}, BASH, True),
        ("able", {"log-duty": {"by": "definition"}}, GREP, True),
        ("always", {}, GREP, True),
        ("never", {"log-duty": {"by": "Bash"}}, BASH, False),
    ],
)
def test_whose_calls_count_is_an_option(
    whose: Any, state: dict[str, Any], call: ToolCall, expected: bool
) -> None:
    chosen = {"heartbeat": Options(subagents=whose)}
    facts = Facts(effort=effort(), session=SUBAGENT, policy_state=state, options=chosen)
    assert counted(call, facts) is expected
    assert counted(call, replace(facts, session=Session(1, "s"))), "the main agent's always do"
