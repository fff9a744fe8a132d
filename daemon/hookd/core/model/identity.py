"""Identity: the agent, session, project and terminal of a caller, from its environment."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

RUN = lazy_compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The id of a supervised run: a UUID, so that no other text is stored as one."""

_CLIENT = lazy_compile(r"claude-code_([0-9]{1,5})-([0-9]{1,5})-([0-9]{1,5})(?![0-9])")
_PANE = lazy_compile(r"%[0-9]{1,9}")
_INBOX = lazy_compile(r"/[A-Za-z0-9_@%+=:,./-]{1,200}")
"""A path that another agent's model may read: no quote, space or line in it."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity of one request's caller.

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
    tmux_server: int | None = None  # the server's process: each server numbers its own panes
    run: str | None = None  # the `hookd run` that the client is part of
    runs: frozenset[str] = frozenset()  # the runs whose supervisors are connected
    home: str | None = None  # the user's, where the client runs; not stored
    client: tuple[int, int, int] | None = None  # the version of Claude Code, by AI_AGENT
    peer: int | None = None  # the process that opened the connection; not stored
    messaging_socket: str | None = None  # of Claude Code: its other sessions send messages there

    @property
    def pane(self) -> str:
        """The tmux pane, such as `%3 7 /tmp/tmux-1/default`; "" outside of tmux."""
        place = (self.tmux_pane, self.tmux_server, self.tmux_socket)
        return " ".join(map(str, place)) if None not in place else ""


def identify(env: Mapping[str, object], *, claude_code: bool = True) -> Identity:
    """Return the identity in `env`: variable names to values; other types count as unset.

    So does a value that was not UTF-8, because its replacement could be another's name. Without
    `claude_code` the caller is another client: it may run below a Claude Code, whose session,
    process and version it has inherited.

    >>> identify({"AGENT_ID": "default"}).agent is None
    True
    >>> identify({"CLAUDE_PID": "7"}, claude_code=False).pid is None
    True
    """
    if not claude_code:
        env = {name: value for name, value in env.items() if name not in _INHERITED}
    return _identity(*map(_text, map(env.get, _NAMES)))


_NAMES = (
    *("AGENT_ID", "AGENT_CLAIMS", "AGENT_TARGETED_CLAIMS", "AGENT_MANAGES", "AGENT_PARENT"),
    *("CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "CWD", "CLAUDE_PID"),
    *("TMUX_PANE", "TMUX", "HOOKD_RUN", "HOME", "AI_AGENT", "CLAUDE_CODE_MESSAGING_SOCKET"),
)

OF_WINDOW = frozenset(
    {
        *("AGENT_ID", "AGENT_CLAIMS", "AGENT_TARGETED_CLAIMS", "AGENT_MANAGES", "AGENT_PARENT"),
        *("TMUX", "TMUX_PANE", "HOOKD_RUN"),
    }
)
"""Variables that a person sets for one client, or that its terminal or supervisor does."""

_INHERITED = frozenset(
    {"CLAUDE_CODE_SESSION_ID", "CLAUDE_PID", "AI_AGENT", "CLAUDE_CODE_MESSAGING_SOCKET"}
)
"""Variables that Claude Code sets for the commands it runs, too."""


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value and "\ufffd" not in value else None


@lru_cache(maxsize=256)
def _identity(*values: str | None) -> Identity:
    """Return the identity by the values of _NAMES, cached: all events of a window have the same."""
    named = dict(zip(_NAMES, values, strict=True))
    agent, pane, run, home = map(named.get, ("AGENT_ID", "TMUX_PANE", "HOOKD_RUN", "HOME"))
    # The socket, the server's process, the session: /tmp/tmux-1/fleet,7,0.
    server = (named["TMUX"] or "").rsplit(",", 2)
    inbox = named["CLAUDE_CODE_MESSAGING_SOCKET"]
    return Identity(
        agent=None if agent == "default" else agent,
        claims=named["AGENT_CLAIMS"],
        targeted_claims=named["AGENT_TARGETED_CLAIMS"],
        manages=named["AGENT_MANAGES"],
        parent=named["AGENT_PARENT"],
        claude_session_id=named["CLAUDE_CODE_SESSION_ID"],
        project_dir=named["CLAUDE_PROJECT_DIR"],
        cwd=named["CWD"],
        pid=_number(named["CLAUDE_PID"]),
        tmux_pane=pane if pane and _PANE.fullmatch(pane) else None,
        tmux_socket=server[0] if len(server) == 3 else None,
        tmux_server=_number(server[1]) if len(server) == 3 else None,
        run=run if run and RUN.fullmatch(run) else None,
        home=home.rstrip("/") or None if home and home.startswith("/") else None,
        client=_version(named["AI_AGENT"]),
        messaging_socket=inbox if inbox and _INBOX.fullmatch(inbox) else None,
    )


def _version(name: str | None) -> tuple[int, int, int] | None:
    """Return the version in the client's name.

    >>> _version("claude-code_2-1-330_harness")
    (2, 1, 330)
    """
    found = _CLIENT.match(name) if name else None
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _number(text: str | None) -> int | None:
    digits = text is not None and text.isascii() and text.isdigit() and len(text) < 10
    return int(text) if text is not None and digits else None


@dataclass(frozen=True, slots=True)
class Where:
    """The session, project and effort that a request refers to; the store resolves it to facts.

    A known `claude_session_id` (with the subagent's `agent_id`) wins; then `session_id`, a row's
    id. Without a session, the project is found by `project_dir`, else by the longest known root
    above `cwd`, else above `task_dir`; the effort by `effort_id`, else by the agent's binding, else
    (only without an agent) the project's latest active one. `delivery_key` identifies a repeated
    delivery. `tmux`, a socket and a pane, refers to the agent or session there. `client` is the
    name of the client that sent the event, "" if none did.
    """

    identity: Identity = Identity()
    claude_session_id: str | None = None
    agent_id: str | None = None
    session_id: int | None = None
    effort_id: int | None = None
    task_dir: str | None = None
    cwd: str | None = None
    delivery_key: str | None = None
    starts_session: str | None = None  # the source of a SessionStart
    tmux: tuple[str, str, int | None] | None = None
    client: str = ""


class NamesEffort(Protocol):
    """Params that may have an effort's id."""

    effort_id: int | None


def own_or_named_effort(params: NamesEffort, identity: Identity) -> Where:
    """Refer to the caller's session and project, and to its own effort or the one in the params."""
    return Where(identity, identity.claude_session_id, effort_id=params.effort_id, cwd=identity.cwd)


def daemon_only(_params: object, identity: Identity) -> Where:
    """Refer to the daemon only: no session, project or effort."""
    return Where(identity)
