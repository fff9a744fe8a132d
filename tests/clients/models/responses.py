"""OpenAI's Responses API, which Codex uses: the text of a request, a turn as an answer."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from clients.models.turn import Call, Reply, Turn, events, whole

PATHS = ("/v1/responses",)


def users(body: dict[str, Any]) -> list[str]:
    """Return the text of each message of the user."""
    return [_text_of(item) for item in _items(body) if item.get("role") == "user"]


def text(body: dict[str, Any]) -> str:
    """Return all text of the input: prompts, developer messages, results of tools."""
    return "\n".join(_text_of(item) for item in _items(body))


def system(body: dict[str, Any]) -> str:
    """Return the instructions."""
    return str(body.get("instructions") or "")


def tools(body: dict[str, Any]) -> list[str]:
    """Return the names of the tools that the model may call."""
    return [str(tool.get("name") or tool["type"]) for tool in _tools(body)]


def answer(turn: Turn, _path: str, body: dict[str, Any]) -> Reply:
    """Return a turn as this API's answer, streamed where the request asks for it."""
    if turn.error:
        return whole({"error": {"type": "invalid_request_error", "message": turn.error}}, 400)
    freeform = {tool.get("name") for tool in _tools(body) if tool["type"] == "custom"}
    items = [_item(part, freeform) for part in turn.content]
    response = {"id": f"resp_{uuid4().hex}", "object": "response", "model": body.get("model")}
    done = response | {"status": "completed", "output": items, "usage": _usage(turn.tokens)}
    return events(_stream(response, items, done), named=True) if body.get("stream") else whole(done)


def _tools(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tools: of the request, or for the newest models of an item of its input."""
    given = list(body.get("tools") or ())
    for item in _items(body):
        given += item.get("tools") or () if item.get("type") == "additional_tools" else ()
    return [one for tool in given for one in (tool.get("tools") or [tool])]


def _items(body: dict[str, Any]) -> list[dict[str, Any]]:
    given = body.get("input") or []
    return [{"role": "user", "content": given}] if isinstance(given, str) else given


def _text_of(item: dict[str, Any]) -> str:
    """Return the text of a message or of a tool's result; the arguments of calls are left out."""
    content = item.get("content") or item.get("output") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)


def _item(part: str | Call, freeform: set[Any]) -> dict[str, Any]:
    """Return one item of the output; `freeform` has the tools that take a text, no JSON."""
    if isinstance(part, str):
        content = [{"type": "output_text", "text": part, "annotations": []}]
        message = {"type": "message", "role": "assistant", "status": "completed"}
        return message | {"id": f"msg_{uuid4().hex}", "content": content}
    kind = {"id": f"fc_{uuid4().hex}", "call_id": f"call_{uuid4().hex[:24]}", "name": part.name}
    if part.name in freeform:
        return kind | {"type": "custom_tool_call", "input": next(iter(part.arguments.values()))}
    if part.name == "tool_search":
        found = {"type": "tool_search_call", "execution": "client", "status": "completed"}
        del kind["name"]
        return kind | found | {"arguments": dict(part.arguments)}
    if part.name.startswith("mcp__"):  # a tool of a server is named apart from its server
        server, _, name = part.name.rpartition("__")
        kind |= {"namespace": server, "name": name}
    return kind | {"type": "function_call", "arguments": json.dumps(dict(part.arguments))}


def _usage(tokens: int) -> dict[str, Any]:
    cached, thought = {"cached_tokens": 0}, {"reasoning_tokens": 0}
    given = {"input_tokens": tokens, "input_tokens_details": cached}
    return given | {
        "output_tokens": 20,
        "output_tokens_details": thought,
        "total_tokens": tokens + 20,
    }


def _stream(
    response: dict[str, Any], items: list[dict[str, Any]], done: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield a response as the events of the streaming API."""
    yield {"type": "response.created", "response": response}
    for index, item in enumerate(items):
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": done}
