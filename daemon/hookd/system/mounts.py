"""The home of whether a folder is on a network file system: Linux tells, others do not."""

from pathlib import Path

from hookd.system.mount_table import network_of

MOUNTINFO = Path("/proc/self/mountinfo")

LOCAL = "set HOOKD_HOME to a folder on a local disk, then hookd install, and hookd start"
"""What to do where a folder is on one."""


def network(folder: Path) -> str:
    """Return what network file system a folder is on, or will be; nothing for others."""
    try:
        text = MOUNTINFO.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
    return network_of(text, str(folder.resolve()))
