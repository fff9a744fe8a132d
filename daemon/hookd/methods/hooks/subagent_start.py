"""A subagent begins: it has its own row below its parent's, and works on the parent's effort.

It receives a description of the effort, the path of its log, and the directive files found so far.
A subagent that can log also receives the form of an entry, and the skill's template of a log entry.
Without an effort it is silent.
"""

from hookd.core.context_window.client_files import given_by_client
from hookd.core.context_window.injections import give
from hookd.core.context_window.preload import mark_given, preload
from hookd.core.efforts.agent_types import can_log
from hookd.core.efforts.skill_lookup import find_skill, templates
from hookd.core.evaluation.texts import subagent_line
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.methods.hook_event import hook_event
from hookd.policies.heartbeat import DUTY


class Result(HookResult):
    """The subagent's own row, and its parent's effort."""

    session_id: int | None = None
    effort_id: int | None = None


def decide(event: HookInput, facts: Facts) -> Decision:
    """Give the subagent the description of its work."""
    effort, session = facts.effort, facts.session
    if effort is None or session is None or not event.agent_id:
        return Decision(facts)
    able = can_log(event.agent_type, facts)
    known = find_skill(effort.skill, facts).known
    named = known.skill.templates if known else {}
    log = (
        [path for kind, path in zip(named, templates(known, facts), strict=True) if kind == "log"]
        if known
        else []
    )
    given = given_by_client(effort.directives, facts, subagent=event.agent_type)
    directives = (path for path in effort.directives if path not in given)
    fresh = preload((*(log if able is not False else ()), *directives), facts, known).fresh
    line = subagent_line(effort, logs=able is not False)
    texts = give(facts, fresh, used=line)
    text = "\n\n".join(filter(None, (line, texts.text)))
    duty = (Remember(session.id, DUTY, {"by": "definition"}),) if able else ()
    return Decision(
        facts, (*texts.effects, *mark_given(facts, fresh), *duty), Opinion(context=text)
    )


def report(_event: HookInput, facts: Facts) -> Result:
    """Report the row and the effort."""
    session, effort = facts.session, facts.effort
    return Result(
        session_id=session.id if session else None, effort_id=effort.id if effort else None
    )


METHOD = hook_event(
    "SubagentStart",
    HookInput,
    decide,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "SubagentStart",
            "agent_id": "a3f80ee0",
            "agent_type": "Explore",
        },
        says="silent without an effort",
    ),
)
