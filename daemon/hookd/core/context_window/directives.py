"""Directive files: instructions in a project's folders for the work there.

They are searched for from the folder of a touched file up to the project's root, never beyond it,
and each is given once in a session. A folder that the user added to the session is a root as well.
"""

import posixpath
from dataclasses import replace
from fnmatch import fnmatchcase

from hookd.core.context_window.client_files import given_by_client
from hookd.core.context_window.injections import NewText
from hookd.core.context_window.preload import mark_given, preload
from hookd.core.context_window.touched_paths import (
    folders_below_root,
    touched_files,
    touched_folders,
)
from hookd.core.efforts.skill_lookup import find_skill
from hookd.core.model.effects.efforts import SetDirectives
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import DirListing, Folder
from hookd.core.model.facts import Facts, Project
from hookd.events.model import ToolInput
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact

_MAX_FOLDERS = 30
_MAX_REMEMBERED = 60
"""Maximum files stored with an effort for its next sessions; the last ones."""
_MAX_FILES = 20
"""Maximum files that one call adds."""


@dataclass(frozen=True, slots=True)
class Discovered:
    """The directive files that are new to the session, and the effects."""

    fresh: tuple[NewText, ...] = ()
    effects: tuple[Effect, ...] = ()


def discover(event: ToolInput, facts: Facts) -> Discovered:
    """Return the directive files for the folder that a tool has touched."""
    when = facts.settings.directives.when
    if facts.session is None or when == "never" or (when == "effort" and facts.effort is None):
        return Discovered()
    root, folders = _new_folders(event, facts)
    if not folders:
        return Discovered()
    # Only now: loading a skill takes a retry, and most calls touch no new folder.
    known = find_skill(facts.effort.skill, facts).known if facts.effort else None
    facts.require_all(*(DirListing(folder, root) for folder in folders))
    names = (*facts.settings.directives.files, *(known.skill.directives if known else ()))
    paths = [  # at most a handful: a skill may name "*.md"
        posixpath.join(there.path, name)
        for folder in folders
        if (there := facts.require(DirListing(folder, root)))
        for name in _matching(there, names)
    ][:_MAX_FILES]
    given = given_by_client(paths, facts, subagent=event.agent_type if event.agent_id else None)
    paths = [path for path in paths if path not in given]
    # An added folder is treated as the project, so that only its files may be read.
    below = replace(facts, project=Project(0, root))
    found = preload(paths, below, known, rule_id="directive").fresh
    shown = touched_files(event)
    fresh = tuple(one for one in found if one.path not in shown)
    own = facts.project is not None and facts.project.path == root
    # The effort's next session may not have the folder that was added to this one.
    return Discovered(
        fresh, (*mark_given(facts, fresh, folders), *(_remembered(fresh, facts) if own else ()))
    )


def _new_folders(event: ToolInput, facts: Facts) -> tuple[str, tuple[str, ...]]:
    """Return a root that contains touched folders, and the new folders down to them."""
    found = [_new_above(folder, facts) for folder in touched_folders(event)[:_MAX_FOLDERS]]
    new = [(root, folders) for root, folders in found if folders]
    if not new:
        return "", ()
    first = new[0][0]
    below = (folder for root, folders in new if root == first for folder in folders)
    return first, tuple(dict.fromkeys(below))


def _new_above(folder: str, facts: Facts) -> tuple[str, tuple[str, ...]]:
    project, session = facts.project, facts.session
    if project is None or session is None:
        return "", ()
    if redact(folder) in session.touched_dirs:
        return "", ()
    root, below = folders_below_root(folder, (project.path, *session.added_dirs), facts)
    # A folder outside of all roots is stored too, so that it is checked only once.
    chain = [*dict.fromkeys((*below, folder))][:_MAX_FOLDERS]
    new = tuple(one for one in chain if redact(one) not in session.touched_dirs)
    return root or project.path, new


def _matching(folder: Folder, names: tuple[str, ...]) -> list[str]:
    wanted = [name if "." in name else f"{name}.md" for name in names]
    return [name for name in folder.names if any(fnmatchcase(name, one) for one in wanted)]


def _remembered(fresh: tuple[NewText, ...], facts: Facts) -> tuple[Effect, ...]:
    effort = facts.effort
    if effort is None or not fresh:
        return ()
    files = tuple(redact(one.path) for one in fresh if one.path)
    together = tuple(dict.fromkeys((*effort.directives, *files)))[-_MAX_REMEMBERED:]
    return (SetDirectives(effort.id, together),) if together != effort.directives else ()
