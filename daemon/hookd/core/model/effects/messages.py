"""Effects on messages, todos, injections, guard rules, allow rules and agents."""

from typing import Literal

from hookd.lazy_dataclass import dataclass

TodoStatus = Literal["pending", "in_progress", "completed"]
Status = Literal["error", "attention", "working", "checked", "idle", "done"]


@dataclass(frozen=True, slots=True)
class RegisterAgent:
    """Register or update an agent; its status and effort stay.

    Fields that are None keep their stored values. With `here`, the request comes from where the
    agent runs, so its terminal is replaced even by None.
    """

    id: str
    claims: str | None = None
    targeted_claims: str | None = None
    manages: str | None = None
    parent: str | None = None
    tmux_pane: str | None = None
    tmux_socket: str | None = None
    tmux_server: int | None = None
    here: bool = False


@dataclass(frozen=True, slots=True)
class RemoveAgent:
    """Remove an agent; its sessions and its effort have no owner then."""

    id: str


@dataclass(frozen=True, slots=True)
class SetAgentStatus:
    """Set the status of an agent and of its last session; `event_id` is the cause, 0: none."""

    id: str
    status: Status
    event_id: int


@dataclass(frozen=True, slots=True)
class AddMessage:
    """Store a message; messages with the same `ref` in the same session are stored once."""

    session_id: int | None
    effort_id: int | None
    role: str
    content: str
    tool_name: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class SetTodo:
    """Set an item of the client's task list."""

    session_id: int
    todo_id: str
    subject: str
    description: str | None
    status: TodoStatus


@dataclass(frozen=True, slots=True)
class ChangeTodo:
    """Change an item of the conversation's task list, from any session; None: no change."""

    session_id: int
    todo_id: str
    status: TodoStatus | Literal["deleted"] | None
    subject: str | None


@dataclass(frozen=True, slots=True)
class SetTodoList:
    """Replace the task list of a session: subjects with their status, in order."""

    session_id: int
    items: tuple[tuple[str, TodoStatus], ...]


@dataclass(frozen=True, slots=True)
class AddInjection:
    """Queue a text for a session's model.

    `path` is its file, if any; `handover_of` is the session whose handover it is part of. With
    `offered_by`, the text is sent with the answer to that event.
    """

    session_id: int
    rule_id: str
    content: str
    path: str | None = None
    handover_of: int | None = None
    offered_by: int | None = None


@dataclass(frozen=True, slots=True)
class OfferInjections:
    """Send queued texts with the answer to this event."""

    ids: tuple[int, ...]
    event_id: int


@dataclass(frozen=True, slots=True)
class MoveInjections:
    """Move undelivered and unconfirmed texts to the session that continues the conversation."""

    session_id: int
    to: int


@dataclass(frozen=True, slots=True)
class ConfirmInjections:
    """Mark the texts sent to a session as delivered: all, or those with these `ids`."""

    session_id: int
    ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class LoseAnswer:
    """Record that an answer did not arrive: it blocked nothing, and its texts are queued again.

    Without an id it is unknown which answer: the daemon ended in between.
    """

    event_id: int | None = None


@dataclass(frozen=True, slots=True)
class AddGuard:
    """Add a guard rule; it replaces the rule with the same name in the same scope."""

    id: int
    rule_id: str
    scope: Literal["user", "project", "effort"]
    project_id: int | None
    effort_id: int | None
    rule: str  # JSON text


@dataclass(frozen=True, slots=True)
class SetFileRules:
    """Set the rules of a rules file, and trust that content; without a digest, remove both.

    `rules` are names and JSON texts. `root` is the project's; None: they apply everywhere. The
    rules named in `loosen` may spare calls from other rules; so may unchanged ones that could.
    """

    path: str
    layer: str
    root: str | None
    digest: str | None
    rules: tuple[tuple[str, str], ...] = ()
    loosen: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgetTeamFiles:
    """Remove the rules of all team files but these, and their trust."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AddAllowance:
    """Allow a call to pass a guard until a time (None: forever); `key` identifies the call."""

    guard: str
    key: str
    tool: str
    text: str
    folder: str
    event_id: int
    until: str | None


@dataclass(frozen=True, slots=True)
class RemoveAllowances:
    """Remove the allow rules for an event's call."""

    event_id: int


@dataclass(frozen=True, slots=True)
class Trust:
    """Trust a project's own hooks with exactly this content; None revokes it."""

    root: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class Pause:
    """Pause all guards and hooks until a time; None resumes them.

    `source` is the fleet that paused this host, "" if a person here did.
    """

    until: str | None
    source: str = ""


@dataclass(frozen=True, slots=True)
class ReportMissedEvents:
    """Mark all missed events as reported by the answer to this event."""

    event_id: int


@dataclass(frozen=True, slots=True)
class RemoveGuard:
    """Remove a guard rule."""

    id: int


@dataclass(frozen=True, slots=True)
class RecountEvents:
    """Count all recorded events again; counts of deleted events stay."""
