"""Scenarios of the real client in tmux: dialogs, status line, `/clear`, mid-turn prompts."""

import json
from contextlib import suppress

from clients.client import Scene, Terminal
from clients.mock import BROKEN
from clients.models.turn import Turn, bash
from clients.place import until
from clients.scenarios import BYPASS, MANUAL, SAVE, effort, scenario
from clients.steps import script


@scenario("ask, terminal", short=True, settles=False)
def ask_terminal(scene: Scene) -> None:
    # The logging hook ends after hookd's, and the oldest client then shows no reason (below).
    _set_own_hooks(scene, "PreToolUse")
    notes = scene.project / "notes.txt"
    notes.write_text("not tracked")
    with scene.terminal(*BYPASS) as terminal:
        scene.mock.script(bash("git clean -fd"), "kept")
        terminal.types("clean up")
        terminal.waits("Do you want to proceed?")
        terminal.waits("deletes untracked files")
        terminal.answers("Do you want to proceed?", "Escape")
        assert notes.exists(), "the call ran without an answer"
        scene.mock.turns.clear()
        scene.mock.script(bash("git clean -fd"), "cleaned")
        terminal.types("clean up again")
        terminal.answers("Do you want to proceed?", "Enter")
        terminal.waits_for("Stop")
        assert not notes.exists(), "the call did not run after the answer yes"
        terminal.ends()


@scenario(
    "reason of an ask beside a slower hook",
    since=(2, 1, 138),
    why="2.1.101 asks, but shows no reason where another hook of the event ends after hookd's.",
    settles=False,
)
def ask_beside_slower(scene: Scene) -> None:
    _set_own_hooks(scene, "PreToolUse", "sleep 1; cat >/dev/null")
    with scene.terminal(*BYPASS) as terminal:
        scene.mock.script(bash("git clean -fd"), "kept")
        terminal.types("clean up")
        terminal.waits("Do you want to proceed?")
        terminal.waits("deletes untracked files")
        terminal.answers("Do you want to proceed?", "Escape")
        terminal.ends()


def _set_own_hooks(scene: Scene, event: str, *commands: str) -> None:
    """Put the user's commands for an event in place of the logging hook; hookd's entry stays."""
    file = scene.home / ".claude/settings.json"
    settings = json.loads(file.read_text())
    hookd_only = settings["hooks"][event][1:]
    own = [{"hooks": [{"type": "command", "command": command}]} for command in commands]
    settings["hooks"][event] = own + hookd_only
    file.write_text(json.dumps(settings))


@scenario("handover across /clear", short=True)
def handover_clear(scene: Scene) -> None:
    effort(scene)
    with scene.terminal(*BYPASS) as terminal:
        terminal.asks("work", bash(SAVE), "saved")
        terminal.types("/clear")
        terminal.waits_for("SessionStart", 2)
        terminal.asks("go on", bash("true"), "done")
        terminal.asks("and on", "done")
        terminal.ends()
    assert scene.mock.sent()[2].count("GET /orders takes page and size.") == 1
    assert scene.mock.sent()[-1].count("GET /orders takes page and size.") == 1
    before, after = scene.rows("SELECT * FROM sessions ORDER BY id")
    assert (after["source"], after["prev_session_id"]) == ("clear", before["id"])
    assert before["end_reason"] == "clear"
    assert before["handover_delivered_at"]


@scenario(
    "prompt while the model works",
    since=(2, 1, 247),
    why="Before 2.1.247 the client fires no UserPromptSubmit for a prompt that is typed while the "
    "model works; the prompt reaches the model with the next tool result.",
    short=True,
)
def prompt_in_between(scene: Scene) -> None:
    refuse = "#!/bin/sh\ngrep -q xyzzy || exit 0\necho 'Not for the model.' >&2\nexit 2\n"
    scene.hookd("hook", "add", "UserPromptSubmit", script(scene, "refuse", refuse))
    effort(scene)
    with scene.terminal(*BYPASS) as terminal:
        scene.mock.script(Turn(bash("touch one").content, held=True), "first done", "second done")
        terminal.types("pages of orders")
        until(scene.mock.sent, "the first request")
        terminal.types("also sort by date")
        terminal.types("also print xyzzy")
        scene.mock.release()
        terminal.waits_for("Stop")
        until(lambda: any("also sort by date" in text for text in scene.mock.sent()), "the prompt")
        terminal.waits_for("UserPromptSubmit", 3)
        terminal.clears()
        terminal.asks("last words", "done")
        terminal.ends()
    prompts = [one["prompt"] for one in scene.fired("UserPromptSubmit")]
    said = [
        row["content"] for row in scene.rows("SELECT content FROM messages WHERE role = 'user'")
    ]
    for prompt in ("pages of orders", "also sort by date", "last words"):
        assert prompts.count(prompt) == 1, prompts
        assert said.count(prompt) == 1, said
    assert not any("xyzzy" in text for text in scene.mock.sent()), "a blocked prompt got through"


@scenario("model, folder and settings changed")
def changes(scene: Scene) -> None:
    (scene.project / "src").mkdir()
    with scene.terminal(*BYPASS) as terminal:
        terminal.asks("look", bash("cd src"), "done")
        terminal.types("/model claude-haiku-4-5")
        confirms(terminal, "Set model to")
        other = scene.home / "other"
        other.mkdir()
        terminal.types(f"/add-dir {other}/")
        confirms(terminal, "Added")
        folder = scene.project / ".claude"
        folder.mkdir(exist_ok=True)
        (folder / "settings.local.json").write_text('{"env": {"CHANGED": "1"}}')
        with suppress(AssertionError):  # the table of events shows which client fires it
            until(lambda: scene.fired("ConfigChange"), "ConfigChange", 5)
        terminal.asks("go on", "done")
        terminal.ends()
    assert scene.fired("Stop")[0]["cwd"] == str(scene.project / "src")
    if scene.fired("PostModelSwitch"):
        (session,) = scene.rows("SELECT * FROM sessions")
        assert session["model"] == "claude-haiku-4-5"


def confirms(terminal: Terminal, done: str) -> None:
    """Confirm the dialog that a version of the client may show, until it says that it is done."""

    def confirmed() -> bool:
        screen = terminal.screen()
        if done in screen:
            return True
        if "❯ No, leave it out" in screen:
            terminal.keys("Down")
        elif "❯ 1. Yes" in screen or "❯ Yes" in screen:
            terminal.keys("Enter")
        return False

    # A new dialog ignores keys for a moment.
    until(confirmed, done, state=terminal.screen, interval=0.5)


@scenario("status line", "--statusline")
def status_line(scene: Scene) -> None:
    with scene.terminal("--model", "claude-haiku-4-5", *BYPASS) as terminal:
        terminal.asks("work", Turn(("done",), tokens=84_000))
        terminal.waits("ctx 42 %")
        terminal.ends()
    (session,) = scene.rows("SELECT * FROM sessions")
    assert (session["context_usage"], session["context_source"]) == (0.42, "statusline")
    assert session["cost"] > 0


@scenario("status line after hookd stop", "--statusline", settles=False)
def status_line_stopped(scene: Scene) -> None:
    with scene.terminal(*BYPASS) as terminal:
        terminal.asks("work", "done")
        terminal.beside("hookd stop --yes")
        terminal.asks("more", "done")
        terminal.waits("stopped")
        terminal.beside("hookd start")
        terminal.ends()
    lost = [one["hook_event_name"] for one in scene.fired() if one.get("prompt") == "more"]
    assert lost == ["UserPromptSubmit"]
    assert [row["event"] for row in scene.recorded()][-1] == "SessionEnd"
    assert len(scene.recorded("UserPromptSubmit")) == 1, "no event is recorded while stopped"


@scenario("statuses with AGENT_ID")
def statuses_named(scene: Scene) -> None:
    scene.env["AGENT_ID"] = "orders"
    statuses(scene)


@scenario("statuses without AGENT_ID")
def statuses_unnamed(scene: Scene) -> None:
    statuses(scene)


def statuses(scene: Scene) -> None:
    with scene.terminal(*MANUAL) as terminal:
        scene.mock.script(Turn(("thinking",), held=True))
        terminal.types("think")
        until(scene.mock.sent, "the first request")
        stands(scene, terminal, "working")
        scene.mock.release()
        terminal.waits_for("Stop")
        stands(scene, terminal, "done")
        scene.mock.script(bash("touch made"), "done")
        terminal.types("make it")
        terminal.waits_for("PermissionRequest")
        stands(scene, terminal, "attention")
        terminal.answers("Do you want to proceed?", "Enter")
        terminal.waits_for("Stop", 2)
        stands(scene, terminal, "done")
        scene.mock.script(BROKEN)
        terminal.types("fail")
        terminal.waits_for("StopFailure")
        stands(scene, terminal, "error")
        terminal.ends()


def stands(scene: Scene, terminal: Terminal, status: str) -> None:
    """Wait until the fleet shows the one session with a status."""

    def shown() -> bool:
        (one,) = json.loads(scene.hookd("fleet", "--json"))
        return bool(one["status"] == status)

    until(shown, f"status {status}", 60, lambda: scene.hookd("fleet") + terminal.screen())
