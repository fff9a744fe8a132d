"""Mock of the model APIs on loopback: scripted turns, server-sent events, a log of requests.

It answers Anthropic's Messages, OpenAI's Responses and Chat Completions, and Gemini's
generateContent; the address tells which.

A script is a list of turns for the main conversation and one list for each subagent, which is
recognized by a marker in its prompt. Requests beside the conversations (titles, summaries for
compaction) get a fixed answer. Nothing is sent anywhere else.
"""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, cast
from uuid import uuid4

from clients.models import chat_completions, generate_content, messages, responses
from clients.models.turn import Reply, Turn, whole

LIMIT = 60
"""Requests of one mock after which it refuses by default: a client that loops ends."""
HOLD = 300
"""Seconds that a held turn waits for its release at most."""
SUMMARY = "<summary>Mock summary: the work so far.</summary>"
ASKS_FOR_SUMMARY = "Your task is to create a detailed summary"
SIDE_PROMPTS = (
    "[SUGGESTION MODE",
    "Quick recap",
    "The user stepped away",
    "Do not answer the request.",  # asks for a title
)

TOO_LONG = Turn((), error="prompt is too long: 210000 tokens > 200000 maximum")
"""Error until the client has compacted; newer clients compact when they meet it."""
BROKEN = Turn((), error="scripted error")
"""Error of the API until the next `script`: the client may try a request more than once."""


class Api(Protocol):
    """The functions of the modules of `clients.models`: one API of models."""

    PATHS: tuple[str, ...]
    """How the addresses begin."""

    def users(self, body: dict[str, Any]) -> list[str]:
        """Return the text of each message of the user."""

    def text(self, body: dict[str, Any]) -> str:
        """Return all text of the messages: prompts, reminders, results of tools."""

    def system(self, body: dict[str, Any]) -> str:
        """Return the system prompt."""

    def tools(self, body: dict[str, Any]) -> list[str]:
        """Return the names of the tools that the model may call."""

    def answer(self, turn: Turn, path: str, body: dict[str, Any]) -> Reply:
        """Return a turn as this API's answer, streamed where the request asks for it."""


APIS = cast("tuple[Api, ...]", (messages, responses, chat_completions, generate_content))
COUNTS = ("/count_tokens", ":countTokens")
"""Ends of addresses that only count tokens: no request of a conversation."""


@dataclass(frozen=True)
class Request:
    """One request for an answer of the model, with the text that the model reads."""

    kind: str  # "main", the marker of a subagent, "summary" or "side"
    body: dict[str, Any]
    api: Api

    @property
    def text(self) -> str:
        """Return all text of the messages: prompts, reminders, results of tools."""
        return self.api.text(self.body)

    @property
    def system(self) -> str:
        """Return the system prompt."""
        return self.api.system(self.body)


@dataclass
class Mock:
    """The scripted model; `requests` logs what it received."""

    turns: list[Turn] = field(default_factory=list)
    agents: dict[str, list[Turn]] = field(default_factory=dict)
    requests: list[Request] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)  # requests to any other address
    limit: int = LIMIT
    _released: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _server: "_Server | None" = None

    def __enter__(self) -> "Mock":
        """Serve on a free port of 127.0.0.1."""
        self._server = _Server(self)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Release what is held and close the port."""
        self.release()
        assert self._server
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Return the base address."""
        assert self._server
        return f"http://127.0.0.1:{self._server.server_port}"

    def script(self, *turns: Turn | str, **agents: Sequence[Turn | str]) -> None:
        """Append turns of the main conversation, and turns of subagents by marker."""
        if self.turns[:1] == [BROKEN]:
            self.turns.clear()
        self.turns += map(_turn, turns)
        for marker, theirs in agents.items():
            self.agents.setdefault(marker, []).extend(map(_turn, theirs))

    def release(self) -> None:
        """Send the turn that is held."""
        with self._lock:
            self._released.set()

    def sent(self, kind: str = "main") -> list[str]:
        """Return the text of each request of a kind, in order."""
        return [request.text for request in list(self.requests) if request.kind == kind]

    def answer(self, api: Api, body: dict[str, Any]) -> Turn:
        """Log a request and return its scripted turn."""
        with self._lock:
            request = Request(self._kind(api, body), body, api)
            self.requests.append(request)
            if len(self.requests) > self.limit:
                return BROKEN
            turn = self._next(request.kind)
            if turn.held:
                self._released.clear()
        if turn.held:
            self._released.wait(HOLD)
        return turn

    def _kind(self, api: Api, body: dict[str, Any]) -> str:
        users = api.users(body) or [""]
        if ASKS_FOR_SUMMARY in users[-1]:
            return "summary"
        if not api.tools(body) or any(words in users[-1] for words in SIDE_PROMPTS):
            return "side"
        return next((marker for marker in self.agents if marker in users[0]), "main")

    def _next(self, kind: str) -> Turn:
        if kind == "summary":
            return _turn(SUMMARY)
        turns = {"main": self.turns, "side": []}.get(kind, self.agents.get(kind, []))
        if turns[:1] == [TOO_LONG] and self.sent("summary"):
            turns.pop(0)
        if not turns:
            return _turn("Done.")
        return turns[0] if turns[0].error else turns.pop(0)


def _turn(given: Turn | str) -> Turn:
    return given if isinstance(given, Turn) else Turn((given,))


class _Handler(BaseHTTPRequestHandler):
    """One connection; `server.mock` is the script."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_POST(self) -> None:
        """Answer a request of a model API."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        path = self.path.partition("?")[0]
        api = next((one for one in APIS if path.startswith(one.PATHS)), None)
        if api is None:
            self.do_GET()
        elif path.endswith(COUNTS):
            self._send(api.answer(Turn(()), path, body))
        else:
            self._send(api.answer(self.server.mock.answer(api, body), path, body))

    def do_GET(self) -> None:
        """Refuse any other address, and log it."""
        self.server.mock.strays.append(f"{self.command} {self.path}")
        self._send(whole({}, 404))

    def do_HEAD(self) -> None:
        """Refuse it like any other address."""
        self.do_GET()

    def _send(self, reply: Reply) -> None:
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.data)))
        self.send_header("x-should-retry", "false")
        self.send_header("request-id", f"req_{uuid4().hex[:24]}")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(reply.data)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


class _Server(ThreadingHTTPServer):
    """A server on a free port of 127.0.0.1."""

    daemon_threads = True

    def __init__(self, mock: Mock) -> None:
        self.mock = mock
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, *_: object) -> None:
        """Print nothing where a client closes its connection early."""
