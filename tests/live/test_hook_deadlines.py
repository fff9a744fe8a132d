"""Live: a hook has its registered seconds, or the user learns that it was cut."""

import json
from pathlib import Path
from typing import Any

import pytest

from support import forkserver
from support.home import Home, Window, window_in
from support.payloads import header, verdict
from support.user_hooks import at_work, nested, runs

pytestmark = pytest.mark.gate

FOR_EVER = "exec tail -f /dev/null"


def settings_of(home: Home) -> Path:
    return home.path / ".claude" / "settings.json"


def waits(home: Home, event: str = "PreToolUse") -> tuple[int, int]:
    """Return the seconds that are registered with the client and with the shim."""
    (group,) = json.loads(settings_of(home).read_text())["hooks"][event]
    (line,) = [
        line
        for line in (home.path / "shims" / "user" / "config").read_text().splitlines()
        if line.startswith("events ") and event in line.split(" ")
    ]
    return group["hooks"][0]["timeout"], int(line.split(" ")[1])


def add(home: Home, event: str, *args: str, **more: Any) -> str:
    command = more.pop("command", "true")
    done = home.hookd("hook", "add", event, command, *args, **more)
    return done.stderr + done.stdout


def doctor(home: Home) -> list[tuple[str, str]]:
    found = json.loads(home.hookd("doctor", "--json", check=False).stdout)
    return [(one["state"], one["what"]) for one in found if one["check"] == "own hooks"]


def test_what_is_registered_grows_with_a_hook_and_with_install(home: Home) -> None:
    home.serves()
    home.hookd("install")
    assert waits(home) == (15, 13)
    before = json.loads(settings_of(home).read_text())
    said = add(home, "PreToolUse", "--timeout", "120", "--id", "slow")
    assert "Claude Code now waits up to 122 s for hookd" in said
    assert waits(home) == (124, 122)
    after = json.loads(settings_of(home).read_text())
    after["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = 15
    assert after == before, "nothing else changes"
    assert doctor(home)[-1][0] == "ok"
    home.hookd("install")
    assert waits(home) == (124, 122), "a second run knows the hook"
    home.hookd("hook", "remove", "slow")
    home.hookd("install")
    assert waits(home) == (15, 13)


def test_a_projects_hook_counts_once_it_is_trusted(home: Home) -> None:
    home.serves()
    home.hookd("install")
    window = window_in(home)
    file = Path(window.project, ".hookd", "settings.json")
    file.parent.mkdir()
    file.write_text(json.dumps(nested("Stop", "true", timeout=90)))
    assert waits(home, "Stop") == (30, 28)
    said = home.hookd("trust", window.project, "--yes").stderr
    assert "Stop: Claude Code now waits up to 92 s" in said
    assert waits(home, "Stop") == (94, 92)


def test_where_it_cannot_grow_it_says_so_and_doctor_does(home: Home) -> None:
    home.serves()
    home.hookd("install")
    config = home.path / "shims" / "user" / "config"
    said = add(home, "SessionEnd", "--timeout", "30")
    assert "SessionEnd: Claude Code waits no longer, so the hook is cut after 0.5 s" in said
    assert "30 s, cut at 0.5 s" in home.hookd("hook", "list").stdout
    # A file that a person has edited is not looked at by any command.
    home.settings(nested("PreToolUse", "true", timeout=120))
    assert any(
        state == "fail" and "a hook needs 122 s, and the shim waits 13 s" in what
        for state, what in doctor(home)
    )
    settings_of(home).write_text('{"hooks": []}')
    said = add(home, "PreToolUse", "--timeout", "100", command="true 1")
    assert "that could not be changed" in said
    assert "Next: hookd install --settings" in said
    config.unlink()
    said = add(home, "PreToolUse", "--timeout", "90", command="true 2")
    assert "there is no registration to change" in said


@pytest.mark.parametrize(
    ("answer", "failure"), [("y\n", "block"), ("n\n", None)], ids=["yes", "no"]
)
def test_a_person_is_asked_what_a_failing_hook_means_for_a_call(
    home: Home, answer: str, failure: str | None
) -> None:
    args = ("hooks", "add", "PreToolUse", "true")
    code, said = forkserver.at_a_terminal(args, home.env, typed=answer)
    assert (code, "Deny the call if the hook fails" in said) == (0, True)
    entry = json.loads((home.path / "settings.json").read_text())["hooks"]["PreToolUse"][0]
    assert entry["hooks"][0].get("on_failure") == failure
    assert entry["hooks"][0].get("on_error") == failure


def test_without_a_terminal_it_is_mentioned(home: Home) -> None:
    said = add(home, "PreToolUse")
    assert "the call runs; --on-failure block denies it" in said
    assert "--on-failure" not in add(home, "PostToolUse")


def delivered(window: Window, event: dict[str, Any], deadline: int) -> Any:
    """Deliver an event as a shim does that waits for so long."""
    asked = json.loads(header(event["hook_event_name"], window.identity))
    asked["params"]["deadline"] = deadline
    with window.home.link() as link, link.makefile("rb") as lines:
        link.sendall(json.dumps(asked).encode() + b"\n" + json.dumps(event).encode() + b"\x1e")
        assert b"hooks.accepted" in lines.readline()
        return json.loads(lines.readline())["result"]


@pytest.mark.parametrize(("failure", "decision"), [({}, ""), ({"on_error": "block"}, "deny")])
def test_a_hook_that_was_cut_shows_as_timed_out(
    home: Home, failure: dict[str, str], decision: str
) -> None:
    window = at_work(home, nested("PreToolUse", FOR_EVER, id="slow", timeout=600, **failure))
    answer = delivered(window, window.event("PreToolUse.Bash"), deadline=1)
    assert verdict(answer)[0] == decision
    ((number, fault),) = home.rows("SELECT event_id, error FROM hook_runs")
    assert fault.startswith("timed out after 0.")
    shown = home.hookd("event").stdout
    assert (f"{decision}, timed out" if decision else "  timed out  ") in shown
    assert "slow: timed out after 0." in home.hookd("why", str(number)).stdout


def test_a_shim_says_how_long_it_waits(home: Home) -> None:
    """Without its deadline the daemon would take the one of its own table, 13 s."""
    window = at_work(home, nested("PreToolUse", FOR_EVER, timeout=600))
    args = ("--deadline", "1")
    assert home.hook(window.event("PreToolUse.Bash"), *args).returncode == 0
    assert runs(home, "error")[0][0].startswith("timed out after 0.")
