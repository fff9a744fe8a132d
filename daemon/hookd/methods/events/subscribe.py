"""Subscribe this connection to the hook events that are committed from now on.

The answer is followed by notifications `events.added`, the first one at once. `events` are rows
with `id`, `at`, `event`, `sessionId`, `claudeSessionId`, `agent`, `agentId`, `project`, `toolName`,
`decision`, `rule`, `text`, `durationUs` and `pending`, the oldest first; checks of `hookd doctor`
are left out. `text` has at most 200 characters of the call or the prompt, without secrets. Events
within 50 ms are combined. One notification has at most 500 events: if there are more, the newest,
and `skipped` says about how many older ones were left out.

An event is sent when it is committed. If its user hooks are still running, `pending` is true, and
it is sent again once they have run: a row replaces an earlier one with the same id. Whoever
subscribes again with `last` as `after` misses nothing. A subscriber that reads too slowly gets
`events.dropped` with a reason as the last line, and the connection is closed.
"""

from pydantic import Field

from hookd.core.model.method import Example, PushMethod, Wire


class Params(Wire):
    """The first notification has the events after the number `after`; null: none."""

    after: int | None = Field(None, ge=0, le=2**63 - 1)


class Result(Wire):
    """The subscription is confirmed."""

    subscribed: bool = True


def topic(_params: Params) -> str:
    """Return the topic."""
    return "events"


METHOD = PushMethod(
    "events.subscribe",
    Params,
    Result,
    topic,
    (Example({}, says="then notifications"), Example({"after": 0}, says="then notifications")),
)
