"""The status line's shim, run by a real bash against a stand-in for the daemon on a real socket."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from hookd.system import stop_marker
from support.home import until
from support.hook_shim import KINDS, NATIVE, transport
from support.native_shim import linked
from support.status_line_shim import LINE, Peer, result, serving

SHIM = Path(__file__).parents[2] / "daemon" / "hookd" / "shims" / "hookd-statusline"
PATH = f"{Path(sys.executable).parent}:/usr/bin:/bin"
DOWN = "\x1b[2;31mhookd is not running\x1b[0m"
MUTE = "\x1b[2;31mhookd does not answer\x1b[0m"


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hk") as path:
        yield Path(path)


@pytest.fixture
def sock(folder: Path) -> Path:
    return folder / "hookd.sock"


def command(sock: Path, *more: str, kind: str = "python3", own: str | None = None) -> list[str]:
    if kind == NATIVE:
        words = [str(registered(sock)), *more]
    else:
        words = [str(SHIM), "--socket", str(sock), "--transport", transport(kind), *more]
    return words if own is None else [*words, "--own", own]


def registered(sock: Path) -> Path:
    """Return the link of a native shim, as it is registered, in a folder beside the socket."""
    shims = Path(f"{sock}.shims")
    link = shims / "user" / "hookd-statusline"
    if not shims.exists():
        link.parent.mkdir(parents=True)
        linked(shims)
        link.symlink_to("../hookd-hook.native")
    text = f"socket {sock}\ntransport {transport(NATIVE)}\n"
    link.with_name("config").write_text(text)
    return link


def run(
    sock: Path,
    *more: str,
    kind: str = "python3",
    own: str | None = None,
    payload: bytes = b'{"session_id":"s"}\n',
    env: dict[str, str] | None = None,
) -> str:
    """Return what the shim prints; it never fails, and says nothing on stderr."""
    done = subprocess.run(
        command(sock, *more, kind=kind, own=own),
        input=payload,
        env={"PATH": PATH} | (env or {}),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


# what the daemon is asked, and what it says


@pytest.mark.parametrize("kind", KINDS)
def test_the_daemon_s_line_is_printed_with_its_colours(sock: Path, kind: str) -> None:
    with serving(Peer(sock)) as peer:
        assert run(sock, kind=kind) == f"{LINE}\n"
    assert peer.calls == 1


PAYLOADS = [b"", b"{}", b'{\n "a": "\\"\xc5\xbc \x01\xff"\n}', b'{"a":"' + b"x" * 200_000 + b'"}']


@pytest.mark.parametrize("payload", PAYLOADS, ids=["none", "small", "odd", "large"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_payload_arrives_byte_by_byte(sock: Path, kind: str, payload: bytes) -> None:
    with serving(Peer(sock)) as peer:
        assert run(sock, kind=kind, payload=payload + b"\n", own="cat >/dev/null").strip() == LINE
    assert peer.payload == payload + b"\x1e"


def test_the_request_says_who_asks_and_nothing_else(sock: Path, kind: str) -> None:
    every = "".join(map(chr, range(1, 32))) + "\x7f"
    sent = {
        "AGENT_ID": f'a"b\\c\\"{every}&',
        "CLAUDE_PROJECT_DIR": "/é $(touch x) `y` %s",
        "CLAUDE_PID": "17",
        "TMUX": "",
        "HOOKD_RUN": "r",
    }
    with serving(Peer(sock)) as peer:
        run(
            sock,
            env=sent | {"SECRET": "s", "HOME": "/h", "line": "x", "child": "1", "leads": "1"},
            kind=kind,
        )
    params = {"body": True, "env": sent | {"CWD": str(Path.cwd())}}
    assert peer.header == {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "session.statusLine",
        "params": params,
    }


def test_an_empty_line_prints_nothing(sock: Path, kind: str) -> None:
    with serving(Peer(sock, answer=result(""))):
        assert run(sock, kind=kind) == ""
    sock.unlink()
    with serving(Peer(sock, answer=result(""))):
        assert run(sock, own="echo mine", kind=kind) == "mine\n"


def test_no_color_takes_the_colours_out(sock: Path, kind: str) -> None:
    assert run(sock, env={"NO_COLOR": "1"}, kind=kind) == "hookd is not running\n"
    assert run(sock, env={"NO_COLOR": ""}, kind=kind) == f"{DOWN}\n"
    with serving(Peer(sock)):
        assert run(sock, env={"NO_COLOR": "1"}, kind=kind) == "task · 1:implement · 88% & /'%s*?\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_path_with_odd_characters(folder: Path, kind: str) -> None:
    sock = folder / "a,b: c!'\"\\" / "hookd.sock"
    sock.parent.mkdir()
    with serving(Peer(sock)):
        assert run(sock, kind=kind) == f"{LINE}\n"


def test_without_a_transport_one_is_found(sock: Path) -> None:
    with serving(Peer(sock)):
        done = subprocess.run([SHIM, "--socket", sock], input=b"", capture_output=True, check=True)
    assert done.stdout.decode() == f"{LINE}\n"


def test_unknown_options_are_named_and_ignored(sock: Path, kind: str) -> None:
    with serving(Peer(sock)):
        words = command(sock, "--colour", "blue", own="echo mine", kind=kind)
        done = subprocess.run(words, input=b"", capture_output=True, check=True)
    assert done.stdout.decode() == f"mine\n\n{LINE}\n"
    said = "hookd: option --colour ignored: this hookd-statusline does not know it\n"
    assert done.stderr.decode() == said


# without a daemon, or with a silent one


def test_where_nothing_listens_hookd_is_not_running(sock: Path) -> None:
    assert run(sock) == f"{DOWN}\n"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(sock))
    for kind in KINDS:
        assert run(sock, kind=kind) == f"{DOWN}\n"
    assert {path.name for path in sock.parent.iterdir()} == {sock.name, f"{sock.name}.shims"}


STOPPED = "\x1b[1;31mhookd is stopped: calls run unchecked\x1b[0m"


def test_a_stop_is_red_below_the_user_s_own_line(sock: Path, kind: str) -> None:
    stop_marker.write(sock.with_suffix(".stopped"))
    assert run(sock, kind=kind) == f"{STOPPED}\n"
    with serving(Peer(sock)) as peer:
        assert run(sock, own="echo mine", kind=kind) == f"mine\n\n{STOPPED}\n"
        assert (
            run(sock, env={"NO_COLOR": "1"}, kind=kind) == "hookd is stopped: calls run unchecked\n"
        )
    assert peer.calls == 0


ERROR = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"there is no method"}}\n'
MUTES: dict[str, dict[str, Any]] = {
    "no acknowledgement": {"ack": b"", "answer": b"", "hangs": True},
    "no answer": {"answer": b"", "hangs": True},
    "an answer at once": {"ack": b""},
    "an error": {"answer": ERROR},
    "an end": {"answer": b""},
    "another result": {"answer": b'{"jsonrpc":"2.0","id":1,"result":null}\n'},
}


@pytest.mark.parametrize("mute", MUTES.values(), ids=MUTES.keys())
def test_a_daemon_that_does_not_answer_is_told_of_below_the_user_s_own_line(
    folder: Path, mute: dict[str, Any]
) -> None:
    """All at once, since a shim waits some seconds."""

    def said(kind: str, own: str | None) -> str:
        place = folder / f"{kind}{own is None}"
        with serving(Peer(place, **mute)):
            return run(place, kind=kind, own=own)

    with ThreadPoolExecutor() as pool:
        alone = pool.submit(said, NATIVE, None)
        told = dict(zip(KINDS, pool.map(said, KINDS, ["echo mine"] * len(KINDS)), strict=True))
        assert alone.result() == f"{MUTE}\n"
    assert told == dict.fromkeys(KINDS, f"mine\n\n{MUTE}\n")


# the user's own command


@pytest.mark.parametrize(
    ("own", "printed"),
    [
        ("cat", '{"session_id":"s"}\n'),
        ("printf 'no end'", "no end"),
        ("printf 'a\\n\\n\\nb\\n'", "a\n\n\nb\n"),
        ("printf '\\033[1mbold\\033[0m %s'", "\x1b[1mbold\x1b[0m "),
        ("echo before; exit 3", "before\n"),
        ("kill -9 $$", ""),
        ("/nowhere/at/all 2>&1 | wc -l", "1\n"),
        ('f() { echo "$1"; }; f "it\'s" | tr a-z A-Z', "IT'S\n"),
        ("exec 0<&-; echo unread", "unread\n"),
        ("", ""),
    ],
)
def test_its_output_comes_first_as_it_is_however_it_ends(
    sock: Path, own: str, printed: str, kind: str
) -> None:
    between = "\n" if own else ""
    with serving(Peer(sock)):
        assert run(sock, own=own, kind=kind) == f"{printed}{between}{LINE}\n"


def test_its_errors_and_its_environment_are_as_without_hookd(sock: Path, kind: str) -> None:
    own = 'printf "%s" "$LC_ALL $LANG ${MINE}"; echo oops >&2; touch "$PWD/here"'
    env = {"PATH": PATH, "LC_ALL": "C.UTF-8", "LANG": "C", "MINE": "é"}
    words = command(sock, own=own, kind=kind)
    done = subprocess.run(
        words, input=b"{}", env=env, capture_output=True, check=True, cwd=sock.parent
    )
    assert done.stdout.decode() == f"C.UTF-8 C é\n{DOWN}\n"
    assert done.stderr == b"oops\n"
    assert (sock.parent / "here").exists()


def test_neither_waits_for_the_other(sock: Path, kind: str) -> None:
    """Its command ends only after the daemon was asked; the daemon waits for nothing."""
    with serving(Peer(sock)) as peer:
        fifo = sock.parent / "fifo"
        os.mkfifo(fifo)
        with subprocess.Popen(
            command(sock, own=f"cat {fifo}", kind=kind),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        ) as shim:
            until(lambda: peer.payload.endswith(b"\x1e"))
            fifo.write_text("mine\n")
            assert shim.communicate(timeout=60)[0].decode() == f"mine\n\n{LINE}\n"


def test_one_that_hangs_is_ended_and_hookd_s_line_is_printed(
    sock: Path, folder: Path, kind: str
) -> None:
    """Both at once, since a shim waits some seconds: the head of a group, and one in another's."""
    with serving(Peer(sock)):
        shims = [
            subprocess.Popen(
                [
                    *command(
                        sock,
                        own=f"echo first; echo $$ >{folder}/{leads}; sleep 600 | cat; echo b",
                        kind=kind,
                    ),
                    *("--patience", "1"),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                start_new_session=leads,
            )
            for leads in (True, False)
        ]
        ended = [(shim.communicate(timeout=60)[0].decode(), shim.returncode) for shim in shims]
    assert ended == [(f"first\n\n{LINE}\n", 0)] * 2
    # The signal is sent before the shim ends, and the process dies after that.
    for leads in (True, False):
        pid = int((folder / str(leads)).read_text())
        until(lambda pid=pid: gone(pid))


@pytest.mark.parametrize("leads", [True, False], ids=["a group of its own", "in another's group"])
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_run_that_is_cancelled_leaves_nothing_behind(
    sock: Path, folder: Path, sent: signal.Signals, leads: bool, kind: str
) -> None:
    own = f"trap 'echo deaf' TERM; (echo $$; sh -c 'echo $$; exec sleep 600') >{folder}/own | cat"
    with (
        serving(Peer(sock, answer=b"", hangs=True)),
        subprocess.Popen(
            command(sock, own=own, kind=kind),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=leads,
        ) as shim,
    ):
        file = folder / "own"
        until(lambda: file.exists() and file.read_text().count("\n") == 2)
        shim.send_signal(sent)
        # Its end of the pipe is closed once no process can write to it.
        shim.communicate(timeout=60)
        for number in file.read_text().split():
            until(lambda number=number: gone(int(number)))  # type: ignore[misc]


def gone(pid: int) -> bool:
    """Say whether a process is gone, or is dead and waits only for its parent."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        os.kill(pid, 0)
        return stat.exists() and ") Z " in stat.read_text()
    except (ProcessLookupError, FileNotFoundError):
        return True


def test_a_host_cannot_change_the_shim(sock: Path, folder: Path, kind: str) -> None:
    (folder / "evil").write_text("echo evil; exit 3\n")
    env = {
        "BASH_ENV": str(folder / "evil"),
        "BASH_FUNC_printf%%": "() { echo evil; }",
        "POSIXLY_CORRECT": "1",
        "SHELLOPTS": "noexec:xtrace",
        "IFS": "/",
    }
    with serving(Peer(sock)):
        assert run(sock, env=env, kind=kind) == f"{LINE}\n"


@pytest.mark.parametrize("kind", KINDS)
def test_as_it_is_registered_its_configuration_is_beside_the_link(
    sock: Path, folder: Path, kind: str
) -> None:
    (folder / "shims" / "user").mkdir(parents=True)
    linked(folder / "shims", kind)
    link, config = folder / "shims/user/hookd-statusline", folder / "shims/user/config"
    link.symlink_to("../hookd-hook.native" if kind == NATIVE else "../hookd-statusline")
    config.write_text(f"socket {sock}\ntransport nc:/nowhere/nc\ntransport {transport(kind)}\n")
    with serving(Peer(sock)):
        done = subprocess.run(
            [link, "--own", "echo $PATH"],
            input=b"{}",
            env={"PATH": f"/opt/mine:{PATH}"},
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert (done.stderr, done.stdout.decode()) == (b"", f"/opt/mine:{PATH}\n\n{LINE}\n")
    config.unlink()
    done = subprocess.run([link], input=b"{}", capture_output=True, timeout=60, check=False)
    assert b"hookd has no configuration" in done.stdout
