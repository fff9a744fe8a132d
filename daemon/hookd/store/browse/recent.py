"""Read the newest numbers and names from the database file, to complete them in a shell.

It imports sqlite3 alone and waits for no lock: a shell waits for the answer after each key.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

_TIMEOUT_S = 0.1
_QUERIES: Mapping[str, str] = {
    "events": """
        SELECT id, event || coalesce(' ' || tool_name, '') || coalesce(' ' || decision, '')
        FROM events ORDER BY id DESC LIMIT 20""",
    # Of the newest only: a search of all events would take long where few were blocked.
    "decisions": """
        SELECT id, event || coalesce(' ' || tool_name, '') || coalesce(' ' || decision, '')
        FROM (SELECT * FROM events ORDER BY id DESC LIMIT 2000)
        WHERE decision IN ('deny', 'ask', 'block') ORDER BY id DESC LIMIT 20""",
    "sessions": """
        SELECT id, coalesce(owner || ' ', '') || coalesce(first_prompt, '')
        FROM sessions ORDER BY id DESC LIMIT 20""",
    "efforts": """
        SELECT id, skill || ' ' || task_dir
        FROM efforts ORDER BY id DESC LIMIT 20""",
    "approvals": """
        SELECT id, tool || ' ' || text
        FROM approvals WHERE status = 'pending' ORDER BY id DESC LIMIT 20""",
    "agents": "SELECT id, coalesce(label, '') FROM agents ORDER BY id LIMIT 200",
    "guards": "SELECT DISTINCT name, '' FROM guards ORDER BY name LIMIT 200",
}


def recent(database: Path, what: str) -> list[tuple[str, str]]:
    """Return numbers or names with what they are; none if the database cannot be read at once.

    `what`: events, decisions (events that were denied or asked about), sessions, efforts, agents,
    guards or approvals (requests that wait). Numbers are the newest, the newest first.
    """
    try:
        uri = f"{database.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True, timeout=_TIMEOUT_S)) as db:
            return [(str(key), str(about)) for key, about in db.execute(_QUERIES[what])]
    except sqlite3.Error:
        return []
