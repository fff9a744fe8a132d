"""Skill calls, by a model or a typed command: start or resume the skill's effort.

A skill whose SKILL.md declares phases starts or resumes an effort (setting `efforts.auto`), and so
does a skill in the setting `efforts.skills`; its templates are given once. A subagent works on its
parent's effort, whatever skills it calls.
"""

from hookd.core.context_window.injections import NewText
from hookd.core.efforts.briefing import start_effort
from hookd.core.efforts.lifecycle import EffortRequest, task_for
from hookd.core.efforts.skill_lookup import SkillLookup, find_skill
from hookd.core.efforts.slash_command import is_effort_command, run_effort_command
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Effort, Facts
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SkillCallResult:
    """The result of a call: a text for the model, effects, files to add, the current effort.

    `problem` is for the user: the skill's file is invalid, or the command was rejected.
    """

    text: str = ""
    effects: tuple[Effect, ...] = ()
    fresh: tuple[NewText, ...] = ()
    effort: Effort | None = None
    problem: str = ""


def call_skill(skill: str, args: str, facts: Facts) -> SkillCallResult:
    """Return the result of a skill's call."""
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
    """Return the result of the `effort` command, None for any other skill."""
    if not is_effort_command(skill) or facts.session is None:
        return None
    done = run_effort_command(args, facts)
    if done.refused:
        return SkillCallResult(problem=done.text)
    return SkillCallResult(done.text, done.effects, done.fresh, done.effort)
