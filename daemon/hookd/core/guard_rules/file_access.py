"""Whether hookd itself may read a file to a model: as little as a call of Read might."""

from hookd.core.guard_rules.rule import fired, unreadable
from hookd.core.model.facts import Facts
from hookd.events.tool_pattern import ToolCall
from hookd.redaction.redact import is_env


def held_back(path: str, facts: Facts) -> str:
    """Return what keeps a file from being brought before a model; nothing where nothing does.

    A rule over `Read(...)` that denies or asks holds for what hookd brings as well. Files of
    variables (`.env`) are never brought: their values are secrets, and would rest in the database.
    """
    if is_env(path):
        return "a file of variables"
    if odd := unreadable(facts):  # it may be about this very file
        return f"guard {odd[0].rule_id}"
    call = ToolCall("Read", {"file_path": path})
    for one in fired(call, facts):
        if one.rule.tool_filter.include and one.rule.urgency != "allow":
            return f"guard {one.rule.id}"
    return ""
