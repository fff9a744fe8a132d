"""Errors of calls and subscriptions: what is wrong in words, and the next step as a command.

`cli/lib/client.py` has the same, so nothing here imports asyncio.
"""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from hookd.paths import Paths

NO_METHOD = "-32601"
"""Error code of an unknown method."""

INTERNAL = "-32603"
"""Error code of a failure of the daemon itself."""

START = "hookd start"
"""The next step if no daemon runs."""

_START_EFFORT = "hookd effort start TASK_DIR SKILL"
_STEPS = {
    "NOT_JOINED": "hookd fleet join FILE, with a file from the admin of the fleet",
    "JOINED_ALREADY": "hookd fleet leave, then hookd fleet join FILE",
    "ROWS_WAIT": "hookd fleet leave --drop, which gives them up",
    "NO_ACTIVE_EFFORT": _START_EFFORT,
    "EFFORT_FINISHED": _START_EFFORT,
    "ALREADY_FINISHED": "hookd effort list",
    "INVALID_RULE": "hookd guard add --help",
    "INVALID_HANDOVER": "hookd handover save --help",
    "UNKNOWN_PHASE": "hookd effort phase, which lists them",
    "PHASE_NOT_SEQUENTIAL": "hookd effort phase shows the order; another takes --reason TEXT",
    "PROOF_MISSING": "--proof JSON, an object that has each of them; or --reason TEXT",
    "ALREADY_ENDED": "hookd session list",
    "STALE": "hookd trust, which shows them again",
    "INVALID_PAUSE": "hookd pause --help",
    "NOT_ALLOWABLE": "hookd why, with the number of the event: it names what blocked the call",
    "NOT_PENDING": "hookd approval --all, which shows how it ended",
    "GUARD_DENIES": "hookd approval deny, or change the rule that denies it: hookd guard list",
    "NO_RECIPIENT": "hookd fleet, which lists the sessions",
    "MAIL_REFUSED": "hookd send --help",
    "NOT_HELD": "hookd mail list",
    "INVALID_TIME": "hookd allow N --for 1h",
    "INVALID_CLAIM": "hookd claim --help",
    "CLAIMED": "hookd claim list",
    "NOT_YOURS": "hookd claim list",
    "TOO_MANY": "hookd release --all, or name some",
    "TOO_SLOW": "name fewer, then run it again",
    "NOT_A_SESSION": "run it in an agent's session; a person marks items: hookd work done N",
    "NOT_OWNER": "hookd work list, which shows the owners",
    "NOT_READY": "hookd work list",
    "INVALID_ITEM": "hookd work add --help",
    "DEPENDENCY_CYCLE": "hookd work show N, which lists what an item waits for",
    "PERSON_ONLY": "run it in a terminal of your own",
    "QUERY_FAILED": "see what there is: hookd query 'SELECT type, name FROM sqlite_schema'",
    "UNKEPT": "free the disk of the database (hookd status names it), then run the command again",
    "FILE_FAILED": "see that the folder is there and yours to write",
    NO_METHOD: "check its name; hookd restart, if hookd was upgraded since it started",
    "-32602": "fix the params; hookd restart, if hookd was upgraded since it started",
    INTERNAL: "hookd daemon logs -n 20",
}
"""The next step, by the code of an error."""

_LISTS = {
    "claim": "hookd claim list",
    "agent": "hookd agent list",
    "effort": "hookd effort list --all",
    "event": "hookd event, which lists the last ones",
    "mail": "hookd mail list",
    "task": "hookd task list",
    "guard": "hookd guard list, which shows the scope of each rule",
    "session": "hookd session list",
    "work item": "hookd work list --all",
}
"""The next step if something was not found, by its word in the sentence."""


class State(StrEnum):
    """State of the socket's path."""

    LISTENING = "listening"
    HUNG = "hung"
    DEAD = "dead socket"
    NONE = "no socket"
    FOREIGN = "not ours"


class SocketError(Exception):
    """An error of a call or a subscription; `step` is the next command, "" without one."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.step = step


class NoDaemonError(SocketError):
    """No daemon answers; `state` is what is at the socket's path."""

    def __init__(self, sentence: str, step: str, state: State) -> None:
        super().__init__(sentence, step)
        self.state = state


class ConnectionEndedError(SocketError):
    """The daemon ended the connection, or was ended."""


class ProtocolError(SocketError):
    """A line is not a JSON-RPC message, or too long."""


class RefusedError(SocketError):
    """The daemon's error; `code` is the domain's word for it, or the number."""

    def __init__(self, sentence: str, step: str, code: str) -> None:
        super().__init__(sentence, step)
        self.code = code


def state_of(error: OSError) -> State:
    """Return the state of a socket's path from the error of a connection to it."""
    match error:
        case FileNotFoundError() | NotADirectoryError():
            return State.NONE
        case ConnectionRefusedError():
            return State.DEAD
        case TimeoutError() | BlockingIOError() | BrokenPipeError() | ConnectionResetError():
            # BlockingIOError: the queue of connections that wait to be accepted is full.
            return State.HUNG
        case _:
            return State.FOREIGN


def no_daemon(places: Paths, state: State) -> NoDaemonError:
    """Return the error for a daemon that does not listen."""
    path = places.socket
    match state:
        case State.HUNG:
            sentence, step = f"The daemon does not answer on {path}.", _end_of(places.pid)
        case State.FOREIGN:
            step = f"ls -ld {path}; move what is not hookd's away"
            sentence = f"{path} is not a socket of yours."
        case State.DEAD:
            sentence, step = f"No daemon is running: no process listens on {path}.", START
        case _:
            sentence, step = f"No daemon is running: there is no socket {path}.", START
    return NoDaemonError(sentence, step, state)


def refused(
    method: str, error: Any, shown: Callable[[str], str] = lambda method: method
) -> RefusedError:
    """Return an error of the daemon as a sentence, with the next step for its code.

    `shown` returns what a person calls the method.
    """
    error = error if isinstance(error, dict) else {"message": str(error)}
    data = error.get("data")
    data = data if isinstance(data, dict) else {}
    code = str(data.get("code") or error.get("code"))
    detail = str(data.get("detail") or error.get("message") or "without a reason")
    sentence = {
        NO_METHOD: f"The daemon has no method {method}",
        "-32602": f"The daemon refuses these params: {detail}",
        INTERNAL: f"The daemon failed at {method}; its log has the reason",
        "INVALID_RULE": f"The daemon refuses this rule: {detail}",
        "INVALID_HANDOVER": f"The daemon refuses this handover: {detail}",
        "PERSON_ONLY": detail.replace(method, shown(method), 1),
    }.get(code, _capitalized(detail))
    step = _STEPS.get(code, "")
    if code == "INVALID_VALUE" and shown(method).startswith("hookd "):
        step = f"{shown(method).rstrip()} --help"
    if code == "NOT_FOUND":
        # The sentence names what was not found: a guard's effort is not a guard.
        step = next((step for word, step in _LISTS.items() if word in detail), "")
    return RefusedError(sentence.rstrip(".") + ".", step, code)


def _capitalized(text: str) -> str:
    """Return a sentence with a capital letter, unless it begins with a path or another value.

    >>> _capitalized("no claim is named"), _capitalized("src/a.py is claimed")
    ('No claim is named', 'src/a.py is claimed')
    """
    first = text.partition(" ")[0].rstrip(",:")
    return text[:1].upper() + text[1:] if first.isascii() and first.isalpha() else text


def _end_of(pid_file: Path) -> str:
    """Return how to end a daemon that hangs: it would not answer `hookd stop` either."""
    try:
        pid = int(pid_file.read_bytes())
    except (OSError, ValueError):
        return "hookd daemon logs -n 20"
    return f"kill {pid}, or kill -9 {pid} if that fails; then hookd start"
