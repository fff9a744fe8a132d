"""Script of one agent: what its model does in a repository that ten agents share.

Each round takes a work item, adds a line to a shared ledger, finishes the item and writes to
others. On purpose agents edit without a claim, write what they read before they had the claim,
take one item together, and finish the items of others.
"""

import random
import re
import shlex
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock

from clients.models.turn import Turn, call
from together.model import Script
from together.record import LINE, Act, Held, Line, Record, Sent, ledger, now

Step = Generator[Turn, str, str]
CLAIM_S = 300
TRIES = 4
"""How often a command is repeated that the daemon did not answer."""


@dataclass
class Repository:
    """The repository, and what all agents know."""

    path: Path
    ledgers: tuple[str, ...]
    record: Record
    over: Event = field(default_factory=Event)
    """No agent begins something new."""
    ended: Event = field(default_factory=Event)
    """All mail has arrived."""
    contested: list[int] = field(default_factory=list)
    """Work items that each agent tries to take."""
    lock: Lock = field(default_factory=Lock)


@dataclass
class Tools:
    """How a client's model runs a command, and reads, writes and changes a file."""

    shell: Callable[[str], Turn]
    write: Callable[[Path, str], Turn]
    replace: Callable[[Path, str, str], Turn]
    read: Callable[[Path], Turn] | None = None
    """None: its client writes what it has not read."""
    whole: bool = True
    """Whether it writes whole files."""
    careless: bool = False
    """Whether it edits without a claim: its client itself looks for changes before it writes."""
    rounds: bool = False
    """Whether each round ends the turn, so that the next is a prompt."""


class Agent:
    """One agent; `script` is what its model does."""

    def __init__(self, name: str, tools: Tools, where: Repository, seed: int, folder: Path) -> None:
        self.name, self.tools, self.where, self.folder = name, tools, where, folder
        self.record = where.record
        self.random = random.Random(f"{seed} {name}")
        self.calls = self.tokens = 0
        self.text = ""
        self.said: list[str] = []
        self.tried: set[int] = set()
        self.ready = Event()

    def script(self) -> Script:
        """Yield turns until the run has ended."""
        self.text = yield self.tools.shell("echo here")
        self.ready.set()
        while not self.where.over.is_set():
            yield from self._round()
            if self.tools.rounds:
                self.text = yield Turn(("The round is done.",))
        yield from self._finish()
        while True:
            self.text = yield Turn(("The work is done.",))

    def _round(self) -> Generator[Turn, str, None]:
        yield from self._contest()
        number = yield from self._take("hookd work take")
        if number and self.random.random() < 0.1:
            yield from self._give_back(number)
        elif number:
            yield from self._edit(number)
            yield from self._done(number)
        else:
            yield from self._edit(0)
        yield from self._mail(number)

    def _finish(self) -> Generator[Turn, str, None]:
        """Finish what the agent has, then wait until all mail has arrived."""
        while not self.where.ended.is_set():
            if number := (yield from self._take("hookd work take")):
                yield from self._done(number)

    def _run(self, command: str) -> Generator[Turn, str, tuple[int, str]]:
        """Run a command; return its exit code, -1 if it did not run, and its output."""
        self.calls += 1
        mark = f"{self.name}-{self.calls}"
        line = f"echo BEGIN-{mark}; {{ {command}; }} 2>&1; echo END-{mark} code=$?"
        self.text = yield self.tools.shell(line)
        output = rf"(?ms)^.*BEGIN-{mark}$(.*?)^END-{mark} code=(\d+)"
        found = re.findall(output, self.text)
        if found:
            return int(found[-1][1]), found[-1][0].strip()
        if f"BEGIN-{mark}" in self.text:
            self.record.cut += 1
        else:
            self.record.strange.append(f"{self.name}: {command}: {self.text[-400:]!r}")
        return -1, ""

    def _sure(self, command: str, *expected: str) -> Generator[Turn, str, tuple[int, str]]:
        """Run a command that may be repeated until the daemon has answered it."""
        code, out = -1, ""
        for _ in range(TRIES):
            code, out = yield from self._run(command)
            if code == 0 or any(words in out for words in expected):
                return code, out
        self.record.strange.append(f"{self.name}: {command}: exit {code}: {out[-400:]!r}")
        return code, out

    def _act(self, number: int, act: str) -> None:
        with self.where.lock:
            self.record.acts.append(Act(self.name, number, act))

    def _take(self, command: str) -> Generator[Turn, str, int]:
        """Take a work item; return its number, 0 if there is none."""
        code, out = yield from self._sure(
            command, "ready", "taken", "has it", "is done", "unfinished"
        )
        if code == 0 and (got := re.search(r"You (took|have) work item (\d+)", out)):
            self._act(int(got[2]), "took")
            return int(got[2])
        self._act(0, "take refused" if "take " in command else "nothing ready")
        return 0

    def _contest(self) -> Generator[Turn, str, None]:
        """Take the item that all agents want, and try to finish it where another has it."""
        for number in list(self.where.contested):
            if number in self.tried:
                continue
            self.tried.add(number)
            if (yield from self._take(f"hookd work take {number}")):
                yield from self._edit(number)
                yield from self._done(number)
            elif self.random.random() < 0.5:
                code, out = yield from self._run(f"hookd work done {number} --result stolen")
                if code == 0 and "done already" not in out:
                    self._act(number, "done")
                elif code == 1:
                    self._act(number, "done refused")

    def _give_back(self, number: int) -> Generator[Turn, str, None]:
        self._act(number, "back")
        yield from self._sure(f"hookd work release {number} --why later", "open", "owner")

    def _done(self, number: int) -> Generator[Turn, str, None]:
        command = f"hookd work done {number} --result 'by {self.name}'"
        code, _ = yield from self._sure(command)
        if code == 0:
            self._act(number, "done")

    def _edit(self, number: int) -> Generator[Turn, str, None]:
        """Add a line to a ledger, with a claim or without."""
        path = self.folder / self.random.choice(self.where.ledgers)
        self.tokens += 1
        token = f"{self.name}#{self.tokens}.{number}"
        if self.tools.careless and self.random.random() < 0.25:
            yield from self._look(path)
            yield from self._add(path, token, whole=False)
            seen = yield from self._seen(path, token)
        else:
            seen = yield from self._edit_claimed(path, token)
        self.record.lines.append(Line(self.name, ledger(path), token, seen))

    def _edit_claimed(self, path: Path, token: str) -> Generator[Turn, str, bool]:
        """Claim, read, write, read back, release; a view from before the claim is denied."""
        early = self.random.random() < 0.4
        content = (yield from self._look(path)) if early else ""
        for _ in range(3 * TRIES):
            why = shlex.quote(token)
            claim = f"hookd claim {path.name} --for {CLAIM_S}s --why {why}"
            code, out = yield from self._run(claim)
            if code == 0:
                break
            if "claim" not in out and "hold" not in out and code != -1:
                continue  # no answer: it is repeated
            if self.random.random() < 0.3:
                yield from self._send(self._other(), f"may I have {path.name}?")
        else:
            return False
        since = now()
        seen = False
        for attempt in range(TRIES):
            if not (early and attempt == 0):
                content = yield from self._look(path)
            whole = self.tools.whole and attempt < TRIES - 1
            yield from self._add(path, token, content, whole=whole)
            if seen := (yield from self._seen(path, token)):
                break
        until = min(now(), since + CLAIM_S)
        with self.where.lock:
            self.record.held.append(Held(self.name, path.name, since, until))
        yield from self._sure(f"hookd release {path.name}", "no claim", "not claim")
        return seen

    def _look(self, path: Path) -> Generator[Turn, str, str]:
        """Read a ledger; return its content, empty if the client has lost it.

        Claude Code answers Read of a file whose change it has sent beside another answer with
        "unchanged". So the content is from `cat`; its own Read permits the client to write.
        """
        if self.tools.read:
            self.text = yield self.tools.read(path)
        for _ in range(TRIES):
            _, out = yield from self._run(f"cat {path}")
            if out.endswith("== end =="):
                return f"{out}\n"
        return ""

    def _add(
        self, path: Path, token: str, content: str = "", *, whole: bool
    ) -> Generator[Turn, str, None]:
        if whole and content:
            content = ledger_text(path.name, [*LINE.findall(content), token])
            self.text = yield self.tools.write(path, content)
        else:
            self.text = yield self.tools.replace(path, "== end ==", f"- {token}\n== end ==")

    def _seen(self, path: Path, token: str) -> Generator[Turn, str, bool]:
        code, _ = yield from self._run(f"grep -cxF -e {shlex.quote(f'- {token}')} {path}")
        if code == -1:
            code, _ = yield from self._run(f"grep -cxF -e {shlex.quote(f'- {token}')} {path}")
        return code == 0

    def _other(self) -> str:
        return self.random.choice([name for name in self.record.agents if name != self.name])

    def _mail(self, number: int) -> Generator[Turn, str, None]:
        chance = self.random.random()
        if chance < 0.15:
            yield from self._send("@all", f"item {number} is done")
        elif chance < 0.7:
            yield from self._send(self._other(), f"item {number} is done; what do you do?")
        if chance > 0.85 and self.tools.rounds:  # others lose outputs
            yield from self._run("hookd inbox")

    def _send(self, to: str, text: str) -> Generator[Turn, str, None]:
        """Send a mail once: without an answer it is stored or not, and never sent again."""
        self.tokens += 1
        token = f"{self.name}#m{self.tokens}"
        code, out = yield from self._run(f"hookd send {to} {shlex.quote(f'{token} {text}')}")
        number = re.search(r"Sent mail (\d+)", out)
        if code > 0 and "Next" in out and "running" not in out:
            self.record.strange.append(f"{self.name}: send {to}: {out[-300:]!r}")
        sent = Sent(self.name, token, to, int(number[1]) if code == 0 and number else None)
        with self.where.lock:
            self.record.sent.append(sent)


def ledger_text(name: str, tokens: list[str]) -> str:
    """Return the content of a ledger."""
    return "\n".join([f"== {name} ==", *(f"- {token}" for token in tokens), "== end ==", ""])


def claude_tools() -> Tools:
    """Return the tools of Claude Code."""
    return Tools(
        lambda command: call("Bash", command=command, description="Run a command"),
        lambda path, text: call("Write", file_path=str(path), content=text),
        lambda path, old, new: call("Edit", file_path=str(path), old_string=old, new_string=new),
        lambda path: call("Read", file_path=str(path)),
        careless=True,
        rounds=True,
    )
