"""A tool has run: store what it read and asked, and deliver what waits for the model.

A file that Read has read joins the session's loaded files. The questions of AskUserQuestion and the
user's answers become one message of the session, once per call. The changes of TaskUpdate and
TodoWrite to the client's task list are stored as the session's todos. A Skill that declares phases
starts its effort, and its templates are given; the skill `effort` is run. If a file was touched,
the directive files of its folder and of those above it, up to the project's root, are given once in
a window (setting `directives`). Texts that wait for the model are delivered as far as the budget
allows. New lines of the transcript are ingested in the background.
"""

from dataclasses import replace
from typing import Any

from hookd.core.context_window.directives import discover
from hookd.core.context_window.injections import give, queued_texts
from hookd.core.context_window.questions import dialogue, record_dialogue
from hookd.core.efforts.skill_call import SkillCallResult, call_effort_command, call_skill
from hookd.core.efforts.todos import todo_changes
from hookd.core.guard_rules.results import record_result
from hookd.core.model.effects.after_commit import ReadTranscript
from hookd.core.model.effects.sessions import SetLoadedFiles
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.agent_status import working
from hookd.events.model import PostToolUse
from hookd.methods.hook_event import hook_event
from hookd.redaction.redact import redact


class Result(HookResult):
    """The counter, the texts that waited, and the call's dialogue."""

    heartbeat_count: int = 0
    pending_injections: list[dict[str, Any]] = []
    dialogue_entry: dict[str, Any] | None = None


def decide(event: PostToolUse, facts: Facts) -> Decision:
    """Store the results of the call; give waiting texts and new files."""
    session = facts.session
    if session is None:
        return Decision(facts, working(facts))
    skill, args = event.skill or "", event.skill_args
    one = (
        (call_effort_command(skill, args, facts) or call_skill(skill, args, facts))
        if skill
        else SkillCallResult()
    )
    now = replace(facts, effort=one.effort or facts.effort)
    found = discover(event, now)
    given = give(facts, (*one.fresh, *found.fresh), used=one.text)
    text = "\n\n".join(filter(None, (one.text, given.text)))
    effects: tuple[Effect, ...] = (
        *working(facts),
        *record_dialogue(event, facts),
        *_loaded(event, facts),
        *todo_changes(event, facts),
        *record_result(event, facts),
        *one.effects,
        *found.effects,
        *given.effects,
        *((ReadTranscript(session.id, event.transcript_path),) if event.transcript_path else ()),
    )
    problem = f"hookd: {one.problem}" if one.problem else ""
    opinion = Opinion(context=text, system_message=problem) if text or problem else None
    return Decision(now, effects, opinion)


_MOST = 500
"""Files that a window is remembered to have read, the last ones."""


def _loaded(event: PostToolUse, facts: Facts) -> tuple[Effect, ...]:
    session = facts.session
    path = redact(event.call.primary or "") if event.tool_name == "Read" else None
    if session is None or not path or path in session.loaded_files:
        return ()
    return (SetLoadedFiles(session.id, (*session.loaded_files, path)[-_MOST:]),)


def report(event: PostToolUse, facts: Facts) -> Result:
    """Report the counter, the waiting texts and the dialogue."""
    return Result(
        heartbeat_count=facts.session.heartbeat_counter if facts.session else 0,
        pending_injections=[
            {"ruleId": one.rule_id, "content": one.content} for one in queued_texts(facts)
        ],
        dialogue_entry=dialogue(event),
    )


METHOD = hook_event(
    "PostToolUse",
    PostToolUse,
    decide,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": "/work/orders/README.md"},
            "tool_response": {"type": "text"},
            "tool_use_id": "toolu_01",
        },
        says="silent; the file is among the session's loaded files",
    ),
)
