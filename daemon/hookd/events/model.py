"""Event model: the fields of each hook event.

Tolerant like the client: unknown fields are kept, optional ones may be absent. Strict for
decisions: a tool call without a tool's name or input is rejected, never guessed.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, model_validator

from hookd.events.context_usage import token_count
from hookd.events.tool_pattern import ToolCall
from hookd.lazy_pattern import lazy_compile

Tokens = Annotated[int | None, BeforeValidator(token_count)]
"""A number of tokens; an invalid one is None, so that it rejects no event."""


def _texts(said: object) -> tuple[str, ...]:
    """Return the texts of a list, so that another value rejects no event."""
    found = said if isinstance(said, list | tuple) else ()
    return tuple(one for one in found if isinstance(one, str))


def _is_true(said: object) -> bool:
    return said is True


def _unknown(_said: object) -> None:
    """Return None, whatever a payload says."""


E = TypeVar("E", bound="HookInput")

_IDENTIFYING = (
    *("hook_event_name", "session_id", "agent_id", "prompt_id", "tool_use_id", "tool_name"),
)

_HUMP = lazy_compile(r"(?<=[a-z0-9])([A-Z])")


def snake(key: str) -> str:
    """Return a camelCase key in the client's own snake_case."""
    return _HUMP.sub(lambda hump: "_" + hump[1].lower(), key)


def transform_keys(payload: Any) -> Any:
    """Return an object with its top-level keys in snake_case; nested objects stay as they are.

    If a key has both spellings, the client's own wins. Other values are returned unchanged.
    """
    if not isinstance(payload, dict) or all(map(str.islower, payload)):
        return payload
    camel = {snake(key): value for key, value in payload.items() if snake(key) != key}
    return camel | {key: value for key, value in payload.items() if snake(key) == key}


class HookInput(BaseModel):
    """The fields of every event. `session_id` is the client's id of the conversation.

    `client_event` and `client_tool` are the names that the client has for them, "" if they are the
    ones here. `interactive`: a person can answer the client's questions; None: unknown. It is set
    for the answer, and what a payload says about it counts for nothing.
    """

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True, defer_build=True)

    hook_event_name: str = ""
    session_id: str = ""
    transcript_path: str | None = None
    cwd: str | None = None
    prompt_id: str | None = None
    permission_mode: str | None = None
    agent_id: str | None = None
    agent_type: str | None = None
    client_event: str = ""
    client_tool: str = ""
    interactive: Annotated[bool | None, BeforeValidator(_unknown)] = None

    @model_validator(mode="before")
    @classmethod
    def _snake(cls, payload: Any) -> Any:
        return transform_keys(payload)


def parse_event(payload: Mapping[str, Any], model: type[E]) -> E:
    """Return a payload in the names of this model as its event. Raise ValidationError."""
    return model.model_validate(payload)


def salvage(payload: Mapping[str, Any]) -> HookInput:
    """Return the fields that identify a malformed payload: its event, session, prompt and call."""
    texts = {key: payload[key] for key in _IDENTIFYING if isinstance(payload.get(key), str)}
    return HookInput(**texts)


class ToolInput(HookInput):
    """An event about one tool call; `tool_input` is the call's own object, keys untouched.

    `tool_readings` are further names that the tool may have, see `ToolCall`. `typed_text`: the
    command is text for a program that runs already, which may be no shell.
    """

    tool_name: str
    tool_input: dict[str, Any]
    tool_use_id: str | None = None
    tool_readings: Annotated[tuple[str, ...], BeforeValidator(_texts)] = ()
    typed_text: Annotated[bool, BeforeValidator(_is_true)] = False

    @cached_property
    def call(self) -> ToolCall:
        """The tool call, for patterns to be tested against."""
        agent = (self.agent_type or "subagent") if self.agent_id else ""
        return ToolCall(
            self.tool_name,
            self.tool_input,
            self.cwd or "",
            agent,
            readings=self.tool_readings,
        )

    @property
    def skill(self) -> str | None:
        """The skill in a call of the tool Skill, None for other tools."""
        named = self.tool_input.get("skill") if self.tool_name == "Skill" else None
        return named if isinstance(named, str) else None

    @property
    def skill_args(self) -> str:
        """The arguments of a skill's call."""
        args = self.tool_input.get("args")
        return args if isinstance(args, str) else ""


class SessionStart(HookInput):
    """A context window begins. `source`: startup, resume, clear, compact or fork.

    After a resume or a fork `context_tokens` are the tokens in the window.
    """

    source: str = "startup"
    model: str | None = None
    context_tokens: Tokens = None


class SessionEnd(HookInput):
    """A session ends. `reason`: clear, resume, logout, prompt_input_exit or other."""

    reason: str = "other"


class UserPrompt(HookInput):
    """A prompt was submitted. `source` is its author, if the client reports it."""

    prompt: str = ""
    source: str | None = None

    @property
    def by_machine(self) -> bool:
        """Return whether the author is not the user: a task's end, another agent, a schedule."""
        other = self.source not in (None, "user", "sdk")
        return other or _MACHINE.match(self.prompt) is not None


class UserPromptExpansion(HookInput):
    """A typed command expands. `expansion_type`: slash_command or mcp_prompt."""

    expansion_type: str = "slash_command"
    command_name: str = ""
    command_args: str = ""
    prompt: str = ""


class PermissionDenied(ToolInput):
    """Auto mode has denied a call."""

    reason: str = ""


class PostToolUseFailure(ToolInput):
    """A tool that was started has failed, or was interrupted."""

    error: str = ""
    is_interrupt: bool = False


class Stop(HookInput):
    """The main agent has finished a turn; `background_tasks` are those that still run.

    `context_tokens` are the tokens in the window, and `context_window` is its size, if known.
    """

    stop_hook_active: bool = False
    last_assistant_message: str | None = None
    background_tasks: list[Any] = []
    context_tokens: Tokens = None
    context_window: Tokens = None


class StopFailure(HookInput):
    """A turn has ended by an error of the API. `error`: rate_limit, overloaded, ..., unknown."""

    error: str = "unknown"
    error_details: Any = None
    last_assistant_message: str | None = None


class Notification(HookInput):
    """The client notifies its user."""

    message: str = ""
    notification_type: str = ""


class TeammateIdle(HookInput):
    """A teammate of an agent team is about to idle; `team_name` may be missing."""

    teammate_name: str
    team_name: str | None = None


class TaskEvent(HookInput):
    """An item of the client's own task list was made, or is done."""

    task_id: str
    task_subject: str = ""
    task_description: str | None = None
    teammate_name: str | None = None
    team_name: str | None = None


class PreCompact(HookInput):
    """The conversation is about to be compacted. `trigger`: manual or auto."""

    trigger: str = "manual"
    custom_instructions: str | None = None


class PostCompact(HookInput):
    """The conversation was compacted to `compact_summary`."""

    trigger: str = "manual"
    compact_summary: str = ""


class InstructionsLoaded(HookInput):
    """The client has loaded a file of instructions into the model's context."""

    file_path: str = ""
    memory_type: str = ""
    load_reason: str = ""


class ModelSwitch(HookInput):
    """The session's model is switched, now or next; `context_tokens` are those in the window."""

    from_model: str = ""
    to_model: str = ""
    context_tokens: Tokens = None


class CwdChanged(HookInput):
    """The session's working directory changed: `cwd` is already the new one."""


class Setup(HookInput):
    """The client prepares the project. `trigger`: init or maintenance."""

    trigger: str = "init"


class DirectoryAdded(HookInput):
    """The user has added a folder to the session. `source`: slash_command or register_repo_root."""

    directory: str = ""
    source: str = ""


class FileChanged(HookInput):
    """A watched file has changed on disk. `event`: change, add or unlink."""

    file_path: str = ""
    event: str = "change"


class ConfigChange(HookInput):
    """A settings file, or a skill's file, has changed. `source` is its layer, or `skills`."""

    source: str = ""
    file_path: str | None = None


class WorktreeRemove(HookInput):
    """A worktree of the client is removed."""

    worktree_path: str = ""


class SubagentStop(HookInput):
    """A subagent is about to finish. `agent_transcript_path` is its own file.

    `context_tokens` are the tokens in its window, and `context_window` is its size, if known.
    """

    agent_transcript_path: str | None = None
    context_tokens: Tokens = None
    context_window: Tokens = None


class PreToolUse(ToolInput):
    """A tool is about to run."""


class PermissionRequest(ToolInput):
    """A permission prompt is about to show. It carries no tool_use_id."""


class PostToolUse(ToolInput):
    """A tool has run. `tool_response` has the tool's own shape."""

    tool_response: Any = None
    duration_ms: float | None = None


_MACHINE = lazy_compile(
    r"\s*<(?:task-notification|agent-message|teammate-message|cross-session-message)[\s>/]"
    r"|\s*\[Cross-session (?:delivery|idle) notice\]"  # what became of a message to a session
    r"|\s*<system-reminder>\s*\w+ hook blocking error"  # a rewake in 2.1.101
    r"|\s*hookd: [0-9]{1,5} messages? waiting\s*\Z"  # core/mail/waking.py types it
)
