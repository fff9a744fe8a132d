"""Ends the processes of user hooks when the daemon is killed.

A shell, started with the first hook, reads the process groups of running hooks from a pipe. When
the daemon is gone, however it ended, the pipe closes, and the shell ends the groups that are left.
(Linux can send a signal at the death of a parent, but only to one process, and macOS cannot.)
"""

import os
import subprocess
from contextlib import suppress
from threading import Lock

from hookd.log.logger import LOG
from hookd.user_hooks.program import SHELL

_SCRIPT = """
live=' '
while read -r act id; do
  case $act in
    +) live="$live$id " ;;
    -) case $live in *" $id "*) live=${live%%" $id "*}' '${live#*" $id "} ;; esac ;;
  esac
done
[ "$live" = ' ' ] && exit
for id in $live; do kill -s TERM -- "-$id"; done
sleep 1
for id in $live; do kill -s KILL -- "-$id"; done
"""


class Reaper:
    """Knows the process groups that must not outlive the daemon. Any thread may call it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._groups: set[int] = set()
        self._shell: subprocess.Popen[bytes] | None = None
        self._closed = False

    def add(self, group: int) -> None:
        """End this group when the daemon is gone."""
        with self._lock:
            self._groups.add(group)
            if not self._closed and not self._tell(f"+ {group}\n"):
                self._start()

    def discard(self, group: int) -> None:
        """Leave this group alone: it has ended, or is to continue."""
        with self._lock:
            if group in self._groups:
                self._groups.discard(group)
                self._tell(f"- {group}\n")

    def close(self) -> None:
        """End the shell; the groups that are left are ended by it. No other is started."""
        with self._lock:
            self._closed = True
            if self._shell is not None and self._shell.stdin is not None:
                self._shell.stdin.close()
                with suppress(subprocess.TimeoutExpired):
                    self._shell.wait(2)
            self._shell = None

    def _start(self) -> None:
        """Start a shell, or replace an ended one, and send it all groups."""
        try:
            shell = subprocess.Popen(
                [SHELL, "-c", _SCRIPT, "hookd-reaper"],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env={"PATH": os.defpath},
                start_new_session=True,
            )
        except OSError as error:
            about = {"error": str(error)}
            LOG.warning("user hooks would outlive a daemon that is killed", extra={"about": about})
            return
        if self._shell is not None:
            self._shell.wait()
        self._shell = shell
        if shell.stdin is not None:
            os.set_blocking(shell.stdin.fileno(), False)
        self._tell("".join(f"+ {group}\n" for group in self._groups))

    def _tell(self, line: str) -> bool:
        """Return whether there is a running shell."""
        if self._shell is None or self._shell.stdin is None:
            return False
        try:
            os.write(self._shell.stdin.fileno(), line.encode())
        except BlockingIOError:
            return True  # it was stopped: the next one gets all groups
        except OSError:
            return False
        return True
