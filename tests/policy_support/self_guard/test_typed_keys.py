"""Keys for another terminal are asked about where permission requests are answered outside."""

import pytest

from hookd.config.models import ApprovalOptions, Settings
from hookd.core.evaluation.approvals import anywhere
from hookd.core.model.facts import Facts
from hookd.events.model import PreToolUse
from hookd.policies.self_guard import POLICY

HOLDING = Settings(approvals=ApprovalOptions(projects={"/work": True}))


def judged(command: str, settings: Settings) -> str | None:
    given = {"command": command}
    event = PreToolUse(
        hook_event_name="PreToolUse", tool_name="Bash", tool_input=given, cwd="/work"
    )
    opinion = POLICY.opine(event, Facts(settings=settings), POLICY.options())
    return opinion.verdict if opinion else None


@pytest.mark.parametrize(
    "command",
    [
        "tmux send-keys -t board a Enter",
        "tmux -L fleet send -t %3 a",
        "tmux paste-buffer -t %3",
        "sh -c 'tmux send-keys -t board a'",
        "tmux new -d \\; send-keys -t board a",
        'tmux "$VERB" -t board a',
        "screen -S board -X stuff a",
        "xdotool key a",
        "kitty @ send-text a",
        "wezterm cli send-text a",
        "zellij action write-chars a",
        """osascript -e 'tell application "System Events" to keystroke "a"'""",
    ],
)
def test_keys_for_another_terminal_are_asked_about(command: str) -> None:
    assert judged(command, HOLDING) == "ask"


@pytest.mark.parametrize(
    "command",
    [
        "tmux new-window hookd",
        "tmux new-session -d '/home/me/.local/bin/hookd'",
        "tmux split-window -h hookd",
        "tmux display-popup -E hookd",
        "screen -dm hookd",
        "zellij run -- hookd",
        "wezterm cli spawn -- hookd",
        "kitty hookd",
    ],
)
def test_a_board_in_another_terminal_is_asked_about(command: str) -> None:
    assert judged(command, HOLDING) == "ask"


@pytest.mark.parametrize("command", ["tmux new-window htop", "tmux rename-window hookd", "hookd"])
def test_other_windows_pass(command: str) -> None:
    assert judged(command, HOLDING) is None


@pytest.mark.parametrize("command", ["tmux list-panes -a", "screen -ls", "tmux capture-pane -p"])
def test_looking_at_terminals_passes(command: str) -> None:
    assert judged(command, HOLDING) is None


def test_they_pass_where_no_request_waits() -> None:
    assert judged("tmux send-keys -t board a Enter", Settings()) is None
    off = ApprovalOptions(agents={"a": False})
    assert not anywhere(off)
    assert anywhere(ApprovalOptions(hold=True))


@pytest.mark.parametrize(
    "command",
    [
        "tmux send-keys -t 0 '/hookd:allow 5' Enter",
        "tmux send-keys -l /hookd:pause\\ 8h",
        "xdotool type '/hookd:pause 8h'",
    ],
)
def test_keys_with_a_command_of_hookd_are_denied_everywhere(command: str) -> None:
    assert judged(command, Settings()) == "deny"


@pytest.mark.parametrize(
    ("tool", "given", "verdict"),
    [
        ("CronCreate", {"cron": "* * * * *", "prompt": "/hookd:pause 8h"}, "deny"),
        ("ScheduleWakeup", {"prompt": " /hookd:allow 5"}, "deny"),
        ("CronCreate", {"cron": "* * * * *", "prompt": "see to /hookd:pause"}, None),
    ],
)
def test_a_scheduled_command_of_hookd_is_denied(
    tool: str, given: dict[str, str], verdict: str | None
) -> None:
    event = PreToolUse(hook_event_name="PreToolUse", tool_name=tool, tool_input=given, cwd="/work")
    opinion = POLICY.opine(event, Facts(), POLICY.options())
    assert (opinion.verdict if opinion else None) == verdict
