"""The trial of a shim: programs that fail it in each way, and the times of a real one."""

import tempfile
from pathlib import Path

import pytest

from hookd.cli.lib import shim_trial
from support.hook_shim import SHIM
from support.native_shim import native
from support.programs import PYTHON

WIRE = """#!{python} -SEI
import _socket, os, posix, sys
place = [row[7:] for row in open(os.path.dirname(sys.argv[0]) + "/config").read().split("\\n")
         if row.startswith("socket ")][0]
wire = _socket.socket(_socket.AF_UNIX)
event = os.path.basename(sys.argv[0])
body = b""
while chunk := posix.read(0, 65536):
    body += chunk
"""
HEADER = """wire.connect(place)
about = b'{{"method":"hooks.dispatch","params":{{"body":true,"event":"%s"}}}}\\n'
wire.sendall(about % event.encode())
"""
ANSWER = """wire.sendall(body + b"\\x1e")
text = b""
while chunk := wire.recv(65536):
    text += chunk
posix.write(1, text.partition(b"\\n")[2].partition(b'"result":')[2][:-2] + b"\\n")
"""


def program(tmp_path: Path, text: str) -> Path:
    made = tmp_path / "hookd-hook.native"
    made.write_text(text.replace("{python}", PYTHON).replace("{{", "{").replace("}}", "}"))
    made.chmod(0o755)
    return made


def test_the_compiled_shim_passes() -> None:
    assert shim_trial.trouble(native()) == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("#!/bin/sh\nexit 7\n", "it did not print the answer to 52 bytes (exit code 7)"),
        ("#!/bin/sh\necho odd >&2\n", "it did not print the answer to 52 bytes: odd"),
        ("#!/bin/sh\nkill -SEGV $$\n", "it did not print the answer to 52 bytes (SIGSEGV)"),
        ("#!/nowhere\n", "it cannot be started: No such file or directory"),
        ("\x7fELF of another machine", "it cannot be started: Exec format error"),
        (WIRE + HEADER + ANSWER, "it did not pass an event to the shim of bash"),
        (WIRE + HEADER + "body = b'x'\n" + ANSWER, "it did not send 52 bytes as they were"),
        (
            WIRE + HEADER.replace("hooks.dispatch", "other") + ANSWER,
            "it did not send 52 bytes as they were",
        ),
        (
            WIRE + HEADER + "body = body[:100000]\n" + ANSWER,
            "it did not send 200012 bytes as they were",
        ),
    ],
)
def test_a_program_that_fails_is_told_with_its_reason(tmp_path: Path, text: str, why: str) -> None:
    assert shim_trial.trouble(program(tmp_path, text)).startswith(why)


def test_a_long_folder_for_temporary_files_is_no_fault_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    assert shim_trial.trouble(native()) == ""
    assert shim_trial.milliseconds(native(), (), 30, rounds=1)


def test_a_trial_that_cannot_be_prepared_says_nothing_about_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = f"/nowhere/{tmp_path.name}"[:60]
    monkeypatch.setattr(tempfile, "tempdir", gone)
    with pytest.raises(shim_trial.UntriedError, match="No such file"):
        shim_trial.trouble(native())


def test_a_hook_and_bash_are_measured_by_the_same_clock() -> None:
    taken = shim_trial.milliseconds(SHIM, (f"python3:{PYTHON}",), 30, rounds=2)
    assert taken
    assert min(taken) > 0


def test_a_hook_that_fails_has_no_time(tmp_path: Path) -> None:
    assert shim_trial.milliseconds(program(tmp_path, "#!/bin/sh\nexit 1\n"), (), 1) is None
