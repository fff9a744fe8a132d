"""Tool results: the text of a response of any shape, and failed calls.

A call that started and failed has its own event. A call that was rejected before, because of its
input, is only among the results of its batch.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from hookd.events.model import HookInput, PostToolUse, PostToolUseFailure
from hookd.lazy_dataclass import dataclass

MAX_ERROR_CHARS = 4_000
"""Maximum characters of an error that are read: the rest is mostly the call's own text."""

_OPENED, _CLOSED = "<tool_use_error>", "</tool_use_error>"
"""Tags around the client's reason for rejecting a call."""

_MARKS = (_OPENED, "error:", "[error]", "api error", "invalid arguments", "inputvalidationerror")
_FAILED = ("error", "failed")
_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call, and the beginning of its error."""

    tool: str
    input: Mapping[str, Any]
    call: str | None
    text: str


def text_of(response: Any) -> str | None:
    """Return the text of a response: a text, blocks, or an object with `content`. Else None."""
    body = response.get("content") if isinstance(response, dict) else response
    if isinstance(body, str):
        return body
    if isinstance(body, list):
        return "\n".join(filter(None, map(_text, body)))
    return None


def is_flagged_error(response: Any) -> bool:
    """Return whether a response is marked as an error."""
    return isinstance(response, dict) and (
        response.get("isError") is True
        or response.get("is_error") is True
        or response.get("status") in _FAILED
    )


def error_of(response: Any) -> str:
    """Return the beginning of the error in a response, "" if it is not an error.

    A text is an error if it begins like one; a report that only mentions an error is not.
    """
    said = response.get("error") if isinstance(response, dict) else None
    if isinstance(said, str) and said.strip():
        return said[:MAX_ERROR_CHARS]
    text = (text_of(response) or "")[:MAX_ERROR_CHARS].strip()
    if is_flagged_error(response):
        return text or "error"
    return _bare(text) if text.casefold().startswith(_MARKS) else ""


def failures(event: HookInput, tools: frozenset[str]) -> tuple[Failure, ...]:
    """Return the failed calls of these tools in an event; an interrupt is not a failure.

    It is a PostToolUseFailure, a PostToolUse whose response is an error, or a PostToolBatch.
    """
    return tuple(one for one in _failed(event) if one.tool in tools and one.text)


def unreported(found: tuple[Failure, ...], state: object) -> tuple[Failure, ...]:
    """Return the failures that a policy has not reported yet, by its stored state."""
    known = _told(state)
    return tuple(one for one in found if one.call is None or one.call not in known)


def reported_state(found: tuple[Failure, ...], state: object) -> dict[str, Any]:
    """Return the state of a policy that reports these: a batch lists them again."""
    calls = (one.call for one in found if one.call is not None)
    return {"told": [*_told(state), *calls][-_MOST_TOLD:]}


def _told(state: object) -> list[Any]:
    calls = state.get("told") if isinstance(state, dict) else None
    return calls if isinstance(calls, list) else []


def _failed(event: HookInput) -> Iterator[Failure]:
    if isinstance(event, PostToolUseFailure):
        if not event.is_interrupt:
            yield Failure(
                event.tool_name, event.tool_input, event.tool_use_id, event.error[:MAX_ERROR_CHARS]
            )
    elif isinstance(event, PostToolUse):
        error = error_of(event.tool_response)
        yield Failure(event.tool_name, event.tool_input, event.tool_use_id, error)
    else:
        calls = getattr(event, "tool_calls", None)
        for call in calls if isinstance(calls, list) else ():
            if isinstance(call, dict):
                yield _refused(call)


def _refused(call: Mapping[str, Any]) -> Failure:
    """Return a call of a batch; without a text if it was not rejected."""
    text = (text_of(call.get("tool_response")) or "")[:MAX_ERROR_CHARS].lstrip()
    tool, given, number = (call.get(key) for key in ("tool_name", "tool_input", "tool_use_id"))
    return Failure(
        tool if isinstance(tool, str) else "",
        given if isinstance(given, dict) else {},
        number if isinstance(number, str) else None,
        _bare(text) if text.startswith(_OPENED) else "",
    )


def _bare(text: str) -> str:
    return text.removeprefix(_OPENED).partition(_CLOSED)[0].strip()


def _text(block: Any) -> str:
    text = block.get("text") if isinstance(block, dict) else block
    return text if isinstance(text, str) else ""
