"""Subscribe this connection to the fleet's status and its changes.

The answer is followed by notifications `fleet.changed`: `agents` are rows as in fleet.status, those
that are new or have changed (the first time all), `gone` the names of those that were removed.
Changes within a tenth of a second are combined. A subscriber that reads too slowly gets
`fleet.dropped` with a reason as the last line, and the connection is closed.
"""

from hookd.core.model.method import Example, PushMethod, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """The subscription is confirmed."""

    subscribed: bool = True


def topic(_params: Params) -> str:
    """Return the topic."""
    return "fleet"


METHOD = PushMethod(
    "fleet.subscribe", Params, Result, topic, (Example({}, says="then notifications"),)
)
