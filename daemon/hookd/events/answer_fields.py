"""The home of what only some events' answers have: where it stands, and how several become one.

Source: the hooks protocol of Claude Code 2.1.329. What nearly every event knows (a verdict,
context, a message, a new input) has fields of its own in `Opinion` and `Outcome`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hookd.events.protocol import EVENTS, MAX_TEXT_UNITS

Kind = Callable[[Any], bool]
"""Whether a JSON value is of the kind that the client takes; one wrong kind voids an answer."""

Place = Literal["top", "specific", "decision"]
"""Beside hookSpecificOutput, in it, or in the `decision` of a PermissionRequest."""

Merge = Literal["first", "any", "union", "joined", "reply"]
"""What becomes of several writers: the first stands, one True suffices, lists and texts are put
together in their order. A reply is chosen: cancel over decline over accept."""


def is_text(value: Any) -> bool:
    """Tell whether it is a text."""
    return isinstance(value, str)


def is_flag(value: Any) -> bool:
    """Tell whether it is true or false."""
    return isinstance(value, bool)


def is_text_list(value: Any) -> bool:
    """Tell whether it is a list of texts."""
    return isinstance(value, list) and all(map(is_text, value))


def is_object(value: Any) -> bool:
    """Tell whether it is an object."""
    return isinstance(value, dict)


def is_object_list(value: Any) -> bool:
    """Tell whether it is a list of objects."""
    return isinstance(value, list) and all(map(is_object, value))


def is_anything(_value: Any) -> bool:
    """Take every value."""
    return True


def is_one_of(*words: str) -> Kind:
    """Return the kind that takes these words alone."""
    return lambda value: is_text(value) and value in words


@dataclass(frozen=True, slots=True)
class Field:
    """One field of some events' answers. `room` is its length in UTF-16 units, None: no limit."""

    name: str
    events: frozenset[str]
    kind: Kind = is_text
    place: Place = "specific"
    merge: Merge = "first"
    max_units: int | None = None
    between: str = "\n\n"


def _of(*events: str) -> frozenset[str]:
    return frozenset(events)


_ELICITING = _of("Elicitation", "ElicitationResult")
_WATCHING = _of("SessionStart", "CwdChanged", "FileChanged")
_PROMPTS = _of("UserPromptSubmit", "UserPromptExpansion")
_SOUNDING = _of("StopFailure", "Notification", *(name for name in EVENTS if EVENTS[name].engine))

_TABLE = (
    # At a stop, context is a reason to go on; so it is one voice's, as the reason of a block is.
    Field("additionalContext", _of("Stop", "SubagentStop"), max_units=MAX_TEXT_UNITS),
    Field("initialUserMessage", _of("SessionStart"), max_units=MAX_TEXT_UNITS),
    Field("sessionTitle", _of("SessionStart", "UserPromptSubmit"), max_units=MAX_TEXT_UNITS),
    Field("watchPaths", _WATCHING, is_text_list, merge="union"),
    Field("reloadSkills", _of("SessionStart"), is_flag, merge="any"),
    Field("suppressOriginalPrompt", _PROMPTS, is_flag, merge="any"),
    Field("updatedToolOutput", _of("PostToolUse"), is_anything),
    Field("updatedMCPToolOutput", _of("PostToolUse"), is_anything),
    Field("classifierContext", _of("PostToolUse"), merge="joined", max_units=2000),
    Field("retry", _of("PermissionDenied"), is_flag, merge="any"),
    Field("displayContent", _of("MessageDisplay")),
    Field("action", _ELICITING, is_one_of("accept", "decline", "cancel"), merge="reply"),
    Field("content", _ELICITING, is_object, merge="reply"),
    Field("updatedPermissions", _of("PermissionRequest"), is_object_list, "decision"),
    Field("interrupt", _of("PermissionRequest"), is_flag, "decision", "any"),
    Field("terminalSequence", _SOUNDING, place="top", merge="joined", between=""),
    # What follows a change of folders is told to the model here, not to the user.
    Field(
        "systemMessage",
        _of("DirectoryAdded"),
        place="top",
        merge="joined",
        max_units=MAX_TEXT_UNITS,
    ),
    # Around a compaction, the client takes whatever is printed as text, JSON as well: the names are
    # there for whoever reads it.
    Field(
        "customInstructions",
        _of("PreCompact"),
        place="top",
        merge="joined",
        max_units=MAX_TEXT_UNITS,
    ),
    Field("message", _of("PostCompact"), place="top", merge="joined", max_units=MAX_TEXT_UNITS),
)

FIELDS: dict[str, Field] = {field.name: field for field in _TABLE}

EVENT_FIELDS: dict[str, tuple[Field, ...]] = {
    event: tuple(field for field in _TABLE if event in field.events) for event in EVENTS
}
"""The fields that each event's answer takes."""

Written = tuple[str, Mapping[str, Any]]
"""Who wrote fields, and which."""


def merge_fields(written: Iterable[Written]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the fields of all writers as one, and a sentence for each that did not get its way."""
    writers = tuple((who, fields) for who, fields in written if fields)
    names = dict.fromkeys(name for _, fields in writers for name in fields)
    one: dict[str, Any] = {}
    conflicts: list[str] = []
    for name in names:
        said = [(who, fields[name]) for who, fields in writers if name in fields]
        how = FIELDS[name].merge if name in FIELDS else "first"
        if how != "reply":
            one[name] = _several(FIELDS.get(name), [value for _, value in said])
        if how == "first":
            conflicts += conflicts_of(name, said)
    if "action" in names:
        reply, other = _reply(writers)
        one |= reply
        conflicts += other
    return one, tuple(conflicts)


def conflicts_of(name: str, said: list[tuple[str, Any]]) -> list[str]:
    """Return a sentence for each later writer who wanted something else than the first."""
    return [_conflict(name, said[0][0], who) for who, value in said[1:] if value != said[0][1]]


def _conflict(name: str, kept: str, lost: str) -> str:
    return f"{name}: what {kept or 'one'} wrote stands, what {lost or 'another'} wrote does not"


def _several(field: Field | None, values: list[Any]) -> Any:
    how = field.merge if field else "first"
    if how == "any":
        return any(values)
    if how == "union":
        return list(dict.fromkeys(part for value in values for part in value))
    if field and how == "joined":
        return field.between.join(dict.fromkeys(value for value in values if value))
    return values[0]


def _reply(writers: tuple[Written, ...]) -> tuple[dict[str, Any], list[str]]:
    """Return the one answer to a question: who refuses wins, and of those who accept, the last."""
    replies = [(who, fields) for who, fields in writers if "action" in fields]
    by = {
        action: [reply for reply in replies if reply[1]["action"] == action]
        for action in ("cancel", "decline", "accept")
    }
    filled = [reply for reply in by["accept"] if "content" in reply[1]]
    refused = (by["cancel"] or by["decline"])[:1]
    who, chosen = (refused or filled[-1:] or replies[-1:])[0]
    kept = {name: chosen[name] for name in ("action", "content") if name in chosen}
    lost = [other for other, fields in replies if fields["action"] != kept["action"]]
    return kept, [_conflict("action", who, other) for other in lost]
