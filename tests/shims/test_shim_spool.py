"""The shim's record without a verdict: one short line, bounded, private."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hookd.system import stop_marker
from support.hook_shim import BIG, Daemon, result, run


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/tmp") as path:
        yield Path(path)


@pytest.fixture
def sock(folder: Path) -> Path:
    return folder / "hookd.sock"


def spool(sock: Path) -> Path:
    return sock.with_suffix(".unjudged")


def test_a_line_says_when_which_event_and_why_and_nothing_of_the_payload(
    sock: Path, kind: str
) -> None:
    env: dict[str, str | bytes] = {"AGENT_ID": "secret", "TOKEN": "secret"}
    run(sock, payload=b'{"secret": 1}', env=env, kind=kind)
    (line,) = spool(sock).read_text().splitlines()
    time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
    why = "no daemon is running, and there is no hookd to start"
    assert re.fullmatch(f"{time}\tPreToolUse\t{why}", line)
    assert spool(sock).stat().st_mode & 0o777 == 0o600


def test_it_is_made_for_its_user_alone_with_its_folder(folder: Path, kind: str) -> None:
    sock = folder / "run" / "hookd.sock"
    run(sock, kind=kind)
    assert spool(sock).stat().st_mode & 0o777 == 0o600
    assert sock.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        ({"ack": b"", "answer": b""}, "the daemon did not acknowledge the call"),
        ({"answer": b""}, "the daemon gave no answer"),
        ({"answer": b"no answer\n"}, "the daemon answered with an error"),
    ],
)
def test_each_failure_leaves_its_reason(
    sock: Path, failure: dict[str, bytes], why: str, kind: str
) -> None:
    with Daemon(sock, **failure):  # type: ignore[arg-type]
        run(sock, "--fail-closed", payload=BIG, deadline=3, kind=kind)
    assert spool(sock).read_text().endswith(f"\tPreToolUse\t{why}\n")


def test_what_is_judged_leaves_nothing(sock: Path, kind: str) -> None:
    with Daemon(sock, answer=result({"ok": True})):
        run(sock, kind=kind)
    assert not spool(sock).exists()


def test_the_end_of_a_session_leaves_nothing_since_nobody_waits_for_its_verdict(
    sock: Path, kind: str
) -> None:
    run(sock, event="SessionEnd", kind=kind)
    assert not spool(sock).exists()


def test_while_hookd_is_stopped_nothing_is_left(sock: Path, kind: str) -> None:
    stop_marker.write(sock.with_suffix(".stopped"))
    run(sock, kind=kind)
    assert not spool(sock).exists()


def test_it_grows_to_64_kb_and_no_further(sock: Path, kind: str) -> None:
    spool(sock).write_bytes(b"x" * 65_535)
    run(sock, kind=kind)
    size = spool(sock).stat().st_size
    assert 65_536 <= size < 65_800
    run(sock, kind=kind)
    assert spool(sock).stat().st_size == size


def test_a_file_of_any_size_is_not_read(sock: Path, kind: str) -> None:
    spool(sock).touch()
    os.truncate(spool(sock), 1 << 40)
    done = run(sock, "--fail-closed", kind=kind)
    assert b'"deny"' in done.stdout
    assert spool(sock).stat().st_size == 1 << 40


@pytest.mark.parametrize("what", ["a link", "a pipe", "a folder"])
def test_what_is_no_file_of_the_user_s_is_not_written_to(
    sock: Path, folder: Path, what: str, kind: str
) -> None:
    elsewhere = folder / "elsewhere"
    match what:
        case "a link":
            spool(sock).symlink_to(elsewhere)
        case "a pipe":
            os.mkfifo(spool(sock))
        case _:
            spool(sock).mkdir()
    done = run(sock, "--fail-closed", kind=kind)
    assert (done.returncode, b'"deny"' in done.stdout, done.stderr) == (0, True, b"")
    assert not elsewhere.exists()


def test_an_event_of_any_name_is_one_line(sock: Path, kind: str) -> None:
    run(sock, event="a\tb\nc$(touch x)", kind=kind)
    (line,) = spool(sock).read_text().splitlines()
    assert line.split("\t")[1] == "abctouchx"


def test_thirty_at_once_leave_thirty_whole_lines(sock: Path, kind: str) -> None:
    with ThreadPoolExecutor(15) as pool:
        done: list[subprocess.CompletedProcess[bytes]] = list(
            pool.map(lambda _: run(sock, kind=kind), range(30))
        )
    assert {one.returncode for one in done} == {0}
    lines = spool(sock).read_text().splitlines()
    assert len(lines) == 30
    assert all(len(line.split("\t")) == 3 for line in lines)
