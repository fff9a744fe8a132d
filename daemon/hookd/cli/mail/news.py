"""News of mail: wait for it across restarts of the daemon."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from hookd.cli.lib.client import Refused, subscribe
from hookd.cli.lib.errors import Problem

_POLL_INTERVAL_S = 15.0
"""Time after which a look is taken even without news."""

_RETRY_INTERVAL_S = 0.5

_T = TypeVar("_T")


def awaited(
    look: Callable[[], _T | None], seconds: float, report: Callable[[Problem], None]
) -> _T | None:
    """Return what `look` finds at last, None after so many seconds; it is called at each news.

    Notifications come on a thread: the end of the time must not wait for them. An error of the
    connection is reported, and the daemon is waited for; what the daemon refuses is raised.
    """
    until, changed, told = time.monotonic() + seconds, threading.Event(), False
    listener = threading.Thread(target=_listen, args=(changed,), daemon=True)
    while True:
        changed.clear()
        try:
            found = look()
        except Refused:
            raise
        except Problem as problem:  # no daemon: the next event starts one
            if not told:
                report(problem)
            told = True
        else:
            if found is not None:
                return found
        if not listener.ident:
            listener.start()
        left = until - time.monotonic()
        if left <= 0:
            return None
        changed.wait(min(left, _POLL_INTERVAL_S))


def _listen(changed: threading.Event) -> None:
    """Set an event at each news of mail, across restarts of the daemon."""
    while True:
        try:
            _, notifications = subscribe("mail.subscribe")
            changed.set()  # what was sent before the subscription
            for _ in notifications:
                changed.set()
        except Problem:
            pass
        time.sleep(_RETRY_INTERVAL_S)
