"""Faults after which no daemon answers: registered hooks, secrets and waiting texts."""

import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

from faults.hung import frozen
from faults.scene import Scene, Told
from hookd.core.model.fail_policy import CLOSABLE
from support.home import Home, Window, until, window_in
from support.payloads import context, header, payload
from support.registered_shims import DENIED, Scope

_HANGING = Path(__file__).with_name("hanging.py")
_NOWHERE = "/nonexistent/hookd"
_WORD = "text-of-the-folder"


def no_program(scene: Scene) -> Told:
    """Without a daemon, registered hooks are judged by the judge, and it is reported."""
    scene.judged_alone(program=_NOWHERE)
    scene.home.serves()
    message = (scene.hook().answer or {}).get("systemMessage", "")
    assert message.startswith("Without its daemon hookd judged 2 events"), f"told: {message!r}"
    assert "1 denied by destructive-guard, 1 passed" in message
    assert "systemMessage" not in (scene.hook().answer or {}), "it is reported twice"
    return Told("registered hooks were judged without it; the next answer told that", scene.heals())


def every_closed_event(scene: Scene) -> Told:
    """Each event that can fail closed is refused in its own form, whatever the judge can do."""
    kept = []
    for number, choice in enumerate(("closed", "judge")):
        home = Home(scene.home.path / str(number), scene.home.env)
        home.path.mkdir()
        kept += [(choice, Scope(home, choice, closed=True, program=_NOWHERE))]
    for choice, scope in kept:
        for name in CLOSABLE:
            done = scope.runs(b"no JSON, so that no judge can read it", name)
            assert done.returncode == 0, f"{name}, {choice}: code {done.returncode}"
            assert _refused(name, done.stdout), f"{name}, {choice}: {done.stdout!r}"
    open_ = Scope(Home(scene.home.path / "open", scene.home.env), "open", program=_NOWHERE)
    for name in CLOSABLE:
        done = open_.runs(b"no JSON", name)
        assert done.stdout == b"", f"{name} is answered though it fails open"
        assert b"it passes unchecked" in done.stderr, f"{name} passed silently"
    return Told(f"{len(CLOSABLE)} of {len(CLOSABLE)} events were refused, or passed, said")


def _refused(name: str, stdout: bytes) -> bool:
    said: dict[str, Any] = json.loads(stdout or b"{}")
    own = said.get("hookSpecificOutput", {})
    if name in ("PreToolUse", "PreModelSwitch"):
        return own.get("permissionDecision") == "deny"
    if name == "PermissionRequest":
        return bool(own.get("decision", {}).get("behavior") == "deny")
    return bool(said.get("decision") == "block")


def hung_for_good(scene: Scene) -> Told:
    """A daemon that hangs for good is ended by its watchdog; its call is judged without it."""
    scope = Scope(scene.home)
    mark = f"hangs-{uuid4().hex}"
    command = [sys.executable, "-P", str(_HANGING), mark, "serve"]
    with subprocess.Popen(command, env=scene.home.env, stderr=subprocess.DEVNULL) as one:
        try:
            number = scene.home.socket.with_suffix(".pid")
            until(lambda: number.exists() and number.read_text() == f"{one.pid}\n")
            scene.judged()
            given = DENIED | {"description": mark}
            done = scope.runs(payload("PreToolUse.Bash", tool_input=given, tool_use_id=mark))
            assert b'"permissionDecision":"deny"' in done.stdout, f"it got {done.stdout!r}"
            code = one.wait(30)  # by the shim's patience the watchdog has come, or it comes now
        finally:
            one.kill()
    # The stacks are read while threads run: a crash over that has ended it as well.
    assert code in (1, -signal.SIGSEGV), f"it ended with {code}"
    seconds = scene.heals()
    told = scene.home.logged("the last daemon hung and was ended")
    assert told or code != 1, "the log does not tell it"
    return Told("its watchdog ended it; the call was denied all the same", seconds)


def secrets_at_every_end(scene: Scene) -> Told:
    """No file has a secret of a call, however its daemon ends: killed, hung, or never there."""
    secrets: list[str] = []

    def secret() -> str:
        secrets.append(f"sk-ant-api03-{uuid4().hex}{uuid4().hex}")
        return secrets[-1]

    hook = {"type": "command", "command": "cat >&2; exit 2"}
    scene.home.settings({"hooks": {"PostToolUse": [{"hooks": [hook]}]}})
    scope = Scope(scene.home)
    scope.runs(_keyed(secret()))  # it starts the daemon
    scene.home.bare(json.dumps(_keyed(secret(), "PostToolUse.Bash")).encode(), "PostToolUse")
    scene.home.bare(b"no JSON: " + secret().encode())
    pid = scene.one()
    os.kill(pid, signal.SIGSTOP)
    try:
        for more in (0, 50_000):
            scope.runs(_keyed(secret(), description="x" * more))
        scope.runs(b"no JSON: " + secret().encode())
        assert _files_with(scene.home.path, secrets) == [], "while it hangs"
    finally:
        os.kill(pid, signal.SIGCONT)
    scene.heals()
    with scene.home.link() as link:
        link.sendall(header("PreToolUse") + json.dumps(_keyed(secret())).encode() + b"\x1e")
        scene.kill()
    assert _files_with(scene.home.path, secrets) == [], "after kill -9"
    seconds = scene.heals()
    assert _files_with(scene.home.path, secrets) == [], "after the next start"
    return Told(f"{len(secrets)} secrets were sent, none is in any file", seconds)


def _keyed(secret: str, stem: str = "PreToolUse.Bash", **given: str) -> dict[str, Any]:
    tool_input = {"command": f"curl -H 'x-api-key: {secret}' https://example.com"} | given
    return payload(stem, tool_input=tool_input, tool_use_id=uuid4().hex, session_id="keys")


def _files_with(folder: Path, secrets: list[str]) -> list[str]:
    files = [one for one in folder.rglob("*") if one.is_file() and not one.is_symlink()]
    texts = {one.name: one.read_bytes() for one in files}
    assert "hookd.db" in texts
    return [name for name, text in texts.items() if any(key.encode() in text for key in secrets)]


def texts_while_hung(scene: Scene) -> Told:
    """Texts that hooks were to get which gave up are given by the first hook that waits."""
    window = _window_with_a_text(scene)
    with frozen(scene), ThreadPoolExecutor(5) as pool:
        said = list(pool.map(lambda _: _reads(window), range(5)))
    assert said == [""] * 5, "a daemon that hangs has answered"
    given = [_WORD in _reads(window) for _ in range(2)]
    assert given == [True, False], f"the next two answers have it: {given}"
    return Told("5 hooks gave up; the next one got the text, once", scene.heals())


def texts_of_a_lost_answer(scene: Scene) -> Told:
    """A text of an answer that was not read is delivered again after kill -9, once."""
    window = _window_with_a_text(scene)
    with scene.home.link() as link:
        event = json.dumps(_read(window)).encode()
        link.sendall(header("PostToolUse", window.identity) + event + b"\x1e")
        until(lambda: scene.home.rows("SELECT 1 FROM injections WHERE offered_at IS NOT NULL"))
        scene.kill()
    scene.heals()
    given = [_WORD in _reads(window) for _ in range(2)]
    assert given == [True, False], f"the next two answers have it: {given}"
    return Told("the next daemon gave it again, once", scene.heals())


def _window_with_a_text(scene: Scene) -> Window:
    scene.home.settings({"directives": {"when": "always"}})
    scene.home.serves()
    scene.judged()
    window = window_in(scene.home)
    (Path(window.project) / "AGENTS.md").write_text(f"{_WORD}\n")
    return window


def _read(window: Window) -> dict[str, Any]:
    given = {"file_path": f"{window.project}/x.py"}
    return window.event("PostToolUse.Bash", tool_name="Read", tool_input=given)


def _reads(window: Window) -> str:
    """Return the model's context after it has read a file."""
    done = window.home.hook(_read(window), env=window.identity)
    return context(json.loads(done.stdout)) if done.stdout else ""
