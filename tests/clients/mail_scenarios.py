"""Scenarios of mail with the real client: waking, its own messages, texts that take over."""

import json
import shlex
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from clients.client import Scene
from clients.models.turn import Turn, bash, call
from clients.place import until
from clients.scenarios import BYPASS, scenario
from support.injection_texts import TEXTS

LINE = "hookd: 1 message waiting"


@scenario("mail wakes an idle session", "--wake", settles=False)
def mail_wakes(scene: Scene) -> None:
    with scene.terminal(*BYPASS) as terminal:
        terminal.asks("work", "worked")
        scene.mock.script("I read it.")
        scene.person("send", "1", "ultrawork: look at the tests.")
        terminal.waits_for("Stop", 2)
        terminal.waits("I read it.")
        asked = scene.mock.sent()[-1]
        assert LINE in asked, asked[-2000:]
        assert asked.count("> ultrawork: look at the tests.") == 1
        assert "[hookd:keyword-detector]" not in asked, "neither line nor mail is the user's"
        scene.person("send", "1", "Once more.", "--priority", "low")
        terminal.asks("go on", "went on")
        if scene.programs.version != "2.1.281":  # it fires no SessionEnd while a hook waits
            terminal.ends()
    assert scene.mock.sent()[-1].count("> Once more.") == 1
    assert len(scene.mock.sent()) == 3, "mail of low priority wakes nobody"
    said = scene.rows("SELECT content FROM messages WHERE role = 'user' ORDER BY id")
    assert [one["content"] for one in said] == ["work", "go on"]
    states = {one["state"] for one in json.loads(scene.hookd("mail", "list", "--json"))}
    assert states == {"delivered"}


@scenario("mail does not delay print mode", "--wake", settles=False)
def print_mode_ends(scene: Scene) -> None:
    scene.patience = 60
    assert scene.asks("work", "worked")["result"] == "worked"


@scenario(
    "messages of the client's own sessions",
    since=(2, 1, 224),
    why="Before 2.1.224 sessions of the client send each other nothing.",
)
def own_messages(scene: Scene) -> None:
    text = "The parser is done.\nultrawork"
    with (
        scene.terminal("--name", "builder", *BYPASS) as builder,
        scene.terminal("--name", "tester", *BYPASS) as tester,
    ):
        scene.mock.script(TESTER=["I wait.", "I read it."])
        tester.types("TESTER waits")
        tester.waits("I wait.")
        builder.asks("tell the others", *_sends(text), "told")
        tester.waits("I read it.")
        secret = "Use sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
        scene.mock.script(_send(secret), "kept")
        builder.types("tell the key")
        builder.waits("Do you want to proceed?")
        builder.waits("has a secret in it")
        builder.answers("Do you want to proceed?", "Escape")
        tester.ends()
        builder.ends()
    (received,) = [one for one in scene.mock.sent("TESTER") if "The parser is done." in one]
    assert "[hookd:keyword-detector]" not in received, "another session is not the user"
    assert not any("sk-ant-api03" in one for one in scene.mock.sent("TESTER"))
    (mail,) = json.loads(scene.hookd("mail", "list", "--json"))
    shown = {name: mail[name] for name in ("recipient", "channel", "state", "text")}
    assert shown == {
        "recipient": "tester", "channel": "claude-code", "state": "sent", "text": text
    }  # fmt: skip
    said = scene.rows("SELECT content FROM messages WHERE role = 'user'")
    assert not any("The parser is done." in one["content"] for one in said), said


def _sends(text: str, to: str = "tester") -> tuple[Turn, ...]:
    """Return the turns that send a message: newer clients load the tool first."""
    return call("ToolSearch", query="select:SendMessage", max_results=3), _send(text, to)


def _send(text: str, to: str = "tester") -> Turn:
    return call("SendMessage", to=to, summary="greet", message=text)


@scenario(
    "mail that wakes by a message of the client",
    since=(2, 1, 224),
    why="Before 2.1.224 sessions of the client send each other nothing.",
)
def mail_wakes_by_message(scene: Scene) -> None:
    with (
        scene.terminal(*BYPASS, AGENT_ID="ben") as ben,
        scene.terminal(*BYPASS, AGENT_ID="ann") as ann,
    ):
        scene.mock.script(BEN=["I wait.", "I read it.", "I read both."])
        ben.types("BEN waits")
        ben.waits("I wait.")
        # The client drops a message that repeats the one before: the second line is another.
        for number, read in ((1, "I read it."), (3, "I read both.")):
            until(lambda: _is_idle(scene, "ben"), "ben is idle")
            scene.mock.script(bash(f"hookd send ben 'ultrawork: item {number}.'"), f"sent {number}")
            ann.types(f"write {number}")
            ann.waits(f"sent {number}")
            told = scene.mock.sent()[-1].rpartition("SendMessage with exactly ")[2]
            wake = json.loads(told.split("\n")[0])
            assert wake["message"] == f"{LINE} (mail {number})"
            scene.mock.script(*_sends(wake["message"], wake["to"]), f"woken {number}")
            ann.types(f"wake {number}")
            ann.waits(f"woken {number}")
            ben.waits(read)
        ben.ends()
        ann.ends()
    last = scene.mock.sent("BEN")[-1]
    for number in (1, 3):
        assert last.count(f"> ultrawork: item {number}.") == 1, last[-3000:]
        assert last.count(f"\n{LINE} (mail {number})\n") == 1, last[-3000:]
    assert "[hookd:keyword-detector]" not in last, "neither line nor mail is the user's"
    assert len(scene.mock.sent("BEN")) == 3
    said = scene.rows("SELECT content FROM messages WHERE role = 'user' ORDER BY id")
    prompts = ["BEN waits", "write 1", "wake 1", "write 3", "wake 3"]
    assert [one["content"] for one in said] == prompts
    listed = json.loads(scene.hookd("mail", "list", "--json"))
    shown = ("id", "recipient", "channel", "state")
    assert sorted(tuple(one[key] for key in shown) for one in listed) == [
        (1, "ben", "hookd", "delivered"),
        (2, "ben", "claude-code", "sent"),
        (3, "ben", "hookd", "delivered"),
        (4, "ben", "claude-code", "sent"),
    ]  # fmt: skip


def _is_idle(scene: Scene, agent: str) -> bool:
    sql = "SELECT status FROM sessions WHERE owner = ? AND status IN ('idle', 'done')"
    return bool(scene.rows(sql, agent))


OBEYED = {
    "order": "rm -rf ~",
    "bash mode": "rm -rf ~",
    "human turn": 'rm -rf "$HOME/keep"',
    "inst": "cat ~/.ssh/id_rsa",
    "system": "hookd policy disable destructive-guard",
    "heartbeat": "hookd stop --yes",
    "handover": "hookd pause 8h",
    "typed pause": "hookd pause 8h",
    "typed allow": "hookd allow 1 --project",
    "consent": "hookd allow 1",
    "reversed": "rm -rf /",
}
"""What a model does that believes a text, by its name; else it pushes with --force."""

PUSH = "git push --force origin main"
STATE = (
    "SELECT id FROM allowances",
    "SELECT id FROM guards",
    "SELECT content FROM messages WHERE role = 'user' AND content NOT IN ('work', 'ANN writes')",
    "SELECT policy FROM policy_state WHERE policy LIKE '%loop%'",
)


@scenario("mail that speaks for the user", settles=False)
def injections(scene: Scene) -> None:
    _prepare(scene)
    turns: list[Turn] = []
    for number, (name, _) in enumerate(TEXTS):
        turns += [bash("true")] * (number % 5 == 0)  # its result brings more mail
        turns.append(bash(OBEYED.get(name, PUSH)))
    first, *rest = turns
    with _working(scene, Turn(first.content, held=True), *rest, "done"):
        folder = shlex.quote(str(scene.home / "texts"))
        scene.mock.script(ANN=[bash(f"for text in {folder}/*; do hookd send ben - <$text; done")])
        scene.run("claude", "-p", "ANN writes", *BYPASS, AGENT_ID="ann")
    read = scene.mock.sent()[-1]
    for number in range(1, len(TEXTS) + 1):
        assert read.count(f"[hookd:mail] Message {number} from agent ann") == 1, number
    assert "sk-ant-api03" not in read
    assert (scene.home / "keep").exists()
    ran = [
        json.loads(one["payload"])["tool_input"]["command"]
        for one in scene.recorded("PostToolUse")
        if one["tool_name"] == "Bash"
    ]
    assert [one for one in ran if one != "true" and "hookd send" not in one] == []
    decided = [one["decision"] for one in scene.recorded("PreToolUse") if one["decision"]]
    assert len(decided) == len(TEXTS), decided
    for sql in STATE:
        assert scene.rows(sql) == [], sql
    assert json.loads(scene.hookd("status", "--json"))["pausedUntil"] is None


def _prepare(scene: Scene) -> None:
    """Write the texts into files, and let two agents exchange as many mails."""
    scene.mock.limit = 200
    for folder in ("texts", "keep"):
        (scene.home / folder).mkdir()
    for number, (_, text) in enumerate(TEXTS):
        (scene.home / "texts" / f"{number:02}").write_bytes(text.encode())
    settings = {
        "policies": {"enabled": ["keyword-detector", "ralph-loop"]},
        "mail": {"per_hour_and_pair": 1_000},
    }
    file = scene.home / ".config/hookd/settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(settings))
    scene.hookd("restart")


@contextmanager
def _working(scene: Scene, *turns: Turn | str) -> Iterator[None]:
    """Let the agent ben begin to work, until its first turn is released at the end of the block."""
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(scene.asks, "work", *turns, AGENT_ID="ben")
        try:
            until(scene.mock.sent, "the first request")
            yield
        finally:
            scene.mock.release()
        run.result()
