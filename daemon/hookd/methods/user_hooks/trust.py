"""Trust the hooks in a project's own files with exactly their current content.

`digest` is the value that userHooks.list returned: the user agrees to the content they were shown.
"""

from pydantic import Field

from hookd.core.model.effects.after_commit import ReloadHooks
from hookd.core.model.effects.messages import Trust
from hookd.core.model.errors import DomainError
from hookd.core.model.fact_requests import HooksOfProject
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`root` is the project's root, absolute."""

    root: str = Field(pattern="^/")
    digest: str = Field(pattern="^[0-9a-f]{64}$")


class Result(Wire):
    """The trusted project and content."""

    root: str
    digest: str


def decide(params: Params, facts: Facts) -> Change:
    """Store the trust. NOT_FOUND if there is nothing to trust, STALE if the files have changed."""
    page = facts.require(HooksOfProject(params.root))
    if page is None or page.digest is None:
        raise DomainError("NOT_FOUND", "the project has no hooks of its own")
    if page.digest != params.digest:
        raise DomainError("STALE", "the files have changed since they were shown")
    effects = (Trust(params.root, params.digest), ReloadHooks(params.root))
    return Change(Result(root=params.root, digest=params.digest), effects)


METHOD = ChangeMethod(
    "userHooks.trust",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"root": "/work/orders", "digest": "0" * 64}, says="NOT_FOUND"),),
    person=True,
)
