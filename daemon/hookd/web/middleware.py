"""Apply the access rules to every request: pages, events, static files, errors.

An ASGI middleware around the whole application. Nothing that it refuses reaches a page.
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from time import monotonic
from typing import Any

from hookd.lazy_dataclass import dataclass
from hookd.web.access import (
    HEADERS,
    MAX_BODY_BYTES,
    Entry,
    Metrics,
    Refused,
    Request,
    Rules,
    Served,
    cookie_header,
    decide,
    valid_form,
)
from hookd.web.keys import Keys

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_ENTERED = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>hookd</title>
<link rel="icon" href="{root}static/icon.svg" type="image/svg+xml">
<meta http-equiv="refresh" content="0;url={root}"></head>
<body><p><a href="{root}">Open hookd</a></p></body></html>
"""
"""Leads on from a link for one use: a redirect would still be a request of another site."""


@dataclass(frozen=True, slots=True)
class Callbacks:
    """`notice` returns the page of a refusal, of its status and a sentence.

    `peer_refusal` returns why the process that asks may not open a link or change anything, "" if
    it may; it runs on a thread. `entered` is called when a link was opened.
    """

    notice: Callable[[int, str], str]
    peer_refusal: Callable[[Scope], str]
    entered: Callable[[], None]


class AccessMiddleware:
    """Serves `app` to requests that the rules allow."""

    def __init__(
        self,
        app: App,
        rules: Rules,
        keys: Keys,
        callbacks: Callbacks,
    ) -> None:
        self._app = app
        self._rules = rules
        self._keys = keys
        self._callbacks = callbacks

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._request(scope, receive, _with_headers(send))
        else:  # a WebSocket
            await send({"type": "websocket.close", "code": 1008})

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        decision = decide(_request(scope), self._rules, self._keys.sessions)
        if isinstance(decision, Entry) or (isinstance(decision, Served) and decision.change):
            why = await asyncio.to_thread(self._callbacks.peer_refusal, scope)
            decision = Refused(403, why) if why else decision
        match decision:
            case Refused(status, sentence):
                await self._refuse(send, status, sentence)
            case Entry(token):
                await self._enter(send, token)
            case Metrics():
                await self._app(scope, receive, send)
            case Served(session, change):
                await self._serve(scope, receive, send, session, change)

    async def _serve(
        self, scope: Scope, receive: Receive, send: Send, session: str, change: bool
    ) -> None:
        """Serve a request of a session; a change only with the token of its form."""
        csrf = self._keys.csrf(session)
        scope["hookd.csrf"] = csrf
        # Pages are below the prefix, and routes do not know it.
        scope["root_path"] = self._rules.root.rstrip("/")
        if not change:
            await self._app(scope, receive, send)
            return
        body = await _body(receive)
        if body is None:
            await self._refuse(send, 413, "The form is too long.")
        elif not valid_form(body, csrf):
            await self._refuse(send, 403, "The form is not of this session. Load its page again.")
        else:
            await self._app(scope, _replay(body, receive), send)

    async def _enter(self, send: Send, token: str) -> None:
        session = self._keys.redeem(token, monotonic())
        if session is None:
            sentence = "This link was opened before, or is older than a minute. Get another one."
            await self._refuse(send, 403, sentence)
            return
        self._callbacks.entered()
        page = _ENTERED.format(root=self._rules.root)
        await _respond(send, 200, page, ("set-cookie", cookie_header(self._rules, session)))

    async def _refuse(self, send: Send, status: int, sentence: str) -> None:
        if sentence:
            await _respond(send, status, self._callbacks.notice(status, sentence))
        else:
            await _respond(send, status, "", ("content-type", "text/plain"))


def _request(scope: Scope) -> Request:
    headers = tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, value in scope["headers"]
    )
    return Request(scope["method"], scope["path"], headers)


async def _body(receive: Receive) -> bytes | None:
    """Return the whole body, None if it is too long or the client has gone."""
    body = b""
    while len(body) <= MAX_BODY_BYTES:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body if len(body) <= MAX_BODY_BYTES else None
    return None


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that begins with a body that was read already."""
    given = False

    async def again() -> MutableMapping[str, Any]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _with_headers(send: Send) -> Send:
    """Return a `send` that sets the headers of every response."""
    own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sending(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            kept = [pair for pair in message.get("headers", []) if pair[0].decode() not in HEADERS]
            message = {**message, "headers": [*kept, *own]}
        await send(message)

    return sending


async def _respond(send: Send, status: int, text: str, *headers: tuple[str, str]) -> None:
    body = text.encode()
    named = {"content-type": "text/html; charset=utf-8", "content-length": str(len(body))}
    named |= dict(headers)
    pairs = [(name.encode(), value.encode()) for name, value in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    await send({"type": "http.response.body", "body": body})
