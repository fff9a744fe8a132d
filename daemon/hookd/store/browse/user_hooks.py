"""Runs of user hooks: the newest ones, and sums for each hook."""

from sqlite3 import Connection

from hookd.store.browse.page import Page, Rows, page_of

_WINDOW = 50_000
"""Runs that a search looks at before it stops."""

_SUMMED = 20_000
"""Newest runs that are summed for each hook."""

_ENDS = "SELECT (SELECT min(id) FROM hook_runs) AS first, (SELECT max(id) FROM hook_runs) AS last"
_RUNS = (
    "SELECT r.id, r.created_at AS at, r.event_id AS eventId, e.event, e.session_id AS sessionId,"
    " r.hook_id AS hook, r.command, r.exit_code AS exitCode, r.duration_ms AS durationMs,"
    " r.decision, r.error AS fault, r.truncated, r.background, r.stderr_excerpt AS stderr,"
    " r.status_message AS statusMessage, r.notes FROM hook_runs r NOT INDEXED"
    " LEFT JOIN events e ON e.id = r.event_id WHERE r.id < :before AND r.id >= :low"
    " AND (:hook IS NULL OR r.hook_id = :hook) AND (NOT :failed OR r.error IS NOT NULL"
    "  OR r.exit_code NOT IN (0, 2)) ORDER BY r.id DESC LIMIT :most"
)
_SUMS = (
    "SELECT hook_id AS hook, max(command) AS command, count(*) AS runs,"
    " sum(error IS NOT NULL OR coalesce(exit_code, 0) NOT IN (0, 2)) AS failed,"
    " sum(decision IS NOT NULL) AS decided, avg(duration_ms) AS meanMs, max(duration_ms) AS mostMs,"
    " max(created_at) AS lastAt FROM hook_runs"
    " WHERE id > (SELECT max(id) FROM hook_runs) - ? GROUP BY hook_id ORDER BY runs DESC LIMIT 200"
)


def runs(
    db: Connection,
    hook: str | None = None,
    *,
    failed: bool = False,
    before: int | None = None,
    limit: int = 100,
) -> Page:
    """Return runs, the newest first; with `failed` those that did not end as a hook should.

    Exit code 2 is an answer: it blocks.
    """
    row = db.execute(_ENDS).fetchone()
    newest = (row["last"] or 0) + 1 if before is None else before
    low = max(row["first"] or 1, newest - _WINDOW)
    args = {"hook": hook, "failed": failed, "before": newest, "low": low, "most": limit + 1}
    page = page_of(db.execute(_RUNS, args).fetchall(), limit)
    if page.before is None and low > (row["first"] or 1):
        return Page(page.rows, low, partial=True)
    return page


def by_hook(db: Connection) -> Rows:
    """Return sums of the newest runs for each hook, the one with the most runs first."""
    return db.execute(_SUMS, (_SUMMED,)).fetchall()
