"""Effects on calls of hookd's own MCP tools: which session made one."""

from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AddOwnCall:
    """Store who calls one of hookd's own tools, until its server asks, and drop older calls."""

    event_id: int
    session_id: int
    conversation: str
    agent_id: str | None
    tool_use_id: str | None
    tool: str
    digest: str
    drop_before: str


@dataclass(frozen=True, slots=True)
class UseOwnCall:
    """Mark a call as used: it names its caller once."""

    id: int
