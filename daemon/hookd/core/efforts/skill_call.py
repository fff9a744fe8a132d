"""What happens when a skill is called, by a model or by a typed command.

A skill whose SKILL.md declares phases starts or resumes its effort (setting `efforts.auto`), and so
does one that the setting `efforts.skills` names; its
templates are given once. A subagent works on its parent's effort, whatever skills it calls.
"""

from dataclasses import dataclass

from hookd.core.context_window.injections import NewText
from hookd.core.efforts.briefing import start_effort
from hookd.core.efforts.lifecycle import EffortRequest, task_for
from hookd.core.efforts.skill_lookup import SkillLookup, find_skill
from hookd.core.efforts.slash_command import is_effort_command, run_effort_command
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Effort, Facts


@dataclass(frozen=True, slots=True)
class SkillCallResult:
    """What a call brings: a text for the model, effects, files to give, the effort at hand.

    `problem` is for the user: the skill's file cannot be used, or the command was refused.
    """

    text: str = ""
    effects: tuple[Effect, ...] = ()
    fresh: tuple[NewText, ...] = ()
    effort: Effort | None = None
    problem: str = ""


def call_skill(skill: str, args: str, facts: Facts) -> SkillCallResult:
    """Return what the call of a skill brings."""
    session = facts.session
    if session is None or session.agent_id:
        return SkillCallResult()
    found = find_skill(skill, facts)
    if not _starts_effort(skill, found, facts):
        return SkillCallResult(effects=found.effects, problem=found.problem)
    task = task_for(skill, args, facts)
    if task is None:
        return SkillCallResult(effects=found.effects, problem=found.problem)
    one = start_effort(EffortRequest(task, skill), facts, resume=True)
    return SkillCallResult(one.text, one.effects, one.fresh, one.effort, found.problem)


def _starts_effort(skill: str, found: SkillLookup, facts: Facts) -> bool:
    """Return whether a call of this skill starts an effort."""
    settings, known = facts.settings.efforts, found.known
    declared = known is not None and bool(known.skill.phases)
    return skill in settings.skills or (declared and settings.auto)


def call_effort_command(skill: str, args: str, facts: Facts) -> SkillCallResult | None:
    """Return what a call of the `effort` command brings, or None where it is another skill."""
    if not is_effort_command(skill) or facts.session is None:
        return None
    done = run_effort_command(args, facts)
    if done.refused:
        return SkillCallResult(problem=done.text)
    return SkillCallResult(done.text, done.effects, done.fresh, done.effort)
