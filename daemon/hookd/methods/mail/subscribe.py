"""Subscribe this connection to the news that mail was sent.

The answer is followed by notifications `mail.changed` without content: `mail.inbox` has what is for
the caller.
"""

from hookd.core.model.method import Example, PushMethod, Wire


class Params(Wire):
    """No parameters."""


class Result(Wire):
    """The subscription is confirmed."""

    subscribed: bool = True


def topic(_params: Params) -> str:
    """Return the topic."""
    return "mail"


METHOD = PushMethod(
    "mail.subscribe", Params, Result, topic, (Example({}, says="then notifications"),)
)
