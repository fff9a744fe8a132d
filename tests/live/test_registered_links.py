"""Live: what `hookd install` registers is run as each client runs it, and guards."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hookd.events.protocol import EVENTS
from support.home import Home, Window, place, window_in
from support.payloads import context, verdict

pytestmark = pytest.mark.gate


def entry(file: Path, event: str) -> dict[str, Any]:
    """Return the registered entry of an event."""
    ((found,),) = (group["hooks"] for group in json.loads(file.read_text())["hooks"][event])
    return dict(found)


def run(window: Window, file: Path, event: dict[str, Any], *, older: bool = False) -> Any:
    """Run the registered entry as a client does; return its answer. `older`: before 2.1.139."""
    found = entry(file, event["hook_event_name"])
    by_shell = older or "args" not in found
    command = ["/bin/sh", "-c", found["command"]] if by_shell else [found["command"]]
    done = subprocess.run(
        command,
        input=json.dumps(event).encode(),
        env=window.home.env | window.identity,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, b""), done
    return json.loads(done.stdout) if done.stdout else None


def test_two_registrations_with_policies_of_their_own_deliver_an_event_once(
    window: Window,
) -> None:
    user = window.home.path / ".claude" / "settings.json"
    local = Path(window.project, ".claude", "settings.local.json")
    window.home.hookd("install", "--fail-open")
    window.home.hookd("install", "--scope", "local", "--fail-closed", cwd=window.project)
    window.starts()
    prompt = window.event("UserPromptSubmit", prompt="Add pages.")
    call = window.event("PreToolUse.Bash", tool_input={"command": "rm -rf /"})
    for event in (prompt, call):
        answers = [run(window, file, event) for file in (user, local)]
        assert answers[0]
        assert answers == [answers[0]] * 2
    assert context(run(window, user, prompt | {"prompt_id": "other"}))
    kept = "SELECT event, repeats FROM events WHERE claude_session_id = ? ORDER BY id"
    assert window.home.rows(kept, window.id)[:2] == [("UserPromptSubmit", 1), ("PreToolUse", 1)]
    assert window.count == 1
    configs = window.home.path.glob("shims/*/config")
    closed = {one.parent.name[:5]: "13 closed PreToolUse" in one.read_text() for one in configs}
    assert closed == {"local": True, "user": False}


@pytest.fixture(params=["plain", "it's a $HOME & more"])
def named(request: pytest.FixtureRequest) -> Iterator[Home]:
    """A home whose path a shell takes as it is, and one whose path it would change."""
    with place() as outer:
        path = outer.path / request.param
        path.mkdir()
        home = Home(path, outer.env | {"HOOKD_HOME": str(path), "HOME": str(path)})
        try:
            yield home.serves()
        finally:
            home.ends()


@pytest.mark.parametrize("version", ["2.1.101", "2.1.330"])
def test_every_client_is_guarded_and_doctor_tries_it_as_that_client_does(
    named: Home, version: str
) -> None:
    claude = named.path / "claude"
    claude.write_text(f"#!/bin/sh\necho '{version} (Claude Code)'\n")
    claude.chmod(0o755)
    named.env["PATH"] = f"{named.path}:{named.env['PATH']}"
    named.hookd("install")
    window = window_in(named)
    call = window.event("PreToolUse.Bash", tool_input={"command": "rm -rf /"})
    file = named.path / ".claude" / "settings.json"
    assert verdict(run(window, file, call, older=version == "2.1.101"))[0] == "deny"
    found = json.loads(named.hookd("doctor", "--json", check=False, cwd=named.path).stdout)
    states = {one["check"]: one["state"] for one in found}
    assert (states["canary"], states["claude code"]) == ("ok", "ok")
    assert set(json.loads(file.read_text())["hooks"]) < set(EVENTS)
