"""The home of which file system a path stands on, by the text of Linux's mountinfo.

SQLite's WAL mode needs memory that is shared between processes, which no network file system gives
reliably, and a lock that is the kernel's own.
"""

import re

_NETWORK = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "ncpfs", "afs", "auristorfs", "coda", "davfs"),
        *("ceph", "glusterfs", "lustre", "gpfs", "beegfs", "panfs", "fuse.glusterfs", "fuse.ceph"),
        *("fuse.cephfs", "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.gcsfuse", "fuse.davfs"),
        *("fuse.davfs2", "fuse.curlftpfs", "fuse.goofys", "fuse.smbnetfs", "fuse.afp"),
        "fuse.juicefs",
    }
)
_ESCAPE = re.compile(r"\\([0-7]{3})")


def network_of(mountinfo: str, path: str) -> str:
    """Return the network file system that an absolute path without links is on; nothing for others.

    `mountinfo` is the text of /proc/self/mountinfo; a line of it that cannot be read is none.
    """
    best, kind = -1, ""
    wanted = f"{path.rstrip('/')}/"
    for line in mountinfo.split("\n"):
        point, found = _mount(line)
        # Of two in one place the later covers the earlier.
        if point and wanted.startswith(f"{point.rstrip('/')}/") and len(point) >= best:
            best, kind = len(point), found
    return kind if kind in _NETWORK else ""


def _mount(line: str) -> tuple[str, str]:
    """Return where something is mounted, and its kind; both empty where the line does not say."""
    before, _, after = line.partition(" - ")
    fields, kinds = before.split(" "), after.split(" ")
    if len(fields) < 5 or not fields[4].startswith("/"):
        return "", ""
    return _ESCAPE.sub(lambda one: chr(int(one[1], 8)), fields[4]), kinds[0]
