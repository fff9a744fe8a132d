"""The one-shot process: the line that it prints, what it leaves, and when it prints nothing."""

import fcntl
import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from hookd.events.protocol import PAYLOAD_END
from hookd.paths import under
from hookd.system import stop_marker, unjudged_spool
from hookd.system.slots import NoSlotError, names, slot
from support.home import Home
from support.payloads import header, payload, verdict


def judged(
    home: Home, command: str, *words: str, end: bytes = PAYLOAD_END, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Run it as a shim does, on a call of Bash."""
    event = payload("PreToolUse.Bash", cwd=str(home.path), tool_input={"command": command})
    sent = header("PreToolUse", {"HOME": str(home.path)}) + json.dumps(event).encode() + end
    program = [sys.executable, "-I", "-m", "hookd.judge", *(words or ("--deadline", "20"))]
    return subprocess.run(
        program,
        input=sent,
        env=home.env | env,
        cwd=home.path,
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_it_prints_the_line_of_the_daemon_and_leaves_one_whatever_is_around_it(home: Home) -> None:
    for name in ("hookd.py", "json.py", "sitecustomize.py"):
        (home.path / name).write_text("raise SystemExit(0)")
    done = judged(home, "rm -rf ~", PYTHONPATH=str(home.path), PYTHONSTARTUP="json.py")
    assert (done.returncode, done.stderr) == (0, b"")
    answer = json.loads(done.stdout)
    assert (answer["jsonrpc"], answer["id"], set(answer)) == ("2.0", 1, {"jsonrpc", "id", "result"})
    assert verdict(answer["result"])[0] == "deny"
    left = home.socket.with_suffix(".unjudged")
    assert left.stat().st_mode & 0o777 == 0o600
    said = "judged without the daemon: denied by destructive-guard\n"
    assert left.read_text().endswith(f"\tPreToolUse\t{said}")


def test_after_a_stop_everything_passes(home: Home) -> None:
    stop_marker.write(home.stopped)
    done = judged(home, "rm -rf ~")
    assert (done.returncode, json.loads(done.stdout)["result"]) == (0, None)
    assert not home.socket.with_suffix(".unjudged").exists()


@pytest.mark.parametrize("end", [b"", b"x" * 17_000_000 + PAYLOAD_END])
def test_a_payload_that_was_cut_off_or_is_too_long_is_not_judged(home: Home, end: bytes) -> None:
    done = judged(home, "rm -rf ~", end=end)
    assert (done.returncode, done.stdout) == (4, b"")
    assert done.stderr.startswith(b"hookd: not judged without the daemon: the payload ")


def test_who_gets_no_turn_before_the_deadline_says_so(home: Home) -> None:
    home.socket.parent.mkdir(parents=True)
    with ExitStack() as stack:
        for path in map(Path, names(str(home.socket))):
            assert path in under(home.path).own, "self-guard protects it"
            fcntl.flock(stack.enter_context(path.open("w")), fcntl.LOCK_EX)
        done = judged(home, "rm -rf ~", "--deadline", "0.6")
    assert (done.returncode, done.stdout) == (3, b"")
    assert (
        done.stderr == b"hookd: not judged without the daemon: no turn came before the deadline\n"
    )


def test_at_the_deadline_it_ends_whatever_it_does(home: Home) -> None:
    done = judged(home, "rm -rf ~", "--deadline", "0.05")
    # faulthandler reads the frames of the running interpreter before it exits, and may crash there.
    assert done.returncode in (1, -signal.SIGSEGV)
    assert (done.stdout, done.stderr) == (b"", b"")


def test_as_many_hold_a_slot_as_there_are(tmp_path: Path) -> None:
    files = names(f"{tmp_path}/hookd.sock")
    with slot(files, 0), slot(files, 0):
        with pytest.raises(NoSlotError), slot(files, 0):
            pass
        assert Path(files[0]).stat().st_mode & 0o777 == 0o600
    with slot(files, 0):
        pass


@pytest.mark.parametrize("what", ["a folder", "a link", "nowhere"])
def test_a_slot_that_cannot_be_used_keeps_nobody_from_working(tmp_path: Path, what: str) -> None:
    one, other = tmp_path / "one", tmp_path / "two"
    if what == "a folder":
        one.mkdir()
    elif what == "a link":
        one.symlink_to(other)
    else:
        one = tmp_path / "absent" / "one"
    files = (str(one), str(other))
    with slot(files, 0), slot(files, 0):
        pass


def test_a_line_is_left_in_a_file_of_ones_own_that_is_not_full(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    for _ in range(3):
        unjudged_spool.leave(file, "12345\n", most=10)
    assert file.read_text() == "12345\n12345\n"
    link.symlink_to(tmp_path / "target")
    with suppress(OSError):
        unjudged_spool.leave(link, "12345\n", most=10)
    assert not (tmp_path / "target").exists()


def test_files_for_payloads_are_removed_once_their_shim_is_gone(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        pass
    gone = {f"hookd.{ended.pid}.17.payload", f"hookd.{ended.pid}.4711.payload"}
    kept = {f"hookd.{os.getpid()}.17.payload", f"other.{ended.pid}.17.payload", "hookd.a.payload"}
    for name in (*gone, *kept):
        (tmp_path / name).touch()
    (tmp_path / f"hookd.{ended.pid}.1.payload").symlink_to(tmp_path / "elsewhere")
    unjudged_spool.clear(tmp_path / "hookd.unjudged")
    left = {one.name for one in tmp_path.iterdir() if not one.is_symlink()}
    assert (left, len(list(tmp_path.iterdir()))) == (kept, 4)
    unjudged_spool.clear(tmp_path / "absent" / "hookd.unjudged")
