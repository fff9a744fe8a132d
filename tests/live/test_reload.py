"""Live: the daemon reloads its settings when their file has changed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.home import Home, Window, until, window_in
from support.payloads import verdict
from support.session_ends import a_round_ends_what_it_saw_alive, aged, ended, sweeps

pytestmark = pytest.mark.gate

STRICT: dict[str, Any] = {
    "policies": {"options": {"heartbeat": {"warn_after": 1, "block_after": 2}}}
}


@pytest.fixture
def at_work(daemon: Home) -> Iterator[Window]:
    """A window at work, with the default settings."""
    window = window_in(daemon)
    window.starts()
    window.says("SessionStart")
    yield window


def changed(window: Window, path: Path | None = None) -> None:
    """Tell the daemon that a file of settings has changed."""
    file = str(path or window.home.path / "settings.json")
    assert window.says("ConfigChange", source="user_settings", file_path=file) is None


def denied(window: Window, calls: int = 3) -> bool:
    """Whether the last of some calls without a log entry is denied."""
    return [verdict(window.bash(f"echo {n}"))[0] for n in range(calls)][-1] == "deny"


def test_good_settings_hold_from_the_next_event_on(at_work: Window) -> None:
    home = at_work.home
    assert not denied(at_work)
    home.settings(STRICT)
    changed(at_work)
    assert denied(at_work, 1)
    assert home.rpc("daemon.status")["problem"] is None
    assert home.logged("settings reloaded")
    (home.path / "settings.json").unlink()
    changed(at_work)
    assert not denied(at_work, 1), "without a file the defaults hold"


BROKEN = [
    ("{", "are not JSON: "),
    ({"lgo": {}}, "lgo: there is no such setting"),
    ({"policies": {"options": {"heartbeat": {"block_after": "many"}}}}, "block_after"),
]


@pytest.mark.parametrize(("value", "said"), BROKEN, ids=str)
def test_broken_settings_leave_the_last_good_ones_in_force_and_say_so(
    at_work: Window, value: object, said: str
) -> None:
    home = at_work.home
    home.settings(STRICT)
    changed(at_work)
    home.settings(value)
    changed(at_work)
    assert denied(at_work)
    problem = home.rpc("daemon.status")["problem"]
    assert said in problem
    assert problem.endswith("; the last valid ones apply")
    assert home.logged(problem)
    shown = home.hookd("status").stdout
    assert said in " ".join(shown.split())
    home.settings({})
    changed(at_work)
    assert home.rpc("daemon.status")["problem"] is None
    assert not denied(at_work, 1)


def test_other_files_of_that_name_are_not_read(at_work: Window) -> None:
    for other in (Path(at_work.project) / "settings.json", at_work.home.path / "settings.json.tmp"):
        other.write_text(json.dumps(STRICT))
        changed(at_work, other)
    assert not denied(at_work)
    assert not at_work.home.logged("settings reloaded")


def test_the_file_may_be_told_by_a_link(at_work: Window) -> None:
    home = at_work.home
    home.settings(STRICT)
    link = Path(at_work.project) / "link"
    link.symlink_to(home.path)
    changed(at_work, link / "settings.json")
    assert denied(at_work)


def test_what_is_looked_after_once_a_minute_follows(at_work: Window) -> None:
    home = at_work.home
    home.settings({"sessions": {"idle_minutes": 0}})
    changed(at_work)
    silent = window_in(home)
    silent.says("SessionStart")
    aged(home, silent)
    until(lambda: a_round_ends_what_it_saw_alive(home))
    assert ended(silent) is None
    home.settings({"sessions": {"idle_minutes": 720}})
    changed(at_work)
    sweeps(home)
    until(lambda: ended(silent) == "idle")


def test_the_log_s_level_follows(at_work: Window) -> None:
    home = at_work.home
    home.settings({"log": {"level": "error"}})
    changed(at_work)
    assert not home.logged("settings reloaded")
    home.settings({"log": {"level": "info"}})
    changed(at_work)
    assert len(home.logged("settings reloaded")) == 1


def test_settings_that_change_are_read_again_without_a_word(at_work: Window) -> None:
    home = at_work.home
    assert not denied(at_work)
    home.settings(STRICT)
    until(lambda: home.logged("settings reloaded"))
    assert denied(at_work, 1)
    home.settings("{")
    until(lambda: home.rpc("daemon.status")["problem"])
    assert "the last valid ones apply" in home.hookd("status").stdout
    assert denied(at_work, 1)
    home.settings({})
    until(lambda: not home.rpc("daemon.status")["problem"])
    assert not denied(at_work, 1)


def test_how_many_hooks_run_at_once_may_be_changed(home: Home) -> None:
    counting = "echo $$ >>now; wc -l <now >>most; sleep 0.1; sed -i 1d now"
    hooks = [{"type": "command", "command": f"{counting} # {number}"} for number in range(3)]
    both = {"hooks": {"PreToolUse": [{"hooks": hooks}]}}
    home.settings(both)
    home.serves()
    window = window_in(home)
    home.settings({**both, "user_hooks": {"max_concurrent": 1}})
    until(lambda: home.logged("settings reloaded"))
    assert window.bash() is None
    assert (Path(window.project) / "most").read_text().split() == ["1"] * 3


def test_deprecated_settings_apply_and_are_named_where_problems_are(home: Home) -> None:
    home.settings({"commands": {"limit": 1}})
    home.serves()
    notice = "commands: deprecated: use user_hooks (limit is now max_concurrent)"
    file = home.path / "settings.json"
    assert len(home.logged(f"the settings {file}: {notice}")) == 1
    assert not home.rpc("daemon.status")["problem"]
    (problem,) = home.rpc("userHooks.list")["problems"]
    assert f"{problem['key']}: {problem['sentence']}" == notice
    assert not problem["fatal"]
    assert notice in home.hookd("doctor", check=False).stdout
