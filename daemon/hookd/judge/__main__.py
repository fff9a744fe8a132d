"""One-shot judge: answer one hook event without the daemon.

    python -I -m hookd.judge [--deadline SECONDS] [--socket PATH] [--growing] [--trial]

stdin is what a shim sends to the socket: the `hooks.dispatch` line, the payload, 0x1E. stdout is
the line that the daemon would answer with. Exit code 0: a verdict was reached, or everything passes
because hookd is stopped or paused. Otherwise one line on stderr says why there is none, and the
shim's fail policy decides: 3, no turn came in time; 4, the event cannot be judged without the
daemon; 1, anything else, also that the time was up.

Two run at once for a user; the others wait until it is their turn. With `--growing` stdin is a file
to whose end the shim still writes. `--trial` leaves no record. `--socket` saves looking for it.

Importing the guards takes most of the time and comes after the wait, so this module imports next to
nothing.
"""

import faulthandler
import gc
import os
import sys
import time

from hookd.pydantic_plugins import skip_plugins
from hookd.system.slots import NoSlotError, names, slot

DEADLINE = 10.0
NO_TURN, UNJUDGEABLE, FAILED = 3, 4, 1
_WORK = 0.5
"""Seconds of the deadline that are kept for judging, and not spent on waiting for a turn."""

_LEAST = 0.05
"""Seconds after which the process may end at the earliest."""

_END = b"\x1e"
_LARGEST = 16 * 1024 * 1024 + 65_536
"""Bytes of a payload and of the line before it."""

_CHUNK = 1 << 18
_POLL = 0.01


def main() -> None:
    """Judge the event on stdin, and end the process."""
    gc.disable()  # the process ends before a collection could pay
    words = sys.argv[1:]
    deadline = max(float(_value("--deadline", words) or DEADLINE) - _spent(), _LEAST)
    # The thread is in C: no endless computation can delay it.
    faulthandler.dump_traceback_later(deadline, exit=True, file=os.open(os.devnull, os.O_WRONLY))
    code, why = FAILED, ""
    try:
        with slot(names(_value("--socket", words) or _socket()), max(deadline - _WORK, 0)):
            code, why = _judged(record="--trial" not in words, growing="--growing" in words)
    except NoSlotError:
        code, why = NO_TURN, "no turn came before the deadline"
    except Exception as fault:  # noqa: BLE001 - the fail policy decides, and stderr says why
        why = f"{type(fault).__name__}: {fault}"
    if code:
        text = f"hookd: not judged without the daemon: {' '.join(why.split())}\n"
        os.write(2, text.encode("utf-8", "replace"))
    os._exit(code)  # without taking down what was imported


def _judged(*, record: bool, growing: bool) -> tuple[int, str]:
    """Print the answer; return the exit code, and why there is none."""
    sent = _sent(growing=growing)
    if sent is None:
        return UNJUDGEABLE, "the payload ended in its middle, or is longer than 16 MiB"
    skip_plugins()
    from hookd.judge.evaluate import NoVerdictError, answered  # noqa: PLC0415 - see above

    try:
        answer = answered(sent, record=record)
    except NoVerdictError as refusal:
        return UNJUDGEABLE, str(refusal)
    while answer:
        answer = answer[os.write(1, answer) :]
    return 0, ""


def _sent(*, growing: bool) -> bytes | None:
    """Return what stdin holds before the end of the payload; None without an end, or too long."""
    held = bytearray()
    while len(held) <= _LARGEST:
        chunk = os.read(0, _CHUNK)
        before, end, _ = chunk.partition(_END)
        held += before
        if end:
            return bytes(held)
        if not chunk and not growing:
            return None
        if not chunk:
            time.sleep(_POLL)  # the deadline ends the process
    return None


def _spent() -> float:
    """Return the seconds since this process began: on a busy machine starting it takes its time."""
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - pathlib is slow to import
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, AttributeError, IndexError):  # no Linux
        return 0.0
    return min(max(age, 0.0), DEADLINE)


def _value(option: str, words: list[str]) -> str:
    return words[words.index(option) + 1] if option in words[:-1] else ""


def _socket() -> str:
    from hookd.paths import paths  # noqa: PLC0415 - a shim says it

    return str(paths().socket)


if __name__ == "__main__":
    main()
