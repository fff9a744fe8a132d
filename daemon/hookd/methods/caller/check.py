"""Check that a person asks, before the command line does by itself what is for a person.

The daemon looks at the process that opened the connection, and at those above it: PERSON_ONLY if
one of them is a client such as Claude Code. So the settings, which the command line writes itself,
are under the same rule as the methods that weaken what guards.
"""

from pydantic import Field

from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`act` is what is about to be done, as the refusal names it."""

    act: str = Field(min_length=1, max_length=200)


class Result(Wire):
    """What may be done."""

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
    (Example({"act": "hookd policies disable"}, says="a person asks"),),
    person=True,
)
