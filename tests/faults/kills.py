"""kill -9 at random moments under load, round after round, and what has to hold after each.

Clients talk to the daemon as the shim does, each in a window of its own but for two that share
one. A call that got no answer is sent again in the next round, as it is, or given up, as a client
does that has waited long enough. The invariants are in `Ledger`.
"""

import json
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any
from uuid import uuid4

from faults import evidence
from faults.scene import Scene, Told, end
from support import forkserver
from support.home import Home, place
from support.payloads import header, payload

CLIENTS = 5
IN_ONE_HOME = 25
"""Rounds after which a new home is begun: the check of a round reads all that is there."""

OFFERS = 3
"""How often a text goes out at most: once, and again twice where its answer may be lost."""

BY_SHIM = 20
"""Every so many rounds it is the shim that starts the daemon, with several hooks at once."""


@dataclass
class Ledger:
    """Questions and answers of one home, and their invariants."""

    asked: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    given: dict[str, set[str]] = field(default_factory=dict)  # text: calls that brought it
    left: set[str] = field(default_factory=set)
    again: int = 0

    def took(self, call: dict[str, Any], answer: Any) -> None:
        """Keep an answer; a repeated answer has to be the same."""
        number = call["tool_use_id"]
        if number in self.answers:
            assert self.answers[number] == answer, f"{number} was answered in two ways"
        self.answers[number] = answer
        said = json.dumps(answer)
        for text in ("text-" + part[:12] for part in said.split("text-")[1:]):
            self.given.setdefault(text, set()).add(number)

    def holds(self, home: Home) -> None:
        """See that nothing is missing, counted twice or told too often, and the file is whole."""
        assert home.rows("PRAGMA integrity_check") == [("ok",)]
        assert home.rows("PRAGMA foreign_key_check") == []
        kept = Counter(one for (one,) in home.rows("SELECT tool_use_id FROM events"))
        missing = self.answers.keys() - kept.keys()
        assert not missing, f"{len(missing)} answered calls are not in the database"
        assert kept.keys() <= self.asked.keys(), "the database has an event without a call"
        assert not [one for one, times in kept.items() if times > 1], "one call is two events"
        off = home.rows(
            "SELECT s.id, s.heartbeat_counter, s.tool_calls, (SELECT count(*) FROM events e"
            " WHERE e.session_id = s.id AND e.event = 'PreToolUse') AS calls FROM sessions s"
            " WHERE s.heartbeat_counter <> calls OR s.tool_calls <> calls"
        )
        assert not off, f"counters are off (session, heartbeat, calls, events): {off}"
        often = [text for text, calls in self.given.items() if len(calls) > OFFERS]
        assert not often, f"{often[0]} was given with {len(self.given[often[0]])} answers"
        assert home.rows("SELECT id FROM injections WHERE offers > ?", OFFERS) == []

    def nothing_is_owed(self, home: Home) -> None:
        """See at the end of a home that every text reached its model, or was tried often enough."""
        lost = [
            content.strip()
            for content, offers in home.rows("SELECT content, offers FROM injections")
            if content.strip() not in self.given and offers < OFFERS
        ]
        assert not lost, f"{len(lost)} texts never reached their model"
        assert self.answers.keys() == self.asked.keys() - self.left


@dataclass
class Client:
    """One connection after the other, as fast as answers come, in one window."""

    home: Home
    ledger: Ledger
    window: str
    project: Path
    seed: random.Random
    alone: bool
    open: dict[str, Any] | None = None

    def talk(self, stop: threading.Event) -> None:
        """Ask until the daemon is gone. Open calls are asked first the next time, or never.

        Never only by who is alone in a window: what another call of it has shown to be read is not
        offered again.
        """
        if self.open is not None and self.alone and self.seed.random() < 0.5:
            self.ledger.left.add(self.open["tool_use_id"])
            self.open = None
        with suppress(OSError, ValueError):
            while not stop.is_set():
                if self.open is None:
                    self.open = self._call()
                    self.ledger.asked[self.open["tool_use_id"]] = self.open
                else:
                    self.ledger.again += 1
                self.ask(self.open)
                self.open = None

    def ask(self, call: dict[str, Any]) -> None:
        """Send one call, and keep its answer. Raise OSError or ValueError without one."""
        self.ledger.took(call, heard(self.home, call))

    def _call(self) -> dict[str, Any]:
        ids = {"session_id": self.window, "tool_use_id": uuid4().hex, "cwd": str(self.project)}
        kind = self.seed.random()
        if kind < 0.5:
            command = self.seed.choice(["ls", "rm -rf /", "git status", "make test"])
            return payload("PreToolUse.Bash", tool_input={"command": command}, **ids)
        if kind < 0.55:
            return payload("PostToolUse.Bash", **ids)
        if kind < 0.95:
            return payload("PostToolUse.Bash", **ids) | self._read(self._fresh_folder())
        return payload("UserPromptSubmit", prompt="Go on.", **ids)

    def _fresh_folder(self) -> Path:
        """Return a folder with a text that the model has to be given, once."""
        folder = self.project / uuid4().hex[:12]
        folder.mkdir(parents=True)
        (folder / "AGENTS.md").write_text(f"text-{uuid4().hex[:12]}\n")
        return folder

    def _read(self, folder: Path) -> dict[str, Any]:
        return {"tool_name": "Read", "tool_input": {"file_path": f"{folder}/x.py"}}


def _header(call: dict[str, Any]) -> bytes:
    """Return the line before a call's payload; one sender sends it each time, as one shim does."""
    message = json.loads(header(call["hook_event_name"], {"CLAUDE_PROJECT_DIR": call["cwd"]}))
    sender = {"registration": "clients", "process": call["tool_use_id"]}
    message["params"]["sender"] = sender
    return json.dumps(message).encode() + b"\n"


def heard(home: Home, call: dict[str, Any]) -> Any:
    """Return the answer to one call, sent as the shim sends it. Raise OSError or ValueError."""
    with home.link() as link:
        link.sendall(_header(call))
        link.sendall(json.dumps(call).encode() + b"\x1e")
        with link.makefile("rb") as lines:
            lines.readline()
            answer = json.loads(lines.readline())
    assert "error" not in answer, answer
    return answer["result"]


@dataclass
class Rounds:
    """So many rounds, and what they came to."""

    count: int
    seed: int
    tell: Callable[[str], None] = lambda _said: None
    healed: list[float] = field(default_factory=list)
    sent: int = 0
    again: int = 0
    texts: int = 0

    def run(self) -> Told:
        """Run them all. Raise AssertionError with the seed and the round where one is broken."""
        chance = random.Random(self.seed)
        for first in range(0, self.count, IN_ONE_HOME):
            numbers = range(first + 1, min(first + IN_ONE_HOME, self.count) + 1)
            with place() as home:
                try:
                    self._home(home, numbers, chance)
                finally:
                    end(Scene(home).left())
        told = (
            f"{self.count} rounds: {self.sent} calls answered, {self.again} times sent again,"
            f" {self.texts} texts given; every invariant holds (seed {self.seed})"
        )
        return Told(told, median(self.healed))

    def _home(self, home: Home, numbers: range, chance: random.Random) -> None:
        home.settings({"directives": {"when": "always"}})
        ledger = Ledger()
        clients = [self._client(home, ledger, number, chance) for number in range(CLIENTS)]
        number = numbers[0]
        timeline: list[str] = []
        try:
            for number in numbers:
                timeline.append(f"round {number} at {datetime.now(UTC).isoformat()}")
                self._round(home, clients, chance, number)
                self.tell(f"round {number} of {self.count}")
            self._end(home, clients, ledger)
        except AssertionError as broken:
            error = AssertionError(f"round {number}, seed {self.seed}: {broken}")
            evidence.keep(home, f"round-{number}-seed-{self.seed}", error, timeline)
            raise error from broken
        self.sent += len(ledger.answers)
        self.again += ledger.again
        self.texts += len(ledger.given)

    def _client(self, home: Home, ledger: Ledger, number: int, chance: random.Random) -> Client:
        project = home.path / "projects" / str(number)
        project.mkdir(parents=True)
        window = f"window-{number or 1}"  # two share one
        own = random.Random(chance.random())
        return Client(home, ledger, window, project, own, alone=number > 1)

    def _end(self, home: Home, clients: list[Client], ledger: Ledger) -> None:
        """Let all be answered that is open, and be given what waits; then see what holds."""
        home.serves()
        for client in clients:
            if client.open is not None:
                client.ask(client.open)
        for client in clients * 2:  # waiting texts are delivered and confirmed
            client.ask(self._last(client))
        ledger.holds(home)
        ledger.nothing_is_owed(home)

    def _last(self, client: Client) -> dict[str, Any]:
        ids = {"session_id": client.window, "tool_use_id": uuid4().hex, "cwd": str(client.project)}
        call = payload("PostToolUse.Bash", **ids)
        client.ledger.asked[ids["tool_use_id"]] = call
        return call

    def _round(self, home: Home, clients: list[Client], chance: random.Random, number: int) -> None:
        began = time.monotonic()
        if number % BY_SHIM == 0:
            _by_shim(home, clients[0].ledger)
        else:
            if chance.random() < 0.15:
                _killed_at_its_start(home, chance.uniform(0, 0.1))
            _serves(home)
            self.healed.append(time.monotonic() - began)
        clients[0].ledger.holds(home)
        stop = threading.Event()
        with ThreadPoolExecutor(len(clients)) as pool:
            talks = [pool.submit(client.talk, stop) for client in clients]
            time.sleep(chance.uniform(0, 0.25))
            _kill(home, gently=chance.random() < 0.15, patience=chance.uniform(0, 0.02))
            stop.set()
            for talk in talks:
                talk.result()


def _serves(home: Home) -> None:
    """Start the daemon; a socket that was left behind does not count as its own."""
    said = forkserver.start(("serve", "--detach"), home.env)
    assert not said, f"the start says: {said}"
    assert Scene(home).daemons(), "the start says nothing, and no daemon serves"


def _by_shim(home: Home, ledger: Ledger) -> None:
    """Let three hooks find no daemon; the shim starts one, and all are answered.

    One may say that the daemon did not start if it took as long as a hook waits for that: half of
    its deadline of 20 s. Other programs may take all of the machine's time.
    """
    scene = Scene(home)
    calls = [scene.call() | {"session_id": f"shim-{uuid4().hex}"} for _ in range(3)]
    with ThreadPoolExecutor(len(calls)) as pool:
        said = list(pool.map(lambda call: scene.hook(event=call), calls))
    for call, one in zip(calls, said, strict=True):
        late = one.seconds >= 10 and "not judged: the daemon did not start" in one.words
        assert one.judged or late, f"a cold hook was not judged: {one.words or 'silence'}"
        ledger.asked[call["tool_use_id"]] = call
        if late:
            ledger.left.add(call["tool_use_id"])
        else:
            ledger.took(call, one.answer)


def _kill(home: Home, *, gently: bool, patience: float) -> None:
    """Kill the daemon; gently, it gets a request to end first, and is killed meanwhile."""
    scene = Scene(home)
    for pid in _daemons(scene):
        with suppress(ProcessLookupError):
            if gently:
                os.kill(pid, signal.SIGTERM)
                time.sleep(patience)
            os.kill(pid, signal.SIGKILL)
    _gone(home)


def _killed_at_its_start(home: Home, after: float) -> None:
    with ThreadPoolExecutor(1) as aside:
        starting = aside.submit(_started, home)
        time.sleep(after)
        end(Scene(home).left())
        starting.result()
    _gone(home)


def _started(home: Home) -> None:
    with suppress(AssertionError):  # it was killed before it had a socket
        home.serves()


def _daemons(scene: Scene) -> Iterator[int]:
    found = scene.daemons()
    assert len(found) == 1, f"{len(found)} daemons serve one database"
    yield from found


def _gone(home: Home) -> None:
    """Wait until the lock is free; kill a process that took it meanwhile."""
    while left := Scene(home).left():
        end(left)
        time.sleep(0.005)
