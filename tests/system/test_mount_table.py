"""The file system of a path, by the text of mountinfo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.system.mount_table import network_of

MOUNTS = r"""21 1 254:0 / / rw,relatime - ext4 /dev/vda rw
22 21 0:21 / /proc rw - proc proc rw
30 21 0:40 / /home rw shared:1 - nfs4 server:/home rw,vers=4.2
31 30 0:41 / /home/ana/local rw - ext4 /dev/vdb rw
32 21 0:42 / /mnt/with\040space rw master:3 propagate_from:2 - cifs //nas/share rw
33 21 0:43 / /srv rw - nfs server:/srv rw
34 33 0:44 / /srv rw - btrfs /dev/vdc rw
35 21 0:45 / /media/ssh rw - fuse.sshfs ana@host:/ rw
36 21 0:46 / /media/own rw - fuse.portal portal rw
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/hookd", ""),
        ("/home/ana/.local/state/hookd", "nfs4"),
        ("/home", "nfs4"),
        ("/homework", ""),
        ("/home/ana/local/state", ""),
        ("/home/ana/localized", "nfs4"),
        ("/mnt/with space/x", "cifs"),
        ("/srv/x", ""),
        ("/media/ssh/x", "fuse.sshfs"),
        ("/media/own/x", ""),
    ],
)
def test_the_mount_that_is_nearest_and_last_decides(path: str, kind: str) -> None:
    assert network_of(MOUNTS, path) == kind


@pytest.mark.parametrize(
    "text", ["", "\n\n", "21 1", "a b c d e - nfs", "1 2 3 / relative - nfs x"]
)
def test_what_is_no_line_of_mountinfo_says_nothing(text: str) -> None:
    assert network_of(text, "/home/ana") == ""


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert network_of(text, "/home/ana") == ""
