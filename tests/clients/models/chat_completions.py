"""OpenAI's Chat Completions API: the text of a request, a turn as an answer."""

import json
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from clients.models.turn import Call, Reply, Turn, events, whole

PATHS = ("/v1/chat/completions",)


def users(body: dict[str, Any]) -> list[str]:
    """Return the text of each message of the user."""
    return [_text_of(one) for one in body["messages"] if one["role"] == "user"]


def text(body: dict[str, Any]) -> str:
    """Return all text of the messages but the system prompt's."""
    return "\n".join(_text_of(one) for one in body["messages"] if one["role"] not in SYSTEM)


def system(body: dict[str, Any]) -> str:
    """Return the system prompt."""
    return "\n".join(_text_of(one) for one in body["messages"] if one["role"] in SYSTEM)


def tools(body: dict[str, Any]) -> list[str]:
    """Return the names of the tools that the model may call."""
    return [str(tool.get("function", {}).get("name")) for tool in body.get("tools") or ()]


def answer(turn: Turn, _path: str, body: dict[str, Any]) -> Reply:
    """Return a turn as this API's answer, streamed where the request asks for it."""
    if turn.error:
        return whole({"error": {"type": "invalid_request_error", "message": turn.error}}, 400)
    said = "".join(part for part in turn.content if isinstance(part, str))
    calls = [part for part in turn.content if isinstance(part, Call)]
    called = [_called(number, one) for number, one in enumerate(calls)]
    message: dict[str, Any] = {"role": "assistant", "content": said or None}
    message |= {"tool_calls": called} if called else {}
    head = {"id": f"chatcmpl-{uuid4().hex}", "created": int(time.time()), "model": body["model"]}
    usage = {"prompt_tokens": turn.tokens, "completion_tokens": 20}
    usage |= {"total_tokens": turn.tokens + 20}
    ended = "tool_calls" if called else "stop"
    if body.get("stream"):
        return events(_stream(head, message, ended, usage), named=False, last="[DONE]")
    choice = {"index": 0, "message": message, "finish_reason": ended}
    return whole(head | {"object": "chat.completion", "choices": [choice], "usage": usage})


SYSTEM = ("system", "developer")


def _text_of(message: dict[str, Any]) -> str:
    """Return the text of a message; the arguments of tool calls are left out."""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)


def _called(number: int, one: Call) -> dict[str, Any]:
    """Return one tool call of a message."""
    function = {"name": one.name, "arguments": json.dumps(dict(one.arguments))}
    return {
        "index": number,
        "id": f"call_{uuid4().hex[:24]}",
        "type": "function",
        "function": function,
    }


def _stream(
    head: dict[str, Any], message: dict[str, Any], ended: str, usage: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield a message as the chunks of the streaming API."""
    head = head | {"object": "chat.completion.chunk"}
    yield head | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": ended}]}
    yield head | {"choices": [], "usage": usage}
