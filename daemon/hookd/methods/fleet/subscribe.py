"""Be told on this connection how the fleet stands, and of each change.

The answer is followed by notifications `fleet.changed`: `agents` are rows as fleet.status has them,
those that are new or have changed (the first time all), `gone` the names of those that are no more.
Changes within a tenth of a second come as one. Whoever reads too slowly gets `fleet.dropped` with a
reason as the last line, and the connection is closed.
"""

from hookd.core.model.method import Example, PushMethod, Wire


class Params(Wire):
    """There are none."""


class Result(Wire):
    """That it is so."""

    subscribed: bool = True


def topic(_params: Params) -> str:
    """Name what is told."""
    return "fleet"


METHOD = PushMethod(
    "fleet.subscribe", Params, Result, topic, (Example({}, says="then notifications"),)
)
