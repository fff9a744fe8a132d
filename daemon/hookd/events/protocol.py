"""Event table: the hook events of Claude Code, their answers, timeouts and registration.

Source: the hooks protocol of Claude Code 2.1.329. No pydantic here: the command line imports it.
"""

from typing import Literal

from hookd.lazy_dataclass import dataclass

Decides = Literal["permission", "request", "block", "switch"]
"""Decisions that events take: a call's permission, the reply to a permission prompt, a block, and
whether the model is switched."""

MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""Bytes of one message to the daemon, a line or a payload."""

PAYLOAD_END = b"\x1e"
"""Ends a payload: the record separator of RFC 7464, which no JSON text contains."""

MAX_TEXT_UNITS = 10_000
"""UTF-16 units the client takes per text; it replaces longer ones by a preview."""


@dataclass(frozen=True)
class EventSpec:
    """One hook event.

    `timeout` is what is registered with the client, in seconds; the shim's deadline is below it.
    `match` is the payload field that the client's matcher is tested against.
    `context`: the client takes context for the model. `engine`: the event runs in the client's full
    engine, which shows messages to the user and can end the turn. `identity` is the payload
    field that names one firing of the event; without one, see delivery_identity.py. `longest` is
    the deadline that no hook can raise, because the client itself waits no longer.
    """

    name: str
    timeout: int
    match: str | None = None
    decides: Decides | None = None
    context: bool = False
    engine: bool = False
    registered: bool = True
    identity: str | None = None
    longest: int | None = None

    @property
    def method(self) -> str:
        """The JSON-RPC method: `hooks.` and the name in camelCase."""
        if self.name == "UserPromptSubmit":
            return "hooks.userPrompt"
        return "hooks." + self.name[0].lower() + self.name[1:]

    @property
    def can_block_tool(self) -> bool:
        """Return whether an answer can block a tool."""
        return self.decides in ("permission", "request")

    @property
    def deadline(self) -> int:
        """Seconds the shim waits for an answer: less than the client waits for the shim."""
        return max(1, self.timeout - 2) if self.name != "SessionEnd" else 1


_CALL = "tool_use_id"

_TABLE = (
    EventSpec("SessionStart", 10, match="source", context=True, engine=True),
    EventSpec("Setup", 60, match="trigger", context=True, engine=True),
    EventSpec("InstructionsLoaded", 5, match="load_reason"),
    EventSpec("UserPromptSubmit", 10, decides="block", context=True, engine=True),
    EventSpec(
        "UserPromptExpansion", 10, match="command_name", decides="block", context=True, engine=True
    ),
    EventSpec(
        "PreToolUse",
        15,
        match="tool_name",
        decides="permission",
        context=True,
        engine=True,
        identity=_CALL,
    ),
    EventSpec("PermissionRequest", 600, match="tool_name", decides="request", engine=True),
    EventSpec("PermissionDenied", 10, match="tool_name", engine=True, identity=_CALL),
    EventSpec(
        "PostToolUse",
        15,
        match="tool_name",
        decides="block",
        context=True,
        engine=True,
        identity=_CALL,
    ),
    EventSpec(
        "PostToolUseFailure", 10, match="tool_name", context=True, engine=True, identity=_CALL
    ),
    EventSpec("PostToolBatch", 10, decides="block", context=True, engine=True),
    EventSpec("SubagentStart", 10, match="agent_type", context=True, engine=True),
    # The client treats context at a stop as a reason to continue.
    EventSpec("SubagentStop", 30, match="agent_type", decides="block", engine=True),
    EventSpec("TaskCreated", 10, decides="block", engine=True),
    EventSpec("TaskCompleted", 30, engine=True),
    EventSpec("TeammateIdle", 30, engine=True),
    EventSpec("Stop", 30, decides="block", engine=True),
    EventSpec("StopFailure", 5, match="error"),
    EventSpec("Notification", 5, match="notification_type"),
    EventSpec("MessageDisplay", 5, engine=True, registered=False),
    EventSpec("PreCompact", 10, match="trigger", decides="block"),
    EventSpec("PostCompact", 10, match="trigger"),
    EventSpec("PreModelSwitch", 10, match="to_model", decides="switch", engine=True),
    EventSpec("PostModelSwitch", 5, match="to_model", context=True, engine=True, longest=3),
    EventSpec("Elicitation", 10, match="mcp_server_name"),
    EventSpec("ElicitationResult", 10, match="mcp_server_name"),
    EventSpec("ConfigChange", 5, match="source", decides="block"),
    EventSpec("CwdChanged", 5),
    EventSpec("FileChanged", 5, match="file_path"),
    EventSpec("DirectoryAdded", 5, match="source"),
    EventSpec("WorktreeCreate", 30, registered=False),
    EventSpec("WorktreeRemove", 10, registered=False),
    EventSpec("SessionEnd", 3, match="reason", longest=1),
)

EVENTS: dict[str, EventSpec] = {spec.name: spec for spec in _TABLE}
"""Every event of the client, by name, in the order of a session's life.

MessageDisplay (ten processes a second) and WorktreeRemove are registered only if the user names
them, WorktreeCreate never: a hook that prints no path breaks it.
"""


CUT = "\n[cut by hookd: the whole text is longer than the client takes]"
"""Mark at the end of a text that is cut."""


def truncate(text: str, room: int = MAX_TEXT_UNITS) -> str:
    """Cut `text` to `room` UTF-16 units, never inside a character, with a mark at the cut."""
    if utf16_length(text) <= room:
        return text
    kept = text.encode("utf-16-le", "replace")[: (room - len(CUT)) * 2]
    return kept.decode("utf-16-le", "ignore") + CUT


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 units, which the client counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "replace")) // 2
