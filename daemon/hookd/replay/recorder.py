"""Recorder of a replay: stores the effects of an event in memory, under the event's own number."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hookd.core.hook_rules.model import HookRun
from hookd.core.model.facts import Effort, Facts
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.pipeline.recorder import AfterCommitEffects, Effects
from hookd.replay.event import RecordedEvent
from hookd.store.database import Connection
from hookd.store.replays import LastingRows, ReplayDatabase
from hookd.store.writes import Event, written


class ReplayRecorder:
    """Stores an event as the daemon does, but nothing of its payload and its answer.

    What the database cannot know is taken from the record: the event's number, the effort that was
    active, how full the window was. No after-commit effect follows.
    """

    def __init__(self, rows: LastingRows, database: ReplayDatabase) -> None:
        self._rows, self._database = rows, database
        self.event_now: RecordedEvent | None = None

    def facts(self, facts: Facts, *, fails_closed: bool) -> Facts:
        """Return the facts with what was recorded."""
        event = self.event_now
        if event is None:
            return facts
        session, usage = facts.session, event.facts.usage
        if session is not None and usage is not None:
            session = replace(session, context_usage=usage)
        effort = None if event.facts.effort is None else self._effort(event.facts.effort, event.at)
        numbers = replace(facts.next, event=event.number)
        return replace(facts, next=numbers, session=session, effort=effort, by_project=False)

    def outcome(self, event: HookInput, outcome: Outcome) -> Outcome:
        """Return it unchanged."""
        return outcome

    def number(self, number: int) -> int:
        """Return it unchanged."""
        return number

    def repeat(self, db: Connection, number: int, at: str) -> None:
        """Store nothing."""

    def effects(self, db: Connection, effects: Effects, at: str) -> AfterCommitEffects:
        """Store effects in memory; none follows."""
        written(db, effects, at)
        return ()

    def event(self, db: Connection, row: Event) -> None:
        """Store that the event was evaluated."""
        self._database.record(row.id, row.at, row.event, row.session_id)

    def completion(self, db: Connection, row: Event, runs: Sequence[HookRun]) -> None:
        """Store nothing more."""

    def _effort(self, number: int, at: str) -> Effort | None:
        """Return the effort as it was at that time, None if it is not known any more."""
        row = self._rows.efforts.get(number)
        if row is None:
            return None
        entered = [label for label, when in self._rows.phases.get(number, ()) if when <= at]
        number, task, skill, ordinal, mode, project, metadata, directives = row
        return Effort(
            number,
            task,
            skill,
            ordinal,
            mode,
            phase=entered[-1] if entered else None,
            project_id=project,
            metadata=_object(metadata),
            directives=tuple(json.loads(directives)),
        )


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    return value if isinstance(value, dict) else {}
