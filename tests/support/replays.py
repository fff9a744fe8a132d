"""What the tests of replays share: recorded events, a plan, a replay in this process."""

import json
from typing import Any

from hookd.config.models import Settings
from hookd.core.model.daemon_state import DaemonState
from hookd.replay.change import Change, added_rule
from hookd.replay.compare import Tally
from hookd.replay.engine import Replayer
from hookd.replay.event import Damaged, RecordedEvent
from hookd.replay.plan import Plan, make_plan
from hookd.replay.sources import event_of_row
from hookd.store.replays import NO_ROWS, EventRow, LastingRows

PROJECT = "/work/shop"
HOME = "/home/me"


def row(number: int, name: str = "PreToolUse", **more: Any) -> EventRow:
    """Return a row of the database: a Bash call, unless `payload` is given."""
    payload = {
        "hook_event_name": name,
        "session_id": more.pop("session", "s1"),
        "cwd": PROJECT,
        "tool_name": "Bash",
        "tool_input": {"command": more.pop("command", "ls")},
        "tool_use_id": f"toolu_{number}",
    }
    known: dict[str, Any] = dict.fromkeys(EventRow.__dataclass_fields__)
    known |= {
        "id": number,
        "at": f"2026-01-31T08:{number // 60:02}:{number % 60:02}.000Z",
        "event": name,
        "payload": json.dumps(payload | more.pop("fields", {})),
        "project": PROJECT,
        "hooks": (),
    }
    return EventRow(**(known | more))


def recorded(number: int, name: str = "PreToolUse", **more: Any) -> RecordedEvent:
    """Return a recorded event."""
    found = event_of_row(row(number, name, **more))
    assert isinstance(found, RecordedEvent)
    return found


def denying(pattern: str, name: str = "tried", urgency: str = "block") -> Change:
    """Return a change that adds one rule."""
    rule = {"id": name, "urgency": urgency, "toolFilter": {"include": [pattern]}}
    return Change(rules=(added_rule({**rule, "payload": {"text": "No."}}),))


def plan(
    change: Change | None = None, settings: Settings | None = None, rows: LastingRows = NO_ROWS
) -> Plan:
    """Return a plan on a machine that has no settings of hookd."""
    daemon = DaemonState(claude=f"{HOME}/.claude", own=(f"{HOME}/.hookd",))
    places = HOME, f"{HOME}/.config/hookd"
    return make_plan(daemon, settings or Settings(), change or Change(), rows, places)


def replayed(*events: RecordedEvent | Damaged, change: Change | None = None, **more: Any) -> Tally:
    """Replay the events of one session."""
    replayer = Replayer(plan(change, **more))
    try:
        return replayer.run("s1", events)
    finally:
        replayer.close()
