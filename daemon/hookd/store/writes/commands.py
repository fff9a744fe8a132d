"""Writing what the user's own hooks did."""

import sqlite3

from hookd.core.commands.entry import Run
from hookd.core.redaction import redact
from hookd.store.writes.statements import columns

_HEAD = 500
"""Characters of what a hook printed on stderr, and of its command, that are kept."""


def keep(db: sqlite3.Connection, event_id: int, run: Run, at: str) -> None:
    """Keep one run, secrets taken out."""
    ran, opinion = run.ran, run.opinion
    values = {
        "event_id": event_id,
        "handler": ran.hook.id,
        "exit_code": ran.exit_code,
        "duration_ms": ran.milliseconds,
        "decision": opinion.verdict if opinion else None,
        "truncated": ran.truncated,
        "stderr_head": redact(ran.stderr)[:_HEAD].strip() or None,
        "created_at": at,
        "command": redact(ran.hook.action)[:_HEAD],
        "fault": redact(ran.fault)[:_HEAD] or None,
        "background": ran.hook.background or ran.began_background,
        "status_message": redact(ran.hook.status_message) or None,
    }
    sql, args = columns("hook_runs", values)
    db.execute(sql, args)
