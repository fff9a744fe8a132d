"""Be told on this connection when the client of a run is to be started anew.

`hookd run` asks this; the client's HOOKD_RUN is the run's id. As long as the connection lives the
run counts as supervised. The notification is `run.restart`: `prompt` is what the new client is
given to go on with, `reason` says why to a person. The daemon itself never ends a process.
"""

from pydantic import Field

from hookd.core.model.identity import RUN
from hookd.core.model.method import Example, PushMethod, Wire


class Params(Wire):
    """`runId` is chosen by the supervisor and nobody else's."""

    run_id: str = Field(pattern=f"^{RUN.pattern}$")


class Result(Wire):
    """That it is so."""

    attached: bool = True


def topic(params: Params) -> str:
    """Name what is told."""
    return f"run:{params.run_id}"


METHOD = PushMethod(
    "run.attach",
    Params,
    Result,
    topic,
    (Example({"runId": "0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11"}, says="then notifications"),),
)
