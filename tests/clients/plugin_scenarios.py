"""Scenarios of the Claude Code plugin: installed from a local marketplace by the real client."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

from clients.client import Scene
from clients.install import ROOT
from clients.models.turn import bash, call
from clients.place import until
from clients.scenarios import BYPASS, MANUAL, removal, scenario
from clients.steps import keep

ID = "hookd@hookd"
SINCE = (2, 1, 281)
OLDER = "2.1.138 refuses all hooks of a plugin for one event that it does not know."
NEWEST = (2, 1, 330)
BLOCKED = "UserPromptExpansion operation blocked by hook"


def claude(scene: Scene, *words: str) -> str:
    """Run one command of the client that starts no session; return stdout."""
    return scene.run("claude", "plugin", *words)


def plugged(scene: Scene, place: Path | str = ROOT) -> None:
    """Leave hookd to the plugin: no entries in settings, the plugin from a local marketplace."""
    scene.hookd("uninstall")
    claude(scene, "marketplace", "add", str(place))
    claude(scene, "install", ID)
    for file in scene.logs.rglob("fired-*"):
        file.unlink()  # the client fires SessionEnd for these commands, before it has the plugin


def data(scene: Scene) -> Path:
    """Return the folder that the client keeps for the plugin's data."""
    return scene.home / ".claude/plugins/data/hookd-hookd"


def denied(scene: Scene, folder: Path) -> bool:
    """Let the model remove a folder; return whether hookd kept it from that."""
    before = len(scene.mock.sent())
    scene.asks("clean up", removal(folder), "done")
    return folder.exists() and "destructive-guard" in "".join(scene.mock.sent()[before:])


def messages(scene: Scene) -> str:
    """Return what the client's debug log has of answers for the user."""
    lines = (scene.logs / "debug.log").read_text("utf-8", "replace").splitlines()
    return "\n".join(line for line in lines if "systemMessage" in line)


@scenario(
    "plugin, valid for the client",
    since=NEWEST,
    why="2.1.281 has no --profile.",
    short=True,
    settles=False,
)
def valid(scene: Scene) -> None:
    claude(scene, "validate", str(ROOT), "--strict")
    checked = ("validate", str(ROOT / "plugin"), "--strict", "--profile", "directory")
    assert "nothing to report" in claude(scene, *checked)


@scenario("plugin with an installed hookd", since=SINCE, why=OLDER, short=True)
def with_installed(scene: Scene) -> None:
    plugged(scene)
    assert denied(scene, keep(scene))
    assert "shims/plugin-" in (data(scene) / "scope").read_text()
    assert scene.asks("hello", "Hi.")["result"] == "Hi."
    assert "not guarding" not in messages(scene)
    found = scene.hookd("doctor", "--json", check=False)
    (own,) = [one for one in json.loads(found) if one["check"] == "plugin"]
    assert (own["state"], own["what"]) == ("ok", f"The plugin {ID} runs hookd.")
    (canary,) = [one for one in json.loads(found) if one["check"] == "canary"]
    assert canary["state"] == "ok", canary


@scenario("plugin from a git address", since=SINCE, why=OLDER)
def from_git(scene: Scene) -> None:
    bare, address = scene.home / "hookd.git", "https://example.com/hookd.git"
    scene.run("git", "clone", "--quiet", "--bare", str(ROOT), str(bare))
    with (scene.home / ".gitconfig").open("a") as config:
        config.write(f'[url "file://{bare}"]\n\tinsteadOf = {address}\n')
    plugged(scene, address)
    assert denied(scene, keep(scene))
    (copy,) = (scene.home / ".claude/plugins/cache/hookd/hookd").iterdir()
    assert (copy / "package/daemon/hookd/__init__.py").is_file(), "the copy lacks the package"
    assert not (copy / "package/daemon").is_symlink()


@scenario("plugin beside hookd install", since=SINCE, why=OLDER)
def beside_settings(scene: Scene) -> None:
    claude(scene, "marketplace", "add", str(ROOT))
    claude(scene, "install", ID)
    folder = keep(scene)
    assert denied(scene, folder)
    assert (data(scene) / "scope").exists(), "the plugin was not connected"
    sent = [one for one in scene.mock.sent() if "destructive-guard" in one]
    assert sent[0].count("deletes:") == 1, "the model read the denial twice"
    scene.asks("clean up again", removal(folder), "done")  # each event is recorded once: settle
    found = json.loads(scene.hookd("doctor", "--json", check=False))
    (own,) = [one for one in found if one["check"] == "plugin"]
    assert own["state"] == "warn" and "both register hookd" in own["what"]


@scenario("plugin, set up by its command", since=SINCE, why=OLDER, settles=False)
def set_up(scene: Scene) -> None:
    plugged(scene)
    (copy,) = (scene.home / ".claude/plugins/cache/hookd/hookd").iterdir()
    assert (copy / "package/daemon/hookd/__init__.py").is_file(), "the copy lacks the package"
    assert not (copy / "package/daemon").is_symlink()
    scene.hookd("stop", "--yes")
    (scene.home / "bin/hookd").unlink()
    shutil.rmtree(scene.database.parent)
    folder = keep(scene)
    assert scene.asks("hello", "Hi.")["result"] == "Hi."
    assert "hookd is not guarding yet. Next: type /hookd:setup" in messages(scene)
    with scene.terminal(*BYPASS) as terminal:
        terminal.asks("hello", "Hi.")
        terminal.waits("hookd is not guarding yet. Next: type /hookd:setup")
        terminal.ends()
    assert not scene.database.exists()

    # Its command needs no permission of its own. The scene's proxy is a closed port.
    scene.asks("/hookd:setup", "no network", options=MANUAL)
    assert "hookd is not set up: " in scene.mock.sent()[-1]
    scene.asks("hello", "Hi.")
    assert "hookd is not guarding yet: " in messages(scene)
    assert "setup.log. Next: type /hookd:setup" in messages(scene)

    scene.asks("/hookd:setup", "well", options=MANUAL, HTTP_PROXY="", HTTPS_PROXY="")
    assert "The plugin's hooks run hookd now" in scene.mock.sent()[-1], scene.mock.sent()[-1][-900:]
    assert denied(scene, folder)
    scene.asks("look", bash("hookd status"), "done")  # by the plugin's folder on the PATH
    assert re.search(r"(?m)^ +pid +\d+$", scene.mock.sent()[-1]), "no daemon runs"
    own = data(scene) / "hookd"
    scene.run(str(own), "stop", "--yes")


@scenario("plugin, updated, disabled and uninstalled", since=SINCE, why=OLDER, settles=False)
def to_the_end(scene: Scene) -> None:
    market = scene.home / "market"
    shutil.copytree(ROOT / ".claude-plugin", market / ".claude-plugin")
    shutil.copytree(ROOT / "plugin", market / "plugin", symlinks=True)
    manifest = market / "plugin/.claude-plugin/plugin.json"
    newest = json.loads(manifest.read_text())
    manifest.write_text(json.dumps(newest | {"version": "0.0.1"}))
    before = _settings(scene)
    plugged(scene, market)
    settings = _settings(scene)
    folder = keep(scene)
    assert denied(scene, folder)
    assert _version(scene) == "0.0.1"

    manifest.write_text(json.dumps(newest))
    claude(scene, "marketplace", "update", "hookd")
    claude(scene, "update", ID)
    assert _version(scene) == newest["version"]
    assert denied(scene, folder)

    claude(scene, "disable", ID)
    count = len(scene.recorded())
    scene.asks("hello", "Hi.")
    assert len(scene.recorded()) == count, "hooks of a disabled plugin ran"
    found = json.loads(scene.hookd("doctor", "--json", check=False))
    assert any(one["check"] == "plugin" and one["state"] == "fail" for one in found)
    claude(scene, "enable", ID)
    assert denied(scene, folder)
    assert _settings(scene) == settings

    assert "not guarding" not in messages(scene)
    scene.hookd("plugin", "remove")
    scene.asks("hello", "Hi.")
    assert "not guarding yet: removed by hookd plugin remove" in messages(scene)
    scene.hookd("stop", "--yes")
    claude(scene, "uninstall", ID)
    claude(scene, "marketplace", "remove", "hookd")
    rest = _settings(scene)
    rest.pop("skipDangerousModePermissionPrompt", None)  # the client's own
    rest = {key: value for key, value in rest.items() if value or key in before}
    hooks = {name: groups[:1] for name, groups in before["hooks"].items()}  # without hookd's own
    assert rest == before | {"hooks": hooks}, "settings keep what the plugin wrote"
    assert not (scene.home / ".local/share/hookd/shims").exists()


def _settings(scene: Scene) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((scene.home / ".claude/settings.json").read_text())
    return found


def _version(scene: Scene) -> str:
    (one,) = json.loads(claude(scene, "list", "--json"))
    return str(one["version"])


@scenario("plugin, commands that a person types", since=SINCE, why=OLDER, settles=False)
def typed(scene: Scene) -> None:
    plugged(scene)
    folder = keep(scene)
    with scene.terminal(*BYPASS) as terminal:
        terminal.asks("clean up", removal(folder), "denied")
        (row,) = [one for one in scene.recorded("PreToolUse") if one["decision"]]
        terminal.types(f"/hookd:allow {row['id']}")
        terminal.waits("hookd: allowed. This call may pass destructive-guard")
        terminal.asks("clean up again", removal(folder), "removed")
        assert not folder.exists(), "the allowed call did not run"
        terminal.types("/hookd:pause 5m")
        terminal.waits("hookd is paused until")
        terminal.ends()
    scene.hookd("resume", "--yes")
    said = "".join(scene.mock.sent())
    assert "/hookd:allow" not in said.replace("/hookd:allow N", ""), "the model read the command"
    assert "may pass destructive-guard" not in said
    (allowed,) = scene.rows("SELECT * FROM allowances")
    assert allowed["event_id"] == row["id"]


@scenario("plugin, commands that no person types", since=SINCE, why=OLDER, settles=False)
def not_typed(scene: Scene) -> None:
    plugged(scene)
    folder = keep(scene)
    assert denied(scene, folder)
    (row,) = [one for one in scene.recorded("PreToolUse") if one["decision"]]
    command = f"/hookd:allow {row['id']}"
    said = scene.asks(command)["result"]
    assert BLOCKED in said and "in a terminal of your own: hookd allow" in said
    scene.asks("call it", call("Skill", skill="hookd:allow", args=str(row["id"])), "refused")
    assert "disable-model-invocation" in scene.mock.sent()[-1]
    made = call("CronCreate", cron="* * * * *", prompt=command, recurring=False)
    scene.asks("schedule it", made, "denied")
    assert "is given a command of hookd" in scene.mock.sent()[-1]
    # Another program of the model's may write the schedule, which self-guard does not see.
    scene.hookd("policy", "disable", "self-guard")
    before = len(_prompts(scene))
    with scene.terminal(*BYPASS) as terminal:
        terminal.asks("schedule it", made, "scheduled")
        # To the client it is a prompt like any other, which the model reads.
        until(lambda: command in _prompts(scene)[before:], "the schedule", 90, terminal.screen)
        terminal.ends()
    assert not scene.rows("SELECT * FROM allowances")
    assert folder.exists()


def _prompts(scene: Scene) -> list[str]:
    return [one["prompt"] for one in scene.fired("UserPromptSubmit")]


@scenario("plugin's own mcp tools", since=SINCE, why=OLDER)
def own_tools(scene: Scene) -> None:
    plugged(scene)
    scene.hookd("plugin", "setup", "--data", str(data(scene)))
    tool = "mcp__plugin_hookd_hookd__"
    scene.asks(
        "share the work",
        call(f"{tool}work_add", title="Parse the dates"),
        call(f"{tool}work_take"),
        "done",
        options=BYPASS,
        ENABLE_TOOL_SEARCH="false",
        MCP_CONNECTION_NONBLOCKING="false",  # the first turn waits for the server
    )
    (item,) = scene.rows("SELECT state, conversation FROM work_items")
    (last,) = scene.rows("SELECT claude_session_id FROM sessions ORDER BY id DESC LIMIT 1")
    wanted = {"state": "taken", "conversation": last["claude_session_id"]}
    assert item == wanted, scene.mock.sent()[-1]
    assert all(row["used_at"] for row in scene.rows("SELECT used_at FROM own_calls"))
