"""Client processes: recognize Claude Code and other coding agents in a process ancestry.

A client is known by its program, or because it fired a hook before. Pure: the processes are read
by hookd.system.ancestry.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from hookd.lazy_dataclass import dataclass

NAMES = {
    "claude": "Claude Code",
    "claude-code": "Claude Code",
    "codex": "Codex",
    "gemini": "Gemini CLI",
    "gemini-cli": "Gemini CLI",
    "qwen": "Qwen Code",
    "qwen-code": "Qwen Code",
    "copilot": "Copilot CLI",
    "opencode": "opencode",
    "opencode-ai": "opencode",
    "cursor-agent": "Cursor",
}
"""Clients by the name of their program or of their package."""

MARKS = {
    b"CLAUDECODE": "Claude Code",
    b"GEMINI_CLI": "Gemini CLI",
    b"QWEN_CODE": "Qwen Code",
    b"COPILOT_CLI": "Copilot CLI",
    b"OPENCODE": "opencode",
    b"CURSOR_AGENT": "Cursor",
}
"""Variables that clients set for the commands they run."""

_SERVERS = {"Codex": "app-server"}
"""Subcommands by which clients serve several windows."""

_INTERPRETERS = ("node", "bun", "deno", "python")
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox"})
_TAKE_VALUE = frozenset({"-r", "--require", "--import", "--loader", "--experimental-loader", "-W"})
"""Flags of interpreters whose value is the next word."""

_HOSTS = frozenset(
    {"systemd", "launchd", "init", "login", "sshd", "tmux", "tmux: server", "screen"}
)
"""Programs that many unrelated terminals descend from: firing a hook does not make them clients."""

_SHIMS = ("hookd-hook", "hookd-statusline", "/shims/")
_COMPILED = frozenset({"hookd-hook.native", "hookd-statusline.native"})


@dataclass(frozen=True, slots=True)
class Process:
    """A process: `start` tells it from a later one with the same id.

    `program` is the path of its executable, "" if unknown; `name` is the kernel's name for it;
    `args` are its arguments. `session` and `group` are the ids of its leaders.
    """

    pid: int
    parent: int
    start: int
    program: str = ""
    name: str = ""
    args: tuple[str, ...] = ()
    session: int = 0
    group: int = 0

    @property
    def key(self) -> tuple[int, int]:
        """What identifies the process for as long as the system runs."""
        return self.pid, self.start

    @property
    def id(self) -> str:
        """The same as text: `PID:START`."""
        return f"{self.pid}:{self.start}"


@dataclass(frozen=True, slots=True)
class RunningClient:
    """The process of a client that runs a hook, as far as it tells whether a person is there.

    `variables` are those that it started with. `stdin` and `stdout` are the paths of the files
    behind its standard streams, such as `/dev/pts/3`.
    """

    args: tuple[str, ...]
    variables: frozenset[bytes]
    stdin: str
    stdout: str


def client_name(process: Process) -> str:
    """Return which client a process is, judged by its program; "" if it is none.

    >>> client_name(Process(7, 1, 0, "/usr/bin/node", "node", ("claude", "-p", "x")))
    'Claude Code'
    >>> client_name(Process(7, 1, 0, "/usr/bin/vim", "vim", ("vim", "claude")))
    ''
    """
    first = process.args[0] if process.args else ""
    for text in (first, process.program, process.name):
        if found := NAMES.get(_base(text)) or _versioned(text):
            return found
    if _base(process.program or first).startswith(_INTERPRETERS):
        return _scripted(script_of(process))
    return ""


def serves_many(process: Process) -> bool:
    """Return whether a process of a client serves the conversations of several windows.

    >>> serves_many(Process(7, 1, 0, "/usr/bin/codex", "codex", ("codex", "app-server")))
    True
    >>> serves_many(Process(7, 1, 0, "/usr/bin/codex", "codex", ("codex", "exec", "Fix it.")))
    False
    """
    server = _SERVERS.get(client_name(process))
    return server is not None and server in process.args[1:]


def marked(environment: bytes) -> str:
    """Return which client set a variable in an environment block, "" if none did."""
    for entry in environment.split(b"\0"):
        name, _, value = entry.partition(b"=")
        if name in MARKS and value not in (b"", b"0"):
            return MARKS[name]
    return ""


def firing(chain: Sequence[Process]) -> Process | None:
    """Return the client that runs a shim; `chain` leads from the shim's transport upward.

    None if no shim is among the nearest processes, or if its parent is a shell, as for a person who
    runs the shim.
    """
    for place, one in enumerate(chain[:3]):
        if _is_shim(one):
            rest = chain[place + 1 :]
            # Some clients start a hook by a shell of their own: sh -c /path/to/shim.
            while rest and is_shell(rest[0]) and _runs_shim(rest[0]):
                rest = rest[1:]
            return rest[0] if rest and _may_be_client(rest[0]) else None
    return None


def of_package(name: str) -> bool:
    """Return whether a package is a client's, or its program for one platform.

    >>> of_package("@openai/codex"), of_package("@openai/codex-linux-x64"), of_package("yargs")
    (True, True, False)
    """
    own = name.rpartition("/")[2]
    return own in NAMES or any(own.startswith(f"{client}-") for client in NAMES)


def script_of(interpreter: Process) -> str:
    """Return the script that an interpreter's arguments name, "" if there is none."""
    words = iter(interpreter.args[1:])
    for word in words:
        if word in _TAKE_VALUE:
            next(words, "")
        elif not word.startswith("-"):
            return word
    return ""


def is_shell(process: Process) -> bool:
    """Return whether a process is a shell."""
    return _base(process.program or (process.args[0] if process.args else "")) in _SHELLS


def _is_shim(process: Process) -> bool:
    """Return whether a process is a shim: a compiled one, or a shell that runs one of bash."""
    if _base(process.program) in _COMPILED:
        return True
    return is_shell(process) and any(mark in word for word in process.args[1:3] for mark in _SHIMS)


def _runs_shim(shell: Process) -> bool:
    return any(mark in word for word in shell.args[1:] for mark in _SHIMS)


def _may_be_client(process: Process) -> bool:
    if client_name(process):
        return True
    host = process.pid == 1 or {_base(process.program), process.name} & _HOSTS
    return not host and not is_shell(process)


def _base(path: str) -> str:
    name = path.lower().rstrip("/").rpartition("/")[2]
    return name.removesuffix(" (deleted)").removesuffix(".exe")


def _versioned(path: str) -> str:
    """Return the client of a path like ~/.local/share/claude/versions/2.1.139, else ""."""
    parts = path.lower().split("/")
    return _known(two[0] for two in pairwise(parts) if two[1] == "versions")


def _scripted(script: str) -> str:
    """Return the client whose script an interpreter runs, else ""."""
    if not script:
        return ""
    stem = _base(script).rpartition(".")[0] or _base(script)
    folder, _, package = script.lower().rpartition("/node_modules/")
    names = package.split("/")[:2] if folder or package != script.lower() else []
    return _known((stem, *names)) or _versioned(script)


def _known(names: Iterable[str]) -> str:
    return next((NAMES[name] for name in names if name in NAMES), "")
