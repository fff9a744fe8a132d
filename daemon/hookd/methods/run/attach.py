"""Subscribe this connection to the restarts of a run's client.

`hookd run` calls this; the client's HOOKD_RUN is the run's id. The run counts as supervised while
the connection lives. The notification is `run.restart`: `prompt` is the new client's first prompt,
`reason` is for a person. The daemon itself never ends a process.
"""

from pydantic import Field

from hookd.core.model.identity import RUN
from hookd.core.model.method import Example, PushMethod, Wire


class Params(Wire):
    """`runId` is chosen by the supervisor, and unique."""

    run_id: str = Field(pattern=f"^{RUN.pattern}$")


class Result(Wire):
    """The subscription is confirmed."""

    attached: bool = True


def topic(params: Params) -> str:
    """Return the topic."""
    return f"run:{params.run_id}"


METHOD = PushMethod(
    "run.attach",
    Params,
    Result,
    topic,
    (Example({"runId": "0b6a6f0e-2f4f-4a0e-9d6c-6f1f6a0c2f11"}, says="then notifications"),),
)
