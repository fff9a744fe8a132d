"""The stream of signals to a browser: server-sent events.

A signal names topics; the browser then reads its page again. So a stream never holds content, and
a page without JavaScript is the same page.
"""

import json
import re
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from hookd.web.signals import STATE, Signals

MAX_STREAMS = 32
"""Streams of one server; a browser with a hidden page has none."""

_TOPIC = re.compile(r"[a-z]{1,20}(:\d{1,18})?")
_MAX_TOPICS = 8
_RETRY_MS = 1_000


def stream(signals: Signals, request: Request) -> Response:
    """Return the stream for the topics of a request, continued after its last signal."""
    if signals.streams >= MAX_STREAMS:
        return PlainTextResponse("Too many pages are live.", 503)
    named = request.query_params.get("topics", "").split(",")[:_MAX_TOPICS]
    topics = [topic for topic in named if _TOPIC.fullmatch(topic)]
    last = request.headers.get("last-event-id") or request.query_params.get("since", "")
    since = int(last) if re.fullmatch(r"\d{1,18}", last) else None
    lines = _lines(signals, [*topics, STATE], since)
    return StreamingResponse(lines, media_type="text/event-stream")


async def _lines(signals: Signals, topics: list[str], since: int | None) -> AsyncIterator[str]:
    yield f"retry: {_RETRY_MS}\n\n"
    async for signal in signals.follow(topics, since):
        if signal.topics:
            data = json.dumps(signal.topics)
            yield f"id: {signal.number}\nevent: changed\ndata: {data}\n\n"
        else:
            yield ": still here\n\n"
