"""Faults of mail: kill -9 in the middle of sending it, and of delivering it."""

import json
import random
import time
from collections import Counter
from contextlib import suppress
from typing import Any

from faults.scene import Scene, Told
from support.flows import within
from support.home import Home, Window
from support.mail import agent, gets, project
from support.payloads import context, header, payload

ROUNDS = 8
AT_ONCE = 25
"""Mails that are sent before the daemon is killed; some of them arrive."""


def killed_while_mail_is_sent(scene: Scene) -> Told:
    """A mail is stored with its delivery or not at all, and what was answered is stored."""
    chance, known = random.Random(19), set[int]()
    scene.home.settings({"mail": {"per_hour_and_pair": 10_000}})
    scene.home.serves()
    ann, ben = _agents(scene.home)
    for _ in range(ROUNDS):
        scene.home.serves()
        known |= _sent(scene, ann, chance.uniform(0, 0.03))
    seconds = scene.heals()
    stored = [number for (number,) in scene.home.rows("SELECT id FROM agent_mail ORDER BY id")]
    assert known <= set(stored), f"answered and not stored: {known - set(stored)}"
    queued = scene.home.rows("SELECT mail_id FROM injections WHERE mail_id IS NOT NULL ORDER BY id")
    assert queued == [(number,) for number in stored], "a mail without its delivery"
    found = _all(ben)
    assert found == stored, "mail is lost, comes twice or in another order"
    told = f"killed {ROUNDS} times; {len(stored)} mails stored, {len(known)} of them answered"
    return Told(f"{told}; each was delivered once, in order", seconds)


def killed_while_mail_is_delivered(scene: Scene) -> Told:
    """A mail whose delivery was cut off comes with the next answer, and then not again."""
    chance, twice = random.Random(19), 0
    scene.home.settings({"mail": {"per_hour_and_pair": 10_000}})
    scene.home.serves()
    ann, ben = _agents(scene.home)
    for _ in range(ROUNDS):
        scene.home.serves()
        numbers = [within(ann, "mail.send", to="ben", text="text")["id"] for _ in range(3)]
        got = Counter(_cut_off(scene, ben, chance.uniform(0, 0.02)))
        scene.home.serves()
        got += Counter(_all(ben))
        assert sorted(got) == numbers, f"sent {numbers}, delivered {sorted(got)}"
        assert max(got.values()) <= 2, f"more than once again: {got}"
        twice += max(got.values()) == 2
    open_ = scene.home.rows("SELECT id FROM injections WHERE mail_id > 0 AND delivered_at IS NULL")
    assert open_ == [], "a delivery was not confirmed"
    told = f"killed {ROUNDS} times; all mail came, that of {twice} cut off answers twice"
    return Told(told, scene.heals())


def _agents(home: Home) -> tuple[Window, Window]:
    folder = project(home)
    return agent(home, folder, "ann"), agent(home, folder, "ben")


def _request(sender: Window, number: int) -> bytes:
    env = sender.identity | {"CLAUDE_CODE_SESSION_ID": sender.id}
    params = {"to": "ben", "text": f"text {number}", "env": env}
    request = {"jsonrpc": "2.0", "id": number, "method": "mail.send", "params": params}
    return json.dumps(request).encode() + b"\n"


def _sent(scene: Scene, sender: Window, after: float) -> set[int]:
    """Send mails, and kill the daemon meanwhile; return the numbers that were answered."""
    answers: list[dict[str, Any]] = []
    with scene.home.link() as link, link.makefile("rb") as lines:
        link.sendall(b"".join(_request(sender, number) for number in range(AT_ONCE)))
        time.sleep(after)
        scene.kill()
        with suppress(OSError, ValueError):
            while line := lines.readline():
                answers.append(json.loads(line))
    assert not any("error" in one for one in answers), answers
    return {one["result"]["id"] for one in answers}


def _cut_off(scene: Scene, window: Window, after: float) -> list[int]:
    """Let a tool have run, and kill the daemon meanwhile; return the mails that came all the same.

    It has the id of no other call: the client does not send it again.
    """
    event = payload("PostToolUse.Bash", session_id=window.id, cwd=window.project)
    with scene.home.link() as link, link.makefile("rb") as lines:
        link.sendall(header("PostToolUse", window.env))
        link.sendall(json.dumps(event | {"tool_use_id": f"cut-{after}"}).encode() + b"\x1e")
        time.sleep(after)
        scene.kill()
        with suppress(OSError, ValueError):
            lines.readline()
            if line := lines.readline():
                return _numbers(context(json.loads(line)["result"]))
    return []


def _all(window: Window) -> list[int]:
    """Return the mails that come with the next events, in order, until none comes."""
    found: list[int] = []
    while text := gets(window):
        found += _numbers(text)
    return found


def _numbers(text: str) -> list[int]:
    return [int(one.split()[0]) for one in text.split("[hookd:mail] Message ")[1:]]
