"""Fields of opinions that only some events take, and how those of several opinions are merged.

Their names are hookd's own: a client's adapter knows which events of the client take a field, and
under which key. Verdict, context, message and input of nearly every event are fields of `Opinion`.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, assert_never

from hookd.lazy_dataclass import dataclass

Merge = Literal["first", "any", "union", "joined", "reply"]
"""Rule for several writers: the first value is used, one True suffices, lists are united, texts are
joined. Of several replies to a question, cancel wins over decline, decline over accept."""


@dataclass(frozen=True, slots=True)
class EventField:
    """One field; `separator` joins its texts."""

    name: str
    merge: Merge = "first"
    separator: str = "\n\n"


_TABLE = (
    # At a stop, context makes the model continue; so it is one hook's, as the reason of a block is.
    EventField("stop_feedback"),
    EventField("initial_prompt"),
    EventField("session_title"),
    EventField("watch_paths", "union"),
    EventField("reload_skills", "any"),
    EventField("hide_prompt", "any"),
    EventField("tool_output"),
    EventField("mcp_tool_output"),
    EventField("classifier_context", "joined"),
    EventField("retry", "any"),
    EventField("displayed_text"),
    EventField("action", "reply"),
    EventField("content", "reply"),
    EventField("permission_updates"),
    EventField("interrupt", "any"),
    EventField("terminal_sequence", "joined", separator=""),
    EventField("folder_note", "joined"),
    EventField("compact_instructions", "joined"),
    EventField("compact_message", "joined"),
)

EVENT_FIELDS: Mapping[str, EventField] = {field.name: field for field in _TABLE}

Written = tuple[str, Mapping[str, Any]]
"""The rule of a writer, and its fields."""


def merge_fields(written: Iterable[Written]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the fields of all writers merged, and a sentence for each value that is not used."""
    writers = tuple((rule, fields) for rule, fields in written if fields)
    names = dict.fromkeys(name for _, fields in writers for name in fields)
    merged: dict[str, Any] = {}
    conflicts: list[str] = []
    for name in names:
        values = [(rule, fields[name]) for rule, fields in writers if name in fields]
        field = EVENT_FIELDS.get(name) or EventField(name)
        if field.merge != "reply":
            merged[name] = _merged(field, [value for _, value in values])
        if field.merge == "first":
            conflicts += conflicts_of(name, values)
    if "action" in names:
        reply, unused = _reply(writers)
        merged |= reply
        conflicts += unused
    return merged, tuple(conflicts)


def conflicts_of(name: str, values: list[tuple[str, Any]]) -> list[str]:
    """Return a sentence for each later writer whose value differs from the first."""
    later = (rule for rule, value in values[1:] if value != values[0][1])
    return [_conflict(name, values[0][0], rule) for rule in later]


def _conflict(name: str, used: str, unused: str) -> str:
    return f"{name}: the value of {used or 'a hook'} is used, not that of {unused or 'another'}"


def _merged(field: EventField, values: list[Any]) -> Any:
    match field.merge:
        case "any":
            return any(values)
        case "union":
            return list(dict.fromkeys(part for value in values for part in value))
        case "joined":
            return field.separator.join(dict.fromkeys(value for value in values if value))
        case "first" | "reply":
            return values[0]
        case _:
            assert_never(field.merge)


def _reply(writers: tuple[Written, ...]) -> tuple[dict[str, Any], list[str]]:
    """Return the one reply to a question: a refusal wins, else the last one with content."""
    replies = [(rule, fields) for rule, fields in writers if "action" in fields]
    by_action = {
        action: [reply for reply in replies if reply[1]["action"] == action]
        for action in ("cancel", "decline", "accept")
    }
    filled = [reply for reply in by_action["accept"] if "content" in reply[1]]
    refused = (by_action["cancel"] or by_action["decline"])[:1]
    rule, chosen = (refused or filled[-1:] or replies[-1:])[0]
    reply = {name: chosen[name] for name in ("action", "content") if name in chosen}
    unused = [other for other, fields in replies if fields["action"] != reply["action"]]
    return reply, [_conflict("action", rule, other) for other in unused]
