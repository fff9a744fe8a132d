"""Slash command `/effort`: start, resume or log, for a model or a person without a shell.

`start TASK SKILL [--mode MODE]`, `resume [TASK]`, `log TEXT`. It is a call of the tool Skill with
the skill `effort` (or a name that ends in `:effort`), or a typed `/effort`.
"""

import posixpath
import shlex
from collections.abc import Callable

from hookd.core.context_window.injections import NewText
from hookd.core.efforts.briefing import EffortBriefing, resume_effort, start_effort
from hookd.core.efforts.lifecycle import EffortRequest
from hookd.core.efforts.log_entry import write_entry
from hookd.core.model.effects.union import Effect
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import LatestEffort, TaskByDir
from hookd.core.model.facts import Effort, Facts
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

_USAGE = "effort start TASK SKILL [--mode MODE] | effort resume [TASK] | effort log TEXT"
_SKILL = lazy_compile(r"[A-Za-z0-9._:-]{1,80}")
_MAX_CHARS = 20_000
_TASK = lazy_compile(r"[^-\0][^\0]*")


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command: a text for the model, the effects, and files to add.

    If `refused`, the text says why.
    """

    text: str
    effects: tuple[Effect, ...] = ()
    fresh: tuple[NewText, ...] = ()
    effort: Effort | None = None
    refused: bool = False


def is_effort_command(skill: str) -> bool:
    """Return whether a skill is this command."""
    return skill == "effort" or skill.endswith(":effort")


def run_effort_command(args: str, facts: Facts) -> CommandResult:  # noqa: PLR0911
    """Run the command. Errors are in the result, never raised."""
    if len(args) > _MAX_CHARS:
        return _refused(f"it has more than {_MAX_CHARS} characters")
    if args.split(maxsplit=1)[:1] == ["log"]:
        return _logged(args.strip().removeprefix("log").strip(), facts)
    try:
        words = shlex.split(args)
    except ValueError as error:
        return _refused(f"its arguments cannot be parsed ({error})")
    verb = _VERBS.get(words[0]) if words else None
    if verb is None:
        return _refused(f"there is no subcommand {words[0]!r}" if words else "it has no subcommand")
    if facts.session and facts.session.agent_id:
        return _refused("a subagent works on its parent's effort")
    try:
        return verb(words[1:], facts)
    except DomainError as error:
        return _refused(str(error))


def effort_to_resume(task: str | None, skill: str | None, facts: Facts) -> Effort:
    """Return the effort to resume: of a task, else the current one, else the project's latest.

    Raise DomainError: NOT_FOUND or NO_ACTIVE_EFFORT.
    """
    if task is None:
        effort = facts.effort
        if effort is None and facts.project and not facts.identity.agent:
            effort = facts.require(LatestEffort(facts.project.id))  # the session did not join it
        if effort is None or not effort.active:
            raise DomainError("NO_ACTIVE_EFFORT", "no effort is active here")
        return effort
    found = facts.require(TaskByDir(task))
    mine = (None, facts.identity.agent)
    active = [one for one in found.active if skill in (None, one.skill)] if found else []
    if facts.identity.agent:
        active = [one for one in active if one.owner in mine]
    if not active:
        raise DomainError("NOT_FOUND", f"no effort is active on the task {task}")
    return active[0]


def _start(words: list[str], facts: Facts) -> CommandResult:
    mode = None
    if "--mode" in words[:-1]:
        at = words.index("--mode")
        mode = words[at + 1]
        words = words[:at] + words[at + 2 :]
    if len(words) != 2 or not _SKILL.fullmatch(words[1]) or not _TASK.fullmatch(words[0]):
        return _refused("start needs a task and a skill")
    wanted = EffortRequest(_folder(words[0], facts), words[1], mode)
    return _done(start_effort(wanted, facts, resume=True))


def _resume(words: list[str], facts: Facts) -> CommandResult:
    if len(words) > 1:
        return _refused("resume accepts at most one task")
    task = _folder(words[0], facts) if words else None
    return _done(resume_effort(effort_to_resume(task, None, facts), facts))


def _logged(text: str, facts: Facts) -> CommandResult:
    """Log a text verbatim: an apostrophe is not a quote. Quotes around the text are removed."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1].strip()
    if not text:
        return _refused("log needs a text")
    try:
        effort, effects = write_entry(text, facts)
    except DomainError as error:
        return _refused(str(error))
    return CommandResult(f"[hookd:effort] Logged: {effort.log_path}", effects, effort=effort)


_VERBS: dict[str, Callable[[list[str], Facts], CommandResult]] = {
    "start": _start,
    "resume": _resume,
}


def _folder(named: str, facts: Facts) -> str:
    """Return the task's folder; a name without a slash is in the project's folder for tasks."""
    if "\0" in named:
        raise DomainError("NOT_FOUND", "a folder's name cannot contain NUL")
    root = facts.project.path if facts.project else facts.identity.cwd
    if root is None:
        raise DomainError("NOT_FOUND", "there is no project here")
    base = root if "/" in named else posixpath.join(root, facts.settings.efforts.tasks)
    folder = posixpath.normpath(posixpath.join(base, named))
    if not folder.startswith(root.rstrip("/") + "/"):
        # The command runs without a question to the user, and a log is written there.
        raise DomainError("NOT_FOUND", f"{folder} is not in the project {root}")
    return folder


def _done(beginning: EffortBriefing) -> CommandResult:
    return CommandResult(beginning.text, beginning.effects, beginning.fresh, beginning.effort)


def _refused(why: str) -> CommandResult:
    return CommandResult(f"The effort command was not run: {why}. Usage: {_USAGE}", refused=True)
