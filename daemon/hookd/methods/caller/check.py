"""Check that a person asks, before the command line changes what only a person may change.

The daemon looks at the process that opened the connection, and at its ancestors: PERSON_ONLY if one
of them is a client such as Claude Code. So settings, which the command line writes directly, follow
the same rule as the methods that weaken a guard.
"""

from pydantic import Field

from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`act` is the action, as the refusal names it."""

    act: str = Field(min_length=1, max_length=200)


class Result(Wire):
    """The action that is permitted."""

    act: str


def decide(params: Params, _facts: Facts) -> Change:
    """Change nothing."""
    return Change(Result(act=params.act))


METHOD = ChangeMethod(
    "caller.check",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"act": "hookd policy disable"}, says="a person asks"),),
    person=True,
)
