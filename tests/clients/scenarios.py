"""Scenarios of the real client in print mode: each asserts promised behaviour end to end.

A scenario gets a scene, lets the client work through scripted turns of the model, and asserts what
reached the model or what ran. The runner then compares fired and recorded events. `since` and `why`
name what older versions of the client cannot do, so that the table shows the reason; nothing else
is skipped.
"""

import json
import os
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from clients.client import Scene
from clients.mock import TOO_LONG
from clients.models.turn import Turn, bash, call
from clients.place import until
from clients.steps import gone, keep, script, transcript_read
from hookd.cli.install.native_build import compilers

Body = Callable[[Scene], None]
MANUAL = ("--permission-mode", "default")


@dataclass(frozen=True)
class Scenario:
    """One row of the table."""

    name: str
    body: Body
    install: tuple[str, ...] = ()
    home: str = ""  # name of the home folder; a random one where empty
    since: tuple[int, ...] = ()  # first version of the client that can do it
    why: str = ""  # what older versions lack
    short: bool = False
    settles: bool = True  # compare fired and recorded events at the end


SCENARIOS: list[Scenario] = []


def scenario(
    name: str,
    *install: str,
    home: str = "",
    since: tuple[int, ...] = (),
    why: str = "",
    short: bool = False,
    settles: bool = True,
) -> Callable[[Body], Body]:
    """Add a function to the table of scenarios."""

    def add(body: Body) -> Body:
        SCENARIOS.append(Scenario(name, body, install, home, since, why, short, settles))
        return body

    return add


def registered(scene: Scene) -> str:
    """Return the file name of the program that hooks start."""
    link = scene.home / ".local/share/hookd/shims/user/PreToolUse"
    return link.readlink().name


def removal(folder: Path) -> Turn:
    """Return a turn that removes a folder."""
    return bash(f"rm -rf {shlex.quote(str(folder))}")


def effort(scene: Scene, *options: str) -> None:
    """Start an effort of the agent `orders`, whose name the client gets as well."""
    scene.env["AGENT_ID"] = "orders"
    scene.hookd("effort", "start", "tasks/pagination", "implement", *options)


@scenario("start and end", short=True)
def start_and_end(scene: Scene) -> None:
    assert registered(scene) == "hookd-hook.native" or not list(compilers())
    assert scene.asks("hello", "Hi.")["result"] == "Hi."
    (session,) = scene.rows("SELECT * FROM sessions")
    assert session["source"] == "startup"
    assert session["end_reason"] == "other"
    (prompt,) = scene.rows("SELECT content FROM messages WHERE role = 'user'")
    assert prompt["content"] == "hello"
    (request,) = scene.mock.sent()
    assert "hookd" not in request, "silence where hookd has nothing to say"


@scenario("tool call", "--shim", "bash", short=True)
def tool_call(scene: Scene) -> None:
    assert registered(scene) == "hookd-hook"
    file = scene.project / "orders.txt"
    scene.asks(
        "write it",
        call("Write", file_path=str(file), content="first\n"),
        bash("cat orders.txt; mkdir node_modules; rm -rf node_modules; echo sum-$((40+2))"),
        "done",
    )
    assert file.read_text() == "first\n"
    assert "sum-42" in scene.mock.sent()[-1]
    assert len(scene.mock.sent()) == 3
    calls = scene.recorded("PreToolUse")
    assert [(row["tool_name"], row["answer"]) for row in calls] == [("Write", None), ("Bash", None)]
    assert len(scene.recorded("PostToolUse")) == 2


@scenario("deny", short=True)
def deny(scene: Scene) -> None:
    folder = keep(scene)
    scene.asks("clean up", removal(folder), bash("touch afterwards"), "done")
    assert folder.exists(), "the guarded command ran"
    assert "destructive-guard" in scene.mock.sent()[1]
    assert (scene.project / "afterwards").exists()
    (row,) = [row for row in scene.recorded("PreToolUse") if row["decision"]]
    assert (row["decision"], row["decided_by"]) == ("deny", "destructive-guard")
    assert f"hookd #{row['id']}" in scene.mock.sent()[1]


@scenario("ask, print mode")
def ask_print(scene: Scene) -> None:
    notes = scene.project / "notes.txt"
    notes.write_text("not tracked")
    scene.asks("clean up", bash("git clean -fd"), "done")
    assert notes.exists(), "print mode has no person to ask, so the call is denied"
    assert "git clean -fd" in scene.mock.sent()[1]
    (row,) = [row for row in scene.recorded("PreToolUse") if row["decision"]]
    assert row["decision"] == "ask"


@scenario("odd path of the home", home='it\'s $HOME & "odd"')
def odd_home(scene: Scene) -> None:
    folder = keep(scene)
    scene.asks("clean up", removal(folder), "done")
    assert folder.exists(), "the guarded command ran"


@scenario("own rule", short=True)
def own_rule(scene: Scene) -> None:
    scene.hookd(
        "guard", "add", "no-main", "Bash(git push * main)", "--deny", "Open a pull request."
    )
    scene.hookd("guard", "add", "style", "Write(*.py)", "--tell", "Lines end at column 100.")
    remote = scene.home / "remote"
    scene.run("git", "init", "--quiet", "--bare", str(remote))
    scene.run("git", "commit", "--quiet", "--allow-empty", "-m", "begin")
    target = shlex.quote(str(remote))
    code = str(scene.project / "a.py")
    scene.asks(
        "push",
        bash(f"true && git push {target} main"),
        bash(f"git push {target} main:topic"),
        call("Write", file_path=code, content="a = 1\n"),
        "done",
    )
    assert "guard no-main: Open a pull request." in scene.mock.sent()[1]
    assert "Lines end at column 100." not in scene.mock.sent()[2]
    assert scene.mock.sent()[3].count("Lines end at column 100.") == 1
    assert scene.run("git", "-C", str(remote), "branch", "--format=%(refname:short)") == "topic\n"
    assert Path(code).exists()


@scenario("own hooks")
def own_hooks(scene: Scene) -> None:
    refuse = script(
        scene,
        "refuse",
        "#!/bin/sh\ngrep -q xyzzy || exit 0\necho 'That word is not for the model.' >&2\nexit 2\n",
    )
    lint = script(scene, "lint", "#!/bin/sh\necho 'F821 undefined name' >&2\nexit 2\n")
    scene.hookd("hook", "add", "UserPromptSubmit", refuse, "--id", "refuse")
    scene.hookd("hook", "add", "PostToolUse", lint, "--matcher", "Write", "--id", "lint")
    scene.asks("say xyzzy", "never sent")
    assert not scene.mock.sent(), "a blocked prompt reached the model"
    scene.mock.turns.clear()
    code = str(scene.project / "a.py")
    scene.asks("write it", call("Write", file_path=code, content="a = b\n"), "done")
    assert scene.mock.sent()[1].count("F821 undefined name") == 1


@scenario("context at start and prompt", short=True)
def context(scene: Scene) -> None:
    effort(scene)
    scene.asks("work", bash("true"), "done")
    first = scene.mock.sent()[0]
    assert first.count("[Session Context]") == 2, "once from SessionStart, once from the prompt"
    assert "tasks/pagination" in first
    assert "Skill: implement" in first


@scenario("logging discipline")
def discipline(scene: Scene) -> None:
    effort(scene, "--warn-after", "2", "--block-after", "3")
    scene.asks(
        "work",
        *(bash(f"touch step-{number}") for number in range(4)),
        bash("hookd log 'The parser is done.'"),
        bash("touch step-after"),
        "done",
    )
    made = {file.name for file in scene.project.glob("step-*")}
    assert made == {"step-0", "step-1", "step-after"} | {"step-2"} & made
    assert "step-3" not in made, "the call past the limit ran"
    assert "hookd log" in scene.mock.sent()[4]
    (log,) = scene.project.glob("tasks/pagination/*LOG.md")
    assert "The parser is done." in log.read_text()


@scenario("Stop block", short=True)
def stop_block(scene: Scene) -> None:
    block = script(
        scene,
        "block",
        """#!/bin/sh
grep -q '"stop_hook_active": *true' && exit 0
echo '{"decision": "block", "reason": "Run the tests first."}'
""",
    )
    scene.hookd("hook", "add", "Stop", block, "--id", "tests-first")
    result = scene.asks("work", "finished", bash("touch tested"), "tests pass")
    assert result["result"] == "tests pass"
    assert (scene.project / "tested").exists()
    assert scene.mock.sent()[1].count("Stop hook feedback:\nRun the tests first.") == 1
    assert [row["decision"] for row in scene.recorded("Stop")] == ["block", None]


@scenario("subagent", short=True)
def subagent(scene: Scene) -> None:
    folder = keep(scene)
    agent = {"subagent_type": "general-purpose", "description": "Look around"}
    scene.mock.script(SUBTASK=[removal(folder), bash("touch by-agent"), "The agent has looked."])
    scene.asks(
        "delegate", call("Agent", prompt="SUBTASK: look", run_in_background=False, **agent), "done"
    )
    assert folder.exists(), "the guarded command ran in the subagent"
    assert (scene.project / "by-agent").exists()
    assert "destructive-guard" in scene.mock.sent("SUBTASK")[1]
    assert "The agent has looked." in scene.mock.sent()[-1]
    main, sub = scene.rows("SELECT * FROM sessions ORDER BY id")
    assert (main["agent_id"], sub["parent_session_id"]) == (None, main["id"])
    assert sub["agent_id"] == scene.fired("SubagentStart")[0]["agent_id"]
    assert sub["ended_at"], "SubagentStop ends the row"
    assert scene.fired("SubagentStop")


@scenario("subagent without Bash")
def subagent_reads(scene: Scene) -> None:
    effort(scene, "--block-after", "3")
    file = scene.project / "orders.txt"
    file.write_text("".join(f"line-{number}\n" for number in range(6)))
    agents = scene.project / ".claude/agents"
    agents.mkdir(parents=True)
    (agents / "reader.md").write_text(
        "---\nname: reader\ndescription: x\ntools: Read\n---\nRead.\n"
    )
    reads = [call("Read", file_path=str(file), offset=at, limit=1) for at in range(1, 7)]
    scene.mock.script(SUBTASK=[*reads, "The agent has read."])
    agent = {"subagent_type": "reader", "description": "Read", "run_in_background": False}
    scene.asks("delegate", call("Agent", prompt="SUBTASK: read", **agent), "done")
    last = scene.mock.sent("SUBTASK")[-1]
    assert [number for number in range(6) if f"line-{number}" not in last] == []


@scenario("parallel calls, failures, commands")
def breadth(scene: Scene) -> None:
    (scene.project / "CLAUDE.md").write_text("CLAUDE-MARK: use tabs.\n")
    commands = scene.project / ".claude/commands"
    commands.mkdir(parents=True)
    (commands / "greet.md").write_text("---\ndescription: Greet\n---\nGreet $ARGUMENTS kindly.\n")
    both = bash("sleep 0.2; touch left").content + bash("touch right; exit 3").content
    task = call("TaskCreate", subject="Write it", description="d", activeForm="Writing")
    turns = (
        Turn(both),
        call("NoSuchTool"),
        task,
        call("TaskUpdate", taskId="1", status="completed"),
    )
    options = ("--model", "claude-haiku-4-5", *BYPASS)
    scene.asks("/greet Ana", *turns, "done", options=options, ENABLE_TOOL_SEARCH="false")
    assert (scene.project / "left").exists() and (scene.project / "right").exists()
    assert "Greet Ana kindly." in scene.mock.sent()[0]
    assert scene.mock.sent()[0].count("CLAUDE-MARK") == 1
    assert scene.fired("PostToolUseFailure")


@scenario("compaction on request")
def compaction(scene: Scene) -> None:
    effort(scene, "--block-after", "3")
    session = scene.asks("work", bash("touch one"), bash("touch two"), "done")["session_id"]
    scene.asks("/compact", options=("--resume", session))
    scene.asks("go on", bash("touch three"), "done", options=("--resume", session, *BYPASS))
    assert len(scene.mock.sent("summary")) == 1
    assert "Mock summary" in scene.mock.sent()[-1]
    assert (scene.project / "three").exists()
    assert scene.fired("PreCompact") and scene.fired("PostCompact")
    assert "compact" in [row["source"] for row in scene.rows("SELECT source FROM sessions")]


BYPASS = ("--permission-mode", "bypassPermissions")
SAVE = """hookd handover save <<'JSON'
{"summary": "GET /orders takes page and size.", "lastAction": "Wrote the last test.",
 "nextSteps": ["Document both parameters."], "requiredFiles": []}
JSON"""


@scenario("automatic compaction")
def compaction_auto(scene: Scene) -> None:
    effort(scene)
    options = ("--model", "claude-haiku-4-5", *BYPASS)
    full = Turn(bash("touch full").content, tokens=190_000)
    turns = (bash("touch early"), full, TOO_LONG, bash("touch after"), "done")
    scene.asks("work", *turns, options=options)
    assert scene.mock.sent("summary"), "the client did not compact"
    assert (scene.project / "after").exists()
    assert "Mock summary" in scene.mock.sent()[-1]
    assert scene.fired("PreCompact")[0]["trigger"] == "auto"
    assert "[Session Context]" in scene.mock.sent()[-1], "the new window knows where the work is"


@scenario("handover across compaction")
def handover_compaction(scene: Scene) -> None:
    effort(scene)
    session = scene.asks("work", bash(SAVE), "done")["session_id"]
    scene.asks("/compact", options=("--resume", session))
    scene.asks("go on", "done", options=("--resume", session))
    last = scene.mock.sent()[-1]
    assert last.count("GET /orders takes page and size.") == 1


@scenario(
    "fail closed, daemon gone",
    *("--fail-closed", "--no-verdict", "closed"),
    short=True,
    settles=False,
)
def fail_closed(scene: Scene) -> None:
    with gone(scene):
        scene.asks("work", bash("touch made"), "done", check=False)
    assert not (scene.project / "made").exists(), "a call without a verdict ran"
    assert "set to fail closed" in scene.mock.sent()[1]
    counted(scene)


@scenario("fail closed, daemon hangs", "--fail-closed")
def fail_closed_hung(scene: Scene) -> None:
    folder = keep(scene)
    os.kill(scene.daemon, signal.SIGSTOP)
    try:
        scene.asks("clean up", removal(folder), "done", check=False)
    finally:
        os.kill(scene.daemon, signal.SIGCONT)
    assert folder.exists(), "the guarded command ran"


@scenario("no daemon, still a verdict", settles=False)
def judged_without_daemon(scene: Scene) -> None:
    scene.hookd(
        "guard", "add", "no-main", "Bash(git push * main)", "--deny", "Open a pull request."
    )
    folder = keep(scene)
    with gone(scene):
        scene.asks(
            "clean up", removal(folder), bash("git push x main"), bash("touch passes"), "done"
        )
    assert folder.exists(), "the guarded command ran"
    assert "destructive-guard" in scene.mock.sent()[1]
    assert "Open a pull request." in scene.mock.sent()[2]
    assert (scene.project / "passes").exists()
    counted(scene)


def counted(scene: Scene) -> None:
    """Assert that each event is recorded, or counted as one without a daemon; SessionEnd is not."""
    scene.asks("again", "Hi.")  # the next event has the daemon count them
    fired = Counter(one["hook_event_name"] for one in scene.fired())
    del fired["SessionEnd"]

    def known() -> Counter[str]:
        names = Counter(row["event"] for row in scene.recorded())
        del names["SessionEnd"]
        for row in scene.rows("SELECT event, count FROM unjudged"):
            names[row["event"]] += row["count"]
        return names

    until(lambda: known() == fired, str(fired), state=lambda: str(known()))


@scenario("daemon killed in between")
def killed(scene: Scene) -> None:
    folder = keep(scene)
    scene.asks("work", bash("touch before"), "done")
    os.kill(scene.daemon, signal.SIGKILL)
    scene.asks("clean up", removal(folder), "done")
    assert folder.exists(), "the guarded command ran"
    assert "destructive-guard" in scene.mock.sent()[3]


WAYS_OUT = (
    "hookd stop --yes",
    "echo hookd stop --yes > off.sh; sh off.sh",
    "env -u CLAUDECODE -u CLAUDE_PID hookd stop --yes",
    "hookd rpc daemon.stop",
    "hookd pause 10m",
    "python3 -c \"import subprocess; subprocess.run(['hookd', 'stop', '--yes'])\"",
    "printf 'import os\\nos.system(\"hookd pause 10m\")\\n' > p.py; python3 p.py",
)


@scenario("hookd stop from inside")
def stop_from_inside(scene: Scene) -> None:
    folder = keep(scene)
    before = scene.daemon
    scene.asks(
        "switch it off",
        *map(bash, WAYS_OUT),
        removal(folder),
        "done",
    )
    assert scene.daemon == before, "the daemon was ended"
    assert "paused" not in scene.hookd("status")
    assert folder.exists(), "the guarded command ran"


@scenario("MCP tool")
def mcp_tool(scene: Scene) -> None:
    server = {"command": sys.executable, "args": [str(Path(__file__).with_name("notes_server.py"))]}
    config = scene.home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"notes": server}}))
    scene.hookd("guard", "add", "keep-notes", "mcp__notes__remove", "--deny", "Notes are kept.")
    scene.asks(
        "note it",
        call("mcp__notes__add", text="milk"),
        call("mcp__notes__remove", text="milk"),
        call("mcp__notes__ask"),
        "done",
        options=("--mcp-config", str(config), *BYPASS),
        ENABLE_TOOL_SEARCH="false",
    )
    assert "noted-add" in scene.mock.sent()[1]
    assert "guard keep-notes: Notes are kept." in scene.mock.sent()[2]
    assert "answer-cancel" in scene.mock.sent()[3]
    assert (scene.project / "notes.log").read_text() == "add milk\n"
    names = [row["tool_name"] for row in scene.recorded("PreToolUse")]
    assert names == ["mcp__notes__add", "mcp__notes__remove", "mcp__notes__ask"]


@scenario("resume")
def resume(scene: Scene) -> None:
    effort(scene)
    session = scene.asks("first", bash(SAVE), "done")["session_id"]
    again = scene.asks("second", "done", options=("--resume", session))["session_id"]
    assert again == session
    rows = scene.rows("SELECT * FROM sessions ORDER BY id")
    assert [row["source"] for row in rows] == ["startup", "resume"]
    assert rows[1]["prev_session_id"] == rows[0]["id"]
    assert rows[0]["effort_id"] == rows[1]["effort_id"] is not None
    summary = "### Summary\nGET /orders takes page and size."
    assert summary not in scene.mock.sent()[-1], "the conversation still has it"


@scenario("transcript read")
def transcript(scene: Scene) -> None:
    options = ("--model", "claude-haiku-4-5", *BYPASS)
    transcript_read(scene, partial(scene.asks, options=options), bash("true"), 200_000, held=True)


@scenario("AGENTS.md once")
def agents_file(scene: Scene) -> None:
    (scene.project / "src").mkdir()
    (scene.project / "AGENTS.md").write_text("ROOT-MARK: use tabs.\n")
    (scene.project / "src/AGENTS.md").write_text("SRC-MARK: no globals.\n")
    code = scene.project / "src/a.py"
    code.write_text("a = 1\n")
    scene.hookd("policy", "enable", "directory-agents-injector")
    effort(scene)
    scene.asks("read", call("Read", file_path=str(code)), "done")
    last = scene.mock.requests[-1]
    for mark in ("ROOT-MARK", "SRC-MARK"):
        assert (last.system + last.text).count(mark) == 1, mark


@scenario("doctor in the project")
def doctor(scene: Scene) -> None:
    scene.asks("hello", "Hi.")
    out = scene.run("hookd", "doctor", "-v")
    assert scene.programs.version in out
    assert "hookd guards here" in out


@scenario("own mcp tools", "--mcp")
def own_mcp_tools(scene: Scene) -> None:
    effort(scene)
    handover = {"summary": "Parsed.", "lastAction": "Tests.", "nextSteps": ["Docs."]}
    scene.asks(
        "share the work",
        call("mcp__hookd__work_add", title="Parse the dates"),
        call("mcp__hookd__work_take"),
        call("mcp__hookd__handover_save", **handover),
        call("mcp__hookd__log", text="The parser is done."),
        "done",
        options=("--disallowed-tools", "Bash", *BYPASS),
        ENABLE_TOOL_SEARCH="false",
        MCP_CONNECTION_NONBLOCKING="false",  # the first turn waits for the server
    )
    sent = scene.mock.sent()
    (session,) = scene.rows("SELECT id, claude_session_id AS conversation FROM sessions")
    (item,) = scene.rows("SELECT state, conversation, session_id FROM work_items")
    assert (item["state"], item["conversation"]) == ("taken", session["conversation"]), sent[-1]
    (left,) = scene.rows("SELECT handover_json FROM sessions")
    assert json.loads(left["handover_json"])["summary"] == "Parsed.", sent[-1]
    (entry,) = scene.rows("SELECT content FROM messages WHERE role = 'log'")
    assert "The parser is done." in entry["content"]
    used = scene.rows("SELECT tool, used_at FROM own_calls ORDER BY id")
    assert all(one["used_at"] for one in used), used
