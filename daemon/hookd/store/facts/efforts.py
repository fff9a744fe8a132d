"""Which project and effort a request means, by what is nearest."""

import sqlite3

from hookd.core.model.facts import Agent, Effort, Project, Session
from hookd.core.model.identity import Where
from hookd.lazy_dataclass import dataclass
from hookd.store.facts.rows import EFFORT, as_effort, one

_ABOVE = (
    "SELECT id, path, repository FROM projects"
    " WHERE ?1 = path OR substr(?1, 1, length(path) + 1) = path || '/'"
    " ORDER BY length(path) DESC LIMIT 1"
)


def project(db: sqlite3.Connection, where: Where, session: Session | None) -> Project | None:
    """Return the project: that of the session, else the nearest known root."""
    if session and session.project_id is not None:
        row = one(db, "SELECT id, path, repository FROM projects WHERE id = ?", session.project_id)
        return Project(*row) if row else None
    if root := where.identity.project_dir:
        # The client's own project folder is the project, whatever root it lies under.
        row = one(db, "SELECT id, path, repository FROM projects WHERE path = ?", root)
        return Project(*row) if row else None
    for folder in (where.cwd, where.task_dir):
        if folder and (row := one(db, _ABOVE, folder)):
            return Project(*row)
    return None


@dataclass(frozen=True, slots=True)
class Near:
    """What an effort is found by, the nearest first; `session` is a subagent's parent where new."""

    session: Session | None
    previous: Session | None
    agent: Agent | None
    project: Project | None


def effort(
    db: sqlite3.Connection, where: Where, near: Near, *, share: bool
) -> tuple[Effort | None, bool]:
    """Return the effort: the named one, the session's, else the nearest active one.

    The second value is true if it was found as the project's latest only.
    """
    if where.effort_id is not None:
        return by_id(db, where.effort_id), False
    if near.session is not None:
        return by_id(db, near.session.effort_id), False
    for owner in (near.previous, near.agent):
        found = by_id(db, owner.effort_id) if owner else None
        if found is not None and found.active:
            return found, False
    if near.project is None or (where.identity.agent and not share):
        return None, False
    return latest(db, near.project.id), True


def latest(db: sqlite3.Connection, project_id: int) -> Effort | None:
    """Return the latest active effort of a project."""
    tail = "WHERE project_id = ? AND lifecycle = 'active' ORDER BY id DESC LIMIT 1"
    return as_effort(one(db, EFFORT + tail, project_id))


def by_id(db: sqlite3.Connection, effort_id: int | None) -> Effort | None:
    """Return the effort of this number."""
    if effort_id is None:
        return None
    return as_effort(one(db, EFFORT + "WHERE id = ?", effort_id))
