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
from support.payloads import payload
from support.programs import needed
from support.registered_shims import Scope

SOURCE = Path(package.__file__).with_name(PLUGIN)
DANGEROUS = {"command": "rm -rf /etc", "description": "d"}
UNUSED = (
    *("event.file.edited", "event.file.watcher.updated", "event.message.part.delta"),
    *("event.message.part.updated", "event.session.diff", "event.session.status"),
    *("event.session.updated", "chat.headers", "shell.env"),
)
"""Calls of opencode that are no event of hookd."""


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
        return self.tool("bash", **args)

    def tool(self, name: str, **args: Any) -> tuple[Any, ...]:
        call = {"tool": name, "sessionID": self.session, "callID": uuid4().hex}
        return ("tool.execute.before", call, {"args": args})

    def prompt(self, text: str) -> tuple[Any, ...]:
        return ("chat.message", {"sessionID": self.session}, {"parts": [{"text": text}]})

    def captured(self, name: str, **more: Any) -> tuple[Any, ...]:
        """Return the call of a function that opencode made, in this session."""
        text = re.sub(r"ses_\w+", self.session, json.dumps(payload(f"opencode/{name}")))
        made = json.loads(text)
        if name.startswith("event."):
            made["input"]["properties"] |= more
            return ("event", made["input"])
        return (name, made.get("input", {}), made.get("output", {}))

    def recorded(self) -> list[dict[str, Any]]:
        """Return the recorded payloads, in the names of the events."""
        sql = "SELECT payload FROM events WHERE claude_session_id = ? ORDER BY id"
        return [json.loads(row[0]) for row in self.scope.home.rows(sql, self.session)]

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


def test_each_call_that_opencode_made_is_recorded_as_its_event(opencode: Opencode) -> None:
    used = {"role": "assistant", "tokens": {"input": 40_000, "cache": {"read": 10_000}}}
    left = opencode.calls(
        opencode.captured("event.session.created"),
        opencode.captured("chat.params"),
        opencode.captured("chat.message"),
        opencode.captured("tool.execute.before"),
        opencode.captured("event.permission.asked"),
        opencode.captured("event.permission.replied"),
        opencode.captured("tool.execute.after"),
        *map(opencode.captured, UNUSED),
        opencode.captured("event.message.updated"),
        opencode.event("message.updated", info=used),
        opencode.captured("experimental.text.complete"),
        opencode.captured("event.session.idle"),
        opencode.event("session.error", error={"name": "APIError", "data": {}}),
        opencode.event("session.compacted"),
        opencode.captured("dispose"),
    )
    assert {one["error"] for one in left} == {None}
    found = opencode.recorded()
    assert [(one["hook_event_name"], one["client_event"]) for one in found] == [
        ("SessionStart", "session.created"),
        ("UserPromptSubmit", "chat.message"),
        ("PreToolUse", "tool.execute.before"),
        ("PermissionRequest", "permission.asked"),
        ("PermissionDenied", "permission.replied"),
        ("PostToolUse", "tool.execute.after"),
        ("Stop", "session.idle"),
        ("StopFailure", "session.error"),
        ("PostCompact", "session.compacted"),
        ("SessionEnd", "dispose"),
    ]
    assert {one["cwd"] for one in found} == {str(opencode.project)}
    _, prompt, before, asked, denied, after, stop, error, *_ = found
    assert (prompt["prompt_id"][:4], prompt["model"]) == ("msg_", "mock")
    calls = [one["tool_use_id"] for one in (before, after, asked, denied)]
    assert calls == ["call_2_0"] * 4
    assert denied["tool_input"] == asked["tool_input"] != {}
    assert after["tool_response"] == {"content": "hi\n", "exit_code": 0}
    assert (stop["context_tokens"], stop["context_window"]) == (50_000, 100_000)
    assert (stop["last_assistant_message"], error["error"]) == ("All done.", "APIError")


def test_a_request_that_the_user_allows_is_no_denial(opencode: Opencode) -> None:
    asked = opencode.captured("event.permission.asked")
    opencode.calls(asked, opencode.captured("event.permission.replied", reply="once"))
    assert [one["hook_event_name"] for one in opencode.recorded()] == ["PermissionRequest"]


def test_a_session_with_a_parent_is_a_subagent(opencode: Opencode) -> None:
    child = f"{opencode.session}_child"
    info = {"id": child, "parentID": opencode.session, "agent": "plan"}
    opencode.calls(
        opencode.prompt("do it"),
        ("event", {"type": "session.created", "properties": {"sessionID": child, "info": info}}),
        ("chat.message", {"sessionID": child}, {"parts": [{"text": "CHILD: look"}]}),
        ("event", {"type": "session.idle", "properties": {"sessionID": child}}),
        ("dispose", {}),
    )
    found = opencode.recorded()
    assert [(one["hook_event_name"], one.get("agent_id")) for one in found] == [
        ("UserPromptSubmit", None),
        ("SubagentStart", child),
        ("UserPromptSubmit", child),
        ("SubagentStop", child),
        ("SessionEnd", None),
    ]
    assert {one.get("agent_type") for one in found} == {None, "plan"}


def answering(opencode: Opencode, tmp_path: Path, **answers: Any) -> Opencode:
    """Return an opencode whose shim gives these answers to events, without a daemon."""
    folder = tmp_path / "answers"
    folder.mkdir()
    for event, answer in answers.items():
        script = folder / event
        script.write_text(f"#!/bin/sh\ncat >/dev/null\necho '{json.dumps(answer)}'\n")
        script.chmod(0o755)
    opencode.scope.folder = folder
    return Opencode(opencode.scope, socket=str(tmp_path / "no.sock"))


def test_context_at_a_prompt_is_in_every_request_and_at_a_compaction(
    opencode: Opencode, tmp_path: Path
) -> None:
    answers = {"UserPromptSubmit": {"context": "mind"}, "PreCompact": {"context": "kept"}}
    own = answering(opencode, tmp_path, **answers)
    request = ("experimental.chat.system.transform", {"sessionID": own.session}, {"system": []})
    compaction = (
        "experimental.session.compacting",
        {"sessionID": own.session},
        {"context": []},
    )
    prompt, *requests, compacted = own.calls(own.prompt("do it"), request, request, compaction)
    assert prompt["error"] is None
    assert [one["output"]["system"] for one in requests] == [["mind"], ["mind"]]
    assert compacted["output"]["context"] == ["kept"]


def test_a_refused_prompt_fails_and_another_result_replaces_the_result(
    opencode: Opencode, tmp_path: Path
) -> None:
    answers = {"UserPromptSubmit": {"deny": "no"}, "PostToolUse": {"output": "short"}}
    own = answering(opencode, tmp_path, **answers)
    prompt, result = own.calls(own.captured("chat.message"), own.captured("tool.execute.after"))
    assert prompt["error"] == "no"
    assert result["output"]["output"] == "short"


def test_another_input_and_context_reach_the_tool_and_the_model(
    opencode: Opencode, tmp_path: Path
) -> None:
    answer = {"args": {"command": "ls"}, "context": "mind"}
    silent = answering(opencode, tmp_path, PreToolUse=answer)
    changed, told, system = silent.calls(
        silent.bash(command="rm x"),
        ("tool.execute.after", {"tool": "x", "sessionID": silent.session}, {"output": "done"}),
        ("experimental.chat.system.transform", {"sessionID": silent.session}, {"system": []}),
    )
    assert changed["output"] == {"args": {"command": "ls"}}
    assert told["output"]["output"].startswith("done\n\nhookd could not judge this")
    assert system["output"]["system"] == ["mind"]


def test_a_batch_with_a_dangerous_call_fails(opencode: Opencode) -> None:
    safe = {"tool": "bash", "parameters": {"command": "ls"}}
    dangerous = {"tool": "bash", "parameters": DANGEROUS}
    one, other = opencode.calls(
        opencode.tool("batch", tool_calls=[safe, safe]),
        opencode.tool("batch", tool_calls=[safe, dangerous]),
    )
    assert one["error"] is None
    assert "call 2 of the batch: `rm -rf /etc` deletes /etc" in other["error"]
    assert opencode.rows() == [("PreToolUse", "Batch", None), ("PreToolUse", "Batch", "deny")]


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
