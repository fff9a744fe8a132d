"""Remind a session of the work items that its conversation has taken.

The line is given at the beginning of each window: at startup, after a resume, a compaction or
/clear. After /clear, and in the next session of the same agent (AGENT_ID), the items belong to the
conversation that begins. A session without items is given nothing.
"""

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.work_items import MoveWorkItems
from hookd.core.model.fact_requests import FactRequest
from hookd.core.model.facts import Facts, FactValue, Session
from hookd.core.model.policy import OpinionKind, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.core.model.work_requests import WorkTakenBy
from hookd.core.work_items.model import WorkItem
from hookd.core.work_items.texts import own_items
from hookd.events.model import SessionStart


class Options(PolicyOptions):
    """Whether sessions are reminded of their work items."""


def opine(event: SessionStart, facts: Facts, _options: Options) -> Opinion | None:
    """Name the items of the conversation, and of the conversation that it continues."""
    session = facts.session
    if session is None or session.agent_id or not event.session_id:
        return None
    before = _continued(event, session, facts)
    wanted = [WorkTakenBy(one) for one in (event.session_id, before) if one]
    facts.require_all(*wanted)
    own, *inherited = (facts.require(one) or () for one in wanted)
    items = (*own, *(item for some in inherited for item in some))
    if not items:
        return None
    moved = before is not None and any(inherited)
    effects = (MoveWorkItems(before, event.session_id, session.id),) if before and moved else ()
    return Opinion(context=own_items(items), effects=effects)


def _continued(event: SessionStart, session: Session, facts: Facts) -> str | None:
    """Return the ended conversation that this one continues, None if there is none."""
    before = facts.previous
    if before is None or before.claude_session_id in ("", event.session_id):
        return None
    same_agent = before.owner is not None and before.owner == session.owner
    return before.claude_session_id if event.source == "clear" or same_agent else None


def _example(
    source: str, *items: WorkItem, says: OpinionKind, before: Session | None = None
) -> PolicyExample:
    event = SessionStart(session_id="s", source=source)
    facts = Facts(session=Session(2, "s"), previous=before)
    known: dict[FactRequest, FactValue | None] = {WorkTakenBy("s"): () if before else items}
    if before:
        known[WorkTakenBy(before.claude_session_id)] = items
    return PolicyExample(event, facts.with_facts(known), says)


def _examples() -> tuple[PolicyExample, ...]:
    item = WorkItem(3, "Parse the dates", "taken", conversation="s")
    return (
        _example("resume", item, says="context"),
        _example("clear", item, says="context", before=Session(1, "old")),
        _example("startup", says=""),
    )


POLICY = Policy(
    name="work-items",
    priority=27,
    events=frozenset({"SessionStart"}),
    options=Options,
    on_error="silence",
    opine=opine,
    examples=_examples,
)
