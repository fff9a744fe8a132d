"""Sources of a replay: hookd's database, files of exported events, and transcripts.

A source divides its events into units, one for each session, which any process can load.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from hookd import json_text
from hookd.clients.answers import has_rewritten
from hookd.clients.claude_code.transcript_events import (
    TranscriptEvent,
    first_folder,
    transcript_events,
)
from hookd.core.evaluation.recorded_facts import NO_RECORD, RecordedFacts, parse_record
from hookd.core.model.fact_requests import GitBranch
from hookd.events.payload_excerpt import restore_text
from hookd.lazy_dataclass import dataclass
from hookd.policies import POLICIES
from hookd.redaction.patterns import MARK
from hookd.replay.event import (
    CUT,
    DAMAGED,
    HOOK_REWROTE,
    PAUSED,
    REDACTED,
    UNREADABLE,
    Damaged,
    RecordedEvent,
)
from hookd.store.database import Connection, StoreError
from hookd.store.replays import EventRow, event_row, open_recorded, session_events

_CUT_MARK = "[cut by hookd: "
_EVENT_BYTES = 4_000
"""Bytes of a transcript that make about one event."""

_POLICIES = frozenset(policy.name for policy in POLICIES)

Events = Iterable[RecordedEvent | Damaged]


@dataclass(frozen=True, slots=True)
class Unit:
    """The events of one session: `content` is what its source loads, `size` about how many."""

    conversation: str
    content: tuple[Any, ...]
    size: int


class Source(Protocol):
    """Where events come from. It can be sent to another process."""

    def units(self) -> Sequence[Unit]:
        """Return the units in the order of their first events."""

    def load(self, unit: Unit) -> Events:
        """Return the events of a unit, in their order."""


class DatabaseSource:
    """The events in hookd's database since a time; `session` is a conversation or its beginning."""

    def __init__(self, path: Path, since: str, session: str = "") -> None:
        self._path, self._since, self._session = path, since, session
        self._db: Connection | None = None

    def __getstate__(self) -> tuple[Path, str, str]:
        """Return what another process needs: it opens the database itself."""
        return self._path, self._since, self._session

    def __setstate__(self, state: tuple[Path, str, str]) -> None:
        """Set the parts that were sent."""
        self._path, self._since, self._session = state
        self._db = None

    @property
    def db(self) -> Connection:
        """The connection, which only reads. Raise DatabaseError if it cannot be opened."""
        if self._db is None:
            self._db = open_recorded(self._path)
        return self._db

    def units(self) -> Sequence[Unit]:
        """Return a unit for each conversation that has an event in the window."""
        found: dict[str, list[tuple[int, bool]]] = {}
        for number, conversation, window in session_events(self.db, self._since):
            if conversation.startswith(self._session):
                found.setdefault(conversation, []).append((number, bool(window)))
        return [
            Unit(conversation, tuple(numbers), len(numbers))
            for conversation, numbers in found.items()
            if any(window for _, window in numbers)
        ]

    def load(self, unit: Unit) -> Iterator[RecordedEvent | Damaged]:
        """Yield the events; a row that cannot be read is damaged, a deleted one is left out."""
        for number, window in unit.content:
            try:
                row = event_row(self.db, number)
                if row is not None:
                    yield event_of_row(row, window=window)
            except (StoreError, UnicodeDecodeError) as error:
                why = f"{DAMAGED}: {type(error).__name__}"
                yield Damaged(f"#{number}", ("", number), why, window)


class ExportSource:
    """Events that were exported by `hookd event --json`, as a list or one a line."""

    def __init__(self, files: Sequence[tuple[str, bytes]], since: str, session: str = "") -> None:
        self._found: dict[str, list[RecordedEvent | Damaged]] = {}
        for name, text in files:
            for one in _exported(name, text):
                if isinstance(one, RecordedEvent):
                    conversation = str(one.payload.get("session_id", ""))
                    if one.at < since or not conversation.startswith(session):
                        continue
                else:
                    conversation = ""
                self._found.setdefault(conversation, []).append(one)

    def units(self) -> Sequence[Unit]:
        """Return a unit for each conversation."""
        return [
            Unit(conversation, tuple(sorted(found, key=lambda one: one.order)), len(found))
            for conversation, found in self._found.items()
        ]

    def load(self, unit: Unit) -> Events:
        """Return the events, which the unit has itself."""
        return unit.content


class TranscriptSource:
    """The tool calls in transcripts of Claude Code, files by their sessions."""

    def __init__(self, files: Sequence[Path], since: str, session: str = "") -> None:
        self._since = since
        self._files: dict[str, list[str]] = {}
        for path in sorted(files):
            conversation = _conversation(path)
            if conversation.startswith(session):
                self._files.setdefault(conversation, []).append(str(path))

    def units(self) -> Sequence[Unit]:
        """Return a unit for each session, with the files of its subagents."""
        return [
            Unit(conversation, tuple(files), sum(map(_size, files)) // _EVENT_BYTES + 1)
            for conversation, files in self._files.items()
        ]

    def load(self, unit: Unit) -> Events:
        """Return the events of a session's files, by their times."""
        found = [one for path in unit.content for one in self._events(path)]
        return sorted(found, key=lambda one: one.order)

    def _events(self, path: str) -> Iterator[RecordedEvent | Damaged]:
        label = Path(path).stem[:8]
        try:
            with Path(path).open("rb") as file:
                folder = first_folder(file)
                file.seek(0)
                for number, one in enumerate(transcript_events(file, path), 1):
                    yield _transcribed(one, number, label, folder, self._since)
        except OSError as error:
            yield Damaged(label, ("", 0), f"the transcript cannot be read: {error.strerror}")


def event_of_row(row: EventRow, *, window: bool = True) -> RecordedEvent | Damaged:
    """Return a row of the database as an event, or that it is damaged."""
    label, order = f"#{row.id}", (row.at, row.id)
    try:
        text = restore_text(row.body) if row.body else row.payload
        payload, facts = json_text.parse(text.encode()), parse_record(row.resolved)
        if not isinstance(payload, dict):
            raise ValueError("the payload is no object")
    except (ValueError, AttributeError, TypeError, RecursionError):
        return Damaged(label, order, DAMAGED, window)
    return RecordedEvent(
        label,
        row.id,
        order,
        row.at,
        row.event,
        payload,
        facts,
        row.agent,
        row.project,
        row.run,
        row.client or "",
        _version(row.client_version) if row.client in (None, "claude-code") else None,
        row.decision or "",
        row.decided_by or "",
        row.hooks,
        _problem(row, text),
        window,
    )


def _problem(row: EventRow, text: str) -> str:
    """Return why an event cannot be compared, "" if it can."""
    if row.decided_by == "unreadable":
        return UNREADABLE
    if row.decided_by == "pause":
        return PAUSED
    if _CUT_MARK in text or (row.payload_sha256 and not row.body):
        return CUT
    if MARK in text:
        return REDACTED
    rewritten = row.hooks and has_rewritten(row.answer or "")
    return HOOK_REWROTE if rewritten else ""


def _exported(name: str, text: bytes) -> Iterator[RecordedEvent | Damaged]:
    try:
        whole = json_text.parse(text)
        rows: Iterable[tuple[int, Any]] = enumerate(
            whole if isinstance(whole, list) else [whole], 1
        )
    except ValueError:
        rows = ((at, _parsed(line)) for at, line in enumerate(text.splitlines(), 1) if line.strip())
    for place, row in rows:
        label = f"{Path(name).name}:{place}"
        one = _exported_event(row) if isinstance(row, dict) else None
        if one is None:
            yield Damaged(label, ("", place), DAMAGED)
        elif one.get("kind", "hook") == "hook":
            yield event_of_row(EventRow(**one["row"]))


def _parsed(line: bytes) -> Any:
    try:
        return json_text.parse(line)
    except ValueError:
        return None


def _exported_event(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return an exported event as a row of the database, None if a member is missing or odd."""
    number, at, event, payload = (row.get(key) for key in ("id", "at", "event", "payload"))
    sound = isinstance(number, int) and isinstance(at, str) and isinstance(event, str)
    if not sound or not isinstance(payload, dict):
        return None
    facts, resolved = row.get("facts"), row.get("resolved")
    texts = {key: row.get(key) for key in ("decision", "rule", "payloadSha256", "agent", "project")}
    if any(not isinstance(text, str | None) for text in texts.values()):
        return None
    found = {
        "id": number,
        "at": at,
        "event": event,
        "decision": texts["decision"],
        "decided_by": texts["rule"],
        "payload": json_text.dump(payload).decode(),
        "payload_sha256": texts["payloadSha256"],
        "body": None,
        "answer": json_text.dump(row.get("answer")).decode(),
        "resolved": json_text.dump(resolved).decode() if resolved is not None else None,
        "agent": texts["agent"],
        "project": texts["project"],
        "run": None,
        "client": None,
        "client_version": None,
        "hooks": _hooks_in(facts if isinstance(facts, dict) else {}),
    }
    return {"kind": row.get("kind", "hook"), "row": found}


def _hooks_in(facts: Mapping[str, Any]) -> tuple[tuple[str, str | None], ...]:
    """Return the user hooks that decided: opinions of neither a policy nor a guard rule."""
    guards, said = facts.get("guards") or (), facts.get("opinions") or ()
    own = _POLICIES.union(one for one in guards if isinstance(one, str))
    found = ((one.get("rule"), one.get("verdict")) for one in said if isinstance(one, dict))
    return tuple((str(rule), verdict) for rule, verdict in found if verdict and rule not in own)


def _transcribed(
    one: TranscriptEvent, number: int, label: str, folder: str | None, since: str
) -> RecordedEvent | Damaged:
    label, order, window = f"{label}:{one.line}", (one.at, number), one.at >= since
    if one.payload is None or not one.at:
        return Damaged(label, order, DAMAGED, window or not one.at)
    payload, facts = one.payload, NO_RECORD
    if one.branch and payload["cwd"]:
        facts = RecordedFacts.of({GitBranch(payload["cwd"]): one.branch})
    return RecordedEvent(
        label,
        number,
        order,
        one.at,
        payload["hook_event_name"],
        payload,
        facts,
        project=folder,
        window=window,
    )


def _conversation(path: Path) -> str:
    """Return the session of a transcript; a subagent's is in a folder of its session."""
    return path.parents[1].name if path.parent.name == "subagents" else path.stem


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _version(text: str | None) -> tuple[int, int, int] | None:
    parts = (text or "").split(".")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    return int(parts[0]), int(parts[1]), int(parts[2])
