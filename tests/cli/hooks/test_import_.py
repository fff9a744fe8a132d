"""Hooks of other files become hookd's own: in one form, once, and with a word for each."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.home import Home
from support.paths import ROOT

EXAMPLES = ROOT / "examples" / "settings"
SHIM = {"type": "command", "command": "/x/hookd-hook", "args": ["--event", "Stop"]}


def fates(home: Home, *args: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(home.hookd("hook", "import", *args, "--json").stdout)
    return told


def settings(home: Home) -> Any:
    return json.loads((home.path / "settings.json").read_text())


def written(home: Home, name: str, value: object) -> str:
    path = home.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return str(path)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_every_form_is_taken_over_and_a_second_time_changes_nothing(path: Path, home: Home) -> None:
    first = fates(home, str(path))
    assert first["changed"]
    assert {one["became"] for one in first["hooks"]} <= {"added", "left out"}
    before = (home.path / "settings.json").read_bytes()
    again = fates(home, str(path))
    assert not again["changed"]
    assert "added" not in {one["became"] for one in again["hooks"]}
    assert (home.path / "settings.json").read_bytes() == before
    home.hookd("settings", "check")


def test_milliseconds_become_seconds_and_a_no_stays_one(home: Home) -> None:
    file = written(
        home,
        ".opta/config.json",
        {
            "hooks": [
                {"event": "tool.pre", "matcher": "run_command", "command": "a", "timeout": 2500}
            ]
        },
    )
    fates(home, file)
    entry = {"type": "command", "command": "a", "timeout": 2.5, "on_failure": "block"}
    entry |= {"env_compat": ["opta"]}
    group = {"matcher": "run_command", "hooks": [entry]}
    assert settings(home) == {"hooks": {"PreToolUse": [group]}}


def test_hookds_own_shims_stay_behind(home: Home) -> None:
    hooks = {"Stop": [{"hooks": [SHIM, {"type": "command", "command": "a"}]}]}
    told = fates(home, written(home, ".claude/settings.json", {"hooks": hooks, "model": "x"}))
    found = {one["key"]: (one["became"], one["why"]) for one in told["hooks"]}
    assert found["hooks.Stop[0].hooks[0]"] == ("left out", "it is hookd's own shim")
    became, why = found["hooks.Stop[0].hooks[1]"]
    assert became == "added"
    assert "or it runs twice" in why
    assert settings(home) == {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a"}]}]}}


def test_what_is_wrong_is_told_and_the_rest_is_taken(home: Home) -> None:
    hooks = {"Stop": [{"hooks": [{"type": "command"}, {"type": "command", "command": "a"}]}]}
    hooks["Stopp"] = [{"hooks": [{"type": "command", "command": "b"}]}]
    told = fates(home, written(home, "odd.json", {"hooks": hooks}))
    left = {one["key"]: one["why"] for one in told["hooks"] if one["became"] == "left out"}
    assert left["hooks.Stop[0].hooks[0]"] == "is missing"
    assert "there is no such event" in left["hooks.'Stopp'"]
    assert len(settings(home)["hooks"]["Stop"][0]["hooks"]) == 1


def test_a_dry_run_shows_the_change_and_writes_nothing(home: Home) -> None:
    home.settings('{"log": {"level": "info"}}\n')
    before = (home.path / "settings.json").read_bytes()
    said = home.hookd("hook", "import", str(EXAMPLES / "gen.settings.json"), "--dry-run").stdout
    assert "would change:" in said
    assert '+            "command": "npm run lint",' in said
    assert (home.path / "settings.json").read_bytes() == before


def test_what_stood_there_is_kept_and_backed_up(home: Home) -> None:
    home.settings('{\n    "log": {"level": "info"},\n    "context": {"budget": 9.0e3}\n}\n')
    before = (home.path / "settings.json").read_bytes()
    fates(home, str(EXAMPLES / "settings.flat.json"))
    after = (home.path / "settings.json").read_text()
    assert '"budget": 9.0e3' in after
    assert settings(home)["log"] == {"level": "info"}
    assert (home.path / "settings.json.hookd-backup").read_bytes() == before


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": {}, "hooks": {}}', "\xff"])
def test_a_file_that_is_no_settings_is_refused(text: str, home: Home) -> None:
    (home.path / "odd.json").write_bytes(text.encode("latin-1"))
    done = home.hookd("hook", "import", str(home.path / "odd.json"), check=False)
    assert done.returncode == 1
    assert "next:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_dry_run_with_nothing_to_write_says_so(home: Home) -> None:
    file = written(home, "one.json", {"hooks": {}})
    said = home.hookd("hook", "import", file, "--dry-run").stdout
    assert said.splitlines() == [
        "The file has no hooks.",
        f"Nothing would change in {home.path}/settings.json.",
    ]


def test_what_hookd_does_not_run_stays_where_it_is(home: Home) -> None:
    entry = {"type": "command", "command": "a"}
    hooks = {"WorktreeCreate": [{"hooks": [entry]}], "Stop": [{"hooks": [{"type": "agent"}]}]}
    told = fates(home, written(home, ".claude/settings.json", {"hooks": hooks}))
    assert not told["changed"]
    assert {one["became"] for one in told["hooks"]} == {"left out"}
    assert all(one["why"].endswith(": it stays there") for one in told["hooks"])


def test_a_hook_that_the_settings_do_not_let_through_is_told_of(home: Home) -> None:
    entry = {"type": "http", "url": "https://x.example/"}
    file = written(home, "one.json", {"hooks": {"Stop": [{"hooks": [entry]}]}})
    (one,) = fates(home, file, "--dry-run")["hooks"]
    assert one["why"] == "it is off: user_hooks.http_allow is not set"
    home.settings({"user_hooks": {"http_allow": ["https://x.example/*"]}})
    (one,) = fates(home, file, "--dry-run")["hooks"]
    assert one["why"] == ""
