"""State of a session since an event: quiet, continued, ended, blocked, or not settled."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest

from hookd.core.model.effects.messages import RegisterAgent
from hookd.core.model.effects.sessions import EndSession
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.maintenance import NotificationState, Terminal, notification_state
from support.database_rows import AT, event, session, write

UNLESS = ("UserPromptSubmit", "PreToolUse")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    """Two windows; the first has stopped by event 1."""
    with closing(open_database(tmp_path / "hookd.db")) as db:
        agent = RegisterAgent(
            "ada", tmux_pane="%3", tmux_socket="/tmp/fleet-a", tmux_server=7, here=True
        )
        write(db, [agent, session(1, "s", owner="ada"), session(2, "t")])
        writes.record(db, event(1, "Stop", session_id=1))
        yield db


def test_a_session_is_quiet_until_it_goes_on(db: Connection) -> None:
    terminal = Terminal("ada", "/tmp/fleet-a", "%3", 7)
    writes.record(db, event(2, "Notification", session_id=1))
    writes.record(db, event(3, "PreToolUse", session_id=2))
    assert notification_state(db, 1, UNLESS) == NotificationState("quiet", terminal)
    writes.record(db, event(4, "PreToolUse", session_id=1))
    assert notification_state(db, 1, UNLESS) == NotificationState("over", terminal)
    assert notification_state(db, 4, UNLESS).how == "quiet"


def test_a_session_that_has_ended_or_an_event_that_was_not_kept_is_over(db: Connection) -> None:
    write(db, [EndSession(1, "clear")])
    assert notification_state(db, 1, UNLESS).how == "over"
    assert notification_state(db, 99, UNLESS) == NotificationState("over")


def test_a_stop_that_was_held_is_none_and_one_that_hooks_are_heard_of_is_open(
    db: Connection,
) -> None:
    writes.record(db, event(5, "Stop", session_id=2, decision="block"))
    assert notification_state(db, 5, UNLESS) == NotificationState("over")
    writes.record(db, event(6, "Stop", session_id=2, pending=True))
    assert notification_state(db, 6, UNLESS) == NotificationState("open")
    writes.settle(db, event(6, "Stop", session_id=2), (), AT)
    assert notification_state(db, 6, UNLESS) == NotificationState("quiet")
