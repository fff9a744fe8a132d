"""A call of one of hookd's own MCP tools, as its PreToolUse event recorded it."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class OwnCall:
    """A call that is not used yet: its session, and the client's process of its conversation."""

    id: int
    session_id: int
    conversation: str
    agent_id: str | None
    tool_use_id: str | None
    agent: str | None
    client_process: str | None
