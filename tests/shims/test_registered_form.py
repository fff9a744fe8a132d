"""The shim as it is registered: a link named after its event, and one configuration beside it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hookd.clients.claude_code.registration import entry
from hookd.clients.hook_groups import Shim
from hookd.core.evaluation.unjudged import parse, report
from hookd.core.model.shim_config import ShimConfig, event_rules, render
from hookd.events.protocol import EVENTS
from hookd.system import stop_marker
from support.hook_shim import BIG, NATIVE, PATH, Daemon, result
from support.native_shim import linked

PYTHON = f"python3:{sys.executable}"
OK = result({"ok": True})


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = Path("/tmp") / f"hk{os.getpid()}-{os.urandom(4).hex()}"
    path.mkdir()
    yield path
    shutil.rmtree(path)


@pytest.fixture
def sock(folder: Path) -> Path:
    return folder / "hookd.sock"


def scope(
    sock: Path,
    kind: str = "python3",
    data: Path | None = None,
    closed: tuple[str, ...] = (),
    **more: Any,
) -> Shim:
    """Make the folder of a scope as `hookd install` does; return what is registered."""
    shims = (data or sock.parent) / "shims"
    (shims / "user").mkdir(parents=True)
    linked(shims, kind)
    program = "hookd-hook.native" if kind == NATIVE else "hookd-hook"
    known: dict[str, Any] = {"transports": (PYTHON,), "events": event_rules(EVENTS, closed)}
    config = ShimConfig(**({"socket": str(sock)} | known | more))
    (shims / "user" / "config").write_text(render(config))
    for name in EVENTS:
        (shims / "user" / name).symlink_to(f"../{program}")
    return Shim(str(shims / "user"), closed)


def run(*command: str, payload: bytes = b"{}\n", **env: str) -> subprocess.CompletedProcess[bytes]:
    variables = {"PATH": PATH} | env
    return subprocess.run(
        command, input=payload, env=variables, capture_output=True, check=False, timeout=60
    )


@pytest.mark.parametrize("by_shell", [False, True], ids=["directly", "by sh"])
def test_the_event_is_the_name_of_the_link_and_the_rest_is_in_the_configuration(
    sock: Path, by_shell: bool, kind: str
) -> None:
    shim = scope(sock, kind, variables=("MINE", "no name"))
    link = shim.link("PostToolUse")
    with Daemon(sock, answer=OK) as daemon:
        done = run(*(("/bin/sh", "-c", link) if by_shell else (link,)), MINE="sent", OTHER="not")
    assert (done.returncode, done.stdout) == (0, b'{"ok": true}\n')
    assert done.stderr == b"hookd: --send no name ignored: not the name of a variable\n"
    params = json.loads(daemon.header)["params"]
    assert (params["event"], params["env"]["MINE"]) == ("PostToolUse", "sent")
    assert params["env"]["PATH"] == PATH
    assert "OTHER" not in params["env"]


ODD = ["a b", "it's", 'q"q', "$HOME", "a&b;c|d", "(x)", "a*?[b]", "~a", "tab\tx", "back\\slash"]
PLAIN = ["żółw", "\u0081\u0088\u00a0x", "Ááà", "日本", "a.b_c-d@e+f,g:h=i%j"]


@pytest.mark.parametrize("name", [*ODD, *PLAIN])
def test_every_client_reaches_the_shim_whatever_its_path_is(
    folder: Path, name: str, kind: str
) -> None:
    """Those before 2.1.139 give the command to a shell; newer ones only without `args`."""
    sock = folder / "hookd.sock"
    made = entry(EVENTS["Stop"], scope(sock, kind, folder / name))
    older = [(shell, "-c", made["command"]) for shell in ("/bin/sh", "/bin/bash")]
    newer = (made["command"],) if "args" in made else older[0]
    for command in (*older, newer):
        with Daemon(sock, answer=OK) as daemon:
            done = run(*command)
        assert (done.stdout, done.stderr) == (b'{"ok": true}\n', b""), command
        assert json.loads(daemon.header)["params"]["event"] == "Stop"
        sock.unlink()


def test_an_entry_of_the_older_form_is_still_served(sock: Path) -> None:
    shim = Path(scope(sock).folder).with_name("hookd-hook")
    with Daemon(sock, answer=OK) as daemon:
        done = run(str(shim), "--event", "Stop", "--socket", str(sock), "--transport", PYTHON)
    assert done.stdout == b'{"ok": true}\n'
    assert json.loads(daemon.header)["params"]["event"] == "Stop"


# an event that the name of the program does not tell

NAMED = json.dumps({"session_id": "s", "hook_event_name": "PreToolUse", "tool_input": {}}).encode()


@pytest.mark.parametrize("payload", [NAMED, NAMED[:-1] + b', "more": "' + b"x" * 90_000 + b'"}'])
def test_a_program_of_another_name_reads_the_event_from_the_payload(
    sock: Path, payload: bytes, kind: str
) -> None:
    shim = scope(sock, kind, closed=("PreToolUse",))
    Path(shim.link("Other")).symlink_to(Path(shim.link("Stop")).readlink())
    with Daemon(sock, answer=OK) as daemon:
        assert run(shim.link("Other"), payload=payload).stdout == b'{"ok": true}\n'
    assert json.loads(daemon.header)["params"]["event"] == "PreToolUse"
    assert daemon.payload == payload + b"\x1e"
    sock.unlink()
    assert decision(run(shim.link("Other"), payload=payload)) == "deny"


@pytest.mark.parametrize(("closed", "code"), [((), 0), (("Stop",), 0), (("PreToolUse",), 2)])
def test_an_event_that_nothing_tells_is_loud(
    sock: Path, closed: tuple[str, ...], code: int, kind: str
) -> None:
    shim = scope(sock, kind, closed=closed)
    Path(shim.link("Other")).symlink_to(Path(shim.link("Stop")).readlink())
    done = run(shim.link("Other"), payload=b'{"tool_input": "\\"hook_event_name\\": \\"Stop\\""}')
    assert done.stdout == b""
    assert done.stderr.startswith(b"hookd: an event of no name not judged: neither the name of ")
    assert done.returncode == (2 if closed else 1), code


def decision(done: subprocess.CompletedProcess[bytes]) -> str:
    assert done.returncode == 0
    answer = json.loads(done.stdout)["hookSpecificOutput"]
    assert answer["hookEventName"] == "PreToolUse"
    return str(answer["permissionDecision"])


# a configuration that cannot be read


def test_the_shim_alone_asks_about_calls_as_an_older_client_starts_it(sock: Path) -> None:
    """Clients before 2.1.139 run an entry of the older form without its arguments."""
    shim = Path(scope(sock).folder).with_name("hookd-hook")
    with Daemon(sock, answer=OK) as daemon:
        done = run("/bin/sh", "-c", str(shim), payload=NAMED)
        other = run("/bin/sh", "-c", str(shim), payload=b'{"hook_event_name": "Stop"}')
    assert decision(done) == "ask"
    assert b"as Claude Code before 2.1.139 does" in done.stdout
    assert (other.returncode, other.stdout, daemon.calls) == (1, b"", 0)
    assert other.stderr.startswith(b"hookd: Stop not judged: the shim was started without its opt")


BROKEN = ["missing", "a link", "a folder", "a pipe", "another's", "empty", "no socket"]


@pytest.mark.parametrize("how", BROKEN)
def test_without_a_configuration_of_the_user_s_a_call_is_asked_about(
    sock: Path, how: str, kind: str
) -> None:
    shim = scope(sock, kind)
    file = Path(shim.folder, "config")
    match how:
        case "missing":
            file.unlink()
        case "a link":
            file.symlink_to(file.rename(file.with_name("other")))
        case "a folder":
            file.unlink()
            file.mkdir()
        case "a pipe":
            file.unlink()
            os.mkfifo(file)
        case "another's":
            if os.geteuid() != 0:
                pytest.skip("only root can give a file away")
            os.chown(file, 65534, -1)
        case "empty":
            file.write_text("")
        case _:
            file.write_text("socket hookd.sock\nlater x\n")
    with Daemon(sock, answer=OK) as daemon:
        done, other = run(shim.link("PreToolUse"), payload=BIG), run(shim.link("Stop"))
    assert decision(done) == "ask"
    assert b"Next: hookd install" in done.stdout
    assert (other.returncode, other.stdout, daemon.calls) == (1, b"", 0)
    assert other.stderr.startswith(b"hookd: Stop not judged: ")


def test_what_the_configuration_still_tells_of_the_fail_policy_counts(
    sock: Path, kind: str
) -> None:
    shim = scope(sock, kind, closed=("PreToolUse",), socket="")
    assert decision(run(shim.link("PreToolUse"))) == "deny"
    assert run(shim.link("Stop")).returncode == 0


def test_each_event_has_its_own_fail_policy(sock: Path, kind: str) -> None:
    shim = scope(sock, kind, closed=("PreToolUse",))
    assert decision(run(shim.link("PreToolUse"))) == "deny"
    done = run(shim.link("PostToolUse"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.endswith(b"; it passes unchecked\n")


def test_a_stop_is_honoured_and_said_where_calls_fail_closed(sock: Path, kind: str) -> None:
    shim = scope(sock, kind, closed=("PreToolUse",))
    stop_marker.write(sock.with_suffix(".stopped"))
    for name, said in (("PreToolUse", True), ("Stop", False)):
        done = run(shim.link(name))
        assert (done.returncode, done.stdout, b"hookd is stopped" in done.stderr) == (0, b"", said)


# programs


def test_a_project_s_path_replaces_no_program_of_the_shim(
    sock: Path, folder: Path, kind: str
) -> None:
    (folder / "bin").mkdir()
    for name in ("nc", "socat", "python3", "cat", "dd", "wc", "date", "mkdir", "env", "sleep"):
        program = folder / "bin" / name
        program.write_text(f"#!/bin/sh\ntouch {folder}/mark\n")
        program.chmod(0o755)
    shim, path = scope(sock, kind), f"{folder}/bin:{PATH}"
    with Daemon(sock, answer=result({"systemMessage": "x" * 9000})) as daemon:
        assert len(run(shim.link("Stop"), payload=BIG, PATH=path).stdout) > 9000
    assert json.loads(daemon.header)["params"]["env"]["PATH"] == path
    sock.unlink()
    run(shim.link("Stop"), PATH=path)
    stop_marker.write(sock.with_suffix(".stopped"))
    run(shim.link("Stop"), PATH=path)
    assert not (folder / "mark").exists()


BROKEN_PROGRAMS = {
    "ends at once": "#!/bin/sh\n",
    "cannot be run": "#!/nowhere/sh\n",
}


def test_a_transport_that_is_gone_is_named_and_the_next_one_carries(sock: Path) -> None:
    shim = scope(sock, transports=("nc:/nowhere/nc", "nc:nc", "socat:/tmp", PYTHON))
    with Daemon(sock, answer=OK):
        done = run(shim.link("PreToolUse"), payload=BIG)
    assert done.stdout == b'{"ok": true}\n'
    said = f"hookd: the transport nc:/nowhere/nc, nc:nc, socat:/tmp is missing; {PYTHON} is used."
    assert done.stderr.decode() == f"{said} Next: hookd install\n"


def test_a_warning_is_left_for_the_user_once_a_session(sock: Path, kind: str) -> None:
    shim = scope(sock, kind, transports=("nc:/nowhere/nc", PYTHON))
    sock.with_suffix(".stopped").mkdir()
    with Daemon(sock, answer=OK):
        for name in ("PreToolUse", "SessionStart", "Stop"):
            assert run(shim.link(name)).stdout == b'{"ok": true}\n'
    lines = sock.with_suffix(".unjudged").read_text()
    ignored, missing = report(parse(lines, "")).split("; the transport ")
    assert ignored.startswith(f"The hooks warn: {sock.with_suffix('.stopped')} is ignored: ")
    assert missing == f"nc:/nowhere/nc is missing; {PYTHON} is used. Next: hookd install."
    assert lines.count("\n") == 2


@pytest.mark.parametrize("text", BROKEN_PROGRAMS.values(), ids=BROKEN_PROGRAMS.keys())
def test_a_transport_that_does_not_work_is_named_and_the_next_one_carries(
    sock: Path, folder: Path, text: str
) -> None:
    nc = folder / "nc"
    nc.write_text(text)
    nc.chmod(0o755)
    shim = scope(sock, transports=(f"nc:{nc}", PYTHON))
    with Daemon(sock, answer=OK) as daemon:
        done = run(shim.link("PreToolUse"), payload=NAMED)
    assert (done.stdout, daemon.payload) == (b'{"ok": true}\n', NAMED + b"\x1e")
    said = f"hookd: the transport nc:{nc} does not reach the daemon; {PYTHON} is used."
    assert done.stderr.decode() == f"{said} Next: hookd install\n"


def test_without_any_transport_it_is_the_transport_that_is_blamed(sock: Path, folder: Path) -> None:
    hookd = folder / "hookd"
    hookd.write_text(f"#!/bin/sh\ntouch {folder}/started\n")
    hookd.chmod(0o755)
    shim = scope(sock, transports=("nc:/nowhere/nc", "socat:/nowhere/s"), hookd=str(hookd))
    why = "no transport is there: nc:/nowhere/nc, socat:/nowhere/s. Next: hookd install"
    with Daemon(sock) as daemon:
        for _ in range(2):  # with a daemon, and without one
            done = run(shim.link("PreToolUse"), payload=BIG)
            line = f"hookd: PreToolUse not judged: {why}; it passes unchecked\n"
            assert done.stderr.decode() == line
            sock.rename(folder / "away") if sock.exists() else None
    assert (daemon.calls, (folder / "started").exists()) == (0, False)
    lines = sock.with_suffix(".unjudged").read_text().splitlines()
    assert [line.split("\t")[1:] for line in lines] == [["PreToolUse", why]] * 2


def test_a_link_starts_the_daemon_with_the_path_of_the_session(
    sock: Path, folder: Path, kind: str
) -> None:
    hookd = folder / "hookd"
    hookd.write_text(f'#!/bin/sh\necho "$* $PATH" >{folder}/said\nexit 1\n')
    hookd.chmod(0o755)
    run(scope(sock, kind, hookd=str(hookd)).link("Stop"), PATH=f"/opt/mine:{PATH}")
    assert (folder / "said").read_text() == f"serve --detach /opt/mine:{PATH}\n"
