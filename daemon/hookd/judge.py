"""One-shot judge: answer one hook event without the daemon.

    python -I -m hookd.judge [--deadline SECONDS] [--trial]

stdin is what a shim sends to the socket: the `hooks.dispatch` line, the payload, 0x1E. stdout is
the line that the daemon would answer with. Exit code 0: a verdict was reached, or everything passes
because hookd is stopped or paused. Otherwise one line on stderr says why there is none, and the
shim's fail policy decides. Two run at once for a user; the others wait until it is their turn.
`--trial` leaves no record.

Importing the guards takes most of the time and comes after the wait; so nothing that imports them
is imported at the top.
"""

import faulthandler
import gc
import json
import logging
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from hookd.core.protocol import END, LARGEST
from hookd.core.unjudged import FULL, line
from hookd.files import private, spool, stop_marker
from hookd.files.slots import NoSlotError, slot
from hookd.paths import Paths, claude, paths

NO_VERDICT, NO_TURN = 1, 3
"""Exit codes: the event cannot be judged, or not in time; no turn came in time."""

_DEADLINE = 10.0
_WORK = 0.5
"""Seconds of the deadline that are kept for judging, and not spent on waiting for a turn."""

_NULL = b"null"


class _Ended(NamedTuple):
    """How the process ends: its exit code, and its answer or why there is none."""

    code: int
    answer: bytes = b""
    why: str = ""


class _Options(NamedTuple):
    """The command line: seconds until the deadline, and whether a record is left."""

    deadline: float
    trial: bool


def main() -> None:
    """Judge the event on stdin, and end the process."""
    gc.disable()  # the process ends before a collection could pay
    logging.getLogger("hookd").addHandler(logging.NullHandler())
    try:
        ended = _ended(_options(sys.argv[1:]))
    except NoSlotError:
        ended = _Ended(NO_TURN, why="no turn came before the deadline")
    except Exception as fault:  # noqa: BLE001 - the fail policy decides, and a person is told why
        ended = _Ended(NO_VERDICT, why=f"{type(fault).__name__}: {fault}")
    with suppress(OSError):
        if ended.code:
            why = " ".join(ended.why.split())
            os.write(2, f"hookd: not judged without the daemon: {why}\n".encode())
        else:
            _write(ended.answer)
    os._exit(ended.code)  # without taking down what was imported


def _options(words: list[str]) -> _Options:
    deadline = float(words[words.index("--deadline") + 1]) if "--deadline" in words else _DEADLINE
    return _Options(deadline, "--trial" in words)


def _ended(options: _Options) -> _Ended:
    """Judge the event on stdin within the deadline. Raise NoSlotError if no turn comes."""
    # By a thread in C: no code that computes for ever can hold it up.
    with Path(os.devnull).open("wb") as nowhere:
        faulthandler.dump_traceback_later(options.deadline, exit=True, file=nowhere)
        asked, body, whole = _read()
        places = paths()
        if stop_marker.read(places.stopped) is not None:
            return _Ended(0, _answer(asked, _NULL))
        if not whole:
            return _Ended(NO_VERDICT, why="the payload ended in its middle, or is too long")
        with suppress(OSError):  # then nothing limits how many run, and no record is left
            private.make(places.socket.parent)
        with slot(places.slots, max(options.deadline - _WORK, 0)):
            return _judged(places, asked, body, options)


def _judged(places: Paths, asked: Any, body: bytes, options: _Options) -> _Ended:
    from hookd.unattended import Event, Machine, NoVerdictError, judge  # noqa: PLC0415 - see above

    params = asked["params"]
    name, env, closed = params["event"], params["env"], params.get("closed") is True
    event = Event(str(name), env if isinstance(env, dict) else {}, body, closed)
    now = datetime.now(UTC)  # noqa: TID251 - as in app.py, this is the process's own clock
    try:
        verdict = judge(Machine(places, claude(), str(Path.home())), event, now)
    except NoVerdictError as error:
        return _Ended(NO_VERDICT, why=str(error))
    if verdict.reason and not options.trial:
        at = now.isoformat(timespec="milliseconds")
        with suppress(OSError):  # the verdict holds although it cannot be recorded
            spool.leave(places.unjudged, line(at, verdict.event, verdict.reason), FULL)
    return _Ended(0, _answer(asked, verdict.answer))


def _read() -> tuple[Any, bytes, bool]:
    """Return the request, the payload's bytes, and whether the payload came to its end.

    Raise ValueError if the request is none.
    """
    with open(0, "rb", closefd=False) as stream:
        request = json.loads(stream.readline(LARGEST))
        body = stream.read(LARGEST + 1)
    if not isinstance(request, dict) or not isinstance(request.get("params"), dict):
        raise ValueError("stdin is no hooks.dispatch request")
    payload, end, _ = body.partition(END)
    return request, payload, bool(end)


def _answer(asked: Any, result: bytes) -> bytes:
    """Return the line that answers a request; shims know its beginning."""
    number = json.dumps(asked.get("id")).encode()
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (number, result)


def _write(answer: bytes) -> None:
    while answer:
        answer = answer[os.write(1, answer) :]


if __name__ == "__main__":
    main()
