"""Live: the status line's real shim, with the real daemon."""

import json
import subprocess
from pathlib import Path

import pytest

from support.home import Home, Window, window_in

SHIM = Path(__file__).parents[2] / "shims" / "hookd-statusline"


def shown(window: Window, percent: int, *args: str, **env: str) -> str:
    status = {
        "session_id": window.id,
        "cost": {"total_cost_usd": 0.5},
        "context_window": {"used_percentage": percent, "context_window_size": 200_000},
    }
    done = subprocess.run(
        [SHIM, "--socket", str(window.home.socket), *args],
        input=json.dumps(status).encode(),
        env=window.home.env | window.identity | env,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == b""
    return done.stdout.decode()


def test_the_line_is_shown_below_the_users_own_and_the_number_is_kept(window: Window) -> None:
    window.env["AGENT_ID"] = f"zażółć-{window.id[:6]}"
    window.says("SessionStart")
    own = "read -r status; echo ${#status} bytes"
    first, second = filter(None, shown(window, 45, "--own", own).splitlines())
    assert first.endswith(" bytes")
    told = "\x1b[2mctx 45 %\x1b[0m · \x1b[2mhandover at 90 %\x1b[0m"
    assert second == f"{window.env['AGENT_ID']} · $0.50 · {told}"
    assert window.sessions("context_usage, context_source") == [(0.45, "statusline")]
    assert shown(window, 50, NO_COLOR="1").endswith(" · ctx 50 % · handover at 90 %\n")


def test_an_agent_that_is_warned_was_told_by_the_status_line(window: Window) -> None:
    window.says("SessionStart")
    shown(window, 91)
    assert "91% full" in window.bash()["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("stopped", [False, True])
def test_without_a_daemon_the_user_is_told(home: Home, stopped: bool) -> None:
    home.serves()
    window = window_in(home)
    home.hookd("stop", "--yes")
    if not stopped:
        home.socket.with_suffix(".stopped").unlink()
    said = shown(window, 45, "--own", "echo mine")
    assert ("hookd is not running" in said, "hookd is stopped" in said) == (not stopped, stopped)
