"""Conversations in which every field that the client, the model or the user fills is hostile."""

import json
from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from sqlite3 import connect
from typing import Any
from uuid import uuid4

from hookd.core.evaluation.unjudged import MAX_FILE_BYTES, format_line
from hookd.system import unjudged_spool
from support import forkserver
from support.approvals import answer_of, answers, asking, looking
from support.flows import handover, put
from support.home import Home, Window, until
from support.hostile_texts import CONTROL

Send = Callable[[Window, str, dict[str, Any]], Any]
"""Sends one event of a conversation; the second argument is its name."""

NAME_BYTES = 150
"""Length of a file's name; the file system's limit is 255."""


def by_shim(window: Window, name: str, event: dict[str, Any]) -> Any:
    """Send an event through the real shim, as Claude Code does."""
    done = window.home.hook(event, env=window.identity)
    assert done.returncode == 0, (name, done)
    return done.stdout


def by_socket(window: Window, name: str, event: dict[str, Any]) -> Any:
    """Send an event as the shim does; a thousand of them would take minutes through it."""
    answer = window.home.bare(json.dumps(event).encode(), name, window.identity)
    assert "error" not in answer, (name, answer)
    return answer["result"]


def file_name(text: str) -> str:
    """Return a text as the name of a file: without NUL, slash and half characters, and short."""
    name = text.replace("\0", "").replace("/", "∕").encode(errors="ignore")[:NAME_BYTES]
    return name.decode(errors="ignore") or "x"


def variable(text: str) -> str:
    """Return a text as the value of an environment variable."""
    return text.replace("\0", "").encode(errors="ignore").decode()


def settings(text: str) -> dict[str, Any]:
    """Return settings with hostile user hooks: the first fails, the second denies by JSON."""
    words = variable(text)
    answer = {"permissionDecision": "deny", "permissionDecisionReason": words, words: words}
    denied = json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse"} | answer})
    failing = f"printf '%s' {quote(words)} >&2; exit 1"
    return {
        "hooks": {
            "PreToolUse": [
                {"matcher": "Read", "hooks": [_hook("failing", failing, text)]},
                {"matcher": "Edit", "hooks": [_hook("denying", f"echo {quote(denied)}", text)]},
            ]
        }
    }


def _hook(name: str, command: str, text: str) -> dict[str, str]:
    return {"id": name, "type": "command", "command": command, "statusMessage": text}


def misses(home: Home, text: str) -> None:
    """Let a shim note an event that no daemon judged; the next daemon reads it."""
    spool = home.socket.with_suffix(".unjudged")
    spool.parent.mkdir(parents=True, exist_ok=True)
    line = format_line(datetime.now(UTC).isoformat(), "PreToolUse", variable(text)[:200])
    unjudged_spool.leave(spool, line, MAX_FILE_BYTES)


def conversation(home: Home, text: str, send: Send = by_shim) -> Window:
    """Have one conversation; return it. Its project, branch, agent and words are the text."""
    project = home.path / "projects" / f"{file_name(text)}{uuid4().hex[:6]}"
    put(project / ".git" / "HEAD", f"ref: refs/heads/{file_name(text)}\n")
    put(project / ".claude/skills/odd/SKILL.md", _skill(text))
    agent = variable(text)[:190]
    env = {"AGENT_ID": f"{agent}{uuid4().hex[:4]}", "AGENT_PARENT": agent, "AGENT_CLAIMS": agent}
    env |= {"AGENT_MANAGES": agent, "AGENT_TARGETED_CLAIMS": agent}
    window = Window(home, str(project), f"{uuid4()}{text}", env)
    start = {"model": text, "transcript_path": f"{project}/{text}.jsonl"}
    send(window, "SessionStart", window.event("SessionStart", source="startup", **start))
    _works(window, text)
    for name, event in _events(window, text):
        send(window, name, event)
    following = Window(home, window.project, f"{uuid4()}{text}", env)
    for source in ("clear", text):
        send(following, "SessionStart", following.event("SessionStart", source=source, **start))
    return window


def _skill(text: str) -> str:
    told = json.dumps(CONTROL.sub("", variable(text))[:900])
    keys = ("version", "description", "directives", "nextSkills")
    lines = [f"{key}: {f'[{told}]' if key[-1] == 's' else told}" for key in keys]
    phase = "0: " + json.loads(told)
    return "\n".join(["---", "name: odd", *lines, f"phases: [{json.dumps(phase)}]", "---", ""])


def _works(window: Window, text: str) -> None:
    """Start an effort, log, enter a phase, leave a handover, set a guard rule, add an agent."""
    within = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    task = f"{window.project}/{file_name(text)}"
    home = window.home
    home.rpc("effort.start", {"taskDir": task, "skill": "free", "mode": text, "env": within})
    home.rpc("effort.log", {"text": f"## {text}\n\n{text}", "env": within})
    home.rpc(
        "effort.phase",
        {"phase": text[:290], "reason": text[:900], "proof": {text: text}, "env": within},
    )
    left = handover(
        summary=text,
        lastAction=text,
        nextSteps=[text],
        requiredFiles=[task],
        handoverInstructions=text,
        userHistory=[text],
    )
    home.rpc("handover.save", {"payload": left, "env": within})
    words = text.replace("$", "$$")
    home.rpc("loop.start", {"prompt": text[:4_000], "env": within})
    rule = {"id": f"odd-{uuid4().hex[:6]}", "description": text, "deny": words}
    rule["match"] = "Bash(forbidden *)"
    home.rpc("guards.add", {"rule": rule, "scope": "project", "env": within})
    name = "".join(char for char in text[:400] if char.isprintable()) or "x"
    claimed = {"patterns": [f"resource:{name}"], "why": text[:500], "env": within}
    home.rpc("claims.add", claimed)
    _shares(window, text)
    home.rpc("agents.register", {"id": f"{text[:150]}{uuid4().hex[:4]}", "claims": text})
    home.rpc("mail.send", {"to": "@task", "text": text[:4_000], "env": within})
    outside = {"CLAUDE_PROJECT_DIR": window.project}
    home.hookd("send", "--", window.id, "-", input=text[:4_000], env=outside, cwd=window.project)


def _shares(window: Window, text: str) -> None:
    """Add work items: one waits for an agent, one is done, one is blocked."""
    within = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id, "CWD": window.project}
    title = {"title": text[:190], "text": text, "env": within}
    window.home.rpc("work.add", title | {"wanted": text[:190]})
    for verb, more in {"done": {"result": text}, "block": {"why": text[:1_900]}}.items():
        number = {"id": window.home.rpc("work.add", title)["id"], "env": within}
        window.home.rpc("work.take", number | {"another": True})
        window.home.rpc(f"work.{verb}", number | more)
    last = {"id": window.home.rpc("work.add", title)["id"], "env": within}
    window.home.rpc("work.take", last)


def _events(window: Window, text: str) -> Iterable[tuple[str, dict[str, Any]]]:
    """Yield events with the text in each field that may hold one."""
    event, path = window.event, f"{window.project}/{text}"
    bash = {"command": f"forbidden {text}", "description": text}
    subagent = {"agent_id": f"{uuid4().hex[:6]}{text}", "agent_type": text}
    asked = {"questions": [{"question": text, "header": text, "options": [{"label": text}]}]}
    ids = {"tool_use_id": f"{uuid4()}{text}", "prompt_id": f"{uuid4()}{text}"}
    push = {"command": f"git push --force-with-lease origin {text}"}
    command = {"command_name": "odd", "command_args": text, "prompt": f"/odd {text}"}
    yield "UserPromptSubmit", event("UserPromptSubmit", prompt=text)
    yield "UserPromptExpansion", event("UserPromptExpansion", **command)
    yield "PreToolUse", event("PreToolUse.Bash", tool_input=push, **ids)
    yield "PostToolUse", event("PostToolUse.Bash", tool_input=push, **ids)
    yield "PreToolUse", event("PreToolUse.Bash", tool_input=bash)
    yield "PreToolUse", event("PreToolUse.Bash", tool_input={"command": f"rm -rf ~ {text}"})
    yield "PreToolUse", event("PreToolUse", tool_name="Read", tool_input={"file_path": path})
    yield "PreToolUse", event("PreToolUse.Edit", tool_input={"file_path": path, "old_string": text})
    yield (
        "PreToolUse",
        event("PreToolUse", tool_name=f"mcp__{text}__{text}", tool_input={text: text}),
    )
    yield "PermissionRequest", event("PermissionRequest", tool_input=bash)
    yield "PostToolUse", event("PostToolUse.Bash", tool_input=bash, tool_response={"stdout": text})
    yield "PostToolUse", event("PostToolUse", tool_name="Read", tool_input={"file_path": path})
    yield "PostToolUse", event("PostToolUse.AskUserQuestion", tool_input=asked, tool_response=text)
    yield "PostToolUseFailure", event("PostToolUseFailure.Bash", error=text, tool_input=bash)
    yield (
        "TaskCreated",
        event("TaskCreated", task_id=text[:90], task_subject=text, task_description=text),
    )
    yield "Notification", event("Notification", message=text, title=text)
    yield "DirectoryAdded", event("DirectoryAdded", directory=window.project)
    yield "SubagentStart", event("SubagentStart", **subagent)
    yield "PreToolUse", event("PreToolUse.Bash", tool_input=bash, **subagent)
    yield (
        "PreToolUse",
        event("PreToolUse", tool_name="mcp__hookd__fleet", tool_input={}, **ids, **subagent),
    )
    yield "PreCompact", event("PreCompact", custom_instructions=text)
    yield "StopFailure", event("StopFailure", error=text, last_assistant_message=text)
    yield text[:120], event("Stop", hook_event_name=text[:120], last_assistant_message=text)
    yield "SessionEnd", event("SessionEnd", reason=text)


def denied_request(window: Window, text: str) -> None:
    """Let an edit wait for a person, who denies it with the text."""
    path = f"{window.project}/{file_name(text)}"
    change = {"file_path": path, "old_string": text, "new_string": f"{text}{text}"}
    with (
        looking(window.home) as viewer,
        asking(window, tool_name="Write", tool_input=change | {"content": text}) as shim,
    ):
        number = viewer.pending()["id"]
        code, said = answers(window.home, "deny", number, "-m", variable(text)[:900])
        assert code == 0, said
        answer_of(shim)


def allows(window: Window) -> None:
    """Let a person allow the call that a guard denied, at a terminal."""
    sql = (
        "SELECT max(id) FROM events WHERE decision = 'deny' AND decided_by = 'destructive-guard'"
        " AND session_id IN (SELECT s.id FROM sessions s JOIN projects p ON p.id = s.project_id"
        " WHERE p.path = ?)"
    )
    number = window.home.rows(sql, window.project)[0][0]
    code, said = forkserver.at_a_terminal(("allow", str(number), "--yes"), window.home.env)
    assert code == 0, said


def counted(home: Home) -> None:
    """Restart the daemon, which reads what shims noted, and wait until all events are counted."""
    home.restarts()
    sql = "SELECT value >= (SELECT max(id) FROM events) FROM meta WHERE key = 'events_counted'"
    until(lambda: home.rows(sql) == [(1,)])


def texts_of(database: Path) -> dict[str, set[str]]:
    """Return what each column of text holds, by `table.column`; empty values are left out."""
    found = {}
    with closing(connect(f"file:{database}?mode=ro", uri=True)) as db:
        columns = db.execute(
            "SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c"
            " WHERE m.type = 'table' AND c.type = 'TEXT'"
        ).fetchall()
        for table, column in columns:
            rows = db.execute(f"SELECT DISTINCT {column} FROM {table} WHERE {column} <> ''")
            found[f"{table}.{column}"] = {str(row[0]) for row in rows}
    return found
