"""The plugin's hook program, run by a real bash: what it starts, and what it says until then."""

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "plugin"
HOOK = ROOT / "bin/hookd-plugin-hook"
EVENT = "PreToolUse"
MANAGED = Path("/etc/claude-code").exists()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the folder that the client keeps for the plugin's data."""
    (tmp_path / "data").mkdir()
    (tmp_path / "project/.claude").mkdir(parents=True)
    (tmp_path / ".claude").mkdir()
    return tmp_path


def run(home: Path, event: str = EVENT, payload: str = "{}", **env: str) -> str:
    """Run the program for an event; return stdout."""
    given = {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "CLAUDE_PLUGIN_DATA": str(home / "data"),
        "CLAUDE_PROJECT_DIR": str(home / "project"),
        **env,
    }
    done = subprocess.run(
        [HOOK, *([event] if event else [])],
        env=given,
        input=payload,
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


def scope(home: Path, name: str = "plugin-12345678") -> Path:
    """Make a scope folder whose link prints its path and the payload."""
    folder = home / "shims" / name
    folder.mkdir(parents=True)
    (home / "shims/hookd-hook").write_text('#!/bin/bash\nprintf "%s " "$0"; cat\n')
    (home / "shims/hookd-hook").chmod(0o755)
    for event in (EVENT, "SessionStart", "UserPromptSubmit"):
        (folder / event).symlink_to("../hookd-hook")
    return folder


def connected(home: Path) -> Path:
    folder = scope(home)
    (home / "data/scope").write_text(f"{folder}\n")
    return folder


def test_it_runs_the_link_of_the_event(home: Path) -> None:
    folder = connected(home)
    assert run(home, payload='{"a":1}') == f'{folder}/{EVENT} {{"a":1}}'


def test_an_older_client_names_the_event_in_the_payload_alone(home: Path) -> None:
    folder = connected(home)
    payload = {"tool_input": {"content": '"hook_event_name": "Stop"'}, "hook_event_name": EVENT}
    said = run(home, "", json.dumps(payload))
    assert said == f"{folder}/{EVENT} {json.dumps(payload)}\n"
    (home / "data/scope").unlink()
    assert "not guarding" in run(home, "", '{"hook_event_name":"UserPromptSubmit"}')


@pytest.mark.parametrize("event", ["", EVENT, "SessionStart", "Stop", "../x", "pretooluse"])
def test_it_is_silent_before_setup(home: Path, event: str) -> None:
    assert run(home, event, "x" * 200_000) == ""


def test_each_prompt_says_that_nothing_guards(home: Path) -> None:
    said = json.loads(run(home, "UserPromptSubmit"))
    assert said == {"systemMessage": "hookd is not guarding yet. Next: type /hookd:setup"}


def test_a_failed_setup_stays_visible_with_its_command(home: Path) -> None:
    (home / "data/setup.failed").write_text('no "network"\x1b[2J \\ here\nmore\n')
    said = json.loads(run(home, "UserPromptSubmit"))["systemMessage"]
    assert said.startswith('hookd is not guarding yet: no "network" [2J \\ here. Next: ')


def test_links_that_lead_nowhere_are_told_like_a_missing_setup(home: Path) -> None:
    connected(home)
    (home / "shims/hookd-hook").unlink()
    assert run(home) == ""
    assert "not guarding" in run(home, "UserPromptSubmit")


@pytest.mark.skipif(MANAGED, reason="this machine has managed settings of Claude Code")
@pytest.mark.parametrize(
    "file",
    [
        ".claude/settings.json",
        "project/.claude/settings.json",
        "project/.claude/settings.local.json",
    ],
)
def test_it_is_silent_where_settings_run_hookd(home: Path, file: str) -> None:
    connected(home)
    own = scope(home, "user") if not (home / "shims/user").exists() else home / "shims/user"
    entry = {"hooks": {EVENT: [{"hooks": [{"type": "command", "command": f"{own}/{EVENT}"}]}]}}
    (home / file).write_text(json.dumps(entry))
    assert run(home) == ""
    assert run(home, "SessionStart").startswith(str(home / "shims/plugin-"))
    (own / EVENT).unlink()  # a dangling entry runs nothing
    assert run(home) != ""


def test_other_scopes_and_other_settings_do_not_silence_it(home: Path) -> None:
    folder = connected(home)
    scope(home, "local-87654321")
    (home / ".claude/settings.json").write_text('{"note": "/shims/local-87654321/PreToolUseX"}')
    assert run(home).startswith(str(folder))


def program(folder: Path, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "hookd").write_text(f"#!/bin/bash\n{text}\n")
    (folder / "hookd").chmod(0o755)


def test_an_installed_hookd_is_connected_at_the_start_of_a_session(home: Path) -> None:
    folder = scope(home)
    write = f'[[ "$*" == "plugin setup --data {home}/data" ]] && echo {folder} > {home}/data/scope'
    program(home / "bin", write)
    path = f"{ROOT}/bin:{home}/bin:/usr/bin:/bin"
    assert run(home, PATH=path) == ""
    assert run(home, "SessionStart", PATH=path).startswith(f"{folder}/SessionStart")
    assert run(home).startswith(f"{folder}/{EVENT}")


def test_a_hookd_that_cannot_be_connected_is_named(home: Path) -> None:
    program(home / "bin", "echo bad; exit 2")
    assert run(home, "SessionStart", PATH=f"{home}/bin:/usr/bin:/bin") == ""
    assert f"{home}/bin/hookd plugin setup failed" in run(home, "UserPromptSubmit")


def test_a_plugin_that_was_removed_is_not_connected_again(home: Path) -> None:
    program(home / "bin", f"touch {home}/ran")
    (home / "data/setup.failed").write_text("removed by hookd plugin remove\n")
    assert run(home, "SessionStart", PATH=f"{home}/bin:/usr/bin:/bin") == ""
    assert not (home / "ran").exists()
    assert "removed by hookd plugin remove. Next:" in run(home, "UserPromptSubmit")


def test_a_program_of_the_project_is_not_taken_for_hookd(home: Path) -> None:
    program(home / "project/bin", f"touch {home}/ran")
    for path in (f"{home}/project/bin", "project/bin", "."):
        run(home, "SessionStart", PATH=f"{path}:/usr/bin:/bin")
    assert not (home / "ran").exists()


def test_the_plugin_s_own_program_runs_the_hookd_that_is_set_up(home: Path) -> None:
    own = ROOT / "bin/hookd"
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([own, "status"], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        "hookd is not set up. Next: type /hookd:setup in Claude Code\n",
    )
    folder = connected(home)
    (folder / "config").write_text(f"socket /x\nhookd {home}/bin/hookd\n")
    program(home / "bin", 'echo "ran $*"')
    data = home / ".claude/plugins/data"
    data.mkdir(parents=True)
    (home / "data").rename(data / "hookd-hookd")
    done = subprocess.run([own, "status"], env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "ran status\n"
