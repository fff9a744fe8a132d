"""Live: tool calls are counted since the last log entry, and at some point it has to be written."""

from pathlib import Path

import pytest

from support.home import Home, Window, window_in
from support.payloads import context, verdict

HELD = "deny"


def calls(window: Window, number: int) -> list[tuple[str, str]]:
    """Let so many different commands be about to run; return (decision, advice) of each."""
    answers = [window.bash(f"echo {turn}") for turn in range(number)]
    return [(verdict(answer)[0], context(answer)) for answer in answers]


def test_calls_are_warned_at_three_and_denied_from_ten_on(window: Window) -> None:
    effort = window.starts()
    said = calls(window, 12)
    assert [decision for decision, _ in said] == [""] * 9 + [HELD] * 3
    warned = [turn for turn, (_, advice) in enumerate(said, start=1) if advice]
    assert warned == [3]
    assert "3 tool calls without a log entry. From 10" in said[2][1]
    reason = verdict(window.bash())[1]
    assert "hookd log" in reason
    assert f"{effort['taskDir']}/1_IMPLEMENT_LOG.md" in reason
    assert window.count == 13


def test_a_denial_names_the_event_it_is_kept_under(window: Window) -> None:
    window.starts(blockAfter=1)
    reason = verdict(window.bash())[1]
    ((number, decision, rule),) = window.home.rows(
        "SELECT id, decision, decided_by FROM events WHERE claude_session_id = ?", window.id
    )
    assert reason.endswith(f"(hookd #{number})")
    assert (decision, rule) == (HELD, "heartbeat")


def test_without_an_effort_calls_are_counted_and_never_denied(window: Window) -> None:
    assert calls(window, 11) == [("", "")] * 11
    assert window.count == 11


def test_a_log_command_is_let_through_and_sets_the_counter_to_zero(window: Window) -> None:
    window.starts()
    calls(window, 11)
    assert verdict(window.bash('hookd log "x"')) == ("", "")
    assert window.count == 0
    assert calls(window, 2) == [("", "")] * 2


@pytest.mark.parametrize(
    "command",
    [
        "hookd log x; rm -rf y",
        "hookd log x && rm -rf y",
        "hookd log $(rm -rf y)",
        "hookd log x > /etc/passwd",
        "hookd log x | sh",
        "hookd log x & rm -rf y",
        "hookd log x\nrm -rf y",
        "PATH=/evil hookd log x",
        "echo hookd log x",
    ],
)
def test_what_only_begins_as_a_log_command_is_not_let_through(window: Window, command: str) -> None:
    window.starts(blockAfter=1)
    window.bash()
    assert verdict(window.bash(command))[0] == HELD
    assert window.count == 2


@pytest.mark.parametrize(
    "call",
    [
        ("Write", {"file_path": "notes.md", "content": "x"}),
        ("Task", {"subagent_type": "explorer", "prompt": "x"}),
        ("AskUserQuestion", {"questions": []}),
        ("Read", {"file_path": "/home/user/.claude/settings.json"}),
    ],
)
def test_calls_by_which_an_agent_gets_free_are_let_through(window: Window, call: tuple) -> None:
    window.starts(blockAfter=1)
    assert verdict(window.bash())[0] == HELD
    tool, tool_input = call
    assert verdict(window.calls(tool, **tool_input))[0] == ""


def test_edits_of_one_file_in_a_row_count_once(window: Window) -> None:
    for path in ("a.py", "a.py", "a.py", "b.py", "a.py"):
        window.calls("Edit", file_path=f"{window.project}/{path}", old_string="", new_string="x")
    assert window.count == 3


def test_the_command_line_writes_the_log_and_resets_the_effort_s_open_windows(
    window: Window,
) -> None:
    effort = window.starts("deep-review")
    second, stranger = Window(window.home, window.project), window_in(window.home)
    for one in (window, second, stranger):
        calls(one, 4)
    for text in ("Parser done.", "Intro\n\n## Next steps\n\n- tests"):
        window.home.hookd("log", text, env=window.identity)
    assert (window.count, second.count, stranger.count) == (0, 0, 4)
    path = Path(effort["taskDir"], "1_DEEP-REVIEW_LOG.md")
    title, first, *entry = [line for line in path.read_text().splitlines() if line]
    assert title == "# deep-review log"
    stamp, _, said = first.partition("] ")
    assert (stamp[:3], len(stamp), said) == ("[20", 20, "Parser done.")
    assert entry[0] == "Intro"
    assert entry[1].startswith("## [20") and entry[1].endswith("] Next steps")
    assert entry[2] == "- tests"
    assert window.home.rows(
        "SELECT role, content FROM messages WHERE effort_id = ?", effort["effortId"]
    ) == [("log", "Parser done."), ("log", "Intro\n\n## Next steps\n\n- tests")]


def test_a_log_from_within_a_session_resets_that_session_alone(window: Window) -> None:
    window.starts()
    second = Window(window.home, window.project)
    for one in (window, second):
        calls(one, 2)
    window.home.hookd("log", "x", env=window.identity | {"CLAUDE_CODE_SESSION_ID": window.id})
    assert (window.count, second.count) == (0, 2)


def test_the_efforts_of_one_task_have_logs_of_their_own(window: Window) -> None:
    task = f"{window.project}/task"
    for ordinal, skill in ((1, "plan"), (2, "implement"), (3, "plan")):
        effort = window.rpc("effort.start", taskDir=task, skill=skill)
        assert effort["logPath"] == f"{task}/{ordinal}_{skill.upper()}_LOG.md"


def test_a_log_without_an_effort_is_refused_with_a_sentence(window: Window) -> None:
    done = window.home.hookd("log", "x", env=window.identity, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("hookd: No effort is active here.")
    assert "next: hookd effort start" in done.stderr


def test_an_effort_may_set_its_own_limits(window: Window) -> None:
    args = (
        "effort",
        "start",
        f"{window.project}/t",
        "x",
        "--warn-after",
        "1",
        "--block-after",
        "2",
    )
    window.says("SessionStart")
    window.home.hookd(*args, env=window.identity)
    said = calls(window, 3)
    assert [decision for decision, _ in said] == ["", HELD, HELD]
    assert "From 2 on, calls are denied" in said[0][1]


def configured(home: Home, **options: object) -> Window:
    """Start a daemon with these options of the heartbeat; return a window with an effort."""
    home.settings({"policies": {"options": {"heartbeat": options}}})
    home.serves()
    window = window_in(home)
    window.starts()
    return window


def test_the_settings_set_the_limits(home: Home) -> None:
    window = configured(home, warn_after=2, block_after=4)
    said = calls(window, 5)
    assert [decision for decision, _ in said] == ["", "", "", HELD, HELD]
    assert said[1][1].startswith("[hookd:heartbeat] 2 tool calls")
    assert "Heartbeat: 5/4" in context(window.says("UserPromptSubmit"))
    window.starts(blockAfter=9)
    assert verdict(window.bash())[0] == "", "an effort's own number wins"


def test_with_mode_warn_calls_are_advised_and_never_denied(home: Home) -> None:
    said = calls(configured(home, mode="warn", block_after=4), 5)
    assert [decision for decision, _ in said] == [""] * 5
    assert [bool(advice) for _, advice in said] == [False, False, True, True, True]
    assert said[4][1].startswith(
        "[hookd:heartbeat] Allowed; in mode `enforce` this would be denied:"
    )
    assert "denied: 5/4 tool calls" in said[4][1]


@pytest.mark.parametrize(
    "policies",
    [{"options": {"heartbeat": {"mode": "off"}}}, {"disabled": ["heartbeat"]}],
    ids=["mode off", "disabled"],
)
def test_switched_off_it_is_silent_and_still_counts(home: Home, policies: object) -> None:
    home.settings({"policies": policies})
    home.serves()
    window = window_in(home)
    window.starts()
    assert calls(window, 11) == [("", "")] * 11
    assert window.count == 11
