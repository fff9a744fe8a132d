"""Who used a process: the login name, and the terminal or what replaces it."""

import getpass
import os
import pty
import subprocess
import sys

import pytest

from hookd.system.person_name import person_name, terminal_of


@pytest.mark.skipif(sys.platform != "linux", reason="the terminal is read from /proc")
def test_a_process_has_a_terminal() -> None:
    ours, theirs = pty.openpty()
    code = "import os, sys; os.setsid(); os.close(os.open(sys.argv[1], os.O_RDWR)); input()"
    words = [sys.executable, "-S", "-c", code, os.ttyname(theirs)]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as child:
        name = os.ttyname(theirs).removeprefix("/dev/")
        while terminal_of(child.pid) != name:
            assert child.poll() is None
        assert person_name(child.pid) == f"{getpass.getuser()}, {name}"
        child.communicate(b"\n")
    os.close(ours)
    os.close(theirs)


def test_what_the_person_used_replaces_it() -> None:
    assert person_name(None, "web").endswith(", web")
    assert ", " not in person_name(None)
    assert terminal_of(2**30) == ""
