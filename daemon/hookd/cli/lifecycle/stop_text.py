"""Texts about a stop by `hookd stop`."""

from hookd.cli.lib.local_time import local
from hookd.system.stop_marker import Stop

STEP = "hookd start"


def sentence(stop: Stop) -> str:
    """Return that hookd is stopped, since when, and what that means."""
    since = f", since {local(stop.at.isoformat())}" if stop.at else ""
    return f"hookd is stopped, by hookd stop{since}: every call runs unchecked."
