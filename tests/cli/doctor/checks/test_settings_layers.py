"""What doctor finds in the settings of every layer: real files, and no daemon."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.doctor.checks.settings_layers import managed_folder
from hookd.cli.lib import transport
from support.doctor_home import EVERY, OTHER, Scene, scene_in
from support.home import Home
from support.installation import NC

BROKEN = '{"hooks": {"//": "hookd-hook",}}'


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return scene_in(home, monkeypatch)


def with_other(settings: dict[str, Any], event: str, **hook: Any) -> dict[str, Any]:
    settings["hooks"].setdefault(event, []).append({"hooks": [hook or OTHER]})
    return settings


GOES_ON = (
    "UserPromptSubmit, UserPromptExpansion, PreToolUse, PermissionRequest, TaskCreated,"
    " PreModelSwitch and 24 others go on"
)

# where it is registered


def test_hookd_that_is_registered_nowhere_fails(scene: Scene) -> None:
    (finding,) = scene.findings("registration")
    assert (finding.state, finding.next) == ("fail", "hookd install")
    assert "in no settings that Claude Code takes here" in finding.what


@pytest.mark.parametrize("layer", ["user", "project", "local", "managed"])
def test_each_layer_tells_which_events_it_registers_and_how_it_fails(
    scene: Scene, layer: str
) -> None:
    file = scene.write(layer, scene.entries())
    assert scene.found("registration", "fail policy") == [
        ("ok", f"{layer} settings, {file}: 30 events."),
        ("ok", f"{layer} settings, no verdict: {GOES_ON}."),
        ("ok", f"{layer} settings, no shim: {GOES_ON}."),
    ]


def test_the_folder_of_the_user_s_settings_is_the_client_s_variable(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(scene.home.path / "other"))
    file = scene.home.path / "other" / "settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps(scene.entries()))
    assert scene.found("registration") == [("ok", f"user settings, {file}: 30 events.")]


def test_the_project_s_settings_hold_in_its_folders(scene: Scene) -> None:
    scene.write("project", scene.entries())
    scene.project = scene.project / "src"
    scene.project.mkdir()
    assert scene.bad("registration") == []


def test_in_the_home_folder_the_user_s_settings_are_read_once(scene: Scene) -> None:
    scene.write("user", scene.entries())
    scene.project = scene.home.path
    (line,) = scene.found("registration")
    assert line[1].startswith("user settings")


def test_few_events_are_named(scene: Scene) -> None:
    scene.write("user", scene.entries("PreToolUse", "Stop"))
    assert scene.found("registration")[0][1].endswith("2 events: PreToolUse, Stop.")


def test_parts_of_managed_settings_are_read_too(scene: Scene) -> None:
    folder = scene.managed / "managed-settings.d"
    folder.mkdir(parents=True)
    (folder / "10-hooks.json").write_text(json.dumps(scene.entries()))
    (folder / ".hidden.json").write_text(BROKEN)
    assert scene.bad("settings", "registration") == []


def test_an_administrator_s_folder_is_nobody_else_s_to_write() -> None:
    assert managed_folder().is_absolute()
    assert not managed_folder().is_relative_to(Path.home())


# what is missing


def test_without_pretooluse_nothing_is_judged(scene: Scene) -> None:
    scene.write("user", scene.entries("Stop", "PostToolUse"))
    assert scene.bad("registration") == [
        ("fail", "PreToolUse is not registered: no call of a tool is judged.")
    ]


def test_missing_events_are_named(scene: Scene) -> None:
    scene.write("user", scene.entries(*(name for name in EVERY if name not in ("Stop", "Setup"))))
    assert scene.bad("registration") == [
        ("warn", "2 of 30 events are registered nowhere: Setup, Stop.")
    ]


@pytest.mark.parametrize(
    ("layer", "step"),
    [
        ("user", "hookd install --events default"),
        ("local", "hookd install --scope local --events default"),
        ("managed", "have your administrator update them"),
    ],
)
def test_what_is_missing_is_put_in_where_the_rest_stands(
    scene: Scene, layer: str, step: str
) -> None:
    scene.write(layer, scene.entries("Stop"))
    assert [one.next for one in scene.findings("registration") if one.state != "ok"] == [step]


def test_layers_complete_each_other(scene: Scene) -> None:
    scene.write("user", scene.entries("PreToolUse"))
    scene.write("local", scene.entries(*(name for name in EVERY if name != "PreToolUse")))
    assert scene.bad("registration") == []


def test_a_registered_worktreecreate_breaks_worktrees(scene: Scene) -> None:
    scene.write("user", scene.entries(*EVERY, "WorktreeCreate"))
    ((state, what),) = scene.bad("registration")
    assert (state, what[:27]) == ("fail", "WorktreeCreate is registere")


# entries that do less than they seem to


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (lambda group: group.update(matcher="Bash|Edit"), "Bash|Edit"),
        (lambda group: group["hooks"][0].update({"if": "Bash(git *)"}), "Bash(git *)"),
    ],
)
def test_an_entry_under_a_narrow_matcher_is_a_warning(
    scene: Scene, change: Any, shown: str
) -> None:
    settings = scene.entries()
    change(settings["hooks"]["PreToolUse"][0])
    file = scene.write("user", settings)
    what = f'PreToolUse is under "{shown}" in {file}: hookd receives no other.'
    assert scene.bad("registration") == [("warn", what)]


def test_a_narrow_matcher_is_no_matter_where_a_wide_one_stands_too(scene: Scene) -> None:
    settings = scene.entries()
    settings["hooks"]["PreToolUse"].append(settings["hooks"]["PreToolUse"][0] | {"matcher": "Bash"})
    scene.write("user", settings)
    assert scene.bad("registration") == []


def test_a_guard_that_runs_async_fails(scene: Scene) -> None:
    settings = scene.entries()
    for event in ("PreToolUse", "Stop"):
        settings["hooks"][event][0]["hooks"][0]["async"] = True
    file = scene.write("user", settings)
    what = f"PreToolUse in {file} runs async: Claude Code does not wait for its decision."
    assert scene.bad("registration") == [("fail", what)]


def of_stop(scene: Scene) -> dict[str, Any]:
    group: dict[str, Any] = scene.older("Stop")["hooks"]["Stop"][0]
    return group


def test_an_entry_that_is_sent_as_another_event_fails(scene: Scene) -> None:
    settings = scene.entries()
    settings["hooks"]["PreToolUse"][0]["hooks"] = settings["hooks"]["Stop"][0]["hooks"]
    file = scene.write("user", settings)
    what = f"PreToolUse in {file} is sent as another event: --event Stop."
    assert ("fail", what) in scene.bad("registration")
    scene.write("user", scene.older("Stop") | {"hooks": {"PreToolUse": [of_stop(scene)]}})
    assert ("fail", what) in scene.bad("registration")


def test_a_client_that_waits_less_than_the_shim_is_a_warning(scene: Scene) -> None:
    settings = scene.entries()
    settings["hooks"]["PreToolUse"][0]["hooks"][0]["timeout"] = 13
    scene.write("user", settings)
    ((state, what),) = scene.bad("registration")
    assert state == "warn"
    assert "Claude Code waits 13 s, the shim 13 s" in what


@pytest.mark.parametrize("end", ["hookd-hook --event Stop", "shims/user/Stop"])
def test_a_longer_line_that_holds_the_shim_is_not_known_as_ours(scene: Scene, end: str) -> None:
    line = {"type": "command", "command": f"bash /x/{end}"}
    file = scene.write("user", with_other(scene.entries(), "Stop", **line))
    what = f"Stop in {file} names hookd-hook within a longer command line: "
    assert scene.bad("registration") == [("warn", what + "hookd does not recognize it as its own.")]


# twice


def test_two_command_lines_for_an_event_run_twice(scene: Scene) -> None:
    user = scene.write("user", scene.entries())
    local = scene.write("local", scene.entries("PreToolUse", "Stop", scope=OTHER_SCOPE))
    what = "2 events run hookd more than once, by different command lines in "
    (finding,) = (one for one in scene.findings("registration") if one.state != "ok")
    assert finding.what == f"{what}{local} and {user}: PreToolUse, Stop."
    assert finding.next == f"hookd uninstall --settings {local}"


OTHER_SCOPE = "local-0123abcd"


def test_one_command_line_in_two_layers_runs_once(scene: Scene) -> None:
    scene.write("user", scene.entries())
    scene.write("project", scene.entries())
    assert scene.bad("registration") == []


def test_two_command_lines_under_matchers_of_their_own_run_once(scene: Scene) -> None:
    settings = scene.entries()
    (group,) = settings["hooks"]["PreToolUse"]
    other = scene.entries("PreToolUse", scope=OTHER_SCOPE)["hooks"]["PreToolUse"][0]
    settings["hooks"]["PreToolUse"] = [group | {"matcher": "Bash"}, other | {"matcher": "Edit"}]
    scene.write("user", settings)
    assert not [what for _, what in scene.bad("registration") if "more than once" in what]


def test_a_wide_and_a_narrow_matcher_meet(scene: Scene) -> None:
    narrow = scene.entries("PreToolUse", scope=OTHER_SCOPE)
    narrow["hooks"]["PreToolUse"][0]["matcher"] = "Bash"
    scene.write("user", scene.entries())
    scene.write("local", narrow)
    ((state, what),) = scene.bad("registration")
    assert (state, what.startswith("1 event runs hookd more than once")) == ("warn", True)


def test_what_an_administrator_registered_is_not_the_user_s_to_take_out(scene: Scene) -> None:
    scene.write("managed", scene.entries())
    user = scene.write("user", scene.entries(scope=OTHER_SCOPE))
    (finding,) = (one for one in scene.findings("registration") if one.state != "ok")
    assert finding.next == f"hookd uninstall --settings {user}"


# the fail policy


@pytest.mark.parametrize(
    ("events", "more", "daemon", "shim"),
    [
        (
            ["PreToolUse", "Stop"],
            {},
            "PreToolUse and 1 other go on",
            "PreToolUse and 1 other go on",
        ),
        (["Stop"], {}, "1 other goes on", "1 other goes on"),
        (
            ["PreToolUse"],
            {"closed": ("PreToolUse",)},
            "PreToolUse is refused by the shim",
            "PreToolUse is refused by Claude Code",
        ),
        (
            ["UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop"],
            {"closed": ("PreToolUse", "PermissionRequest")},
            "PreToolUse and PermissionRequest are refused by the shim;"
            " UserPromptSubmit and 2 others go on",
            "PreToolUse and PermissionRequest are refused by Claude Code;"
            " UserPromptSubmit and 2 others go on",
        ),
    ],
)
def test_the_fail_policy_is_told_by_event_for_each_layer(
    scene: Scene, events: list[str], more: Any, daemon: str, shim: str
) -> None:
    scene.write("user", scene.entries(*events, **more))
    assert scene.found("fail policy") == [
        ("ok", f"user settings, no verdict: {daemon}."),
        ("ok", f"user settings, no shim: {shim}."),
    ]


def test_what_the_shim_alone_refuses_is_a_warning(scene: Scene) -> None:
    settings = scene.entries("PreToolUse", closed=("PreToolUse",))
    del settings["hooks"]["PreToolUse"][0]["hooks"][0]["onFailure"]
    scene.write("user", settings)
    daemon, shim = scene.findings("fail policy")
    assert (daemon.state, "is refused by the shim" in daemon.what) == ("ok", True)
    assert (shim.state, shim.what) == ("warn", "user settings, no shim: PreToolUse goes on.")
    assert shim.next == "hookd install, which asks Claude Code for it, too"


@pytest.mark.parametrize(
    ("event", "change"),
    [
        ("Stop", {"onFailure": "block"}),
        ("PreToolUse", {"onFailure": "block", "async": True}),
        ("PreToolUse", {"onFailure": "continue"}),
    ],
)
def test_what_claude_code_takes_no_notice_of_is_not_counted_on(
    scene: Scene, event: str, change: Any
) -> None:
    scene.write("user", scene.changed(lambda group: group["hooks"][0].update(change), event))
    assert all("refused" not in what for _, what in scene.found("fail policy"))


# settings that Claude Code does not take


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BROKEN, "it is not valid JSON: line 1, column 31: "),
        ('["hookd-hook"]', "it must be a JSON object"),
        ('{"hookd-hook": NaN}', "it is not valid JSON: NaN is not a JSON value"),
        ('["hookd-hook",' + "[" * 100_000, "it is not valid JSON: it is nested too deeply."),
        ('{"//": "hookd-hook", "hooks": {"PreToolUse": [7]}}', "hooks.PreToolUse[0] must be an ob"),
        ('{"//": "hookd-hook", "hooks": {"PermissionRequest": 7}}', "hooks.PermissionRequest must"),
    ],
)
def test_a_file_that_names_hookd_and_is_refused_fails(scene: Scene, text: str, reason: str) -> None:
    file = scene.write("user", text)
    ((state, what),) = scene.found("settings")
    assert state == "fail"
    assert what.startswith(f"Claude Code applies nothing of {file}: {reason}")


def test_bytes_that_are_no_text_are_refused(scene: Scene) -> None:
    scene.write("user", "").write_bytes(b'"hookd-hook\xff"')
    assert scene.found("settings")[0][1].endswith("it is not valid JSON: byte 11 is not UTF-8.")


def test_a_refused_file_without_hookd_is_a_warning(scene: Scene) -> None:
    scene.write("user", scene.entries())
    scene.write("project", BROKEN.replace("hookd-hook", "mine"))
    assert [state for state, _ in scene.bad("settings", "registration")] == ["warn"]


def test_what_a_refused_file_registers_does_not_count(scene: Scene) -> None:
    settings = with_other(scene.entries(), "PermissionRequest", type="unknown")
    scene.write("user", settings)
    assert [state for state, _ in scene.bad("settings", "registration")] == ["fail", "fail"]
    assert scene.found("shim", "fail policy", "canary") == []


def test_a_malformed_hook_elsewhere_takes_its_group_along(scene: Scene) -> None:
    settings = scene.entries()
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "unknown"})
    file = scene.write("user", settings)
    (first, second) = scene.bad("settings", "registration")
    assert first[1].startswith(f"Claude Code drops a group of hooks in {file}: hooks.Stop[0].hooks")
    assert second == ("warn", "1 of 30 events are registered nowhere: Stop.")


def test_a_folder_in_the_place_of_the_settings_is_told(scene: Scene) -> None:
    scene.files["local"].mkdir(parents=True)
    ((state, what),) = scene.found("settings")
    assert (state, what.endswith("settings.local.json: it is not a file.")) == ("warn", True)


def test_a_loop_of_links_in_the_place_of_the_settings_is_told(scene: Scene) -> None:
    scene.files["local"].parent.mkdir(parents=True)
    scene.files["local"].symlink_to(scene.files["local"])
    ((state, what),) = scene.found("settings")
    assert state == "warn"
    assert "it cannot be read: " in what


def test_empty_settings_and_a_byte_order_mark_are_taken(scene: Scene) -> None:
    scene.write("project", "")
    scene.write("user", "\ufeff" + json.dumps(scene.entries()))
    assert scene.bad("settings", "registration") == []


# switches


def test_nothing_is_switched_off(scene: Scene) -> None:
    scene.write("user", scene.entries())
    assert scene.found("switches") == [("ok", "No settings switch hooks off.")]


@pytest.mark.parametrize(
    ("switches", "culprit"),
    [
        ({"user": True}, "user"),
        ({"user": True, "project": False}, None),
        ({"user": False, "project": True}, "project"),
        ({"project": True, "local": False}, None),
        ({"project": False, "local": True}, "local"),
        ({"local": False, "managed": True}, "managed"),
        ({"local": True, "managed": False}, None),
        ({"user": True, "local": "yes"}, "user"),
    ],
)
def test_disableallhooks_counts_in_the_strongest_layer_that_holds_it(
    scene: Scene, switches: dict[str, Any], culprit: str | None
) -> None:
    for layer, value in {"user": None, **switches}.items():
        entries = scene.entries() if layer == "user" else {}
        scene.write(layer, entries if value is None else entries | {"disableAllHooks": value})
    if culprit is None:
        assert scene.bad("switches") == []
        return
    what = f"disableAllHooks is true in {scene.files[culprit]}: Claude Code runs no hooks."
    assert scene.bad("switches") == [("fail", what)]


MANAGED_ONLY = [
    {"allowManagedHooksOnly": True},
    {"strictPluginOnlyCustomization": True},
    {"strictPluginOnlyCustomization": ["skills", "hooks"]},
]


@pytest.mark.parametrize("switch", MANAGED_ONLY)
def test_what_lets_managed_hooks_run_alone_silences_the_user_s(
    scene: Scene, switch: dict[str, Any]
) -> None:
    scene.write("user", scene.entries())
    file = scene.write("managed", switch)
    ((state, what),) = scene.bad("switches")
    assert (state, f"in {file} lets no hooks of the user" in what) == ("fail", True)


@pytest.mark.parametrize("switch", MANAGED_ONLY)
@pytest.mark.parametrize("layer", ["user", "project", "local"])
def test_such_a_switch_means_nothing_elsewhere(
    scene: Scene, layer: str, switch: dict[str, Any]
) -> None:
    scene.write(layer, scene.entries() | switch)
    assert scene.bad("switches") == []


@pytest.mark.parametrize(
    "switch",
    [
        {"allowManagedHooksOnly": False},
        {"strictPluginOnlyCustomization": ["skills"]},
        {"strictPluginOnlyCustomization": False},
    ],
)
def test_a_switch_that_bars_no_hooks_is_no_matter(scene: Scene, switch: dict[str, Any]) -> None:
    scene.write("user", scene.entries())
    scene.write("managed", switch)
    assert scene.bad("switches") == []


@pytest.mark.parametrize("switch", MANAGED_ONLY)
def test_hookd_in_managed_settings_runs_beside_such_a_switch(
    scene: Scene, switch: dict[str, Any]
) -> None:
    scene.write("managed", scene.entries() | switch)
    assert [state for state, _ in scene.bad("switches")] == ["warn"]


def test_hookd_in_managed_settings_runs_though_the_user_switches_hooks_off(scene: Scene) -> None:
    scene.write("managed", scene.entries())
    scene.write("user", {"disableAllHooks": True})
    assert [state for state, _ in scene.bad("switches")] == ["warn"]


def test_managed_settings_switch_off_their_own_hooks_too(scene: Scene) -> None:
    scene.write("managed", scene.entries() | {"disableAllHooks": True})
    assert [state for state, _ in scene.bad("switches")] == ["fail"]


def test_a_later_part_of_managed_settings_overrides_the_others(scene: Scene) -> None:
    scene.write("user", scene.entries())
    scene.write("managed", {"disableAllHooks": True})
    folder = scene.managed / "managed-settings.d"
    folder.mkdir()
    (folder / "10.json").write_text('{"disableAllHooks": true}')
    (folder / "20.json").write_text('{"disableAllHooks": false}')
    assert scene.bad("switches") == []


# who else hooks


@pytest.mark.parametrize(
    ("hook", "name"),
    [
        (OTHER, "lint.sh"),
        ({"type": "command", "command": "python3 /x/y.py --key abc123"}, "python3 y.py"),
        ({"type": "command", "command": "KEY=abc123 /x/run abc123"}, "run"),
        ({"type": "command", "command": "curl -H abc123"}, "curl"),
        ({"type": "command", "command": "/x/run", "args": ["abc123"]}, "run"),
        ({"type": "command", "command": "'abc123"}, "a command that no shell can read"),
        ({"type": "command", "command": ""}, "nothing"),
        ({"type": "http", "url": "http://ana:abc123@example.org/abc123"}, "http example.org"),
        ({"type": "http", "url": "http://[abc123"}, "http nowhere"),
        ({"type": "mcp_tool", "server": "files", "tool": "look"}, "files.look"),
        ({"type": "prompt", "prompt": "abc123"}, "prompt"),
    ],
)
def test_other_hooks_are_named_without_what_may_be_secret(
    scene: Scene, hook: dict[str, Any], name: str
) -> None:
    scene.write("user", scene.entries())
    scene.write("local", {"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    assert scene.found("others") == [("ok", f"PreToolUse runs beside hookd: {name} (local).")]
    assert "abc123" not in str(scene.findings())


def test_hooks_at_events_where_hookd_is_not_are_no_matter(scene: Scene) -> None:
    scene.write("user", with_other(scene.entries("PreToolUse"), "Stop"))
    assert scene.found("others") == []


# what a command line needs


@pytest.fixture
def installed(scene: Scene) -> Path:
    scene.home.hookd("install", "--shim", "bash")
    return scene.home.path / "shims" / "hookd-hook"


def test_what_install_wrote_is_well_wired(
    scene: Scene, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "SLOW_MS", 60_000.0)  # however busy this machine is
    checks = ("shim", "transport", "program", "socket")
    assert [one.check for one in scene.findings(*checks)] == list(checks)
    assert scene.bad(*checks) == []


def test_a_shim_that_is_not_there_fails(scene: Scene) -> None:
    file = scene.write("user", scene.entries())
    what = f"The shim {scene.home.path}/shims/hookd-hook, which {file} names, is not there."
    assert scene.found("shim") == [("fail", what)]


def test_a_shim_that_is_not_executable_fails(scene: Scene, installed: Path) -> None:
    installed.chmod(0o644)
    ((state, what),) = scene.found("shim")
    assert (state, what.endswith("is not executable.")) == ("fail", True)


def test_a_shim_that_differs_from_the_packaged_one_is_a_warning(
    scene: Scene, installed: Path
) -> None:
    installed.write_text("#!/bin/bash\n")
    (finding,) = scene.findings("shim")
    assert (finding.state, finding.next) == ("warn", "hookd install")


@pytest.mark.parametrize(
    ("layer", "step"),
    [
        ("project", "hookd install --scope project"),
        ("local", "hookd install --scope local"),
        ("managed", "have your administrator update them"),
    ],
)
def test_the_next_step_renews_the_layer_that_is_wrong(scene: Scene, layer: str, step: str) -> None:
    scene.write(layer, scene.entries())
    assert [one.next for one in scene.findings("shim")] == [step]


@pytest.mark.parametrize(
    ("named", "trouble"),
    [
        ("nc:/nowhere/nc", "is not there"),
        ("nc:/etc/passwd", "is not executable"),
        ("curl:/usr/bin/env", "is none of nc, socat, perl, python3"),
        ("nc", "is not there"),
    ],
)
def test_a_transport_that_cannot_be_used_fails_unless_there_is_another(
    scene: Scene, named: str, trouble: str
) -> None:
    file = scene.write("user", scene.entries(transports=(named,)))
    what = f"No transport that {file} names can be used: {named} {trouble}."
    assert scene.found("transport") == [("fail", what)]
    scene.write("user", scene.older("PreToolUse", transport=named))
    assert scene.found("transport") == [("fail", what)]
    other = f"python3:{sys.executable}"
    scene.write("user", scene.entries(transports=(named, other)))
    what = f"{named} {trouble}: the shim uses {other}, and says so at every event."
    assert scene.found("transport") == [("warn", what)]


def test_a_transport_is_measured_and_a_slow_one_is_a_warning(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    nc = scene.program("nc", NC.format(python=sys.executable))
    scene.write("user", scene.entries(transports=(f"nc:{nc}",)))
    for slow, expected in ((60_000.0, "ok"), (0.0, "warn")):
        monkeypatch.setattr(transport, "SLOW_MS", slow)
        ((state, what),) = scene.found("transport")
        assert state == expected
        assert re.match(rf"nc:{nc} takes [0-9.]+ ms for a round trip", what)


def test_a_transport_that_carries_nothing_fails(scene: Scene) -> None:
    nc = scene.program("nc", "#!/bin/sh\n")
    scene.write("user", scene.entries(transports=(f"nc:{nc}",)))
    what = f"nc:{nc} does not bring bytes to a Unix socket and an answer back."
    assert scene.found("transport") == [("fail", what)]


def test_a_program_hookd_that_is_gone_fails(scene: Scene) -> None:
    scene.write("user", scene.entries(hookd="/nowhere/hookd"))
    ((state, what),) = scene.found("program")
    assert (state, "The program hookd /nowhere/hookd is not there" in what) == ("fail", True)


def test_the_socket_of_another_daemon_fails(scene: Scene) -> None:
    scene.write("user", scene.entries(socket="/run/other/hookd.sock"))
    ((state, what),) = scene.found("socket")
    own = scene.home.socket
    assert state == "fail"
    assert what.endswith(f"ask on /run/other/hookd.sock, but this hookd is on {own}.")


def test_another_home_is_named_with_the_way_to_ask_it(scene: Scene) -> None:
    settings = scene.entries(
        hookd="/bin/sh", socket="/run/other/hookd.sock", environment=("HOOKD_HOME=/srv/a b",)
    )
    scene.write("user", settings)
    (socket,) = scene.findings("socket")
    assert str(socket.next).endswith("the other one: env 'HOOKD_HOME=/srv/a b' /bin/sh doctor")


def test_the_socket_may_be_named_by_a_link(scene: Scene) -> None:
    link = scene.home.path / "link"
    link.symlink_to(scene.home.path)
    scene.write("user", scene.entries(socket=str(link / "run" / "hookd.sock")))
    assert scene.bad("socket") == []


def test_a_configuration_that_is_gone_or_a_link_fails(scene: Scene, installed: Path) -> None:
    config = installed.with_name("user") / "config"
    config.rename(config.with_name("other"))
    what = f"The shim's configuration {config} is not there, or not a file of yours: "
    lost = ("fail", f"{what}calls are asked about, other events pass.")
    assert scene.bad("shim", "transport", "program", "socket") == [lost]
    config.symlink_to("other")
    assert scene.bad("shim", "transport", "program", "socket") == [lost]


def test_links_that_are_gone_are_told_once(scene: Scene, installed: Path) -> None:
    folder = installed.with_name("user")
    for link in folder.iterdir():
        if link.is_symlink():
            link.unlink()
    (finding,) = (one for one in scene.findings("shim") if one.state != "ok")
    assert (finding.state, finding.next) == ("fail", "hookd install")
    assert finding.what.startswith(f"The shim {folder}/SessionStart, which ")


def test_an_entry_without_arguments_names_nothing_that_it_needs(scene: Scene) -> None:
    settings = scene.older("PreToolUse")
    del settings["hooks"]["PreToolUse"][0]["hooks"][0]["args"]
    scene.write("user", settings)
    assert [state for state, _ in scene.found("transport", "program", "socket")] == [
        "warn",
        "fail",
        "fail",
    ]


def test_doctor_changes_nothing(scene: Scene, installed: Path) -> None:
    def files() -> dict[str, tuple[bytes, int]]:
        found = (path for path in scene.home.path.rglob("*") if path.is_file())
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in found}

    before = files()
    scene.findings()
    assert files() == before
