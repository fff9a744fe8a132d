"""Mount table: the network file system that a folder is on, by Linux's mountinfo.

SQLite's WAL mode needs memory that processes share, and locks of the kernel: no network file system
provides them reliably. Systems other than Linux are not checked.
"""

from pathlib import Path

from hookd.lazy_pattern import lazy_compile

MOUNTINFO = Path("/proc/self/mountinfo")

LOCAL_DISK_STEP = "set HOOKD_HOME to a folder on a local disk, then hookd install, and hookd start"
"""The next step for a folder on a network file system."""

_NETWORK = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "auristorfs", "coda", "davfs"),
        *("ceph", "glusterfs", "lustre", "gpfs", "beegfs", "panfs", "fuse.glusterfs", "fuse.ceph"),
        *("fuse.cephfs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse", "fuse.davfs"),
        *("fuse.davfs2", "fuse.curlftpfs", "fuse.goofys", "fuse.smbnetfs", "fuse.afp"),
        "fuse.juicefs",
    }
)
_ESCAPE = lazy_compile(r"\\([0-7]{3})")


def network(folder: Path) -> str:
    """Return the network file system that a folder is on, or will be; "" for any other."""
    try:
        text = MOUNTINFO.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
    return network_of(text, str(folder.resolve()))


def network_of(mountinfo: str, path: str) -> str:
    """Return the network file system of an absolute path without links; "" for any other.

    `mountinfo` is the text of /proc/self/mountinfo; malformed lines are skipped.
    """
    longest, kind = -1, ""
    folder = f"{path.rstrip('/')}/"
    for line in mountinfo.split("\n"):
        point, mounted = _mount(line)
        # Of two mounts on one folder the later covers the earlier.
        if point and folder.startswith(f"{point.rstrip('/')}/") and len(point) >= longest:
            longest, kind = len(point), mounted
    return kind if kind in _NETWORK else ""


def _mount(line: str) -> tuple[str, str]:
    """Return a mount's folder and its kind; both empty if the line is malformed."""
    before, _, after = line.partition(" - ")
    fields, kinds = before.split(" "), after.split(" ")
    if len(fields) < 5 or not fields[4].startswith("/"):
        return "", ""
    return _ESCAPE.sub(lambda escape: chr(int(escape[1], 8)), fields[4]), kinds[0]
