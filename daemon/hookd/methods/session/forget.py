"""Forget a session: delete everything that is recorded of it, and of its subagents' sessions.

Its rows leave the database and are overwritten there, its entries leave the logs of efforts, its
texts the daemon's log and the files of long texts. `daemon.compact` afterwards drops remains in
free space of the file. Counts per hour lose its events if these are still recorded. Copies of the
database keep it: `backups` names those that `daemon.backup` made since it began.
"""

from hookd.core.efforts.log_entry import with_timestamp
from hookd.core.model.effects.forget import EraseTexts, ForgetSession, LogEntry
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import SessionTraces
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, RowId, Wire


class Params(Wire):
    """`sessionId` is a row's number. `force` forgets an open session, `dryRun` changes nothing."""

    session_id: RowId
    force: bool = False
    dry_run: bool = False


class Copy(Wire):
    """A copy of the database, and when it was made."""

    path: str
    at: str


class Result(Wire):
    """`sessions` are the session and its subagents', `rows` the numbers of rows by table.

    `effortLogs` are files that lose entries. `transcript` is Claude Code's own file, which stays.
    """

    session_id: int
    sessions: list[int]
    rows: dict[str, int]
    effort_logs: list[str]
    transcript: str | None
    backups: list[Copy]


def where(params: Params, identity: Identity) -> Where:
    """Find the session."""
    return Where(identity, session_id=params.session_id)


def decide(params: Params, facts: Facts) -> Change:
    """Forget it. NOT_FOUND, SESSION_OPEN."""
    session, traces = facts.session, facts.require(SessionTraces(params.session_id))
    if session is None or traces is None:
        raise DomainError("NOT_FOUND", f"there is no session {params.session_id}")
    if session.ended_at is None and not (params.force or params.dry_run):
        told = f"session {session.id} is open; end it first, or forget it with force"
        raise DomainError("SESSION_OPEN", told)
    result = Result(
        session_id=session.id,
        sessions=list(traces.sessions),
        rows=dict(traces.rows),
        effort_logs=sorted({path for path, *_ in traces.entries}),
        transcript=traces.transcript,
        backups=[Copy(path=path, at=at) for path, at in traces.backups],
    )
    if params.dry_run:
        return Change(result)
    entries = (
        LogEntry(path, root, with_timestamp(text, at)) for path, root, text, at in traces.entries
    )
    erase = EraseTexts(
        session.claude_session_id, traces.began, traces.ended, traces.events, tuple(entries)
    )
    return Change(result, (ForgetSession(session.id), erase))


def _for_person(params: Params, _facts: Facts) -> bool:
    return not params.dry_run


METHOD = ChangeMethod(
    "session.forget",
    Params,
    Result,
    where,
    decide,
    (Example({"sessionId": 12, "dryRun": True}, says="NOT_FOUND"),),
    person=_for_person,
)
