"""Diary of `make day`: all that hookd said, and which of it has a reason."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clients.client import Scene

_SCRIPTED = r"(rm -rf ~/keep|git clean -fd|git tag -d day-\d+)"
_KIND = "(PreToolUse|Notification)"
_MISSED = rf"N events? .{_KIND}(, {_KIND})?."
_ASLEEP = "the client's own timeout ran out in the sleep: it cancelled the hook and went on"
EXPECTED: tuple[tuple[str, str, str, str], ...] = (
    (
        "",
        "held back",
        rf"by destructive-guard: {_SCRIPTED}$",
        "the script asks for what is held back",
    ),
    ("", "failed call", rf"destructive-guard: `{_SCRIPTED}`", "the answer to that"),
    ("", "stderr", "hookd: these are the last N; more:", "a list that is cut says so"),
    ("", "told the model", r"^\w+: \[Session Context\]", "the context line of an effort"),
    ("", "told the model", r"\[hookd:heartbeat\] N tool calls without", "due at half of the limit"),
    ("upgrade", "hookd.log", "another hookd is installed", "the older daemon makes way"),
    ("sleep", "hook_cancelled", '"timedOut": true', _ASLEEP),
    ("sleep", "debug log", r"PreToolUse\] timed out after", _ASLEEP),
    (
        "sleep",
        "failed call",
        "Command timed out after",
        "the client's own timeout of a command ran out",
    ),
    ("sleep", "hookd.log", "last daemon hung", "the watchdog's clock ran on; another daemon began"),
    ("sleep", "events", "lost: .*type=idle_prompt", "it came before the other daemon served"),
    ("sleep", "hook_system_message", rf"did not judge {_MISSED}", "the user learns of these"),
    ("sleep", "hookd.log", "events were not judged", "the same, in the log"),
    ("", "status", rf"^unjudged {_MISSED}", "the same, for seven days"),
    ("", "status", "^next hookd daemon logs", "told with it"),
    ("full disk", "status", "^unkept nothing is stored since", "the disk is full"),
    ("full disk", "status", "^next see to the disk of", "told with it"),
    ("full disk", "hookd.log", "nothing is stored; events are evaluated all the same", "so it is"),
    ("full disk", "hookd.log", "event could not be stored", "the first of these"),
    ("full disk", "hookd.log", "the database can be written again", "there is room again"),
)
"""Beginning of the part, source, pattern of the text, and why it is no defect."""

_BEGUN = re.compile(r"[a-z-]*Hooks?:? .*hookd/shims.*(?:status [1-9]|timed out|cancelled|aborted)")
_STDERR = re.compile(r'"Hook \S+ \((\w+)\) \w+:\\nstderr:\\n(.*)"')
_NORMAL = (
    *("socket", "state", "pid", "version", "since", "database", "log", "settings", "events"),
    *("profile", "transport", "status line", "no verdict"),
)
"""Lines of `hookd status` that need no attention."""


@dataclass(frozen=True)
class Entry:
    """One kind of message in one part of the day."""

    part: str
    source: str
    text: str

    @property
    def reason(self) -> str:
        """Return why it is no defect; empty where it is unexpected."""
        found = (
            reason
            for part, source, pattern, reason in EXPECTED
            if self.part.startswith(part)
            and source == self.source
            and re.search(pattern, self.text)
        )
        return next(found, "")


@dataclass
class Diary:
    """Entries with how often they came, in order."""

    scene: Scene
    entries: Counter[Entry] = field(default_factory=Counter)
    _read: dict[Path, int] = field(default_factory=dict)
    _event: int = 0

    def write(self, part: str, source: str, text: str) -> None:
        """Add one message."""
        self.entries[Entry(part, source, self._plain(text))] += 1

    def collect(self, part: str) -> None:
        """Add what came since the last call."""
        for file in sorted((self.scene.home / ".claude/projects").rglob("*.jsonl")):
            for line in self._lines(file):
                with suppress(ValueError):  # on a full disk the client cuts lines
                    for source, text in _transcript(json.loads(line)):
                        self.write(part, source, text)
        for file in sorted(self.scene.logs.rglob("debug.log")):
            for line in self._lines(file):
                for source, text in _debugged(line):
                    self.write(part, source, text)
        for file in sorted(self.scene.database.parent.glob("hookd.log*")):
            for line in self._lines(file):
                logged = json.loads(line)
                if logged["level"] != "info":
                    about = {k: v for k, v in logged.items() if k not in ("at", "level")}
                    self.write(part, "hookd.log", json.dumps(about))
        self._held_back(part)

    def _held_back(self, part: str) -> None:
        rows = self.scene.rows(
            "SELECT * FROM events WHERE kind = 'hook' AND id > ? ORDER BY id", self._event
        )
        for row in rows:
            self._event = row["id"]
            if row["decision"]:
                asked = json.loads(row["payload"]).get("tool_input", {})
                said = asked.get("command") or json.dumps(asked)
                what = f"{row['event']} {row['decision']} by {row['decided_by']}: {said}"
                self.write(part, "held back", what)

    def _lines(self, file: Path) -> Iterator[str]:
        """Yield the complete lines that were added to a file."""
        with file.open("rb") as opened:
            opened.seek(self._read.get(file, 0))
            for line in opened:
                if not line.endswith(b"\n"):
                    break
                self._read[file] = self._read.get(file, 0) + len(line)
                yield line.decode("utf-8", "replace")

    def asked(self, part: str, result: Mapping[str, Any]) -> None:
        """Add what a command of the user said on stderr, or a failure."""
        if result["code"]:
            self.write(part, "exit code", f"{result['line']}: {result['code']} {result['out']}")
        if result["err"].strip():
            self.write(part, "stderr", f"{result['line']}: {result['err']}")
        if result["line"] == "hookd status":
            for line in result["out"].splitlines()[1:]:
                if line.strip() and not line.strip().startswith(_NORMAL):
                    self.write(part, "status", line.strip())

    def _plain(self, text: str) -> str:
        """Return a text without what differs between two runs."""
        text = text.strip().replace(str(self.scene.home), "~")
        text = re.sub(r"\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:\d\d| UTC)?", "TIME", text)
        text = re.sub(r"\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b", "ID", text)
        return re.sub(r"(?<![\w.-])\d+(?:\.\d+)?(?![\w.]*/)", "N", " ".join(text.split()))[:400]

    def unexpected(self) -> list[Entry]:
        """Return the entries that have no reason."""
        return [entry for entry in self.entries if not entry.reason]

    def __str__(self) -> str:
        """Return the diary as text: part, source, count, text, reason."""
        lines = []
        for part in dict.fromkeys(entry.part for entry in self.entries):
            lines.append(f"\n{part}")
            for entry, count in self.entries.items():
                if entry.part == part:
                    lines.append(f"  {count:3} x {entry.source}: {entry.text}")
                    lines.append(f"        {entry.reason or 'UNEXPECTED'}")
        return "\n".join(lines)


def _transcript(line: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what a line of a transcript has of hooks: source and text."""
    said = line.get("attachment") or {}
    kind = str(said.get("type", ""))
    if kind == "hook_success":
        if "hookd/shims" in said.get("command", "") and said.get("stderr"):
            yield "stderr", f"{said['hookEvent']}: {said['stderr']}"
    elif kind == "hook_additional_context":
        content = said.get("content", "")
        text = "\n".join(content) if isinstance(content, list) else str(content)
        yield "told the model", f"{said.get('hookEvent', '')}: {text}"
    elif kind.startswith("hook_"):
        rest = {k: v for k, v in said.items() if k not in ("toolUseID", "durationMs", "command")}
        yield kind, json.dumps(rest)
    if line.get("type") == "system" and line.get("hookErrors"):
        yield "hook error", json.dumps(line["hookErrors"])
    message = line.get("message") or {}
    for block in message.get("content") or [] if line.get("type") == "user" else []:
        if isinstance(block, dict) and block.get("is_error"):
            yield "failed call", str(block.get("content"))


def _debugged(line: str) -> Iterator[tuple[str, str]]:
    """Yield what a line of the client's debug log has of hookd's hooks, beyond the transcript."""
    text = line.partition("] ")[2].strip()
    if _BEGUN.match(text):
        yield "debug log", text
    elif (found := _STDERR.match(text)) and found[1] in ("SessionEnd", "Notification"):
        yield "stderr", f"{found[1]}: {found[2]}"
