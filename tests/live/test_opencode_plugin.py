"""hookd's plugin under node, against a real daemon and the real shim."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import hookd.clients.opencode as package
from hookd.clients.opencode.registration import CONFIG, PLUGIN
from support.home import Home
from support.paths import TESTS
from support.programs import needed
from support.registered_shims import Scope

SOURCE = Path(package.__file__).with_name(PLUGIN)
DANGEROUS = {"command": "rm -rf /etc", "description": "d"}


class Opencode:
    """One opencode with hookd's plugin, and one session in it."""

    def __init__(self, scope: Scope, **more: Any) -> None:
        self.scope, self.session = scope, f"ses_{uuid4().hex}"
        config = scope.folder / CONFIG
        closed = ["PreToolUse"] if scope.closed else []
        settings = {"socket": str(scope.home.socket), "closed": closed, "deadlines": {}, **more}
        config.write_text(json.dumps(settings))
        self.plugin = scope.folder / "hookd.mjs"
        self.project = scope.folder / "project"
        self.project.mkdir(exist_ok=True)
        first = f"const CONFIG = {json.dumps(str(config))};"
        self.plugin.write_text(SOURCE.read_text().replace('const CONFIG = "";', first, 1))

    def calls(self, *calls: tuple[Any, ...]) -> list[dict[str, Any]]:
        """Call the plugin's functions in order; return what each left."""
        driver = TESTS / "support" / "opencode_plugin.mjs"
        done = subprocess.run(
            [needed("node"), driver, self.plugin, self.project],
            input="".join(json.dumps(call) + "\n" for call in calls),
            env=self.scope.home.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        assert done.stderr == ""
        return [json.loads(line) for line in done.stdout.splitlines()]

    def event(self, kind: str, **properties: Any) -> tuple[Any, ...]:
        return ("event", {"type": kind, "properties": {"sessionID": self.session, **properties}})

    def bash(self, **args: Any) -> tuple[Any, ...]:
        call = {"tool": "bash", "sessionID": self.session, "callID": uuid4().hex}
        return ("tool.execute.before", call, {"args": args})

    def prompt(self, text: str) -> tuple[Any, ...]:
        return ("chat.message", {"sessionID": self.session}, {"parts": [{"text": text}]})

    def rows(self) -> list[Any]:
        sql = "SELECT event, tool_name, decision FROM events WHERE claude_session_id = ?"
        return self.scope.home.rows(f"{sql} ORDER BY id", self.session)


@pytest.fixture
def opencode(shared: Home, tmp_path: Path) -> Opencode:
    """An opencode that reaches a running daemon."""
    scope = Scope.__new__(Scope)
    scope.home, scope.closed, scope.folder = shared, False, tmp_path
    return Opencode(scope)


def test_the_plugin_is_short_and_begins_with_its_configuration() -> None:
    text = SOURCE.read_text()
    assert text.startswith('const CONFIG = "";\n')
    assert len(text.splitlines()) < 200


def test_a_session_is_recorded_and_a_dangerous_call_fails(opencode: Opencode) -> None:
    info = {"id": opencode.session, "version": "1.18.33"}
    left = opencode.calls(
        opencode.event("session.created", info=info),
        opencode.prompt("do it"),
        opencode.bash(command="ls"),
        opencode.bash(**DANGEROUS),
        opencode.event("session.idle"),
        ("dispose", {}),
    )
    assert [one["error"] for one in left[:3]] == [None, None, None]
    assert re.search(r"\(hookd #[0-9]+\)", left[3]["error"])
    assert opencode.rows() == [
        ("SessionStart", None, None),
        ("UserPromptSubmit", None, None),
        ("PreToolUse", "Bash", None),
        ("PreToolUse", "Bash", "deny"),
        ("Stop", None, None),
        ("SessionEnd", None, None),
    ]


def test_another_input_and_context_reach_the_tool_and_the_model(
    opencode: Opencode, tmp_path: Path
) -> None:
    answers = tmp_path / "answers"
    answers.mkdir()
    script = answers / "PreToolUse"
    script.write_text(
        '#!/bin/sh\ncat >/dev/null\necho \'{"args":{"command":"ls"},"context":"mind"}\'\n'
    )
    script.chmod(0o755)
    opencode.scope.folder = answers
    silent = Opencode(opencode.scope, socket=str(tmp_path / "no.sock"))
    changed, told, system = silent.calls(
        silent.bash(command="rm x"),
        ("tool.execute.after", {"tool": "x", "sessionID": silent.session}, {"output": "done"}),
        ("experimental.chat.system.transform", {"sessionID": silent.session}, {"system": []}),
    )
    assert changed["output"] == {"args": {"command": "ls"}}
    assert told["output"]["output"].startswith("done\n\nhookd could not judge this")
    assert system["output"]["system"] == ["mind"]


@pytest.mark.gate
def test_without_a_daemon_the_shim_judges(home: Home) -> None:
    home.stopped.unlink(missing_ok=True)
    opencode = Opencode(Scope(home, client="opencode", program="/nonexistent/hookd"))
    safe, dangerous = opencode.calls(opencode.bash(command="ls"), opencode.bash(**DANGEROUS))
    assert safe["error"] is None
    said = "destructive-guard: `rm -rf /etc` deletes /etc (a part of the system) and everything"
    assert dangerous["error"].startswith(said)


def test_without_daemon_and_shim_it_fails_closed_if_told_to(home: Home, tmp_path: Path) -> None:
    scope = Scope.__new__(Scope)
    scope.home, scope.closed, scope.folder = home, True, tmp_path
    opencode = Opencode(scope)
    call, prompt = opencode.calls(opencode.bash(command="ls"), opencode.prompt("do it"))
    assert "is set to fail closed. Next: hookd status" in call["error"]
    assert prompt["error"] is None


def test_without_its_configuration_calls_fail_with_the_next_step(
    home: Home, tmp_path: Path
) -> None:
    scope = Scope.__new__(Scope)
    scope.home, scope.closed, scope.folder = home, False, tmp_path
    opencode = Opencode(scope)
    (tmp_path / CONFIG).write_text("{")
    (call,) = opencode.calls(opencode.bash(command="ls"))
    assert call["error"].endswith("Next: hookd install --client opencode")


def test_the_texts_of_a_turn_are_sent_at_its_end(opencode: Opencode) -> None:
    def says(text: str) -> tuple[Any, ...]:
        return ("experimental.text.complete", {"sessionID": opencode.session}, {"text": text})

    idle = opencode.event("session.idle")
    opencode.calls(says("I read the notes."), says("Done."), idle, says("More."), idle)
    sql = (
        "SELECT m.content FROM messages m JOIN sessions s ON s.id = m.session_id"
        " WHERE s.claude_session_id = ? ORDER BY m.id"
    )
    rows = opencode.scope.home.rows(sql, opencode.session)
    assert rows == [("I read the notes.\n\nDone.",), ("More.",)]
