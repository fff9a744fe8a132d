"""Settings models: every key a user may write, with its default and description.

A policy's own options are defined in the policy's file, derived from PolicyOptions.
"""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from hookd.lazy_dataclass import dataclass

Mode = Literal["off", "warn", "enforce"]
Profile = Literal["guards", "workflow"]


class Strict(BaseModel):
    """A part of the settings: an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class PolicyOptions(Strict):
    """Options that every policy has: `off` does nothing, `warn` advises but never decides."""

    mode: Mode = "enforce"
    clients: tuple[str, ...] = Field(
        (),
        description="Clients in whose sessions the policy is in force, such as `codex`; empty: all."
        " A guard is in force in sessions of an unknown client, too.",
    )


class Policies(Strict):
    """Which policies are on, and their options."""

    profile: Profile | None = Field(
        None,
        description="Policies that are on unless `enabled`, `disabled` or a `mode` overrides it."
        " `guards`, the default: the guards and the policies for efforts. `workflow`: also the"
        " policies that advise the model, keep it working, or shorten its input.",
    )
    enabled: tuple[str, ...] = Field(
        (),
        description="Policies to turn on that are off in the profile. Others are unaffected.",
    )
    disabled: tuple[str, ...] = Field(
        (), description="Policies to turn off. It overrides `enabled`."
    )
    options: dict[str, dict[str, Any]] = Field(
        default_factory=dict, description="Options by policy name; each policy lists its own."
    )


@dataclass(frozen=True, slots=True)
class Section:
    """The policy settings of one file. `final`: weaker layers cannot override it.

    `path` is the file, for messages; empty for defaults. `tightens`: it turns policies on, whatever
    all others say, and changes nothing else.
    """

    policies: Policies
    path: str = ""
    final: bool = False
    tightens: bool = False


class IdentityOptions(Strict):
    """How an agent finds its effort."""

    share_efforts: bool = Field(
        False,
        description="Let an agent without an own effort work on the project's latest active one.",
    )


Join = Literal["latest", "own-terminal", "never"]


class EffortOptions(Strict):
    """How efforts begin and end."""

    auto: bool = Field(
        True,
        description="Start or resume an effort when a skill is called whose SKILL.md has phases.",
    )
    skills: tuple[str, ...] = Field(
        (),
        description="Skills and commands without phases that start or resume an effort:"
        ' `["fix", "brainstorm"]`.',
    )
    tasks: str = Field(
        "tasks",
        min_length=1,
        description="Folder for new tasks, relative to the project's root.",
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
        description="Finish an effort when the last open item of its session's task list is"
        " completed.",
    )


class DirectiveOptions(Strict):
    """Directive files: instructions for a folder, found when a file there is touched."""

    when: Literal["effort", "always", "never"] = Field(
        "effort", description="Search for them while an effort is active, always, or never."
    )
    files: tuple[str, ...] = Field(
        ("AGENTS.md", "INVARIANTS.md", "ARCHITECTURE.md", "COMMANDS.md"),
        description="Names of directive files. A skill may add more.",
    )
    agents_md: Literal["auto", "always"] = Field(
        "auto",
        description="`auto` leaves `AGENTS.md` to clients that load it (Claude Code 2.1.281 and"
        " later, in a project without a CLAUDE.md; Codex, Qwen Code, Copilot CLI and opencode, in"
        " the project's root); `always` adds it in any case, for a client with the option"
        " `instructionFiles`.",
    )


class SessionOptions(Strict):
    """When a session counts as ended."""

    idle_minutes: int = Field(
        720,
        ge=0,
        description="Close a session after this many minutes without events. 0 disables it.",
    )


class LimitOptions(Strict):
    """Limits of what one event may cost the daemon."""

    policy_ms: int = Field(
        250,
        ge=50,
        le=10_000,
        description="CPU time in milliseconds that a policy may use for one event. A policy that"
        " exceeds it is interrupted: a guard asks then, other policies are silent. After three"
        " times the policy is suspended until the daemon restarts.",
    )


class RetentionOptions(Strict):
    """How long data is stored."""

    days: int = Field(
        90,
        ge=0,
        description="Delete events, messages and queued texts after this many days. 0 disables it."
        " Sessions, efforts and tasks stay.",
    )
    max_mb: int = Field(
        1_000,
        ge=0,
        description="Maximum size of the database in megabytes. Beyond it, the oldest whole"
        " payloads are deleted, then the oldest events and messages. 0 means no limit.",
    )


class PrecompactOptions(Strict):
    """What happens before the client compacts a full context window automatically."""

    action: Literal["record", "block", "restart"] = Field(
        "record",
        description="`record` allows it: the compacted window is a new session and receives the"
        " pending handover. `block` prevents the compaction. `restart` restarts the client with an"
        " empty window if `hookd run` started it and there is a handover or an effort to continue;"
        " elsewhere it is `record`.",
    )


class ContextOptions(Strict):
    """Limits of the text that hookd adds to a model's context, and the context's size."""

    budget: int = Field(
        9_000,
        ge=1_000,
        le=9_500,
        description="Maximum characters that one answer adds; Claude Code accepts 10,000.",
    )
    window: int | None = Field(
        None,
        ge=1_000,
        description="Size of the context window in tokens. Unset: the size in the client's status"
        " line, else the usual size for the model.",
    )


class LogOptions(Strict):
    """The daemon's log."""

    level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="Lowest level that is logged."
    )
    max_bytes: int = Field(
        5_000_000,
        ge=10_000,
        description="Rotate the log after this many bytes; three old files stay.",
    )


class PromptOptions(Strict):
    """The model for hooks of the type `prompt`: an endpoint or a command; unset: they are off."""

    endpoint: str | None = Field(
        None,
        description="Full URL of a messages API like Anthropic's:"
        " `https://api.anthropic.com/v1/messages`.",
    )
    model: str | None = Field(None, description="Model for hooks that name none.")
    max_tokens: int = Field(500, ge=50, le=8_000, description="Maximum tokens of an answer.")
    key_file: str | None = Field(
        None,
        description="File that contains only the endpoint's key; it is read for each call.",
    )
    key_env: str | None = Field(
        None,
        description="Variable in the daemon's environment with the key, if `key_file` is unset.",
    )
    command: tuple[str, ...] = Field(
        (),
        description="Program and arguments to run instead of calling an endpoint: it reads the"
        " prompt on stdin and prints the answer. For Claude Code, turn its hooks off:"
        ' `["claude", "-p", "--settings", "{\\"disableAllHooks\\": true}"]`.',
    )
    budget_per_day: int = Field(
        100, ge=0, description="Maximum calls per day (UTC); further hooks do not run."
    )
    max_event: int = Field(
        200_000,
        ge=1_000,
        description="Maximum bytes of an event's JSON; a hook does not run on a longer one.",
    )


class RuleOptions(Strict):
    """Files of guard rules."""

    team: tuple[str, ...] = Field(
        (),
        description="Rules files that several projects or a team share, absolute or below `~/`:"
        " docs/guides/guards.md. Each applies everywhere, once `hookd trust FILE` trusts it.",
    )

    @field_validator("team")
    @classmethod
    def _are_absolute(cls, files: tuple[str, ...]) -> tuple[str, ...]:
        if not all(file.startswith(("/", "~/")) for file in files):
            raise ValueError("each must begin with / or ~/")
        return files


class UserHookOptions(Strict):
    """How user hooks run, and what they may access."""

    max_concurrent: int = Field(8, ge=1, le=256, description="Maximum hooks that run at once.")
    max_background: int = Field(
        16, ge=1, le=256, description="Maximum background hooks that run at once."
    )
    max_consecutive_stop_blocks: int = Field(
        5, ge=1, le=100, description="Maximum times that hooks may block a stop, per prompt."
    )
    claude_settings: Literal["list", "run"] = Field(
        "list",
        description="Hooks in Claude Code's own settings: `list` only lists them, because Claude"
        " Code runs them; `run` runs them, for another client.",
    )
    env_passthrough: tuple[str, ...] = Field(
        (),
        description="Names, or globs, of further variables of the session to pass to every hook.",
    )
    env_profiles: tuple[Literal["opta", "plain"], ...] = Field(
        (), description="Further sets of names for the variables of an event, for every hook."
    )
    blocked_paths: tuple[str, ...] = Field(
        ("/etc", "/var", "/sys", "/proc", "/dev"),
        description="Folders that a hook's program must not be in, and whose files are not named to"
        " hooks.",
    )
    allowed_paths: tuple[str, ...] = Field(
        (),
        description="Folders that a hook's program must be in. Empty: anywhere except in"
        " `blocked_paths`.",
    )
    http_allow: tuple[str, ...] = Field(
        (),
        description="URLs that http hooks may call; `*` matches anything:"
        " `https://hooks.example.com/*`. Empty: http hooks are off.",
    )
    http_env: tuple[str, ...] = Field(
        (),
        description="Variables that the headers of http hooks may contain, if the hook allows them"
        " too.",
    )
    prompt: PromptOptions = PromptOptions()

    @field_validator("http_allow")
    @classmethod
    def _are_urls(cls, globs: tuple[str, ...]) -> tuple[str, ...]:
        if any(glob != "*" and "://" not in glob for glob in globs):
            raise ValueError("each must be `*`, or begin with http://, https:// or *://")
        return globs


class ApprovalOptions(Strict):
    """Which permission requests wait for an answer from outside the client."""

    hold: bool = Field(
        False,
        description="Let permission requests wait for an answer from the board, the browser or"
        " `hookd approval`, while a person looks there: docs/guides/approvals.md. The client's own"
        " dialog is shown all the same, and the first answer counts.",
    )
    agents: dict[str, bool] = Field(
        default_factory=dict,
        description='The same for one agent, by its AGENT_ID: `{"worker-1": true}`. It overrides'
        " `projects` and `hold`.",
    )
    projects: dict[str, bool] = Field(
        default_factory=dict,
        description='The same for one project, by its folder: `{"/home/me/orders": true}`. It'
        " overrides `hold`; of several folders, the innermost counts.",
    )

    @field_validator("projects")
    @classmethod
    def _are_folders(cls, folders: dict[str, bool]) -> dict[str, bool]:
        if not all(folder.startswith("/") for folder in folders):
            raise ValueError("each folder must be an absolute path")
        return folders


class MailOptions(Strict):
    """Mail of agents to each other: docs/guides/together.md."""

    across_projects: bool = Field(
        False, description="Let agents write to agents of other projects. A person always may."
    )
    per_hour_and_pair: int = Field(
        20,
        ge=1,
        le=10_000,
        description="Mails that two agents may exchange in an hour. More of them wait for a person:"
        " `hookd mail allow`.",
    )
    tmux_keys: bool = Field(
        False,
        description="Wake an idle agent in tmux that has mail: type one fixed line into its pane.",
    )


class FleetOptions(Strict):
    """A fleet of many hosts: docs/guides/many-hosts.md. `hookd fleet join` joins one."""

    deny_fields: tuple[str, ...] = Field(
        (
            "transcript_path",
            "tool_input.content",
            "tool_input.old_string",
            "tool_input.new_string",
            "tool_input.new_source",
            "tool_input.edits",
            "tool_response",
        ),
        description="Fields of payloads that never leave this machine in the mode `events`: a path"
        " of keys each, `*` is any key.",
    )


class Settings(Strict):
    """The whole of `settings.json`."""

    schema_: str | None = Field(None, alias="$schema", description="For editors; not read.")
    hooks: dict[str, Any] | list[Any] | None = Field(
        None,
        description="User hooks by event, in Claude Code's form: docs/guides/user-hooks.md.",
    )
    disabled_hooks: tuple[str, ...] | None = Field(
        None, description="Ids, or globs of ids, of hooks of weaker layers to turn off."
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
    approvals: ApprovalOptions = ApprovalOptions()
    mail: MailOptions = MailOptions()
    rules: RuleOptions = RuleOptions()
    fleet: FleetOptions = FleetOptions()
