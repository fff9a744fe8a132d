"""A prompt was submitted: the model receives the context line, and the prompt is stored.

With an active effort the context line (time, task, skill, phase, heartbeat) is added to the prompt,
and the texts that wait. A prompt that is not the user's (the end of a background task, another
agent's message) is stored with the role `system`. A prompt typed while the model works has the
prompt_id of the running turn and is a prompt of its own, even with the same text as the one before.
A command that hookd itself carries out (`/hookd:allow`) is not stored and gets no text: the model
does not read it. Serves the client's UserPromptSubmit.
"""

from hookd.core.context_window.injections import give
from hookd.core.evaluation.stop_limit import repeats_stop_reason, reset_stop_limit
from hookd.core.evaluation.texts import context_line
from hookd.core.evaluation.typed_command import is_typed_command
from hookd.core.model.effects.after_commit import ReadTranscript
from hookd.core.model.effects.messages import AddMessage
from hookd.core.model.effects.sessions import SetFirstPrompt
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.agent_status import working
from hookd.core.sessions.open_session import update_branch
from hookd.events.model import UserPrompt
from hookd.methods.hook_event import hook_event
from hookd.policies.heartbeat import limits
from hookd.redaction.redact import redact

_FIRST = 200
"""Characters of the first prompt that the fleet has."""
_READ = 4_000


class Result(HookResult):
    """The session's work; null without an effort."""

    session_context: str = ""
    effort_id: int | None = None
    session_id: int | None = None
    task_dir: str | None = None
    skill: str | None = None
    phase: str | None = None
    heartbeat: str = "0/10"


def decide(event: UserPrompt, facts: Facts) -> Decision:
    """Store the prompt; give the context line and the waiting texts."""
    if is_typed_command(event.prompt):
        return Decision(facts, working(facts))
    line = "" if _by_machine(event, facts) else context_line(facts, limits(facts)[1])
    given = give(facts, used=line)
    effects = (*working(facts), *_kept(event, facts), *update_branch(event, facts), *given.effects)
    text = "\n\n".join(filter(None, (line, given.text)))
    return Decision(facts, effects, Opinion(context=text) if text else None)


def _kept(event: UserPrompt, facts: Facts) -> tuple[Effect, ...]:
    session, effort = facts.session, facts.effort
    if session is None:
        return ()
    by_machine = _by_machine(event, facts)
    role, effort_id = "system" if by_machine else "user", effort.id if effort else None
    effects: list[Effect] = []
    if event.prompt:
        # A turn can have several prompts, all with its prompt_id.
        ref = f"{event.prompt_id}/{facts.next.event}" if event.prompt_id else None
        effects.append(AddMessage(session.id, effort_id, role, event.prompt, ref=ref))
        if not by_machine and not session.agent_id and session.first_prompt is None:
            effects.append(SetFirstPrompt(session.id, _beginning(event.prompt)))
    if event.transcript_path:
        effects.append(ReadTranscript(session.id, event.transcript_path))
    reset = () if by_machine else reset_stop_limit(event, facts)
    return (*effects, *reset)


def _by_machine(event: UserPrompt, facts: Facts) -> bool:
    return event.by_machine or repeats_stop_reason(event, facts)


def _beginning(prompt: str) -> str:
    """Return the beginning of a prompt in one line, redacted before it is cut."""
    return " ".join(redact(prompt[:_READ]).split())[:_FIRST]


def report(_event: UserPrompt, facts: Facts) -> Result:
    """Report the context line and its parts."""
    effort, limit = facts.effort, limits(facts)[1]
    if effort is None or facts.session is None:
        return Result(heartbeat=f"0/{limit}")
    return Result(
        session_context=context_line(facts, limit),
        effort_id=effort.id,
        session_id=facts.session.id,
        task_dir=effort.task_dir,
        skill=effort.skill,
        phase=effort.phase,
        heartbeat=f"{facts.session.heartbeat_counter}/{limit}",
    )


METHOD = hook_event(
    "UserPromptSubmit",
    UserPrompt,
    decide,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
            "hook_event_name": "UserPromptSubmit",
            "prompt": "Add pagination to the orders endpoint",
            "prompt_id": "0a5e3de9",
        },
        says="keeps the prompt; adds the context line where an effort is active",
    ),
)
