"""Where there is no /dev/fd, as in a container without /proc, the shims judge by a named pipe.

`make faults` tries the same in a mount namespace; these run the shims as if it were so.
"""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.hook_shim import BIG, PATH, SHIM, Daemon, result
from support.programs import PYTHON, needed
from support.status_line_shim import LINE, Peer, serving

OK = result({"ok": True})
KINDS = ("nc", "socat", "perl", "python3")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with shims that see no /dev/fd."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hk") as name:
        for shim in SHIM.parent.glob("hookd-*"):
            shutil.copy(shim, name)
            copy = Path(name, shim.name)
            copy.write_text(copy.read_text().replace("-d /dev/fd ]]", "-d /dev/null/fd ]]"))
        yield Path(name)


def run(
    folder: Path,
    *more: str,
    kind: str = "python3",
    name: str = "hookd-hook",
    payload: bytes = b"{}",
) -> subprocess.CompletedProcess[bytes]:
    program = PYTHON if kind == "python3" else needed(kind)
    # By bash: a file that was just written may be open in what another thread forks, and Linux
    # starts no such file (ETXTBSY).
    command = ["/bin/bash", "-p", str(folder / name), "--socket", str(folder / "hookd.sock")]
    return subprocess.run(
        [*command, "--transport", f"{kind}:{program}", *more],
        input=payload,
        env={"PATH": PATH},
        capture_output=True,
        check=False,
        timeout=60,
    )


def left(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {
        one.name for one in SHIM.parent.glob("hookd-*")
    }


@pytest.mark.parametrize("payload", [b"{}\n", BIG], ids=["small", "large"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_call_is_judged(folder: Path, kind: str, payload: bytes) -> None:
    with Daemon(folder / "hookd.sock", answer=OK) as daemon:
        done = run(folder, "--event", "PreToolUse", kind=kind, payload=payload)
    assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b"")
    assert daemon.payload == payload + b"\x1e"
    assert left(folder) == {"hookd.sock"}


def test_what_gives_no_answer_goes_by_the_fail_policy_and_leaves_no_pipe(folder: Path) -> None:
    with Daemon(folder / "hookd.sock", answer=b""):
        done = run(folder, "--event", "PreToolUse", "--fail-closed", payload=BIG)
    assert b'"deny"' in done.stdout
    assert left(folder) == {"hookd.sock", "hookd.unjudged"}


def test_a_pipe_that_cannot_be_made_is_the_reason(folder: Path) -> None:
    text = (folder / "hookd-cold").read_text()
    (folder / "hookd-cold").write_text(text.replace("exec mkfifo", "exec /nowhere/mkfifo"))
    with Daemon(folder / "hookd.sock", answer=OK):
        done = run(folder, "--event", "PreToolUse", "--fail-closed")
    why = b"there is no /dev/fd, and no pipe can be made beside the socket"
    assert why in done.stdout, done


@pytest.mark.parametrize("kind", KINDS)
def test_the_status_line_is_shown(folder: Path, kind: str) -> None:
    with serving(Peer(folder / "hookd.sock")) as peer:
        done = run(folder, "--own", "cat; echo", name="hookd-statusline", kind=kind)
    assert (done.stderr, done.stdout.decode()) == (b"", f"{{}}\n\n\n{LINE}\n")
    assert (peer.calls, peer.payload) == (1, b"{}\x1e")
