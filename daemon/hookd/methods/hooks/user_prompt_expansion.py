"""A typed command expands: a skill that declares phases starts its effort, `/effort` is run.

A skill whose SKILL.md has phases starts its effort, or resumes it, on the current task, or on the
task that its words name. The model receives the path of the log, the phases, and the skill's
templates. `/effort start|resume|log` does what `hookd effort` does. `/hookd:allow` and
`/hookd:pause` are carried out if a person typed them, and never reach the model. Other commands
pass in silence.
"""

from dataclasses import replace

from hookd.core.context_window.injections import give
from hookd.core.efforts.skill_call import SkillCallResult, call_effort_command, call_skill
from hookd.core.evaluation.typed_command import run_typed_command
from hookd.core.model.facts import Facts
from hookd.core.model.method import Decision, Example, HookResult
from hookd.core.model.verdict import Opinion
from hookd.core.sessions.agent_status import working
from hookd.events.model import UserPromptExpansion
from hookd.methods.hook_event import hook_event


class Result(HookResult):
    """The current effort."""

    effort_id: int | None = None
    skill: str | None = None


def decide(event: UserPromptExpansion, facts: Facts) -> Decision:
    """Start or resume the command's effort."""
    if event.expansion_type != "slash_command":
        return Decision(facts, working(facts))
    if typed := run_typed_command(event, facts):
        return Decision(facts, working(facts), typed)
    name, args = event.command_name, event.command_args
    one = call_effort_command(name, args, facts) or call_skill(name, args, facts)
    given = give(facts, one.fresh, used=one.text)
    effects = (*working(facts), *one.effects, *given.effects)
    effort = one.effort or facts.effort
    return Decision(replace(facts, effort=effort), effects, _opinion(one, given.text))


def _opinion(one: SkillCallResult, files: str) -> Opinion | None:
    text = "\n\n".join(filter(None, (one.text, files)))
    problem = f"hookd: {one.problem}" if one.problem else ""
    return Opinion(context=text, system_message=problem) if text or problem else None


def report(_event: UserPromptExpansion, facts: Facts) -> Result:
    """Report the effort."""
    effort = facts.effort
    return Result(effort_id=effort.id, skill=effort.skill) if effort else Result()


METHOD = hook_event(
    "UserPromptExpansion",
    UserPromptExpansion,
    decide,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b-c95a-42d8-86b9-1f4e8aa7a4b7",
            "hook_event_name": "UserPromptExpansion",
            "expansion_type": "slash_command",
            "command_name": "implement",
            "command_args": "pages of orders",
            "prompt": "/implement pages of orders",
            "prompt_id": "0a5e3de9",
        },
        says="begins an effort where the skill declares phases",
    ),
)
