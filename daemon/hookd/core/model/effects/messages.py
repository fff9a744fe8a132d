"""Effects on what is said: messages, texts that wait for a model, guard rules, agents."""

from dataclasses import dataclass
from typing import Literal

TodoStatus = Literal["pending", "in_progress", "completed"]
Status = Literal["error", "attention", "working", "checked", "idle", "done"]


@dataclass(frozen=True, slots=True)
class RegisterAgent:
    """An agent becomes known, or says anew who it is; its status and effort stay.

    What is None stays as it was; with `here` it is told from where the agent runs, and its terminal
    is the one that is told, or none.
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
    """An agent goes from the board; its sessions and its effort are nobody's then."""

    id: str


@dataclass(frozen=True, slots=True)
class SetAgentStatus:
    """The status of an agent and of its last window, and the event that caused it; 0: no event."""

    id: str
    status: Status
    event_id: int


@dataclass(frozen=True, slots=True)
class AddMessage:
    """A thing said is kept; one with the same `ref` in the same session is kept once."""

    session_id: int | None
    effort_id: int | None
    role: str
    content: str
    tool_name: str | None = None
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class SetTodo:
    """An item of the client's task list stands like this now."""

    session_id: int
    todo_id: str
    subject: str
    description: str | None
    status: TodoStatus


@dataclass(frozen=True, slots=True)
class ChangeTodo:
    """An item of the conversation's list, made in whichever window, has changed; None: not that."""

    session_id: int
    todo_id: str
    status: TodoStatus | Literal["deleted"] | None
    subject: str | None


@dataclass(frozen=True, slots=True)
class SetTodoList:
    """The whole list of a window is written anew: subjects with their status, in order."""

    session_id: int
    items: tuple[tuple[str, TodoStatus], ...]


@dataclass(frozen=True, slots=True)
class AddInjection:
    """A text waits for a window's model.

    `path` is the file that it is of; `handover_of` is the window whose handover it is a piece of.
    With `offered_by` it goes out with the answer to that event.
    """

    session_id: int
    rule_id: str
    content: str
    path: str | None = None
    handover_of: int | None = None
    offered_by: int | None = None


@dataclass(frozen=True, slots=True)
class OfferInjections:
    """Texts that waited go out with the answer to this event."""

    ids: tuple[int, ...]
    event_id: int


@dataclass(frozen=True, slots=True)
class MoveInjections:
    """What a window was not given, or not surely, waits for the one that goes on with its talk."""

    session_id: int
    to: int


@dataclass(frozen=True, slots=True)
class ConfirmInjections:
    """What a window was offered is delivered: all of it, or the texts with these `ids`."""

    session_id: int
    ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class LoseAnswer:
    """The answer to this event did not arrive: it held nothing back, and what went with it waits.

    Without a number it is not known which did: a daemon has ended in between.
    """

    event_id: int | None = None


@dataclass(frozen=True, slots=True)
class AddGuard:
    """A guard rule is set; one of the same name in the same place is replaced."""

    id: int
    rule_id: str
    scope: Literal["user", "project", "effort"]
    project_id: int | None
    effort_id: int | None
    rule: str  # JSON text


@dataclass(frozen=True, slots=True)
class AddAllowance:
    """A call may pass a guard until then, None: always; `key` identifies it, `text` shows it."""

    guard: str
    key: str
    tool: str
    text: str
    folder: str
    event_id: int
    until: str | None


@dataclass(frozen=True, slots=True)
class RemoveAllowances:
    """The allow rules that were set for an event's call are taken away."""

    event_id: int


@dataclass(frozen=True, slots=True)
class Trust:
    """A project's own hooks are trusted with exactly this content; None: no more."""

    root: str
    digest: str | None


@dataclass(frozen=True, slots=True)
class Pause:
    """All hooks pass until then; None: from now on they are judged."""

    until: str | None


@dataclass(frozen=True, slots=True)
class TellUnjudged:
    """The answer to this event tells the user of all that no daemon judged."""

    event_id: int


@dataclass(frozen=True, slots=True)
class RemoveGuard:
    """A guard rule is taken away."""

    id: int
