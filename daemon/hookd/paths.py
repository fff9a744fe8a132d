"""Paths of hookd's files, and the only reader of the environment. Standard library only.

The socket is in `$XDG_RUNTIME_DIR/hookd`, or in `run` of the state folder; the database and the log
are in the state folder, settings in the config folder, the installed shims in the data folder.
`HOOKD_HOME` puts all of them under one folder: for tests, and for a second daemon.
"""

import hashlib
import os
from pathlib import Path

from hookd.lazy_dataclass import dataclass

SOCKET_LIMIT = 103
"""Maximum bytes of a Unix socket's path on all systems (macOS 104 with its NUL, Linux 108)."""

IDENTITY = (
    "AGENT_ID",
    "AGENT_CLAIMS",
    "AGENT_TARGETED_CLAIMS",
    "AGENT_MANAGES",
    "AGENT_PARENT",
    "AI_AGENT",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_PLUGIN_ROOT",
    "CLAUDE_PID",
    "CLAUDE_CODE_SESSION_ID",
    "TMUX",
    "TMUX_PANE",
    "HOOKD_RUN",
)
"""Variables that identify the caller.

The shim sends them, PATH, HOME and VIRTUAL_ENV, and what other clients set for hooks.
"""

SHORT_RUN = "hookd-"
"""Prefix of the folder with short paths for sockets whose own path is too long."""

_BESIDE = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite writes beside a database."""

_PLACES = (
    "HOME",
    "TMPDIR",
    "HOOKD_HOME",
    "CLAUDE_CONFIG_DIR",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
)
"""Variables that locate files; `paths` and `claude` read no others."""

_CLIENT_FOLDERS = {
    "claude-code": ("CLAUDE_CONFIG_DIR", ".claude"),
    "codex": ("CODEX_HOME", ".codex"),
    "gemini": ("GEMINI_CLI_HOME", ".gemini"),
    "qwen": ("QWEN_HOME", ".qwen"),
    "copilot": ("COPILOT_HOME", ".copilot"),
}
"""The variable that names a client's folder, and the folder's usual name in the home.

For Gemini CLI the variable names another home.
"""

_KEPT_FOR_DAEMON = (
    "HOME",
    "PATH",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "HOOKD_HOME",
    "CLAUDE_CONFIG_DIR",
    "COPILOT_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
)


@dataclass(frozen=True)
class Paths:
    """The paths of all files that hookd owns."""

    socket: Path
    state: Path
    config: Path
    data: Path

    @property
    def database(self) -> Path:
        """The one SQLite file."""
        return self.state / "hookd.db"

    @property
    def log(self) -> Path:
        """The log, one JSON object a line; older parts end in .1 to .3."""
        return self.state / "hookd.log"

    @property
    def lock(self) -> Path:
        """Lock file of the running daemon: a database has one writer."""
        return self.state / "hookd.lock"

    @property
    def pid(self) -> Path:
        """The daemon's process id, a hint for the shim; liveness is an answer on the socket."""
        return self.socket.with_suffix(".pid")

    @property
    def stopped(self) -> Path:
        """Exists while the user has stopped hookd: shims are silent and start no daemon."""
        return self.socket.with_suffix(".stopped")

    @property
    def unjudged(self) -> Path:
        """File in which shims write a line for each event without a verdict."""
        return self.socket.with_suffix(".unjudged")

    @property
    def slots(self) -> tuple[Path, Path]:
        """Lock files that limit how many events are evaluated without the daemon at once."""
        return self.socket.with_suffix(".judge1"), self.socket.with_suffix(".judge2")

    @property
    def settings(self) -> Path:
        """The user's settings."""
        return self.config / "settings.json"

    @property
    def shims(self) -> Path:
        """Folder of the installed shims, which an upgrade of the package does not change."""
        return self.data / "shims"

    @property
    def fleet(self) -> Path:
        """Folder of the membership in a fleet of many hosts, private to the user."""
        return self.data / "fleet"

    @property
    def credential(self) -> Path:
        """The credential for the central store of the fleet."""
        return self.fleet / "credential.json"

    @property
    def cursor(self) -> Path:
        """The last number of the outbox that was sent, outside of the database."""
        return self.fleet / "cursor.json"

    @property
    def sync_lock(self) -> Path:
        """Lock file of the process that sends the outbox; it contains the process id."""
        return self.fleet / "sync.lock"

    @property
    def sync_log(self) -> Path:
        """The log of that process, as `log`."""
        return self.state / "hookd-sync.log"

    @property
    def hung(self) -> Path:
        """File for the stack traces of a daemon that was ended because it hung."""
        return self.state / "hookd.hung"

    @property
    def checked(self) -> Path:
        """File with the result of the last `hookd db check`; its time is that of the check."""
        return self.state / "hookd.checked"

    def damaged(self) -> list[Path]:
        """Return the damaged databases that were moved aside, oldest first."""
        found = sorted(self.state.glob(f"{self.database.name}.corrupt-*"))
        whole = {path for path in found if not path.name.endswith(("-wal", "-shm"))}
        return [
            path
            for path in found
            if path in whole
            or (path.name.endswith("-wal") and path.with_name(path.name[:-4]) not in whole)
        ]

    @property
    def own(self) -> tuple[Path, ...]:
        """All files that hookd depends on; a change of one can disable its guards.

        The folder of data protects all else that is in it, such as `fleet`.
        """
        beside = (self.database.with_name(f"{self.database.name}{end}") for end in _BESIDE)
        names = (
            "hookd-hook",
            "hookd-hook.native",
            "hookd-cold",
            "hookd-alone",
            "hookd-statusline",
        )
        shims = (self.shims / name for name in names)
        starting = self.socket.with_name(f"{self.socket.name}.lock")  # the shim's
        run = (self.socket, self.pid, self.stopped, self.unjudged, self.lock, starting, *self.slots)
        return (*run, self.database, *beside, self.log, self.settings, self.shims, *shims)


def paths() -> Paths:
    """Return the paths for the environment of this process."""
    if home := os.environ.get("HOOKD_HOME"):
        return under(_home(home))
    state = _xdg("XDG_STATE_HOME", ".local/state")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    run = Path(runtime) / "hookd" if runtime and Path(runtime).is_absolute() else state / "run"
    return Paths(
        socket=_short(run / "hookd.sock"),
        state=state,
        config=_xdg("XDG_CONFIG_HOME", ".config"),
        data=_xdg("XDG_DATA_HOME", ".local/share"),
    )


def claude() -> Path:
    """Return the folder of Claude Code's own configuration: settings, skills."""
    return client_folder("claude-code")


def claude_state() -> Path:
    """Return the file in which Claude Code has its own state, and the user's MCP servers."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(named) if named else Path.home()) / ".claude.json"


def client_folder(client: str) -> Path:
    """Return the folder of a client's own configuration. Raise KeyError for an unknown client."""
    if client == "opencode":
        return _opencode()
    variable, name = _CLIENT_FOLDERS[client]
    named = os.environ.get(variable)
    if not named:
        return Path.home() / name
    folder = Path(named)
    # Each as its client reads it.
    folder = (folder.expanduser() if client == "qwen" else folder).absolute()
    return folder / name if client == "gemini" else folder


def _opencode() -> Path:
    if named := os.environ.get("OPENCODE_CONFIG_DIR"):
        return Path(named).absolute()
    return _xdg("XDG_CONFIG_HOME", ".config").with_name("opencode")


def _home(named: str) -> Path:
    return Path(named).expanduser().absolute()


def under(home: Path) -> Paths:
    """Return the paths of a daemon with everything under one folder."""
    return Paths(_short(home / "run" / "hookd.sock"), home, home, home)


def _xdg(variable: str, default: str) -> Path:
    base = os.environ.get(variable, "")
    # A relative path in these variables is to be ignored (XDG base directory specification).
    root = Path(base) if base.startswith("/") else Path.home() / default
    return root / "hookd"


def _short(socket: Path) -> Path:
    """Return `socket`, or a short path in the user's temporary folder if it is too long to bind."""
    if len(os.fsencode(socket)) <= SOCKET_LIMIT:
        return socket
    name = hashlib.sha256(os.fsencode(socket)).hexdigest()[:12]
    import tempfile  # noqa: PLC0415 - slow, and rarely needed

    return Path(tempfile.gettempdir()) / f"{SHORT_RUN}{os.getuid()}" / name / "hookd.sock"


def identity() -> dict[str, str]:
    """Return the identity variables of this process, as the shim sends them, and its folder."""
    found = {name: os.environ[name] for name in IDENTITY if name in os.environ}
    return found | {"CWD": str(Path.cwd())}


def daemon_environment() -> dict[str, str]:
    """Return the environment for a daemon: no tokens, no keys, no variables of one session."""
    kept = {name: os.environ[name] for name in _KEPT_FOR_DAEMON if name in os.environ}
    if home := kept.get("HOOKD_HOME"):
        kept["HOOKD_HOME"] = str(_home(home))  # it runs in another folder
    return kept


def place_environment() -> dict[str, str]:
    """Return the variables that locate the files of hookd and its client, as they are set."""
    kept = daemon_environment()
    return {name: kept[name] for name in _PLACES if name in kept}


def client_environment(run: str) -> dict[str, str]:
    """Return the environment of a client that `hookd run` starts: this one, and the run's id."""
    return {**os.environ, "HOOKD_RUN": run}


def whole_environment() -> dict[str, str]:
    """Return the whole environment of this process, for a hook with `inherit_env`."""
    return dict(os.environ)


def variable(name: str) -> str | None:
    """Return one named variable of the environment, or None."""
    return os.environ.get(name)


def search_path() -> str:
    """Return the PATH that programs are looked up in."""
    return os.environ.get("PATH", os.defpath)
