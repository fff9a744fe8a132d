"""Withdraw the trust in a project's own hooks: they are listed, but do not run."""

from pydantic import Field

from hookd.core.model.effects.after_commit import ReloadHooks
from hookd.core.model.effects.messages import Trust
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`root` is the project's root, absolute."""

    root: str = Field(pattern="^/")


class Result(Wire):
    """The project."""

    root: str


def decide(params: Params, _facts: Facts) -> Change:
    """Remove the trust."""
    effects = (Trust(params.root, None), ReloadHooks(params.root))
    return Change(Result(root=params.root), effects)


METHOD = ChangeMethod(
    "userHooks.untrust",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"root": "/work/orders"}),),
    person=True,
)
