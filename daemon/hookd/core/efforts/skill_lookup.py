"""Skill lookup: find a skill's file, parse it if it has changed, and find the files that it names.

A skill is searched for in the same places as Claude Code does: the user's folder, then the project.
"""

import posixpath
from collections.abc import Iterable
from typing import Any

from hookd.core.efforts.skill import Skill, SkillError, parse_skill
from hookd.core.model.effects.efforts import KeepSkill
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import File, FileText, SkillByName
from hookd.core.model.facts import Facts, KnownSkill
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

_NAME = lazy_compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,79}")
_LONGEST = 400_000
_SHARED = ("skills", "commands", "rules", ".directives")
"""Folders in Claude Code's configuration whose files skills may name."""


@dataclass(frozen=True, slots=True)
class SkillLookup:
    """A skill by its current file; `problem` says why the file is invalid."""

    known: KnownSkill | None = None
    effects: tuple[Effect, ...] = ()
    problem: str = ""


def find_skill(name: str, facts: Facts) -> SkillLookup:
    """Return the skill with this name, parsed again if its file has changed."""
    if facts.project is None or not _NAME.fullmatch(name):
        return SkillLookup()
    kept = facts.require(SkillByName(facts.project.id, name))
    file = _first(_places(name, facts), facts)
    if file is None:
        return SkillLookup(kept)
    if kept is not None and (kept.path, kept.stamp) == (file.path, file.stamp):
        return SkillLookup(kept)
    try:
        skill = parse_skill(file.text, name)
    except SkillError as error:
        return SkillLookup(kept, problem=f"{file.path}: {error}")
    known = KnownSkill(skill, file.path, file.stamp)
    return SkillLookup(known, (KeepSkill(facts.project.id, skill, file.path, file.stamp),))


def _places(name: str, facts: Facts) -> tuple[FileText, ...]:
    """Return the possible paths of a skill's file, the strongest first."""
    project = facts.project.path if facts.project else ""
    homes = [facts.daemon.claude, posixpath.join(project, ".claude")]
    paths = [f"{home}/skills/{name}/SKILL.md" for home in homes if home]
    paths += [f"{home}/commands/{name}.md" for home in homes if home]
    # People link skills from elsewhere, and Claude Code follows.
    return tuple(FileText(path, "/", _LONGEST) for path in paths)


def _first(wanted: Iterable[FileText], facts: Facts) -> File | None:
    places = tuple(wanted)
    facts.require_all(*places)
    return next((file for one in places if (file := facts.require(one))), None)


def templates(known: KnownSkill, facts: Facts) -> tuple[str, ...]:
    """Return the paths of the skill's templates."""
    return tuple(_resolved(path, known, facts) for path in known.skill.templates.values())


def commands(names: Iterable[str], known: KnownSkill, facts: Facts) -> tuple[File, ...]:
    """Return the command texts that a phase names, as far as the files exist."""
    places = [tuple(_command_places(name, known, facts)) for name in names]
    facts.require_all(*(want for one in places for want in one))
    found = (_first(one, facts) for one in places)
    return tuple(file for file in found if file)


def _command_places(name: str, known: KnownSkill, facts: Facts) -> Iterable[FileText]:
    folder = posixpath.dirname(known.path)
    file = name if name.endswith(".md") else f"{name}.md"
    homes = [folder, f"{folder}/commands"]
    if facts.project:
        homes += [facts.project.path, f"{facts.project.path}/.directives/commands"]
    homes += [f"{facts.daemon.claude}/.directives/commands"]
    return (readable_file(f"{home}/{file}", known, facts) for home in homes)


def readable_file(path: str, known: KnownSkill | None, facts: Facts) -> FileText:
    """Return the request for a file that a skill, a rule or a handover names.

    It must be in the skill's folder, among Claude Code's skills, commands and directives, or in the
    project: a project's files must not expose the user's other files, such as Claude Code's
    credentials, to the model.
    """
    roots = [posixpath.dirname(known.path)] if known else []
    if facts.daemon.claude:
        roots += [posixpath.join(facts.daemon.claude, one) for one in _SHARED]
    roots += [facts.project.path] if facts.project and facts.project.path != "/" else []
    normal = posixpath.normpath(path)
    if facts.daemon.claude and normal.startswith(facts.daemon.claude.rstrip("/") + "/"):
        roots = roots[:-1] if facts.project else roots  # though the project may be the home folder
    fit = (root for root in roots if normal.startswith(root.rstrip("/") + "/"))
    return FileText(normal, next(fit, roots[-1] if roots else "/nowhere"))


def _resolved(path: str, known: KnownSkill, facts: Facts) -> str:
    if path.startswith("~/.claude/"):
        path = posixpath.join(facts.daemon.claude, path.removeprefix("~/.claude/"))
    return posixpath.normpath(posixpath.join(posixpath.dirname(known.path), path))


def skill_config(skill: Skill) -> dict[str, Any]:
    """Return a skill as JSON for RPC results."""
    return {
        "name": skill.name,
        "version": skill.version,
        "description": skill.description,
        "phases": [
            {"label": one.label, "name": one.name, "proof": one.proof} for one in skill.phases
        ],
        "modes": dict(skill.modes),
        "templates": dict(skill.templates),
        "commands": skill.commands,
        "nextSkills": skill.next_skills,
        "directives": skill.directives,
    }
