"""The models of settings: every key a user may write, with its default.

A policy's own options stand in the policy's file, derived from PolicyOptions.
"""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Mode = Literal["off", "warn", "enforce"]
Profile = Literal["guards", "workflow"]


class Strict(BaseModel):
    """A part of the settings: a misspelt key is an error, not silence."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class PolicyOptions(Strict):
    """What every policy can be told: `off` is silence, `warn` gives advice but never decides."""

    mode: Mode = "enforce"


class Policies(Strict):
    """Which policies hold, and how."""

    profile: Profile | None = Field(
        None,
        description="Which policies are on unless `enabled`, `disabled` or a `mode` says otherwise."
        " `guards`, the default: the guards, and what belongs to efforts. `workflow`: also what"
        " advises the model, keeps it working, or shortens what it reads.",
    )
    enabled: tuple[str, ...] = Field(
        (),
        description="Policies to turn on that are off in the profile. Others are unaffected.",
    )
    disabled: tuple[str, ...] = Field(
        (), description="Names of policies that are switched off. It wins over `enabled`."
    )
    options: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="Options by policy name; each policy lists its own."
    )


@dataclass(frozen=True, slots=True)
class Section:
    """What one file says of policies. `final`: nothing that weaker layers say can stand against it.

    `path` is the file, for people; empty where nobody wrote anything.
    """

    policies: Policies
    path: str = ""
    final: bool = False


class IdentityOptions(Strict):
    """How an agent finds its effort."""

    share_efforts: bool = Field(
        False,
        description="An agent that owns no effort works on the project's latest active one.",
    )


Join = Literal["latest", "own-terminal", "never"]


class EffortOptions(Strict):
    """How efforts begin and end."""

    auto: bool = Field(
        True, description="A skill whose SKILL.md has phases starts or resumes its effort."
    )
    skills: tuple[str, ...] = Field(
        (),
        description="Names of skills and commands that start or resume an effort without phases:"
        ' `["fix", "brainstorm"]`.',
    )
    tasks: str = Field(
        "tasks",
        min_length=1,
        description="The folder for new tasks of such efforts, from the project's root.",
    )
    join: Join | None = Field(
        None,
        description="Whether a session without AGENT_ID that begins joins the project's latest"
        " active effort: `latest` always; `own-terminal` if it was started or resumed in the same"
        " terminal, tmux pane or client process; `never`: only by a command. Unset: `latest` in"
        " the profile `workflow`, `own-terminal` in `guards`.",
    )
    finish_on_tasks: bool = Field(
        False,
        description="An effort is finished when the last open item of its window's task list is"
        " completed.",
    )


class DirectiveOptions(Strict):
    """Which files tell how to work in a folder; they are found where files are touched."""

    when: Literal["effort", "always", "never"] = Field(
        "effort", description="Look for them while an effort is active, always, or never."
    )
    files: tuple[str, ...] = Field(
        ("AGENTS.md", "INVARIANTS.md", "ARCHITECTURE.md", "COMMANDS.md"),
        description="Their names. A skill may name more.",
    )
    agents_md: Literal["auto", "always"] = Field(
        "auto",
        description="`auto` leaves an `AGENTS.md` to clients that give it to the model themselves"
        " (Claude Code 2.1.281 and later, in a project without a CLAUDE.md); `always` gives it in"
        " any case, for a client whose option `instructionFiles` keeps it from doing so.",
    )


class SessionOptions(Strict):
    """When a window counts as ended."""

    idle_minutes: int = Field(
        720, ge=0, description="Minutes without an event after which it does; 0: never."
    )


class LimitOptions(Strict):
    """Limits of what one event may cost the daemon."""

    policy_ms: int = Field(
        250,
        ge=50,
        le=10_000,
        description="Milliseconds of CPU time that a policy may use for one event. One that exceeds"
        " them is interrupted: a guard asks then, other policies are silent. After three times the"
        " policy is suspended until the daemon restarts.",
    )


class RetentionOptions(Strict):
    """How long things are kept."""

    days: int = Field(
        90,
        ge=0,
        description="Days after which events, messages and texts that waited are deleted;"
        " 0: never. Sessions, efforts and tasks stay.",
    )
    max_mb: int = Field(
        1_000,
        ge=0,
        description="Megabytes that the database may have. Beyond them the oldest whole payloads"
        " are deleted, then the oldest events and messages. 0: no limit.",
    )


class PrecompactOptions(Strict):
    """What happens when the client is about to compact a full window by itself."""

    action: Literal["record", "block", "restart"] = Field(
        "record",
        description="`record` lets it compact: the compacted window is a new row and is given what"
        " was left for it; `block` keeps the client from compacting; `restart` starts the client"
        " anew, in an empty window, where `hookd run` started it and there is a handover or an"
        " effort to go on by, and is `record` elsewhere.",
    )


class ContextOptions(Strict):
    """What is put into a model's context, and how large that is."""

    budget: int = Field(
        9_000,
        ge=1_000,
        le=9_500,
        description="Characters that one answer brings; Claude Code takes 10,000.",
    )
    window: int | None = Field(
        None,
        ge=1_000,
        description="Tokens of the context window. Without it they are what the client's status"
        " line says, or else what the model's window usually holds.",
    )


class LogOptions(Strict):
    """The daemon's log."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="The least that is written."
    )
    max_bytes: int = Field(
        5_000_000, ge=10_000, description="Bytes after which the log is rotated; three are kept."
    )


class PromptOptions(Strict):
    """Who judges for hooks of the type `prompt`: an endpoint or a command; else they are off."""

    endpoint: str | None = Field(
        None,
        description="URL of a messages API as Anthropic's, in full:"
        " `https://api.anthropic.com/v1/messages`.",
    )
    model: str | None = Field(
        None, description="The model that is asked, where the hook names none itself."
    )
    max_tokens: int = Field(500, ge=50, le=8_000, description="Tokens that its answer may have.")
    key_file: str | None = Field(
        None,
        description="A file that holds the endpoint's key, and nothing else; it is read at each"
        " call.",
    )
    key_env: str | None = Field(
        None,
        description="The variable of the daemon's own environment that holds the key, where no file"
        " does.",
    )
    command: tuple[str, ...] = Field(
        (),
        description="A program and its arguments, asked instead of an endpoint: it reads the"
        " question on stdin and prints the answer. Claude Code itself needs its hooks switched off:"
        ' `["claude", "-p", "--settings", "{\\"disableAllHooks\\": true}"]`.',
    )
    budget_per_day: int = Field(
        100, ge=0, description="Calls a day, UTC; what comes after them is not asked."
    )
    max_event: int = Field(
        200_000,
        ge=1_000,
        description="Bytes of an event's JSON; a longer one is not asked about.",
    )


class UserHookOptions(Strict):
    """How the user's own hooks are run, and what they may reach."""

    max_concurrent: int = Field(8, ge=1, le=256, description="Hooks that run at the same time.")
    max_background: int = Field(
        16, ge=1, le=256, description="Hooks that run at the same time and are not waited for."
    )
    max_consecutive_stop_blocks: int = Field(
        5, ge=1, le=100, description="How often hooks may keep an agent from stopping, a prompt."
    )
    claude_settings: Literal["list", "run"] = Field(
        "list",
        description="What becomes of the hooks in Claude Code's own settings: `list` shows them,"
        " since Claude Code runs them itself; `run` is for another client.",
    )
    env_passthrough: tuple[str, ...] = Field(
        (),
        description="Names, or globs of names, of the session's variables that every hook is given"
        " besides the usual ones.",
    )
    env_profiles: tuple[Literal["opta", "plain"], ...] = Field(
        (), description="Further sets of names under which every hook finds what it is told."
    )
    blocked_paths: tuple[str, ...] = Field(
        ("/etc", "/var", "/sys", "/proc", "/dev"),
        description="Folders that no hook's program may stand in, and whose files are not named to"
        " hooks.",
    )
    allowed_paths: tuple[str, ...] = Field(
        (),
        description="Folders that a hook's program must stand in; none: anywhere but the blocked"
        " ones.",
    )
    http_allow: tuple[str, ...] = Field(
        (),
        description="URLs that http hooks may be sent to, `*` for anything:"
        " `https://hooks.example.com/*`. None: http hooks are off.",
    )
    http_env: tuple[str, ...] = Field(
        (),
        description="Variables that headers of http hooks may hold, where the hook allows them"
        " too.",
    )
    prompt: PromptOptions = PromptOptions()

    @field_validator("http_allow")
    @classmethod
    def _are_urls(cls, globs: tuple[str, ...]) -> tuple[str, ...]:
        if any(glob != "*" and "://" not in glob for glob in globs):
            raise ValueError("each is `*`, or begins with http:// or https:// (or *://)")
        return globs


class Settings(Strict):
    """The whole of `settings.json`."""

    schema_: str | None = Field(None, alias="$schema", description="For editors; not read.")
    hooks: dict[str, Any] | list[Any] | None = Field(
        None,
        description="User hooks by event, in Claude Code's form: docs/guides/user-hooks.md.",
    )
    disabled_hooks: tuple[str, ...] | None = Field(
        None, description="Ids, or globs of ids, of hooks in weaker layers that do not run."
    )
    policies: Policies = Policies()
    identity: IdentityOptions = IdentityOptions()
    efforts: EffortOptions = EffortOptions()
    directives: DirectiveOptions = DirectiveOptions()
    context: ContextOptions = ContextOptions()
    precompact: PrecompactOptions = PrecompactOptions()
    sessions: SessionOptions = SessionOptions()
    retention: RetentionOptions = RetentionOptions()
    limits: LimitOptions = LimitOptions()
    log: LogOptions = LogOptions()
    user_hooks: UserHookOptions = UserHookOptions()
