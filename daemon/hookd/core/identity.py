"""Who is asking, and where the asker stands: what a request's environment says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity that came with one request. Kept per request, never shared.

    `agent` is AGENT_ID, None where it is unset or "default". `cwd` and `project_dir` are absolute.
    """

    agent: str | None = None
    claims: str | None = None
    targeted_claims: str | None = None
    manages: str | None = None
    parent: str | None = None
    claude_session_id: str | None = None
    project_dir: str | None = None
    cwd: str | None = None
    pid: int | None = None
    tmux_pane: str | None = None
    tmux_socket: str | None = None
    run: str | None = None  # the `hookd run` that the client is part of
    supervised: bool = False  # that run is there, and can start the client anew


def identify(env: Mapping[str, object]) -> Identity:
    """Return the identity in `env`: variable names to values; what is no text counts as unset.

    So does a value that was not UTF-8: its replacement would be another's name.

    >>> identify({"AGENT_ID": "default"}).agent is None
    True
    """

    def value(name: str) -> str | None:
        found = env.get(name)
        return found if isinstance(found, str) and found and "\ufffd" not in found else None

    agent, pid = value("AGENT_ID"), value("CLAUDE_PID")
    tmux = value("TMUX")  # the socket, the server's process, the session: /tmp/tmux-1/fleet,7,0
    return Identity(
        agent=None if agent == "default" else agent,
        claims=value("AGENT_CLAIMS"),
        targeted_claims=value("AGENT_TARGETED_CLAIMS"),
        manages=value("AGENT_MANAGES"),
        parent=value("AGENT_PARENT"),
        claude_session_id=value("CLAUDE_CODE_SESSION_ID"),
        project_dir=value("CLAUDE_PROJECT_DIR"),
        cwd=value("CWD"),
        pid=int(pid) if pid and pid.isascii() and pid.isdigit() and len(pid) < 10 else None,
        tmux_pane=value("TMUX_PANE"),
        tmux_socket=tmux.rsplit(",", 2)[0] if tmux else None,
        run=value("HOOKD_RUN"),
    )


@dataclass(frozen=True, slots=True)
class Where:
    """What a request points at; the store resolves it to facts.

    A known `claude_session_id` (with the subagent's `agent_id`) wins; then `session_id`, a row's
    number. Without a session, the project is found by `project_dir`, else by the longest known
    root above `cwd`, else above `task_dir`; the effort by `effort_id`, else by the agent's binding,
    else (only without an agent) the project's latest active one. `delivery_key` tells a repeated
    delivery. `tmux`, a socket and a pane, points at the agent that runs there, whoever asks.
    """

    identity: Identity = Identity()
    claude_session_id: str | None = None
    agent_id: str | None = None
    session_id: int | None = None
    effort_id: int | None = None
    task_dir: str | None = None
    cwd: str | None = None
    delivery_key: str | None = None
    starts_session: str | None = None  # the source, where a SessionStart asks
    tmux: tuple[str, str] | None = None


class NamesEffort(Protocol):
    """Params that may name an effort by its number."""

    effort_id: int | None


def own_or_named(params: NamesEffort, identity: Identity) -> Where:
    """Point at the asker's session and project, and at its own effort or the one that is named."""
    return Where(identity, identity.claude_session_id, effort_id=params.effort_id, cwd=identity.cwd)


def nothing_special(_params: object, identity: Identity) -> Where:
    """Point at nothing: the asker wants to know of the daemon."""
    return Where(identity)
