"""The application: routes of all pages, changes, static files and the stream of signals."""

import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from hookd import __version__
from hookd.central.errors import CentralError
from hookd.store.browse.connection import BrowseError
from hookd.system import ancestry, stop_marker, tcp_peer
from hookd.system.socket_peer import admitted
from hookd.web.banners import banners
from hookd.web.context import Context, DaemonError
from hookd.web.metrics import CONTENT_TYPE
from hookd.web.middleware import AccessMiddleware, Callbacks, Scope
from hookd.web.page import Ask, Change, NothingThere, Page, Site
from hookd.web.reads import BusyError
from hookd.web.rendering import environment, local
from hookd.web.stream import stream

_STATIC = Path(__file__).parent / "static"
_ROOT = 0
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}

Endpoint = Callable[[Request], Awaitable[Response]]


class _Number(IntegerConvertor):
    """A row's number in a path: longer ones are no rows, and too long for the database."""

    regex = "[0-9]{1,18}"


register_url_convertor("int", _Number())


class Application:
    """The pages of one server; `asgi` is the application behind its access rules."""

    def __init__(
        self, context: Context, site: Site, entered: Callable[[], None] = lambda: None
    ) -> None:
        self._context = context
        self._site = site
        self._templates = environment()
        self._static = {
            path.name: (path.read_bytes(), _TYPES[path.suffix])
            for path in _STATIC.iterdir()
            if path.suffix in _TYPES
        }
        inner = Starlette(
            routes=self._routes(),
            exception_handlers={HTTPException: self._http_error, Exception: self._failure},
        )
        inner.router.redirect_slashes = False
        self.asgi = AccessMiddleware(
            inner,
            context.rules,
            context.keys,
            Callbacks(self._notice, self._peer_refusal, entered),
        )

    def _routes(self) -> list[Route]:
        pages = [
            Route(f"/{page.path}", self._page(page), methods=["GET"], name=page.path)
            for page in self._site.pages
        ]
        changes = [
            Route(f"/{change.path}", self._change(change), methods=["POST"])
            for change in self._site.changes
        ]
        return [
            *pages,
            *changes,
            Route("/live", self._live, methods=["GET"]),
            Route("/metrics", self._metrics, methods=["GET"]),
            Route("/static/{name}", self._static_file, methods=["GET"]),
        ]

    def _page(self, page: Page) -> Endpoint:
        async def show(request: Request) -> Response:
            signal = self._context.signals.number  # before it is read: nothing is missed
            values = await page.view(self._ask(request))
            topics = [topic.format(**request.path_params) for topic in page.topics]
            text = self._text(
                page.template,
                {"topics": topics, "signal": signal, "page": page, **values},
                csrf=request.scope["hookd.csrf"],
            )
            return HTMLResponse(text)

        return self._guarded(show)

    def _change(self, change: Change) -> Endpoint:
        async def act(request: Request) -> Response:
            fields = dict(parse_qsl((await request.body()).decode("ascii", "replace")))
            try:
                path = await change.act(self._ask(request), fields)
            except DaemonError as error:  # such as a request that was answered meanwhile
                return self._error(HTTPStatus.CONFLICT, str(error), error.step)
            return RedirectResponse(self._context.rules.root + path, HTTPStatus.SEE_OTHER)

        return self._guarded(act)

    def _guarded(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint whose expected errors are pages with a sentence and a next step."""

        async def answer(request: Request) -> Response:
            await self._context.daemon.refresh()
            try:
                return await endpoint(request)
            except NothingThere as error:
                return self._error(404, str(error))
            except (BrowseError, CentralError) as error:
                return self._error(503, _sentence(str(error)), error.step)
            except BusyError:
                return self._error(503, "Too many pages are read at the moment.", "Try it again.")
            except DaemonError as error:
                return self._error(502, str(error), error.step)

        return answer

    def _ask(self, request: Request) -> Ask:
        return Ask(self._context, request.path_params, dict(request.query_params))

    async def _live(self, request: Request) -> Response:
        return stream(self._context.signals, request)

    async def _metrics(self, _request: Request) -> Response:
        return Response(await self._context.metrics(), headers={"content-type": CONTENT_TYPE})

    async def _static_file(self, request: Request) -> Response:
        found = self._static.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        return Response(found[0], media_type=found[1])

    async def _http_error(self, _request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        sentence = "There is no such page." if status == 404 else HTTPStatus(status).phrase
        return self._error(status, sentence)

    async def _failure(self, _request: Request, error: Exception) -> Response:
        # Its place only: texts of errors can hold what was asked for, such as a search.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        print(f"hookd web: {type(error).__name__} in {place}", file=sys.stderr)  # noqa: T201
        return self._error(500, "This page failed. The terminal of hookd web says where.")

    def _error(self, status: int, sentence: str, step: str = "") -> Response:
        text = self._text(
            "error.html", {"status": status, "sentence": sentence, "step": step, "topics": []}
        )
        return HTMLResponse(text, status)

    def _notice(self, status: int, sentence: str) -> str:
        """Return the page of a refused request: nothing of hookd's data is on it."""
        return self._templates.get_template("refused.html").render(status=status, sentence=sentence)

    def _peer_refusal(self, scope: Scope) -> str:
        """Return why the process that asks may not; "" if it may, or is unknown.

        Over a Unix socket it is the proxy, which has no address. Of changes, a client's process
        is refused: an agent that has found a link must not approve itself. So is a process that
        has closed its end: what it is cannot be known any more.
        """
        server, client = scope.get("server"), scope.get("client")
        if not (server and client and client[1] and tcp_peer.readable()):
            return ""
        peer = tcp_peer.peer_of(server[1], client[1])
        if peer is None:
            return "The connection was closed before it was known who asks."
        if not admitted(peer.uid, os.geteuid()):
            return "Another user of this machine asks."
        if not self._context.rules.allow_changes:
            return ""
        # A process of root may be a relay, as in WSL; what root does is not refused anyway.
        if not peer.pids and peer.uid != _ROOT:
            return "This is for a person: the process that asks cannot be identified."
        why = next(filter(None, (ancestry.caller_of(pid).why for pid in peer.pids)), "")
        return f"This is for a person: {why}." if why else ""

    def _text(self, template: str, values: Mapping[str, Any], csrf: str = "") -> str:
        context = self._context
        status = dict(context.daemon.status)
        if status.get("pausedUntil"):
            status["pausedUntil"] = local(status["pausedUntil"])
        marker = context.stop_marker
        stopped = marker is not None and stop_marker.read(marker) is not None
        common = {
            "root": context.rules.root,
            "menu": [page for page in self._site.pages if page.menu],
            "tenant": self._site.tenant,
            "banners": banners(context.daemon.connection, status, stopped=stopped),
            "allow_changes": context.rules.allow_changes,
            "csrf": csrf,
            "version": __version__,
            "page": None,
            "signal": context.signals.number,
        }
        return self._templates.get_template(template).render({**common, **values})


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
