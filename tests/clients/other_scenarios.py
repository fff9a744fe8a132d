"""Scenarios of every client beside Claude Code: the same list for each, end to end.

A scenario gets a scene, lets the client work through scripted turns of the model, and asserts what
reached the model or what ran. `lacks` names what a client cannot do, so that the table shows the
reason; nothing else is skipped.
"""

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from clients.drivers.codex import SCRIPTING, Codex, scripted
from clients.models.turn import call
from clients.other_clients import OtherScene
from clients.pane import Pane, started
from clients.place import until
from clients.steps import gone, keep, script, transcript_read

Body = Callable[[OtherScene], None]


@dataclass(frozen=True)
class OtherScenario:
    """One row of the table."""

    name: str
    body: Body
    install: tuple[str, ...] | None = ()  # None: hookd is not installed
    lacks: Mapping[str, str] = field(default_factory=dict)  # client -> what it lacks
    short: bool = False
    settles: bool = True  # compare fired and recorded events at the end

    def play(self, scene: OtherScene) -> None:
        """Install hookd where the scenario needs it, and run the body."""
        if self.install is not None:
            scene.installs(*self.install)
        self.body(scene)


OTHER_SCENARIOS: list[OtherScenario] = []


def scenario(
    name: str,
    *install: str,
    bare: bool = False,
    lacks: Mapping[str, str] | None = None,
    short: bool = False,
    settles: bool = True,
) -> Callable[[Body], Body]:
    """Add a function to the table of scenarios; `bare` is without hookd."""

    def add(body: Body) -> Body:
        options = None if bare else install
        row = OtherScenario(name, body, options, lacks or {}, short, settles and not bare)
        OTHER_SCENARIOS.append(row)
        return body

    return add


@scenario("without hookd", bare=True)
def without_hookd(scene: OtherScene) -> None:
    """The client alone: a failure here is one of the mock or the settings, not of hookd."""
    make, file = scene.driver.shell("touch made; echo from-shell"), scene.project / "a.txt"
    write = scene.driver.create(file, "first\n")
    change = scene.driver.replace(file, "first", "second")
    out = scene.asks("Write the file.", make, write, change, "The work is done.")
    assert "The work is done." in out
    assert (scene.project / "made").exists()
    assert file.read_text() == "second\n"
    first, second, *_ = scene.mock.sent()
    assert "Write the file." in first
    assert "from-shell" in second
    assert scene.fired_events() <= set(scene.driver.events)
    assert sum(scene.fired_counts().values()) >= 6


def read(scene: OtherScene) -> list[str]:
    """Return all that the model read, for each request of the conversation."""
    requests = [one for one in scene.mock.requests if one.kind == "main"]
    return [one.system + one.text for one in requests]


def decided(scene: OtherScene) -> list[tuple[int, str, str]]:
    """Return number, decision and origin of each call that hookd decided."""
    rows = scene.recorded("PreToolUse")
    return [(row["id"], row["decision"], row["decided_by"]) for row in rows if row["decision"]]


@scenario("start and end", short=True)
def start_and_end(scene: OtherScene) -> None:
    """A session of this client with its version, from start to end, and not a word from hookd."""
    assert "Hi." in scene.asks("hello", "Hi.")
    driver = scene.driver
    until(scene.fired_counts, "the client fired events")
    scene.settle()
    (session,) = scene.rows("SELECT * FROM sessions")
    assert session["client"] == driver.name
    assert session["client_version"] == driver.version
    assert session["source"] == "startup"
    assert bool(session["ended_at"]) == driver.tells_end
    (prompt,) = scene.rows("SELECT content FROM messages WHERE role = 'user'")
    assert prompt["content"] == "hello"
    (request,) = read(scene)
    assert "hookd" not in request, "silence where hookd has nothing to say"


@scenario("context at the prompt", short=True)
def context(scene: OtherScene) -> None:
    """What an effort adds reaches the model, and once, however many requests a prompt needs."""
    scene.env["AGENT_ID"] = "orders"
    scene.hookd("effort", "start", "tasks/pagination", "implement")
    scene.asks("work", scene.driver.shell("true"), "done")
    first, *_, last = read(scene)
    assert "tasks/pagination" in first
    assert "Skill: implement" in first
    assert first.count("[Session Context]") == last.count("[Session Context]") > 0


@scenario("handover from Claude Code", settles=False)
def handover_received(scene: OtherScene) -> None:
    """What a session of Claude Code left reaches the model of this client, once and whole."""
    start = {"hook_event_name": "SessionStart", "session_id": "left", "source": "startup"}
    start["cwd"] = str(scene.project)
    steps = [f"Prüfe Bestellung {number}." for number in range(90)]
    left = {"summary": "Orders.", "lastAction": "Read.", "nextSteps": steps, "requiredFiles": []}
    for method, params in (
        ("hooks.dispatch", {"event": start}),
        ("handover.save", {"sessionId": 1, "payload": left}),
        ("hooks.dispatch", {"event": start | {"hook_event_name": "SessionEnd", "reason": "other"}}),
    ):
        scene.hookd("rpc", method, json.dumps(params))
    scene.asks("Continue.", scene.driver.shell("true"), "done")
    first, *_ = read(scene)
    assert [step for step in steps if first.count(step) != 1] == []
    (session,) = scene.rows("SELECT handover_offers FROM sessions WHERE id = 1")
    assert session["handover_offers"] == 1


@scenario("deny of a shell command", short=True)
def deny_shell(scene: OtherScene) -> None:
    """The command does not run, the model reads why and the number; the next command runs."""
    folder, driver = keep(scene), scene.driver
    scene.asks(
        "clean up", driver.shell(f"rm -rf '{folder}'"), driver.shell("touch afterwards"), "done"
    )
    assert folder.exists(), "the guarded command ran"
    assert (scene.project / "afterwards").exists()
    ((number, decision, origin),) = decided(scene)
    assert (decision, origin) == ("deny", "destructive-guard")
    assert f"hookd #{number}" in scene.mock.sent()[1]
    assert "destructive-guard" in scene.mock.sent()[1]


@scenario("deny of an edit")
def deny_edit(scene: OtherScene) -> None:
    """A rule for paths applies to each way in which this client edits."""
    text = "The lock file is made by uv."
    scene.hookd("guard", "add", "keep-lock", "Edit(*.lock)", "Write(*.lock)", "--deny", text)
    lock, fresh, free = (scene.project / name for name in ("uv.lock", "new.lock", "free.txt"))
    lock.write_text("old\n")
    driver = scene.driver
    edits = [
        driver.replace(lock, "old", "new"),
        driver.create(fresh, "new\n"),
        *driver.edits_by_shell(lock, "old", "new"),
    ]
    scene.asks("change it", *edits, driver.create(free, "free\n"), "done")
    assert lock.read_text() == "old\n", "the protected file was changed"
    assert not fresh.exists(), "the protected file was made"
    assert free.read_text() == "free\n"
    calls = decided(scene)
    assert [call[1:] for call in calls] == [("deny", "keep-lock")] * len(edits)
    for (number, *_), sent in zip(calls, scene.mock.sent()[1:], strict=False):
        assert text in sent
        assert f"hookd #{number}" in sent


@scenario("a claimed file", settles=False)
def claimed_file(scene: OtherScene) -> None:
    """What another client's session has claimed is not changed, and its own edit is a claim."""
    other = {"session_id": "other", "cwd": str(scene.project)}
    start = {"hook_event_name": "SessionStart", "source": "startup"} | other
    scene.hookd("rpc", "hooks.dispatch", json.dumps({"event": start}), AGENT_ID="ann")
    held, free = (scene.project / name for name in ("orders.py", "free.py"))
    claim = ("claim", "orders.py", "--for", "30m", "--why", "the new routes")
    scene.hookd(*claim, CLAUDE_CODE_SESSION_ID="other", AGENT_ID="ann")
    driver = scene.driver
    edits = [driver.create(held, "new\n"), driver.shell("echo new > orders.py")]
    scene.asks("make it", *edits, driver.create(free, "new\n"), "done")
    assert not held.exists(), "the claimed file was made"
    assert free.read_text() == "new\n"
    for sent in scene.mock.sent()[1 : len(edits) + 1]:
        assert "orders.py is claimed by ann (claude-code, session 1) since " in sent
        assert "hookd send ann" in sent
    assert [call[2] for call in decided(scene)] == ["claim-guard"] * len(edits)
    own = scene.rows("SELECT pattern, automatic FROM claims WHERE session_id <> 1")
    assert [(row["automatic"], Path(row["pattern"]).name) for row in own] == [(1, "free.py")]
    scene.hookd("release", "1")
    scene.asks("again", driver.create(held, "new\n"), "done")
    assert held.read_text() == "new\n"


@scenario("own MCP tools")
def own_tools(scene: OtherScene) -> None:
    """hookd's MCP server, registered as the guide says, knows the session that calls it."""
    scene.driver.add_server(scene.home)
    calls = {
        "work_add": {"title": "Parse the dates"},
        "work_take": {},
        "claim": {"patterns": ["orders.py"]},
        "log": {"text": "The parser is done."},
    }
    turns = [call(scene.driver.own_tool.format(name), **given) for name, given in calls.items()]
    scene.asks("share the work", *scene.driver.finds_tools(), *turns, "done")
    sent = scene.mock.sent()[-1]
    (session,) = scene.rows("SELECT id, claude_session_id AS conversation FROM sessions")
    (item,) = scene.rows("SELECT state, conversation FROM work_items")
    assert (item["state"], item["conversation"]) == ("taken", session["conversation"]), sent
    (claim,) = scene.rows("SELECT pattern, session_id FROM claims")
    assert (claim["pattern"], claim["session_id"]) == ("orders.py", session["id"]), sent
    used = scene.rows("SELECT tool, used_at FROM own_calls ORDER BY id")
    assert [one["tool"] for one in used if one["used_at"]] == list(calls), sent


REWRITE = """#!/bin/sh
cat <<'JSON'
{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow",
 "updatedInput": {"command": "touch rewritten; echo rewritten-ran"}}}
JSON
"""


@scenario("rewrite of a call")
def rewrite(scene: OtherScene) -> None:
    """The client runs what a hook made of the call, or nothing, and the model reads what to run."""
    scene.hookd("hook", "add", "PreToolUse", script(scene, "change", REWRITE), "--id", "change")
    scene.asks("work", scene.driver.shell("touch original"), "done")
    assert not (scene.project / "original").exists(), "the call ran as it was"
    assert (scene.project / "rewritten").exists() == scene.driver.rewrites
    told = "rewritten-ran" if scene.driver.rewrites else "touch rewritten"
    assert told in scene.mock.sent()[1]


@scenario("ask without a person")
def ask(scene: OtherScene) -> None:
    """Where no one can be asked the call does not run, and the text says how a person allows it."""
    notes = scene.project / "notes.txt"
    notes.write_text("not tracked")
    scene.asks("clean up", scene.driver.shell("git clean -fd"), "done")
    assert notes.exists(), "the call ran without an answer"
    ((number, decision, _),) = decided(scene)
    assert decision == "ask", "hookd's own decision, beside the answer that replaces it"
    told = scene.mock.sent()[1]
    assert "git clean -fd" in told
    if not scene.driver.asks:
        assert f"hookd allow {number}" in told
    scene.person("allow", str(number), "--yes")
    scene.asks("clean up", scene.driver.shell("git clean -fd"), "done")
    assert not notes.exists(), "the call that a person allowed was denied"


NEVER_DONE = """#!/bin/sh
echo '{"decision": "block", "reason": "Run the tests first."}'
"""


@scenario(
    "Stop block, ended by a cap",
    lacks={
        "opencode": "A plugin of opencode learns that a turn has ended, and cannot continue it."
    },
)
def stop_block(scene: OtherScene) -> None:
    """A hook that never lets the model end is obeyed for a while, not forever."""
    scene.hookd("hook", "add", "Stop", script(scene, "never", NEVER_DONE), "--id", "never")
    scene.asks("work", "finished", scene.driver.shell("touch tested"), "tests pass")
    assert (scene.project / "tested").exists()
    assert "Run the tests first." in scene.mock.sent()[1]
    assert 3 <= len(scene.mock.sent()) <= 20, f"{len(scene.mock.sent())} requests"
    blocks = [row["decision"] for row in scene.recorded("Stop")]
    assert blocks[0] == "block"


@scenario("resumed session")
def resumed(scene: OtherScene) -> None:
    """A session that is resumed is the same one, and its second prompt is guarded as the first."""
    folder = keep(scene)
    scene.asks("first", "The first answer.")
    scene.asks("second", scene.driver.shell(f"rm -rf '{folder}'"), "The second.", resumed=True)
    assert "The first answer." in scene.mock.sent()[1], "the client has not resumed"
    assert folder.exists(), "the guarded command ran"
    scene.settle()
    rows = scene.rows("SELECT claude_session_id, source FROM sessions ORDER BY id")
    assert len({row["claude_session_id"] for row in rows}) == 1
    assert rows[0]["source"] == "startup"
    prompts = scene.rows("SELECT content FROM messages WHERE role = 'user' ORDER BY id")
    assert [row["content"] for row in prompts] == ["first", "second"]


@scenario("transcript read", short=True)
def transcript(scene: OtherScene) -> None:
    """What only the client's own record has is stored: a text between calls, the tokens."""
    driver = scene.driver
    held = driver.window is not None and not driver.window_at_stop
    transcript_read(scene, scene.asks, driver.shell("true"), driver.window, held=held)


def counted(scene: OtherScene) -> None:
    """Assert that each event is recorded, or counted as one without a daemon; the end is not."""
    scene.asks("again", "Hi.")  # the next event has the daemon count them

    def known() -> int:
        """Return the number of events that are recorded or counted."""
        counts = scene.rows("SELECT count FROM unjudged")
        recorded = len(scene.recorded()) - len(scene.recorded("SessionEnd"))
        return recorded + sum(row["count"] for row in counts)

    fired = sum(scene.fired_counts().values())
    fired -= sum(scene.fired_counts()[event] for event in scene.driver.ends)
    until(lambda: known() == fired, f"{fired} events", state=lambda: str(known()))


@scenario(
    "no daemon, fail closed", "--fail-closed", "--no-verdict", "closed", settles=False, short=True
)
def fail_closed(scene: OtherScene) -> None:
    """Without a verdict the call does not run, and the model reads that in this client's words."""
    with gone(scene):
        scene.asks("work", scene.driver.shell("touch made"), "done", check=False)
    assert not (scene.project / "made").exists(), "a call without a verdict ran"
    assert "set to fail closed" in scene.mock.sent()[1]
    counted(scene)


@scenario("no daemon, fail open", "--no-verdict", "open", settles=False)
def fail_open(scene: OtherScene) -> None:
    """Without a verdict the call runs, and hookd says nothing."""
    with gone(scene):
        scene.asks("work", scene.driver.shell("touch made"), "done")
    assert (scene.project / "made").exists()
    assert not any("hookd" in one for one in read(scene))
    counted(scene)


@scenario("no daemon, still a verdict", settles=False)
def judged_without_daemon(scene: OtherScene) -> None:
    """Without a daemon the guards judge in a process of their own."""
    folder, driver = keep(scene), scene.driver
    with gone(scene):
        scene.asks(
            "clean up", driver.shell(f"rm -rf '{folder}'"), driver.shell("touch passes"), "done"
        )
    assert folder.exists(), "the guarded command ran"
    assert "destructive-guard" in scene.mock.sent()[1]
    assert (scene.project / "passes").exists()
    counted(scene)


WAYS_OUT = (
    "hookd stop --yes",
    "echo hookd stop --yes > off.sh; sh off.sh",
    "hookd rpc daemon.stop",
    "python3 -c \"import subprocess; subprocess.run(['hookd', 'stop', '--yes'])\"",
    "printf 'import os\\nos.system(\"hookd pause 10m\")\\n' > p.py; python3 p.py",
)


@scenario("hookd stop from inside")
def stop_from_inside(scene: OtherScene) -> None:
    """The model cannot end or pause hookd by any of these ways."""
    folder, driver = keep(scene), scene.driver
    before = scene.daemon
    scene.asks(
        "switch it off", *map(driver.shell, WAYS_OUT), driver.shell(f"rm -rf '{folder}'"), "done"
    )
    assert scene.daemon == before, "the daemon was ended"
    assert "paused" not in scene.hookd("status")
    assert folder.exists(), "the guarded command ran"


@scenario("doctor in the project")
def doctor(scene: OtherScene) -> None:
    """Doctor finds the registration, tries it, and tells what a person has yet to trust."""
    scene.asks("hello", "Hi.")
    out = scene.hookd("doctor", "-v", "--client", scene.driver.name, check=False)
    assert f"{scene.driver.name} canary" in out
    assert "denied a test call" in out
    waits = scene.driver.name == "codex"
    assert ("is not trusted yet" in out) == waits
    assert ("hookd guards here" in out) != waits


def files(scene: OtherScene) -> dict[Path, bytes]:
    """Return the files of the client's settings by path."""
    found = [file for place in scene.driver.settings for file in (scene.home / place).rglob("*")]
    return {file: file.read_bytes() for file in found if file.is_file()}


@scenario("uninstalled, program removed", bare=True)
def uninstalled(scene: OtherScene) -> None:
    """After an uninstall the settings are as before, and no tool misses the program."""
    before = files(scene)
    scene.installs()
    assert files(scene) != before
    scene.hookd("uninstall", "--client", scene.driver.name)
    assert files(scene) == before
    scene.hookd("stop", "--yes")
    (scene.home / "bin/hookd").unlink()
    shutil.rmtree(scene.home / ".local/share/hookd", ignore_errors=True)
    made = scene.project / "made"
    out = scene.asks("work", scene.driver.create(made, "made\n"), "done")
    assert made.read_text() == "made\n"
    assert not any("hookd" in one for one in [out, *read(scene)])


@scenario(
    "hooks of Claude Code in the repository",
    bare=True,
    lacks=dict.fromkeys(
        ("codex", "gemini", "qwen", "opencode"), "It does not read .claude/settings.json."
    ),
)
def foreign_registration(scene: OtherScene) -> None:
    """A registration with Claude Code that this client runs is answered in its words, and once."""
    scene.hookd("install", "--scope", "project", "--project-dir", str(scene.project))
    scene.hookd("start")
    assert json.loads((scene.project / ".claude/settings.json").read_text())["hooks"]
    folder = keep(scene)
    turn = scene.driver.shell(f"rm -rf '{folder}'")
    scene.asks("clean up", turn, "done")
    assert folder.exists(), "the guarded command ran"
    assert "destructive-guard" in scene.mock.sent()[1]
    ((number, *_),) = decided(scene)
    scene.hookd("install", "--client", scene.driver.name)
    scene.asks("clean up again", turn, "done")
    assert folder.exists(), "the guarded command ran"
    assert decided(scene)[0][0] == number
    assert len(decided(scene)) == 2, "two registrations judged one call twice"


BUT_CODEX = ("gemini", "qwen", "copilot", "opencode")


@scenario(
    "calls by a script of the model",
    lacks=dict.fromkeys(BUT_CODEX, "Its models call tools one by one."),
)
def script_calls(scene: OtherScene) -> None:
    """The newest models of Codex call tools by JavaScript: each call in it is guarded."""
    folder, config = keep(scene), scene.home / ".codex/config.toml"
    config.write_text(config.read_text().replace("gpt-5.5", SCRIPTING))
    scene.asks("clean up", scripted(f"rm -rf '{folder}'"), scripted("touch afterwards"), "done")
    assert folder.exists(), "the guarded command ran"
    assert (scene.project / "afterwards").exists()
    ((number, decision, _),) = decided(scene)
    assert decision == "deny"
    assert f"hookd #{number}" in scene.mock.sent()[1]


@scenario(
    "trust given in the terminal",
    lacks=dict.fromkeys(BUT_CODEX, "The user's hooks need no trust there."),
)
def trusted(scene: OtherScene) -> None:
    """Codex runs what a person has reviewed, asks no more after another install, and is guarded."""
    assert isinstance(scene.driver, Codex)
    folder = keep(scene)
    options = ("--no-daemon", "-m", SCRIPTING, "-s", "danger-full-access", "-a", "never")
    line = [scene.driver.program, *options]
    with started(scene, line, Pane) as pane:
        pane.waits("Hooks need review")

        pane.answers("Hooks need review", "2", confirmed_by="› 2. Trust all")
        pane.waits("Ask Codex to do anything")
    scene.hookd("install", "--client", scene.driver.name)
    assert "hookd guards here" in scene.hookd("doctor", "-v", "--client", scene.driver.name)
    scene.mock.script(scripted(f"rm -rf '{folder}'"), "The work is done.")
    with started(scene, line, Pane) as pane:
        pane.waits("Ask Codex to do anything")
        assert "Hooks need review" not in pane.screen()
        pane.keys("clean up")
        pane.waits("clean up")
        pane.keys("Enter")
        pane.waits("The work is done.")
        pane.keys("/exit")
        pane.waits("/exit")
        pane.keys("Enter")
        until(lambda: scene.fired_counts()["SessionEnd"], "the session ended", state=pane.screen)
    assert folder.exists(), "the guarded command ran"
    assert "destructive-guard" in scene.mock.sent()[1]
