"""Anthropic's Messages API: the text of a request, a turn as an answer."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from clients.models.turn import Reply, Turn, events, whole

PATHS = ("/v1/messages",)


def users(body: dict[str, Any]) -> list[str]:
    """Return the text of each message of the user."""
    return [text_of(one["content"]) for one in body["messages"] if one["role"] == "user"]


def text(body: dict[str, Any]) -> str:
    """Return all text of the messages: prompts, reminders, results of tools."""
    return "\n".join(text_of(message["content"]) for message in body["messages"])


def system(body: dict[str, Any]) -> str:
    """Return the system prompt."""
    return text_of(body.get("system", ""))


def tools(body: dict[str, Any]) -> list[str]:
    """Return the names of the tools that the model may call."""
    return [str(tool.get("name")) for tool in body.get("tools") or ()]


def answer(turn: Turn, path: str, body: dict[str, Any]) -> Reply:
    """Return a turn as this API's answer, streamed where the request asks for it."""
    if path.endswith("/count_tokens"):
        return whole({"input_tokens": 1000})
    if turn.error:
        error = {"type": "invalid_request_error", "message": turn.error}
        return whole({"type": "error", "error": error}, 400)
    message = _message(turn, body["model"])
    return events(_stream(message), named=True) if body.get("stream") else whole(message)


def text_of(content: Any) -> str:
    """Return the text of a message's content; the arguments of tool calls are left out."""
    if isinstance(content, str):
        return content
    texts = [
        block.get("text", "") if block["type"] == "text" else text_of(block.get("content", ""))
        for block in content
    ]
    return "\n".join(texts)


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
