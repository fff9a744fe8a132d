"""Writing what the user's own hooks did."""

import sqlite3

from hookd.core.hook_rules.model import HookRun
from hookd.redaction.redact import redact
from hookd.store.writes.statements import columns

_HEAD = 500
"""Characters of what a hook printed, of its command and of the notes on it that are kept.

What it printed is stderr; where it failed and that is empty, it is stdout.
"""


def keep(db: sqlite3.Connection, event_id: int, run: HookRun, at: str) -> None:
    """Store one run, secrets redacted."""
    ran, opinion = run.execution, run.opinion
    printed = ran.stderr.strip() or (ran.stdout if ran.exit_code else "")
    notes = dict.fromkeys((*ran.notes, *run.notes))
    values = {
        "event_id": event_id,
        "hook_id": ran.hook.id,
        "exit_code": ran.exit_code,
        "duration_ms": ran.milliseconds,
        "decision": opinion.verdict if opinion else None,
        "truncated": ran.truncated,
        "stderr_excerpt": redact(printed)[:_HEAD].strip() or None,
        "created_at": at,
        "command": redact(ran.hook.action)[:_HEAD],
        "error": redact(ran.fault)[:_HEAD] or None,
        "background": ran.hook.background or ran.started_background,
        "status_message": redact(ran.hook.status_message) or None,
        "notes": redact("\n".join(notes))[:_HEAD] or None,
    }
    sql, args = columns("hook_runs", values)
    db.execute(sql, args)
