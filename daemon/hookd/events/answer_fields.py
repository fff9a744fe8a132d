"""Keys of Claude Code's answers that only some events take: type, place and length of each.

Source: the hooks protocol of Claude Code 2.1.329. The encoder writes these keys, and the replies of
user hooks are read by the same table.
"""

from collections.abc import Callable
from typing import Any, Literal

from hookd.events.protocol import EVENTS, MAX_TEXT_UNITS
from hookd.lazy_dataclass import dataclass

Check = Callable[[Any], bool]
"""Whether a JSON value has the type that the client takes; one wrong type voids an answer."""

Place = Literal["top", "specific", "decision"]
"""Beside hookSpecificOutput, in it, or in the `decision` of a PermissionRequest."""


def is_text(value: Any) -> bool:
    """Return whether a value is a string."""
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    """Return whether a value is true or false."""
    return isinstance(value, bool)


def is_text_list(value: Any) -> bool:
    """Return whether a value is a list of strings."""
    return isinstance(value, list) and all(map(is_text, value))


def is_object(value: Any) -> bool:
    """Return whether a value is an object."""
    return isinstance(value, dict)


def is_object_list(value: Any) -> bool:
    """Return whether a value is a list of objects."""
    return isinstance(value, list) and all(map(is_object, value))


def is_anything(_value: Any) -> bool:
    """Accept every value."""
    return True


def is_one_of(*words: str) -> Check:
    """Return a check that accepts these strings alone."""
    return lambda value: is_text(value) and value in words


@dataclass(frozen=True, slots=True)
class AnswerField:
    """A key of some events' answers. `name` is the field of an opinion that it carries.

    `max_units` is its length in UTF-16 units; None: no limit.
    """

    key: str
    name: str
    events: frozenset[str]
    check: Check = is_text
    place: Place = "specific"
    max_units: int | None = None


def _of(*events: str) -> frozenset[str]:
    return frozenset(events)


_ELICITING = _of("Elicitation", "ElicitationResult")
_WATCHING = _of("SessionStart", "CwdChanged", "FileChanged")
_PROMPTS = _of("UserPromptSubmit", "UserPromptExpansion")
_TITLED = _of("SessionStart", "UserPromptSubmit")
_SOUNDING = _of("StopFailure", "Notification", *(name for name in EVENTS if EVENTS[name].engine))

_TABLE = (
    AnswerField(
        "additionalContext", "stop_feedback", _of("Stop", "SubagentStop"), max_units=MAX_TEXT_UNITS
    ),
    AnswerField(
        "initialUserMessage", "initial_prompt", _of("SessionStart"), max_units=MAX_TEXT_UNITS
    ),
    AnswerField("sessionTitle", "session_title", _TITLED, max_units=MAX_TEXT_UNITS),
    AnswerField("watchPaths", "watch_paths", _WATCHING, is_text_list),
    AnswerField("reloadSkills", "reload_skills", _of("SessionStart"), is_flag),
    AnswerField("suppressOriginalPrompt", "hide_prompt", _PROMPTS, is_flag),
    AnswerField("updatedToolOutput", "tool_output", _of("PostToolUse"), is_anything),
    AnswerField("updatedMCPToolOutput", "mcp_tool_output", _of("PostToolUse"), is_anything),
    AnswerField("classifierContext", "classifier_context", _of("PostToolUse"), max_units=2000),
    AnswerField("retry", "retry", _of("PermissionDenied"), is_flag),
    AnswerField("displayContent", "displayed_text", _of("MessageDisplay")),
    AnswerField("action", "action", _ELICITING, is_one_of("accept", "decline", "cancel")),
    AnswerField("content", "content", _ELICITING, is_object),
    AnswerField(
        "updatedPermissions",
        "permission_updates",
        _of("PermissionRequest"),
        is_object_list,
        "decision",
    ),
    AnswerField("interrupt", "interrupt", _of("PermissionRequest"), is_flag, "decision"),
    AnswerField("terminalSequence", "terminal_sequence", _SOUNDING, place="top"),
    # After a change of folders the client shows this text to the model, not to the user.
    AnswerField(
        "systemMessage", "folder_note", _of("DirectoryAdded"), place="top", max_units=MAX_TEXT_UNITS
    ),
    # Around a compaction the client uses whatever is printed as text, even JSON: its model reads
    # the keys.
    AnswerField(
        "customInstructions",
        "compact_instructions",
        _of("PreCompact"),
        place="top",
        max_units=MAX_TEXT_UNITS,
    ),
    AnswerField(
        "message", "compact_message", _of("PostCompact"), place="top", max_units=MAX_TEXT_UNITS
    ),
)

ANSWER_FIELDS: dict[str, AnswerField] = {field.name: field for field in _TABLE}

OF_EVENT: dict[str, tuple[AnswerField, ...]] = {
    event: tuple(field for field in _TABLE if event in field.events) for event in EVENTS
}
"""The fields that each event's answer takes."""
