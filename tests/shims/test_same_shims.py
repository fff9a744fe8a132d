"""Both shims do the same: bytes on the socket, answer, exit code and errors."""

import os
import re
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.hook_shim import ACK, PATH, result
from support.native_shim import NATIVE, linked
from support.programs import needed

FEWER = settings(max_examples=max(15, settings.default.max_examples // 2))


PROCESS = re.compile(rb'"process":"\d+-\d+"')
STATUS_LINE = b"hookd-statusline"
USUAL = {"PATH": PATH.encode()}


@dataclass(frozen=True)
class Script:
    """What a peer says after it has read everything, in these parts; `mute` closes at once."""

    parts: tuple[bytes, ...] = ()
    mute: bool = False


@dataclass
class Peer:
    """Plays a script to every connection, and keeps what it read."""

    script: Script
    read: list[bytes] = field(default_factory=list)

    @contextmanager
    def at(self, place: Path) -> Iterator["Peer"]:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place))
            listener.listen()
            thread = threading.Thread(target=self._serve, args=(listener,))
            thread.start()
            try:
                yield self
            finally:
                listener.shutdown(socket.SHUT_RDWR)
                thread.join()
                place.unlink()

    def _serve(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                link, _ = listener.accept()
                with link, suppress(OSError):
                    self._play(link)

    def _play(self, link: socket.socket) -> None:
        if self.script.mute:
            return
        data = bytearray()
        while b"\x1e" not in data and (chunk := link.recv(65536)):
            data += chunk
        # bash ends what it sends with a line's end, and what follows the end mark is ignored.
        self.read.append(bytes(data).partition(b"\x1e")[0])
        for part in self.script.parts:
            link.sendall(part)
            threading.Event().wait(0.001)  # so that parts arrive as parts


@dataclass(frozen=True)
class Done:
    """The observable results of one hook."""

    code: int
    printed: bytes
    said: bytes
    sent: tuple[bytes, ...]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="hk") as name:
        place = Path(name)
        (place / "shims" / "user").mkdir(parents=True)
        linked(place / "shims")
        (place / "link").symlink_to(place)
        yield place


@dataclass(frozen=True)
class Case:
    """One hook: the name of its event, its configuration, and what the client and a peer do."""

    event: bytes
    config: bytes
    payload: bytes = b"{}"
    env: dict[str, bytes] = field(default_factory=lambda: USUAL)
    script: Script = Script((ACK + result({"ok": True}),))

    def done(self, folder: Path, kind: str) -> Done:
        """Run the shim of this kind; both kinds have the same path."""
        scope = folder / "shims" / "user"
        link = scope / os.fsdecode(self.event)
        bash = "hookd-statusline" if self.event == STATUS_LINE else "hookd-hook"
        link.symlink_to(f"../{'hookd-hook.native' if kind == NATIVE else bash}")
        (scope / "config").write_bytes(self.config)
        try:
            with Peer(self.script).at(folder / "hookd.sock") as peer:
                done = subprocess.run(
                    [link],
                    input=self.payload,
                    env=self.env,
                    cwd=folder,
                    capture_output=True,
                    check=False,
                    timeout=60,
                )
        finally:
            link.unlink()
            (folder / "hookd.unjudged").unlink(missing_ok=True)
        processes = 0 if self.event == STATUS_LINE else 1
        assert all(len(PROCESS.findall(one.partition(b"\n")[0])) == processes for one in peer.read)
        sent = tuple(PROCESS.sub(b"", one, count=1) for one in peer.read)
        return Done(done.returncode, done.stdout, done.stderr, sent)

    def same(self, folder: Path) -> Done:
        """Run both shims, and return what both did."""
        bash, native = self.done(folder, "bash"), self.done(folder, NATIVE)
        assert native == bash
        return bash


def configuration(folder: Path, *rows: bytes) -> bytes:
    known = f"socket {folder}/hookd.sock\ntransport nc:{needed('nc')}".encode()
    return b"\n".join([known, *rows, b"events 20 open PreToolUse Stop", b""])


# No NUL: bash drops it, and no JSON has one.
TEXTS = st.binary(max_size=60).map(lambda value: value.replace(b"\0", b""))
PAYLOADS = TEXTS.map(lambda value: value.replace(b"\x1e", b"")) | st.builds(
    lambda size, byte: byte * size, st.integers(32_760, 32_776), st.sampled_from([b"x", b"\n"])
)

ACKS = [ACK, ACK[:-1], ACK[:20], b"", b"\n", b"{}\n", ACK.replace(b"\n", b"\r\n"), b" " + ACK]
ERROR = b'{"jsonrpc":"2.0","id":1,"error":{"data":{"code":"UNREADABLE"}}}\n'
ANSWERS = [
    *(result({"ok": True}), result(None), result({"a": "x}" * 40_000}), result("\\\x7f\x01")),
    *(b"", b"\n", b"}\n", b"null\n", ERROR, ERROR.replace(b"UNREADABLE", b"X"), ERROR[:-1]),
    *(result(1) + result(2), result({"a": {}})[:-1], result({"a": {}})[:-2] + b"\n"),
    *(
        result(None)[:-1] + b" \n",
        result(1)[:-2] + b"\n",
        result("")[:-4] + b"}\n",
        b"\n" + result(1),
    ),
]


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Return what a peer says, cut at any places."""
    text = draw(st.sampled_from(ACKS)) + draw(st.sampled_from(ANSWERS) | TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, min(len(text), 200)), max_size=4)))
    ends = [*cuts, len(text)]
    parts = [text[a:b] for a, b in zip([0, *cuts], ends, strict=True)]
    return Script(tuple(part for part in parts if part), mute=draw(st.integers(0, 9)) == 0)


@FEWER
@given(scripts(), PAYLOADS, st.sampled_from([b"PreToolUse", b"Stop"]), st.booleans())
@example(Script(mute=True), b"x" * 100_000, b"PreToolUse", True)
@example(Script((ACK[:30], ACK[30:] + result(1)[:9], result(1)[9:])), b"", b"Stop", False)
def test_whatever_the_daemon_says(
    folder: Path, script: Script, payload: bytes, event: bytes, closed: bool
) -> None:
    rows = [b"events 20 closed " + event] if closed else []
    Case(event, configuration(folder, *rows), payload, script=script).same(folder)


LINES = [b"", b"x", b"\\u001b[2;31mred\\u001b[0m", b"\\u001b[\\u001b\\u001b[;m \\n \xff%s", b"[1m"]
LINE_ANSWERS = [
    b'{"jsonrpc":"2.0","id":1,"result":{"line":"' + line + end
    for line in LINES
    for end in (b'"}}\n', b'"}}', b'"}\n', b'","more":1}}\n', b'"}}\n"}}\n')
]


@st.composite
def line_scripts(draw: st.DrawFn) -> Script:
    """Return what a peer says to the status line."""
    ack = draw(st.sampled_from([ACK] * 3 + ACKS))
    answer = draw(st.sampled_from(LINE_ANSWERS + ANSWERS) | TEXTS)
    return Script((ack, answer) if ack and answer else (ack + answer,), mute=not ack + answer)


@FEWER
@given(line_scripts(), PAYLOADS, st.sampled_from([{}, {"NO_COLOR": b"1"}, {"TMUX": b"\xff\n"}]))
def test_whatever_the_daemon_says_to_the_status_line(
    folder: Path, script: Script, payload: bytes, env: dict[str, bytes]
) -> None:
    Case(STATUS_LINE, configuration(folder), payload, USUAL | env, script).same(folder)


NAMES = ["AGENT_ID", "AGENT_CLAIMS", "CLAUDE_PROJECT_DIR", "AI_AGENT", "TMUX", "HOOKD_RUN", "HOME"]
NAMES += [
    "VIRTUAL_ENV",
    "QWEN_PROJECT_DIR",
    "GEMINI_SESSION_ID",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "client",
    "denial",
    "MINE",
    "SHELL",
    "TERM",
    "BASH_ENV",
    "IFS",
    "TMOUT",
    "FUNCNEST",
]
SENDS = [
    b"MINE",
    b"HOME",
    b"TERM",
    b"SHELL",
    b"IFS",
    b"PWD",
    b"OLDPWD",
    b"SHLVL",
    b"UID",
    b"LC_ALL",
]
SENDS += [b"path", b"event", b"http_proxy", b"a b", b"9X", b"", b"CWD", b"TMOUT", b"BASH_VERSION"]
FOLDERS = ["{}", "{}/", "{}//shims/..", "{}/shims/../.", "{}/link", "/nowhere", "", ".", "/tmp"]
ENVS = st.builds(
    lambda values, pwd, path: values | pwd | ({} if path is None else {"PATH": path}),
    st.dictionaries(st.sampled_from(NAMES), TEXTS | st.just(b"x" * 9000), max_size=5),
    st.none().map(lambda _: {}) | st.sampled_from(FOLDERS).map(lambda one: {"PWD": one.encode()}),
    st.sampled_from([USUAL["PATH"], b"", b"/x\n:/y\xff", None]),
)


@FEWER
@given(ENVS, st.lists(st.sampled_from(SENDS), max_size=3), st.booleans())
@example({"PATH": b"/x", "PWD": b"{}/link"}, [], False)
@example({"PATH": b"/x", "PWD": b"{}/link", "POSIXLY_CORRECT": b"1"}, [], False)
@example({"PATH": b"/x", "AGENT_ID": bytes(range(1, 256))}, [b"TERM"], False)
def test_whatever_the_environment_has(
    folder: Path, env: dict[str, bytes], sends: list[bytes], posix: bool
) -> None:
    env = env | ({"POSIXLY_CORRECT": b""} if posix else {})
    if "PWD" in env:
        env["PWD"] = env["PWD"].replace(b"{}", os.fsencode(folder))
    rows = [b"send " + name for name in sends]
    Case(b"Stop", configuration(folder, *rows), env=env).same(folder)


ROWS = st.sampled_from(
    [
        *(b"client codex", b"client ", b"client Codex", b"client a b", b"client"),
        *(b'denial PreToolUse {"a":@,"b":"@"}', b"denial Stop {}", b"denial  @", b"denial Stop"),
        *(b"", b"socket", b"socket x", b"later x", b"\r", b"# x", b"send MINE", b"no-verdict open"),
        *(b"events", b"events ", b"events 9", b"events 08 open Stop", b"events 5.9 closed Stop"),
        *(
            b"events 0 open Stop",
            b"events -1 open Stop",
            b"events x closed Stop",
            b"events  closed Stop",
        ),
        *(b"events 30 closed Stopped xStop", b"events 99999999999999999999 open Stop", b"EVENTS 1"),
        *(
            b"events 7 closed PreToolUse",
            b"events 7 open a closed Stop",
            b"events 8 open Other",
            b"*",
        ),
    ]
)


@FEWER
@given(
    st.lists(ROWS | TEXTS, max_size=5),
    st.sampled_from([b"Stop", b"Other", b"PreToolUse", b"stop", b"A\xff'\"\n b"]),
    st.sampled_from([b"", b"\n", b"\0socket /x\n", b"#" * 65_400, b"#" * 66_000]),
)
def test_whatever_the_configuration_says(
    folder: Path, rows: list[bytes], event: bytes, first: bytes
) -> None:
    payload = b'{"hook_event_name": "Stop"}'
    text = first + b"\n" * (len(first) > 9) + configuration(folder, *rows)
    Case(event, text, payload, USUAL | {"MINE": b"m"}).same(folder)


def test_both_are_tried_and_send_what_they_should(folder: Path) -> None:
    """The comparison is not one of two failures."""
    done = Case(b"Stop", configuration(folder)).same(folder)
    assert (done.code, done.printed, done.said) == (0, b'{"ok": true}\n', b"")
    assert [one.endswith(b"}\n{}") for one in done.sent] == [True]
