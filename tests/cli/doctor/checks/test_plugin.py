"""What doctor finds of the Claude Code plugin: real files, and no daemon."""

from typing import Any

import pytest

import hookd
from hookd.cli.install import plugin_scope
from support.doctor_home import Scene, scene_in
from support.home import Home

ON, OFF = ({"enabledPlugins": {"hookd@hookd": on}} for on in (True, False))


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return scene_in(home, monkeypatch)


def set_up(scene: Scene, settings: dict[str, Any] = ON) -> None:
    scene.write("user", settings)
    scene.home.hookd("plugin", "setup", "--shim", "bash")


def test_without_the_plugin_there_is_no_finding(scene: Scene) -> None:
    scene.write("user", {"enabledPlugins": {"other@hookd": True}})
    assert scene.found("plugin") == []


def test_an_enabled_plugin_is_checked_like_settings(scene: Scene) -> None:
    set_up(scene)
    assert scene.found("plugin") == [("ok", "The plugin hookd@hookd runs hookd.")]
    first = scene.found("registration")[0]
    assert first == ("ok", f"plugin settings, {plugin_scope.registry()}: 30 events.")
    assert scene.bad("registration", "fail policy") == []


def test_a_plugin_that_is_not_set_up_guards_nothing(scene: Scene) -> None:
    scene.write("user", ON)
    (finding,) = scene.findings("plugin")
    assert (finding.state, finding.next) == ("fail", "type /hookd:setup in Claude Code")
    assert "not set up: no call is judged" in finding.what


def test_a_failed_setup_is_named(scene: Scene) -> None:
    scene.write("user", ON)
    data = plugin_scope.data_folder("hookd@hookd")
    data.mkdir(parents=True)
    (data / "setup.failed").write_text("no network\n")
    assert scene.found("plugin") == [("fail", "The plugin hookd@hookd is not set up: no network.")]


def test_a_disabled_plugin_is_named(scene: Scene) -> None:
    set_up(scene)
    scene.write("user", OFF)
    (finding,) = scene.findings("plugin")
    assert finding.state == "fail"
    assert "claude plugin enable hookd@hookd" in str(finding.next)
    scene.write("user", OFF | scene.entries())
    assert [state for state, _ in scene.found("plugin")] == ["warn"]


def test_a_plugin_beside_settings_is_named(scene: Scene) -> None:
    set_up(scene)
    file = scene.write("user", ON | scene.entries())
    (finding,) = scene.findings("plugin")
    assert finding.state == "warn"
    assert f"{file} and the plugin hookd@hookd both register hookd" in finding.what
    assert str(finding.next).startswith(f"hookd uninstall --settings {file}")


def test_a_plugin_of_another_version_is_named(scene: Scene) -> None:
    set_up(scene)
    plugin_scope.registry().parent.mkdir(parents=True, exist_ok=True)
    plugin_scope.registry().write_text(
        '{"plugins": {"hookd@hookd": [{"scope": "user", "version": "9.9.9"}]}}'
    )
    (finding,) = scene.findings("plugin")
    assert finding.state == "warn"
    assert f"is of version 9.9.9, and hookd of {hookd.__version__}" in finding.what


def test_a_client_that_is_too_old_is_named(scene: Scene) -> None:
    set_up(scene)
    scene.program("claude", "#!/bin/sh\necho '2.1.138 (Claude Code)'\n")
    (finding,) = scene.findings("plugin")
    assert finding.state == "fail"
    assert "2.1.138 can refuse all hooks of the plugin" in finding.what
