"""Subscribe this connection to the permission requests that wait for a person.

The answer is followed by notifications `approvals.changed`: `pending` are rows as in
approvals.list, those that are new (the first time all that wait), `ended` those that ended since.
With `canAnswer` the subscriber is a viewer that can answer: while there is one, requests wait
where the setting `approvals` says so, and when the last one leaves, they are left to the client's
dialog. So that is for a person.
"""

from hookd.core.model.method import Example, PushMethod, Wire


class Params(Wire):
    """`can_answer`: the subscriber can answer, by approvals.answer."""

    can_answer: bool = False


class Result(Wire):
    """The subscription is confirmed."""

    subscribed: bool = True


def topic(_params: Params) -> str:
    """Return the topic."""
    return "approvals"


METHOD = PushMethod(
    "approvals.subscribe",
    Params,
    Result,
    topic,
    (Example({}, says="then notifications"),),
    person=lambda params: params.can_answer,
)
