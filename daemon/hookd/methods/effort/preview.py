"""Report which project and open sessions `effort.start` would bind; nothing is changed."""

import posixpath

from pydantic import Field

from hookd.core.efforts.lifecycle import binding
from hookd.core.model.fact_requests import SessionsToBind
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire
from hookd.core.sessions.open_session import project_of


class Params(Wire):
    """`taskDir` is absolute, as for effort.start."""

    task_dir: str = Field(pattern=r"^/[^\x00]*$")


class Bound(Wire):
    """An open session; `effortId` is the active effort that it would leave."""

    id: int
    claude_session_id: str
    agent: str | None
    first_prompt: str | None
    effort_id: int | None


class Result(Wire):
    """The project's path, and its sessions, the oldest first.

    `asker` is true if a session asks, which binds only itself.
    """

    project: str | None
    asker: bool
    sessions: list[Bound]


def where(params: Params, identity: Identity) -> Where:
    """Find the caller's session and project, or the task's, as effort.start does."""
    task = posixpath.normpath(params.task_dir)
    return Where(identity, identity.claude_session_id, task_dir=task, cwd=identity.cwd)


def decide(params: Params, facts: Facts) -> Change:
    """Name the sessions."""
    project, _ = project_of(facts, facts.identity.cwd or posixpath.normpath(params.task_dir))
    known = project.id if project and project == facts.project else None
    bound = binding(0, facts, known)
    want = SessionsToBind(bound.session_id, bound.project_id, bound.owner, bound.client_process)
    result = Result(
        project=project.path if project else None,
        asker=facts.session is not None,
        sessions=[
            Bound.model_validate(one, from_attributes=True) for one in facts.require(want) or ()
        ],
    )
    return Change(result)


METHOD = ChangeMethod(
    "effort.preview",
    Params,
    Result,
    where,
    decide,
    (Example({"taskDir": "/work/orders/pagination"}, says="no session"),),
)
