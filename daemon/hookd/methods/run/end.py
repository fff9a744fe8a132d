"""Report that the client of a supervised run has ended.

`hookd run` calls this after each end: windows of that run that are still open, because their client
crashed, are ended. So the next window follows them, and receives their handover.
"""

from pydantic import Field

from hookd.core.model.effects.sessions import EndSession
from hookd.core.model.fact_requests import WindowsOfRun
from hookd.core.model.facts import Facts
from hookd.core.model.identity import RUN, Identity, Where
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """`runId` is the run's id, as it was attached."""

    run_id: str = Field(pattern=f"^{RUN.pattern}$")


class Result(Wire):
    """How many windows were open."""

    ended: int


def where(_params: Params, identity: Identity) -> Where:
    """Locate nothing but the run."""
    return Where(identity)


def decide(params: Params, facts: Facts) -> Change:
    """End the windows."""
    windows = facts.require(WindowsOfRun(params.run_id)) or ()
    effects = tuple(EndSession(window, "client ended") for window in windows)
    return Change(Result(ended=len(windows)), effects)


METHOD = ChangeMethod(
    "run.end",
    Params,
    Result,
    where,
    decide,
    (Example({"runId": "0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11"}, says="ended 0"),),
)
