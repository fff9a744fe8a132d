"""A daemon that hangs for good at one call, and whose watchdog has two seconds of patience.

`hanging.py MARK ARGUMENT...` runs `hookd ARGUMENT...`; it hangs at the first call whose input has
MARK in it.
"""

import sys
import threading
from typing import Any

from hookd.cli import main
from hookd.daemon import watchdog
from hookd.pipeline import transaction

mark = sys.argv.pop(1)
watchdog.HANG_TIMEOUT_S, watchdog._RESET_INTERVAL_S = 2, 0.1
decides = transaction.evaluate_event


def _hung(house: Any, event: Any, *more: Any) -> Any:
    if mark in str(getattr(event, "tool_input", "")):
        threading.Event().wait(600)
    return decides(house, event, *more)


transaction.evaluate_event = _hung
main()
