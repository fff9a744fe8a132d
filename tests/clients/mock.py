"""Mock of the Messages API on loopback: scripted turns, server-sent events, a log of requests.

A script is a list of turns for the main conversation and one list for each subagent, which is
recognized by a marker in its prompt. Requests beside the conversations (titles, summaries for
compaction) get a fixed answer. Nothing is sent anywhere else.
"""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

LIMIT = 60
"""Requests of one mock after which it refuses by default: a client that loops ends."""
HOLD = 300
"""Seconds that a held turn waits for its release at most."""
SUMMARY = "<summary>Mock summary: the work so far.</summary>"
ASKS_FOR_SUMMARY = "Your task is to create a detailed summary"
SIDE_PROMPTS = ("[SUGGESTION MODE", "Quick recap", "The user stepped away")


@dataclass(frozen=True)
class Call:
    """One tool call of the model."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Turn:
    """One answer of the model; `held` delays it until `Mock.release`."""

    content: tuple[str | Call, ...]
    tokens: int = 1000
    error: str = ""
    held: bool = False


def call(name: str, **arguments: Any) -> Turn:
    """Return a turn with one tool call."""
    return Turn((Call(name, arguments),))


def bash(command: str) -> Turn:
    """Return a turn with one call of Bash."""
    return call("Bash", command=command, description="Run a command")


TOO_LONG = Turn((), error="prompt is too long: 210000 tokens > 200000 maximum")
"""Error until the client has compacted; newer clients compact when they meet it."""
BROKEN = Turn((), error="scripted error")
"""Error of the API until the script goes on: the client may try a request more than once."""


@dataclass(frozen=True)
class Request:
    """One request to `/v1/messages`, with the text that the model reads."""

    kind: str  # "main", the marker of a subagent, "summary" or "side"
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """Return all text of the messages: prompts, reminders, results of tools."""
        return "\n".join(text_of(message["content"]) for message in self.body["messages"])

    @property
    def system(self) -> str:
        """Return the system prompt."""
        return text_of(self.body.get("system", ""))


def text_of(content: Any) -> str:
    """Return the text of a message's content; the arguments of tool calls are left out."""
    if isinstance(content, str):
        return content
    texts = [
        block.get("text", "") if block["type"] == "text" else text_of(block.get("content", ""))
        for block in content
    ]
    return "\n".join(texts)


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
        self._released.set()

    def sent(self, kind: str = "main") -> list[str]:
        """Return the text of each request of a kind, in order."""
        return [request.text for request in list(self.requests) if request.kind == kind]

    def answer(self, body: dict[str, Any]) -> Turn:
        """Log a request and return its scripted turn."""
        with self._lock:
            request = Request(self._kind(body), body)
            self.requests.append(request)
            if len(self.requests) > self.limit:
                return BROKEN
            turn = self._next(request.kind)
            if turn.held:
                self._released.clear()
        if turn.held:
            self._released.wait(HOLD)
        return turn

    def _kind(self, body: dict[str, Any]) -> str:
        users = [text_of(one["content"]) for one in body["messages"] if one["role"] == "user"]
        if ASKS_FOR_SUMMARY in users[-1]:
            return "summary"
        if not body.get("tools") or any(words in users[-1] for words in SIDE_PROMPTS):
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


def _message(turn: Turn, model: str) -> dict[str, Any]:
    """Return the answer as one message."""
    content: list[dict[str, Any]] = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "tool_use", "id": f"toolu_{uuid4().hex[:24]}", "name": part.name}
        | {"input": dict(part.arguments)}
        for part in turn.content
    ]
    calls = any(block["type"] == "tool_use" for block in content)
    usage = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 20}
    return {
        "id": f"msg_{uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": turn.tokens, **usage},
    }


def _stream(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a message as the events of the streaming API."""
    begun = message | {"content": [], "stop_reason": None}
    yield {"type": "message_start", "message": begun}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty: dict[str, Any] = {"text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": block | empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": message["usage"]}
    yield {"type": "message_stop"}


class _Handler(BaseHTTPRequestHandler):
    """One connection; `server.mock` is the script."""

    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_POST(self) -> None:
        """Answer the Messages API."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0)) or "{}")
        path = self.path.partition("?")[0]
        if path == "/v1/messages/count_tokens":
            self._send(200, {"input_tokens": 1000})
        elif path == "/v1/messages":
            self._answer(body, self.server.mock.answer(body))
        else:
            self.do_GET()

    def do_GET(self) -> None:
        """Refuse any other address, and log it."""
        self.server.mock.strays.append(f"{self.command} {self.path}")
        self._send(404, {})

    def do_HEAD(self) -> None:
        """Refuse it like any other address."""
        self.do_GET()

    def _answer(self, body: dict[str, Any], turn: Turn) -> None:
        if turn.error:
            error = {"type": "invalid_request_error", "message": turn.error}
            self._send(400, {"type": "error", "error": error})
            return
        message = _message(turn, body["model"])
        if not body.get("stream"):
            self._send(200, message)
            return
        lines = [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in _stream(message)]
        self._send(200, "".join(lines).encode(), "text/event-stream")

    def _send(self, status: int, body: Any, kind: str = "application/json") -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("x-should-retry", "false")
        self.send_header("request-id", f"req_{uuid4().hex[:24]}")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

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
