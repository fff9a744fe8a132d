"""A file that the shim needs is missing, damaged or another version's: the fail policy decides."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hookd.core.evaluation.unjudged import parse
from support.hook_shim import BIG, PATH, Daemon, result
from support.native_shim import NATIVE, SHIMS, native
from support.programs import PYTHON

ALONE = (SHIMS / "hookd-alone").read_text()
OLDER = "note() { :; }\nfail() { return 1; }\nwake() { return 1; }\n"
DAMAGES = {
    "missing": None,
    "empty": "",
    "another version's": OLDER,
    "no bash": "\x7fELF )(",
}
REFUSED = {"PreToolUse": '"permissionDecision":"deny"', "UserPromptSubmit": '"decision":"block"'}
KINDS = ("link", "options", "resumed", NATIVE)
CLOSED = [(event, kind) for event in REFUSED for kind in KINDS]


@pytest.fixture
def folder() -> Iterator[Path]:
    """The folder of the shims, as files of their own, with the scope `user`."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hk") as name:
        folder = Path(name) / "shims"
        (folder / "user").mkdir(parents=True)
        for one in SHIMS.glob("hookd-*"):
            shutil.copy(one, folder)
        yield folder


def damage(file: Path, text: str | None) -> None:
    if text is None:
        file.unlink()
    else:
        file.write_text(text)


def ask(
    folder: Path,
    kind: str,
    event: str,
    *,
    policy: str = "closed",
    payload: bytes = b"{}",
    rows: str = "",
) -> subprocess.CompletedProcess[bytes]:
    """Run one hook of a scope; `kind` is how it is started."""
    sock, scope = folder.with_name("hookd.sock"), folder / "user"
    text = f"socket {sock}\ntransport python3:{PYTHON}\nevents 5 {policy} {event}\n{rows}"
    (scope / "config").write_text(text)
    words = [str(scope / event)]
    match kind:
        case "link":
            (scope / event).symlink_to("../hookd-hook")
        case "options":
            words = [str(folder / "hookd-hook"), "--event", event, "--socket", str(sock)]
            words += ["--fail-closed"] if policy == "closed" else []
        case "resumed":
            words = [str(folder / "hookd-hook"), "--resume", "start", *words, "17-4", "0", "", "--"]
        case _:
            (folder / "hookd-hook.native").symlink_to(native())
            (scope / event).symlink_to("../hookd-hook.native")
    return subprocess.run(
        words, input=payload, env={"PATH": PATH}, capture_output=True, check=False, timeout=60
    )


def noted(folder: Path) -> list[tuple[str, str]]:
    """Return event and reason of each line that the daemon would import."""
    file = folder.with_name("hookd.unjudged")
    return [(one.event, one.reason) for one in parse(file.read_text(), "")] if file.exists() else []


@pytest.mark.parametrize(("event", "kind"), CLOSED)
@pytest.mark.parametrize("text", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_call_that_fails_closed_is_refused_without_the_cold_file(
    folder: Path, text: str | None, event: str, kind: str
) -> None:
    """A `hookd-start` of an older version lies beside it, too."""
    damage(folder / "hookd-cold", text)
    (folder / "hookd-start").write_text(OLDER)
    done = ask(folder, kind, event)
    assert (done.returncode, REFUSED[event] in done.stdout.decode()) == (0, True), done
    assert json.loads(done.stdout)


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_that_passes_is_named_without_the_cold_file(folder: Path, kind: str) -> None:
    damage(folder / "hookd-cold", "")
    done = ask(folder, kind, "Stop", policy="open")
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"hookd: Stop not judged: the ")
    assert done.stderr.endswith(b"; hookd install puts it back; it passes unchecked\n")


CUT = {
    "missing": None,
    "empty": "",
    "cut off": ALONE[: ALONE.index("\njudge() {")],
    "without its last function": ALONE[: ALONE.index("\nstart() {")],
}


@pytest.mark.parametrize("kind", ["link", NATIVE])
@pytest.mark.parametrize("text", CUT.values(), ids=CUT.keys())
def test_a_call_that_fails_closed_is_refused_without_the_file_for_no_daemon(
    folder: Path, text: str | None, kind: str
) -> None:
    damage(folder / "hookd-alone", text)
    done = ask(folder, kind, "PreToolUse")
    assert (done.returncode, REFUSED["PreToolUse"] in done.stdout.decode()) == (0, True), done
    assert [event for event, _ in noted(folder)] == ["PreToolUse"]


def test_a_large_payload_is_judged_by_the_daemon_without_the_file_for_no_daemon(
    folder: Path,
) -> None:
    damage(folder / "hookd-alone", "")
    with Daemon(folder.with_name("hookd.sock"), answer=result({"ok": True})) as daemon:
        done = ask(folder, "link", "PreToolUse", payload=BIG, rows=f"python {PYTHON}\n")
    assert (done.stdout, daemon.payload == BIG + b"\x1e") == (b'{"ok": true}\n', True)


@pytest.mark.parametrize("text", [None, ""], ids=["missing", "empty"])
@pytest.mark.parametrize("name", ["hookd-hook", "hookd-cold"])
def test_the_native_shim_leaves_a_line_where_it_applies_the_fail_policy(
    folder: Path, name: str, text: str | None
) -> None:
    damage(folder / name, text)
    done = ask(folder, NATIVE, "PreToolUse")
    assert b'"permissionDecision":"deny"' in done.stdout
    why = "the bash shim cannot be started; hookd install puts it back"
    assert noted(folder) == [("PreToolUse", why)]
    assert folder.with_name("hookd.unjudged").stat().st_mode & 0o777 == 0o600


def test_the_native_shim_leaves_no_line_for_the_end_of_a_session(folder: Path) -> None:
    damage(folder / "hookd-cold", None)
    assert b"SessionEnd not judged" in ask(folder, NATIVE, "SessionEnd").stderr
    assert noted(folder) == []


@pytest.mark.parametrize("what", ["full", "link", "pipe", "folder"])
def test_the_native_shim_writes_only_to_a_small_file_of_the_user_s(folder: Path, what: str) -> None:
    damage(folder / "hookd-cold", None)
    spool, elsewhere = folder.with_name("hookd.unjudged"), folder / "elsewhere"
    elsewhere.touch()
    match what:
        case "full":
            spool.write_bytes(b"x" * 65_536)
        case "link":
            spool.symlink_to(elsewhere)
        case "pipe":
            os.mkfifo(spool)
        case _:
            spool.mkdir()
    done = ask(folder, NATIVE, "PreToolUse")
    assert (done.returncode, b'"deny"' in done.stdout) == (0, True)
    assert elsewhere.read_bytes() == b""
    assert what != "full" or spool.stat().st_size == 65_536
