"""A large database: thousands of sessions and a million events, made in less than a minute.

As a program: `PYTHONPATH=tests python -m support.large_database PATH [EVENTS [SESSIONS]]`.
"""

import json
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from sqlite3 import Connection
from typing import Any

from hookd.core.model.facts import iso
from hookd.store.database import open_database

LAST = datetime.now(UTC)
"""Time of the last event; the others are of the 60 days before it."""

DAYS = 60
PROJECTS = tuple(f"/work/{name}" for name in (
    "orders", "billing", "search", "web", "mobile", "infra", "docs", "data", "auth", "mail",
))  # fmt: skip
AGENTS = 40
OPEN = 30
"""Sessions that have not ended, the last ones."""

RULES = ("destructive-guard", "secrets-guard", "path-guard", "no-force-push", "heartbeat")
_TOOLS = ("Bash", "Read", "Edit", "Grep", "Write", "WebFetch", "Task", "mcp__github__search")
_EVENTS = ("PreToolUse", "PostToolUse") * 4 + ("UserPromptSubmit", "Stop")
_STAGES = '{"parse":60,"redact":40,"settings":5,"facts":120,"policies":300,"write":160}'
_BATCH = 20_000

Row = tuple[Any, ...]


def make(path: Path, events: int = 1_000_000, sessions: int = 5_000) -> None:
    """Create the database; the same numbers give the same rows, but for their times."""
    with closing(open_database(path)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -200000")
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("BEGIN")
        _work(db, sessions)
        _sessions(db, events, sessions)
        _context(db, events, sessions)
        _events(db, events, sessions)
        _texts(db, events, sessions)
        _counts(db)
        db.execute("COMMIT")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def moment(event: int, events: int) -> str:
    """Return the time of an event."""
    return iso(LAST - timedelta(days=DAYS) * (1 - event / events))


def session_of(event: int, events: int, sessions: int) -> int:
    """Return the session of an event: twenty are active at the same time."""
    block = max(1, events * 20 // sessions)
    first = (event - 1) // block * 20
    return min(sessions, first + 1 + event * 7919 % 20)


def _work(db: Connection, sessions: int) -> None:
    """Add projects, tasks, efforts with phases, agents and guard rules."""
    at = moment(0, 1)
    rows = [(n, path, path.rpartition("/")[2], at) for n, path in enumerate(PROJECTS, 1)]
    db.executemany("INSERT INTO projects (id, path, name, created_at) VALUES (?, ?, ?, ?)", rows)
    tasks = [(f"{PROJECTS[n % 10]}/tasks/{n}", n % 10 + 1, f"Task {n}", at) for n in range(200)]
    db.executemany(
        "INSERT INTO tasks (task_dir, project_id, title, created_at) VALUES (?, ?, ?, ?)", tasks
    )
    efforts = [
        (n + 1, tasks[n % 200][0], n % 10 + 1, "implement", n // 200 + 1,
         "active" if n >= 570 else "finished", "2: Build", at)
        for n in range(600)
    ]  # fmt: skip
    db.executemany(
        "INSERT INTO efforts (id, task_dir, project_id, skill, ordinal, lifecycle, current_phase,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        efforts,
    )
    db.executemany(
        "INSERT INTO phase_history (effort_id, phase_label, created_at) VALUES (?, ?, ?)",
        ((n + 1, phase, at) for n in range(600) for phase in ("0: Setup", "1: Plan", "2: Build")),
    )
    db.executemany(
        "INSERT INTO agents (id, label, status, status_at, effort_id, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ((f"agent-{n}", f"Agent {n}", ("working", "attention", "idle")[n % 3], iso(LAST),
          571 + n if n < 30 else None, at) for n in range(AGENTS)),
    )  # fmt: skip
    db.executemany(
        "INSERT INTO guards (name, scope, rule_json, created_at) VALUES (?, 'user', ?, ?)",
        ((f"rule-{n}", json.dumps({"ruleId": f"rule-{n}"}), at) for n in range(30)),
    )


def _sessions(db: Connection, events: int, sessions: int) -> None:
    db.executemany(
        "INSERT INTO sessions (id, claude_session_id, agent_id, parent_session_id, prev_session_id,"
        " project_id, effort_id, owner, source, model, cwd, context_usage, context_source, cost,"
        " loaded_files_json, handover_json, handover_at, tool_calls, window_tokens, status,"
        " status_at, branch, first_prompt, created_at, last_event_at, ended_at, end_reason, client)"
        f" VALUES ({','.join('?' * 28)})",
        (_session(n, events, sessions) for n in range(1, sessions + 1)),
    )
    db.executemany(
        "INSERT INTO costs (day, session_id, usd) VALUES (?, ?, ?)",
        ((_ends(n, events, sessions)[0][:10], n, n % 90 / 10) for n in range(1, sessions + 1)),
    )


def _ends(number: int, events: int, sessions: int) -> tuple[str, str]:
    """Return the times of a session's first and last event."""
    block = max(1, events * 20 // sessions)
    first = (number - 1) // 20 * block
    return moment(first, events), moment(min(events, first + block), events)


def _session(number: int, events: int, sessions: int) -> Row:
    begun, last = _ends(number, events, sessions)
    subagent = number % 10 == 0
    over = number <= sessions - OPEN
    compacted = number % 7 == 0 and number > 20
    handover = json.dumps({"summary": f"Half of {number}."}) if number % 25 == 0 else None
    return (
        number, f"{number - 20 if compacted else number:08x}-aaaa",
        f"sub-{number}" if subagent else None, number - 1 if subagent else None,
        number - 20 if compacted else None, number % 10 + 1, number % 600 + 1,
        None if number % 3 == 0 else f"agent-{number % AGENTS}",
        "compact" if compacted else "startup", "claude-opus-5", PROJECTS[number % 10],
        number % 100 / 100, "statusline", number % 90 / 10,
        json.dumps([f"{PROJECTS[number % 10]}/file-{n}.py" for n in range(20)]), handover,
        last if handover else None, 200, 200_000, "done" if over else "working", last, "main",
        f"Prompt {number}: add the endpoint.", begun, last, last if over else None,
        "clear" if over else None, "claude-code",
    )  # fmt: skip


def _context(db: Connection, events: int, sessions: int) -> None:
    """Add twenty changes of the context usage of each session."""
    block = max(1, events * 20 // sessions)
    db.executemany(
        "INSERT OR REPLACE INTO context_history VALUES (?, ?, ?)",
        ((n, moment((n - 1) // 20 * block + block * part // 20, events), part / 22)
         for n in range(1, sessions + 1) for part in range(20)),
    )  # fmt: skip


def _events(db: Connection, events: int, sessions: int) -> None:
    sql = (
        "INSERT INTO events (id, at, event, session_id, claude_session_id, tool_name, tool_use_id,"
        " decision, decided_by, payload, answer, facts_json, duration_us, stages, delivery_key)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    random = Random(17)
    for first in range(1, events + 1, _BATCH):
        last = min(events, first + _BATCH - 1)
        db.executemany(sql, _event_rows(random, first, last, events, sessions))


def _event_rows(random: Random, first: int, last: int, events: int, sessions: int) -> Iterator[Row]:
    step = timedelta(days=DAYS) / events
    for number in range(first, last + 1):
        session = session_of(number, events, sessions)
        event = _EVENTS[random.randrange(10)]
        tool = _TOOLS[int(random.random() ** 2 * 8)] if event.endswith("ToolUse") else None
        at = (LAST - step * (events - number)).isoformat(timespec="milliseconds")[:-6] + "Z"
        yield (
            number, at, event, session, f"{session:08x}-aaaa", tool, f"toolu_{number}",
            *_decision(random, event, number), int(random.lognormvariate(6.5, 0.8)), _STAGES,
            f"{session}:{number}",
        )  # fmt: skip


def _decision(random: Random, event: str, number: int) -> Row:
    """Return decision, rule, payload, answer and facts of an event; three of a hundred have one."""
    command = f"pytest -q tests/unit/test_{number % 977}.py && git add -A && git status"
    payload = (
        f'{{"hook_event_name":"{event}","cwd":"/work/orders","permission_mode":"default",'
        f'"transcript_path":"/home/me/.claude/projects/orders/{number % 5000}.jsonl",'
        f'"tool_input":{{"command":"{command}","description":"Run the tests of this part"}}}}'
    )
    if event != "PreToolUse" or random.random() > 0.075:
        return None, None, payload, None, None
    decision = "ask" if random.random() < 0.3 else "deny"
    rule = RULES[random.randrange(len(RULES))]
    answer = (
        f'{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{decision}",'
        f'"permissionDecisionReason":"It deletes files. (hookd #{number})"}}}}'
    )
    said = f'"rule":"{rule}","verdict":"{decision}","reason":"It deletes files.","ruleIds":["rm-1"]'
    return decision, rule, payload, answer, f'{{"project":"/work/orders","opinions":[{{{said}}}]}}'


def _texts(db: Connection, events: int, sessions: int) -> None:
    """Add messages, injections, hook runs and bodies: one of each for some of the events."""
    some = range(1, events + 1, max(1, events // 40_000))
    placed = [(n, session_of(n, events, sessions), moment(n, events)) for n in some]
    db.executemany(
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)",
        ((session, f"Prompt at event {number}.", at) for number, session, at in placed),
    )
    db.executemany(
        "INSERT INTO injections (session_id, source, content, offers, created_at, offered_at,"
        " delivered_at, offered_by) VALUES (?, 'rules-injector', ?, 1, ?, ?, ?, ?)",
        ((session, "Mind the tests.", at, at, at, number) for number, session, at in placed),
    )
    db.executemany(
        "INSERT INTO hook_runs (event_id, hook_id, exit_code, duration_ms, created_at, command)"
        " VALUES (?, ?, ?, ?, ?, 'lint --all')",
        ((number, f"hook-{number % 12}", number % 2, number % 400 / 10, at)
         for number, _, at in placed),
    )  # fmt: skip
    body = zlib.compress(json.dumps({"tool_input": {"command": "x" * 20_000}}).encode())
    db.executemany(
        "INSERT INTO bodies (event_id, size, zlib) VALUES (?, 20040, ?)",
        ((number, body) for number, _, _ in placed[::10]),
    )


def _counts(db: Connection) -> None:
    """Add the counts per hour, as the daemon would: of ten hours a day and five agents."""
    hours = [
        f"{(LAST - timedelta(days=day)).date()}T{hour:02}" for day in range(DAYS)
        for hour in range(8, 18)
    ]  # fmt: skip
    random = Random(17)
    events = [
        (hour, project, f"agent-{agent}", "claude-code", event, decision, count, count // 20,
         2, 900, *[random.randrange(count) for _ in range(10)])
        for hour in hours for project in range(1, 11) for agent in range(5)
        for event, decision, count in (
            ("PreToolUse", "", 40), ("PreToolUse", "deny", 3), ("PostToolUse", "", 40))
    ]  # fmt: skip
    db.executemany(f"INSERT INTO hourly_events VALUES ({','.join('?' * 20)})", events)
    db.executemany(
        "INSERT INTO hourly_rules VALUES (?, ?, ?, 'claude-code', 'PreToolUse', ?, 'rm-1', ?, 2)",
        ((hour, project, f"agent-{agent}", RULES[agent], "ask" if agent == 1 else "deny")
         for hour in hours for project in range(1, 11) for agent in range(5)),
    )  # fmt: skip
    db.execute("INSERT OR REPLACE INTO meta SELECT 'events_counted', max(id) FROM events")


if __name__ == "__main__":
    make(Path(sys.argv[1]), *map(int, sys.argv[2:]))
