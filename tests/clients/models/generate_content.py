"""Gemini's generateContent API: the text of a request, a turn as an answer."""

from typing import Any

from clients.models.turn import Reply, Turn, events, whole

PATHS = ("/v1beta/models/",)


def users(body: dict[str, Any]) -> list[str]:
    """Return the text of each content of the user."""
    return [_text_of(one) for one in body.get("contents", ()) if one.get("role") == "user"]


def text(body: dict[str, Any]) -> str:
    """Return all text of the contents: prompts, hook contexts, results of tools."""
    return "\n".join(_text_of(one) for one in body.get("contents", ()))


def system(body: dict[str, Any]) -> str:
    """Return the system instruction."""
    return _text_of(body.get("systemInstruction") or {})


def tools(body: dict[str, Any]) -> list[str]:
    """Return the names of the tools that the model may call."""
    given = [tool.get("functionDeclarations", ()) for tool in body.get("tools") or ()]
    return [str(one.get("name")) for declared in given for one in declared]


def answer(turn: Turn, path: str, body: dict[str, Any]) -> Reply:
    """Return a turn as this API's answer, streamed where the address asks for it."""
    if path.endswith(":countTokens"):
        return whole({"totalTokens": turn.tokens})
    if turn.error:
        error = {"code": 400, "status": "INVALID_ARGUMENT", "message": turn.error}
        return whole({"error": error}, 400)
    parts = [
        {"text": part}
        if isinstance(part, str)
        else {"functionCall": {"name": part.name, "args": dict(part.arguments)}}
        for part in turn.content
    ]
    usage = {"promptTokenCount": turn.tokens, "candidatesTokenCount": 20}
    usage |= {"totalTokenCount": turn.tokens + 20}
    one = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    said = {"candidates": [one], "usageMetadata": usage, "modelVersion": "mock"}
    return events([said], named=False) if path.endswith(":streamGenerateContent") else whole(said)


def _text_of(content: dict[str, Any]) -> str:
    """Return the text of a content; the arguments of function calls are left out."""
    return "\n".join(_part(part) for part in content.get("parts", ()))


def _part(part: dict[str, Any]) -> str:
    """Return the text of a part, or of the result of a function."""
    given = part.get("functionResponse", {}).get("response", {})
    return str(part.get("text", "")) or "\n".join(map(str, given.values()))
