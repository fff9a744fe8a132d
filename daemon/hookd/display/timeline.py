"""Time line of a session: prompts, calls, decisions, what the model received, answers.

The rows are those of `store/browse/sessions.py`; texts are as stored, to be made safe where shown.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from hookd.display.amounts import seconds_between
from hookd.display.explanation import HookRun, Told, hook_run, opinions_of
from hookd.lazy_dataclass import dataclass

Row = Mapping[str, Any]
Texts = Callable[[str, Any], tuple[Told, ...]]
"""Returns the texts of the answer to an event; the client's adapter has one."""

Kind = Literal[
    "prompt", "call", "calls", "result", "request", "approval", "stop", "start", "end",
    "compaction", "subagent", "handover", "log", "message", "notification", "waiting", "event",
]  # fmt: skip

_KINDS: Mapping[str, Kind] = {
    "SessionStart": "start",
    "SessionEnd": "end",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "call",
    "PostToolUse": "result",
    "PostToolUseFailure": "result",
    "PermissionRequest": "request",
    "PreCompact": "compaction",
    "PostCompact": "compaction",
    "Stop": "stop",
    "SubagentStart": "subagent",
    "SubagentStop": "subagent",
    "Notification": "notification",
}
_RESULTS = ("PostToolUse", "PostToolUseFailure")
_NEVER = "9999"


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `event` is the number of its event, None if it has none.

    `name` is the event's name, a message's role, or the source of a waiting text. `told` are the
    texts of the answer, `sources` the policies whose waiting texts went out with it. `hook_us` is
    how long the hook took, `seconds` how long the call or the thing itself lasted; None: unknown.
    `failed`: the tool reported an error. `parts` are the calls of `calls`.
    """

    kind: Kind
    at: str
    text: str
    event: int | None = None
    name: str = ""
    tool: str | None = None
    decision: str | None = None
    rule: str | None = None
    reason: str = ""
    told: tuple[Told, ...] = ()
    sources: tuple[str, ...] = ()
    hooks: tuple[HookRun, ...] = ()
    hook_us: int | None = None
    seconds: float | None = None
    failed: bool = False
    parts: tuple["Entry", ...] = ()

    @property
    def silent(self) -> bool:
        """Whether nothing was said about it."""
        return not (self.decision or self.rule or self.told or self.hooks or self.failed)


@dataclass(frozen=True, slots=True)
class Parts:
    """The rows of a page of a time line; `session` is the session's own row, None without it."""

    events: Sequence[Row]
    messages: Sequence[Row] = ()
    injections: Sequence[Row] = ()
    hook_runs: Sequence[Row] = ()
    approvals: Sequence[Row] = ()
    session: Row | None = None


def time_line(parts: Parts, texts: Texts) -> tuple[Entry, ...]:
    """Return the entries of a page, the oldest first."""
    said = {_event_of(row): row for row in parts.messages}
    entries = [
        *_events(parts, texts, said),
        *_messages(parts.messages, {event["id"] for event in parts.events}),
        *map(_approval, parts.approvals),
        *map(_waiting, (row for row in parts.injections if row["eventId"] is None)),
        *_of_session(parts),
    ]
    return tuple(sorted(entries, key=lambda entry: (entry.at, entry.event or 0)))


def folded(entries: Iterable[Entry], least: int = 3) -> tuple[Entry, ...]:
    """Return the entries with each run of at least so many silent calls as one entry `calls`."""
    found: list[Entry] = []
    run: list[Entry] = []
    for entry in entries:
        if entry.kind == "call" and entry.silent:
            run.append(entry)
            continue
        found += [*_fold(run, least), entry]
        run = []
    return (*found, *_fold(run, least))


def told_only(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the entries at which the model received a text of hookd."""
    return tuple(
        entry
        for entry in entries
        if entry.kind == "waiting" or any(text.to == "model" for text in entry.told)
    )


def _fold(run: Sequence[Entry], least: int) -> Sequence[Entry]:
    if len(run) < least:
        return run
    tools = Counter(entry.tool or "other" for entry in run).most_common()
    text = f"{len(run)} calls: {', '.join(f'{tool} {count}' for tool, count in tools)}"
    known = [entry.seconds for entry in run if entry.seconds is not None]
    first = run[0]
    seconds = sum(known) if known else None
    return [Entry("calls", first.at, text, first.event, parts=tuple(run), seconds=seconds)]


def _events(parts: Parts, texts: Texts, said: Mapping[int | None, Row]) -> Iterator[Entry]:
    """Yield the events; the result of a call ends its entry, and is one only if it says more."""
    results = {
        row["toolUseId"]: row
        for row in parts.events
        if row["event"] in _RESULTS and row["toolUseId"]
    }
    called = {row["toolUseId"] for row in parts.events if row["event"] == "PreToolUse"}
    for row in parts.events:
        entry = _event(row, parts, texts)
        if row["event"] == "UserPromptSubmit" and row["id"] in said:
            entry = replace(entry, text=said[row["id"]]["content"])
        if row["event"] == "PreToolUse" and (result := results.get(row["toolUseId"])):
            failed = result["event"] == "PostToolUseFailure"
            lasted = seconds_between(row["at"], result["at"])
            entry = replace(entry, seconds=lasted, failed=failed)
        if row["event"] in _RESULTS and row["toolUseId"] in called and not _says_more(entry):
            continue
        yield entry


def _says_more(result: Entry) -> bool:
    """Return whether the result of a call has anything to show beside its call."""
    return bool(result.decision or result.told or result.hooks)


def _event(row: Row, parts: Parts, texts: Texts) -> Entry:
    number = row["id"]
    opinions = opinions_of(row)
    reasons = [one["reason"] for one in opinions if one.get("verdict") and one.get("reason")]
    return Entry(
        kind=_KINDS.get(row["event"], "event"),
        at=row["at"],
        text=row["text"],
        event=number,
        name=row["event"],
        tool=row["toolName"],
        decision=row["decision"],
        rule=row["rule"],
        reason="\n".join(dict.fromkeys(reasons)),
        told=texts(row["event"], row["answer"]),
        sources=tuple(one["source"] for one in parts.injections if one["eventId"] == number),
        hooks=tuple(hook_run(run) for run in parts.hook_runs if run["eventId"] == number),
        hook_us=row["durationUs"],
        failed=row["event"] == "PostToolUseFailure",
    )


def _event_of(message: Row) -> int | None:
    """Return the number of the event that a message is from: its reference ends with it."""
    number = (message["ref"] or "").rpartition("/")[2]
    return int(number) if number.isdecimal() and message["role"] in ("user", "system") else None


def _messages(messages: Iterable[Row], events: set[int]) -> Iterator[Entry]:
    """Yield the messages that are not the text of a prompt on the same page."""
    for row in messages:
        if _event_of(row) not in events:
            kind: Kind = "log" if row["role"] == "log" else "message"
            yield Entry(kind, row["at"], row["content"], name=row["role"], tool=row["toolName"])


def _approval(row: Row) -> Entry:
    """Return a held permission request: who answered it, and how long that took."""
    by = f" by {row['answeredBy']}" if row["answeredBy"] else ""
    return Entry(
        "approval",
        row["askedAt"],
        row["text"],
        row["eventId"],
        name=f"{row['status']}{by}",
        tool=row["tool"],
        decision={"allowed": "allow", "denied": "deny"}.get(row["status"]),
        reason=row["message"] or row["reason"] or "",
        seconds=seconds_between(row["askedAt"], row["answeredAt"]),
    )


def _waiting(row: Row) -> Entry:
    return Entry("waiting", row["createdAt"], row["content"], name=row["source"])


def _of_session(parts: Parts) -> Iterator[Entry]:
    """Yield the handover and the subagents of a session, if they are of the page's time."""
    session = parts.session
    if session is None:
        return
    begin = parts.events[0]["at"] if parts.events else ""
    end = parts.events[-1]["at"] if parts.events else _NEVER
    if session["handoverAt"] and begin <= session["handoverAt"]:
        yield Entry("handover", session["handoverAt"], _handover_text(session.get("handover")))
    for row in session.get("subagents", ()):
        if begin <= row["createdAt"] <= end:
            lasted = seconds_between(row["createdAt"], row["endedAt"])
            text = row["agentType"] or row["agentId"] or ""
            yield Entry("subagent", row["createdAt"], text, name=f"session {row['id']}",
                        seconds=lasted)  # fmt: skip


def _handover_text(handover: Any) -> str:
    """Return the summary of a handover, or that there is one."""
    summary = handover.get("summary") if isinstance(handover, dict) else None
    return summary if isinstance(summary, str) else "handover"
