"""Process ancestry: read from the system, and bounded."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from hookd.system import ancestry
from hookd.system.ancestry import caller_of, lineage, parent_of
from hookd.system.ancestry_macos import parse_procargs


def test_this_process_and_those_above_it_are_read() -> None:
    chain = list(lineage(os.getpid()))
    assert (chain[0].pid, chain[1].pid) == (os.getpid(), os.getppid())
    assert chain[0].args[: len(sys.orig_argv)] == tuple(sys.orig_argv)
    assert (chain[0].session, chain[0].group) == (os.getsid(0), os.getpgid(0))
    assert chain[0].start >= chain[1].start
    assert Path(chain[0].program) == Path(sys.executable).resolve()


def test_who_fired_a_hook_is_known_as_long_as_it_lives() -> None:
    own = next(lineage(os.getpid()))
    said = caller_of(os.getpid(), {own.key})
    assert (said.client, said.pid) == ("a program that fires hooks", os.getpid())
    assert caller_of(os.getpid(), {(own.pid, own.start + 1)}).pid != os.getpid()


def test_who_has_ended_is_no_person() -> None:
    with subprocess.Popen(["true"]) as gone:
        pass
    for pid in (gone.pid, 0, None):
        assert caller_of(pid).why == "the process that asks cannot be identified"


def test_the_parent_of_a_process_is_read_alone() -> None:
    assert parent_of(os.getpid()) == os.getppid()
    with subprocess.Popen(["true"]) as gone:
        pass
    assert parent_of(gone.pid) == 0


def test_a_long_line_of_ancestors_is_not_followed_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ancestry, "_DEEPEST", 2)
    with subprocess.Popen(["sh", "-c", "sh -c 'cat; :'; :"], stdin=subprocess.PIPE) as top:
        deepest = next(lineage(top.pid))
        assert caller_of(deepest.pid).why == "the process that asks has too many ancestors"
        top.communicate()


def test_arguments_and_environment_of_macos_are_told_apart() -> None:
    texts = b"/bin/zsh\0\0\0\0zsh\0-c\0hookd stop\0A=1\0CLAUDECODE=1\0"
    program, args, environment = parse_procargs(struct.pack("@i", 3) + texts) or ("", (), b"")
    assert (program, args) == ("/bin/zsh", ("zsh", "-c", "hookd stop"))
    assert environment == b"A=1\0CLAUDECODE=1\0"
    assert parse_procargs(b"\0") is None
