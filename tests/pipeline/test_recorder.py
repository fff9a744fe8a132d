"""Recorders: what is stored of an event, and what applies if nothing can be stored."""

from contextlib import closing
from pathlib import Path

from hookd.core.evaluation.read_only import UNREAD_RULE
from hookd.core.model.effects.after_commit import StopDaemon
from hookd.core.model.effects.messages import SetAgentStatus
from hookd.core.model.facts import Facts, Guard, Session
from hookd.core.model.identity import Identity
from hookd.core.model.method import HookResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput, Stop
from hookd.pipeline import recorder
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import Evaluation
from hookd.pipeline.recorder import DATABASE, NOTHING
from hookd.pipeline.response import respond
from hookd.redaction.redact import Record
from hookd.store.database import open_database

AT = "2026-01-31T08:00:00.000Z"
EFFECTS = (SetAgentStatus("a", "idle", 0), StopDaemon())
DELIVERY = Delivery(HookInput(hook_event_name="Stop"), Identity(), None, Record("{}"))
BLOCKED = Outcome("deny", "not yet")


def test_effects_after_the_commit_are_returned_and_rows_are_stored(tmp_path: Path) -> None:
    with closing(open_database(tmp_path / "hookd.db")) as db:
        db.execute("INSERT INTO agents (id, status, created_at) VALUES ('a', 'working', '')")
        assert DATABASE.effects(db, EFFECTS, AT) == (StopDaemon(),)
        assert db.execute("SELECT status FROM agents").fetchone() == ("idle",)


def test_the_null_recorder_stores_and_causes_nothing(tmp_path: Path) -> None:
    row = recorder.row(DELIVERY, evaluated(Outcome()), respond(DELIVERY, evaluated(Outcome()), 0))
    with closing(open_database(tmp_path / "hookd.db")) as db:
        before = db.total_changes
        assert NOTHING.effects(db, EFFECTS, AT) == ()
        NOTHING.event(db, row)
        NOTHING.completion(db, row, ())
        NOTHING.repeat(db, 1, AT)
        assert db.total_changes == before
    assert (DATABASE.number(7), NOTHING.number(7)) == (7, 0)


def test_without_a_store_the_rule_for_unread_rules_asks_only_if_the_event_fails_closed() -> None:
    facts = Facts(session=Session(1, "s", heartbeat_counter=9), guards=(unread(),))
    assert DATABASE.facts(facts, fails_closed=False) == facts
    opened, closed = (NOTHING.facts(facts, fails_closed=closed) for closed in (False, True))
    assert (opened.guards, closed.guards) == ((), (unread(),))
    assert opened.session is not None
    assert opened.session.heartbeat_counter == 0


def test_without_a_store_a_stop_is_not_blocked_twice() -> None:
    again = Stop(hook_event_name="Stop", stop_hook_active=True)
    assert DATABASE.outcome(again, BLOCKED) == BLOCKED
    assert NOTHING.outcome(again, BLOCKED).verdict is None
    assert NOTHING.outcome(Stop(hook_event_name="Stop"), BLOCKED) == BLOCKED


def test_a_row_has_the_decision_in_the_words_of_its_event() -> None:
    evaluation = evaluated(BLOCKED)
    row = recorder.row(DELIVERY, evaluation, respond(DELIVERY, evaluation, 7), pending=True)
    assert (row.id, row.decision, row.pending) == (7, "block", True)
    silent = evaluated(Outcome())
    row = recorder.row(DELIVERY, silent, respond(DELIVERY, silent, 8))
    assert (row.id, row.decision, row.answer, row.pending) == (8, None, None, False)


def evaluated(outcome: Outcome) -> Evaluation:
    return Evaluation(Facts(), (), outcome, HookResult(), ())


def unread() -> Guard:
    return Guard(1, "hookd", "user", UNREAD_RULE)
