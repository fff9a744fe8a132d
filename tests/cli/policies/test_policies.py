"""`hookd policy`: which rules hold where, and why, and how that is changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.home import Home, Window, until
from support.payloads import verdict
from support.screen import on_screen


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a folder that is a project's."""
    (tmp_path / ".git").mkdir()
    return tmp_path


def rows(home: Home, project: Path) -> dict[str, dict[str, Any]]:
    found = home.hookd("policy", "list", "--json", cwd=project)
    return {row["policy"]: row for row in json.loads(found.stdout)}


def own(home: Home) -> Any:
    return json.loads((home.path / "settings.json").read_text())


def test_every_policy_is_listed_in_the_order_in_which_they_speak(home: Home, project: Path) -> None:
    found = rows(home, project)
    places = [row["priority"] for row in found.values()]
    assert places == sorted(places)
    assert found["heartbeat"] == {
        "policy": "heartbeat",
        "mode": "enforce",
        "why": "by default",
        "what": "Logging discipline: remind, then deny, until the agent writes a log entry.",
        "priority": 40,
        "events": ["PreToolUse"],
        "options": {"clients": [], "warn_after": 3, "block_after": 10, "subagents": "able"},
    }


def test_a_policy_is_switched_off_and_on_and_its_options_are_set(home: Home, project: Path) -> None:
    home.settings({"log": {"level": "debug"}})
    off = home.hookd("policy", "disable", "heartbeat", cwd=project)
    assert off.stdout.startswith("heartbeat is now off, disabled in ")
    assert own(home)["policies"] == {"disabled": ["heartbeat"]}
    assert rows(home, project)["heartbeat"]["mode"] == "off"
    again = home.hookd("policy", "disable", "heartbeat", cwd=project)
    assert "(unchanged)" in again.stdout
    on = home.hookd("policy", "enable", "heartbeat", cwd=project)
    assert on.stdout.startswith("heartbeat is now enforce, by default")
    assert own(home) == {"log": {"level": "debug"}}
    done = home.hookd("policy", "set", "heartbeat", "block_after", "20", cwd=project)
    assert done.stdout == (
        "heartbeat: block_after is now 20; the policy is enforce, by default. See: hookd policy"
        " show heartbeat\n"
    )
    assert rows(home, project)["heartbeat"]["options"]["block_after"] == 20
    home.hookd("policy", "set", "heartbeat", "block_after", "--default", cwd=project)
    assert own(home) == {"log": {"level": "debug"}}


def test_one_is_shown_with_all_that_there_is_to_know(home: Home, project: Path) -> None:
    home.settings({"policies": {"options": {"heartbeat": {"mode": "warn"}}}})
    said = home.hookd("policy", "show", "heartbeat", cwd=project).stdout
    assert said.startswith("heartbeat: warn, by its mode in ")
    assert "Tool calls are counted since the last `hookd log`." in said
    assert "Calls without a log entry before calls are denied." in said
    whole = json.loads(home.hookd("policy", "show", "heartbeat", "--json", cwd=project).stdout)
    assert {one["option"]: one["value"] for one in whole["options"]} == {
        "mode": "warn",
        "clients": [],
        "warn_after": 3,
        "block_after": 10,
        "subagents": "able",
    }


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("show", "heartbeet"), "There is no policy 'heartbeet'; did you mean heartbeat?"),
        (("disable", "x"), "next: see all: hookd policy list"),
        (
            ("set", "heartbeat", "blok", "1"),
            "no option 'blok'; there are mode, clients,",
        ),
        (
            ("set", "heartbeat", "block_after", "--", "-1"),
            "policies.options.heartbeat.block_after: ",
        ),
        (("set", "heartbeat", "mode", "loud"), "policies.options.heartbeat.mode: "),
    ],
)
def test_what_cannot_be_done_is_told_and_nothing_is_written(
    args: tuple[str, ...], said: str, home: Home, project: Path
) -> None:
    home.settings({})
    done = home.hookd("policy", *args, cwd=project, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert own(home) == {}


LIST = ("set", "session-gate", "allow")


def test_one_is_added_to_a_list_and_taken_out_of_it(home: Home, project: Path) -> None:
    def allowed() -> Any:
        return rows(home, project)["session-gate"]["options"]["allow"]

    home.settings({})
    for pattern in ("Bash(npm test)", "Bash(make)", "Bash(make)"):
        home.hookd("policy", *LIST, "--add", pattern, cwd=project)
    assert allowed() == ["Bash(npm test)", "Bash(make)"]
    done = home.hookd("policy", *LIST, "--remove", "Bash(npm test)", cwd=project)
    assert 'allow is now ["Bash(make)"]' in done.stdout
    assert allowed() == ["Bash(make)"]
    kinds = ("set", "session-notification", "kinds")
    home.hookd("policy", *kinds, "--remove", "Stop", cwd=project)
    left = rows(home, project)["session-notification"]["options"]["kinds"]
    assert "Stop" not in left
    assert "StopFailure" in left, "what it was by default is what one is taken from"


def test_an_object_is_added_to_a_list_and_shown_with_its_keys(home: Home, project: Path) -> None:
    home.settings({})
    rule = '{"deny": ["infra/**"]}'
    done = home.hookd("policy", "set", "path-guard", "rules", "--add", rule, cwd=project)
    assert f"rules is now [{rule}];" in done.stdout
    again = home.hookd("policy", "set", "path-guard", "rules", "--add", rule, cwd=project)
    assert "(unchanged)" in again.stdout
    said = home.hookd("policy", "show", "path-guard", cwd=project).stdout
    assert "rules[].permission_modes" in said
    assert "One of: default, acceptEdits, plan" in said
    assert max(map(len, said.splitlines())) <= 100


@pytest.mark.parametrize(
    "args", [("list",), ("show", "session-notification"), ("show", "path-guard")]
)
def test_nothing_is_wider_than_a_terminal_of_eighty(
    args: tuple[str, ...], home: Home, project: Path
) -> None:
    home.settings({"policies": {"options": {"path-guard": {"rules": [{"deny": ["infra/**"]}]}}}})
    env = home.env | {"CLAUDE_PROJECT_DIR": str(project)}
    assert 40 < max(map(len, on_screen(("policies", *args), env, project, 80))) <= 80


def test_what_an_option_may_hold_is_shown(home: Home, project: Path) -> None:
    said = home.hookd("policy", "show", "session-notification", cwd=project).stdout
    assert "`desktop`, `tmux`, `command`, `bell`" in said
    assert "`permission_prompt`" in " ".join(said.split())
    ignore = home.hookd("policy", "show", "destructive-guard", cwd=project).stdout
    assert "Kinds of risk that are ignored. One of: " in " ".join(ignore.split())


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("path-guard", "rules", '[{"deny": '), "Invalid JSON: "),
        (("path-guard", "rules", "infra"), 'expected a list, such as ["..."]'),
        (("path-guard", "rules", '["infra"]'), 'expected an object, such as {"..."'),
        (("heartbeat", "block_after", "ten"), "expected a whole number"),
        (
            ("heartbeat", "mode", "on"),
            "expected 'off', 'warn' or 'enforce'",
        ),
        (("overflow", "warn", "0.95"), "policies.options.overflow: notice, warn, at and critical"),
        (("heartbeat", "block_after", "--add", "1"), "block_after of heartbeat is not a list"),
        ((*LIST[1:], "--remove", "Read"), 'allow of session-gate does not hold "Read": it is []'),
        (("session-notification", "texts", '{"Stop": "{nam}"}'), "unknown placeholder {nam}"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_in_words_with_the_next_step(
    args: tuple[str, ...], said: str, home: Home, project: Path
) -> None:
    home.settings({})
    done = home.hookd("policy", "set", *args, cwd=project, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert f"next: hookd policy show {args[0]}" in done.stderr
    assert own(home) == {}


def test_a_text_that_looks_like_a_number_is_a_text_where_one_is_wanted(
    home: Home, project: Path
) -> None:
    home.hookd("policy", "set", "session-notification", "title", "5", cwd=project)
    assert own(home)["policies"]["options"]["session-notification"] == {"title": "5"}


def test_a_fault_beside_it_does_not_keep_a_policy_from_being_set(home: Home, project: Path) -> None:
    """The written settings are valid; a file that is not used as a whole is named."""
    home.settings({"log": {"level": 3}, "policies": {"options": {"overflow": {"ad": 1}}}})
    done = home.hookd("policy", "disable", "heartbeat", cwd=project, check=False)
    assert own(home)["policies"]["disabled"] == ["heartbeat"]
    assert done.returncode == 1
    assert "does not apply yet: the settings" in done.stderr
    assert "settings.json are refused: log.level" in done.stderr


def test_who_is_overruled_is_told_by_whom_and_what_to_do(window: Window) -> None:
    home, project = window.home, Path(window.project)
    home.hookd("policy", "disable", "heartbeat", "--scope", "project", cwd=project)
    done = home.hookd(
        "policies", "enable", "heartbeat", "--scope", "local", cwd=project, check=False
    )
    assert done.returncode == 1
    assert "heartbeat is still off, disabled in .hookd/settings.json." in done.stderr
    assert "next: hookd policy enable heartbeat --scope project" in done.stderr
    home.hookd("policy", "set", "overflow", "notice", "0.5", "--scope", "local", cwd=project)
    args = ("policies", "set", "overflow", "notice", "0.6", "--scope", "project")
    done = home.hookd(*args, cwd=project, check=False)
    assert done.returncode == 1
    assert "is written, but other settings override it: notice of overflow is 0.5" in done.stderr


def test_a_name_that_is_like_no_other_is_told_in_a_whole_sentence(
    home: Home, project: Path
) -> None:
    done = home.hookd("policy", "show", "zzz", cwd=project, check=False)
    assert "There is no policy 'zzz'.\n" in done.stderr


def test_settings_that_cannot_be_used_are_told_beside_the_list(home: Home, project: Path) -> None:
    home.settings({"policies": {"disabled": ["nope"]}})
    done = home.hookd("policy", "list", cwd=project, check=False)
    assert done.returncode == 1
    assert "heartbeat " in done.stdout
    assert "next: hookd settings check" in done.stderr
    assert "unknown policy 'nope'" in done.stderr
    checked = home.hookd("settings", "check", cwd=project, check=False)
    assert "policies.disabled[0]: there is no such policy" in checked.stdout


def test_a_project_s_word_holds_there_once_it_is_trusted(window: Window) -> None:
    settings = Path(window.project, ".hookd", "settings.json")
    settings.parent.mkdir()
    said = {"policies": {"options": {"heartbeat": {"block_after": 0}}}}
    settings.write_text(json.dumps(said))
    window.starts()
    assert window.bash() is None
    listed = window.rpc("userHooks.list", root=window.project)
    assert listed["trusted"] is False
    window.rpc("userHooks.trust", root=window.project, digest=listed["digest"])
    until(lambda: verdict(window.bash("pwd"))[0] == "deny")
    row = rows(window.home, settings.parent.parent)["heartbeat"]
    assert row["options"]["block_after"] == 0
    assert row["why"] == "by default"
    settings.write_text("{}")
    until(lambda: window.rpc("userHooks.list", root=window.project)["trusted"] is None)
    assert verdict(window.bash("id"))[0] == "deny", "what was trusted stays in force"
    window.rpc("userHooks.untrust", root=window.project)
    until(lambda: window.rpc("effort.log", text="x") and window.bash("id") is None)


def test_a_reminder_above_the_limit_is_noted(home: Home) -> None:
    done = home.hookd("policy", "set", "heartbeat", "warn_after", "30")
    note = "warn_after (30) is above block_after (10): the reminder comes after 9 calls"
    assert done.stderr == f"hookd: note: heartbeat: {note}\n"


def test_the_former_flags_print_a_line_of_deprecation(home: Home) -> None:
    done = home.hookd(
        "policies", "disable", "overflow", "--to", "user", "--project", str(home.path)
    )
    assert sorted(done.stderr.splitlines()) == [
        "hookd: --project is deprecated; use --project-dir",
        "hookd: --to is deprecated; use --scope",
    ]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_screen_groups_policies_and_keeps_their_descriptions(
    home: Home, project: Path, width: int
) -> None:
    lines = on_screen(("policy", "list"), home.env, project, width)
    assert max(map(len, lines)) <= width
    headings = [line for line in lines if line and not line.startswith(" ")]
    assert [heading.rpartition(" ")[2] for heading in headings] == ["on", "off"]
    told = " ".join(" ".join(lines).split())
    for row in rows(home, project).values():
        assert f"{row['policy']} (" in told
        assert row["what"] in told


def test_a_policy_for_some_clients_says_so(home: Home, project: Path) -> None:
    given = ("policy", "set", "destructive-guard", "clients")
    assert home.hookd(*given, "--add", "codex", cwd=project).returncode == 0
    assert rows(home, project)["destructive-guard"]["options"]["clients"] == ["codex"]
    assert "; only in codex" in home.hookd("policy", "list", cwd=project).stdout
    shown = home.hookd("policy", "show", "destructive-guard", cwd=project).stdout
    assert shown.startswith("destructive-guard: enforce, by default; only in codex\n")
    wrong = home.hookd(*given, "--add", "codx", cwd=project, check=False)
    assert wrong.returncode != 0
    assert "'codx' is no client; did you mean `codex`?\n" in wrong.stderr
    assert own(home)["policies"]["options"]["destructive-guard"]["clients"] == ["codex"]
