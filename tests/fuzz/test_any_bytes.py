"""Live: any bytes on the socket get an error or a hang-up, and the daemon survives."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fuzz.fuzz_daemon import Watched, watched
from fuzz.odd_values import JSON, ODD, TEXTS
from hookd.methods import METHODS
from support.payloads import header

SPARED = {
    "daemon.stop": "it ends the daemon",
    "daemon.backup": "it writes to any given path",
    "daemon.pause": "it makes all that follow pass",
    "daemon.canary": "it makes the next event a check",
    "fleet.focus": "it moves the terminals of whoever runs this",
}
"""Methods that are not called with anything, and why."""

ASKED = sorted(METHODS.keys() - SPARED.keys())
ANY_METHOD = st.sampled_from(ASKED) | TEXTS
IDS = st.none() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False) | JSON


@pytest.fixture(scope="module")
def daemon_of_bytes() -> Iterator[Watched]:
    """A daemon that receives nonsense."""
    with watched() as one:
        yield one


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


@st.composite
def requests(draw: st.DrawFn, method: Any = None) -> Any:
    """A request of any method, with params of its own names, of others, or of none."""
    name = draw(ANY_METHOD if method is None else method)
    fields = [*METHODS[name].params.model_fields] if name in METHODS else []
    keys = st.sampled_from([*fields, "env", "body", "x"]).map(_camel) | TEXTS
    params = draw(st.dictionaries(keys, ODD, max_size=4) | st.lists(JSON, max_size=3) | JSON)
    asked = {"jsonrpc": "2.0", "id": draw(IDS), "method": name, "params": params}
    gone = draw(st.sets(st.sampled_from(sorted(asked)), max_size=1))
    return {key: value for key, value in asked.items() if key not in gone}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


PIECES = st.one_of(
    st.binary(max_size=40),
    JSON.map(_line),
    requests().map(_line),
    st.lists(requests(), max_size=3).map(_line),
    st.builds(header, TEXTS, JSON),
    st.builds(
        lambda params: _line({"jsonrpc": "2.0", "method": "hooks.dispatch", "params": params}),
        st.fixed_dictionaries({"body": st.just(True)}, optional={"event": JSON, "env": JSON}),
    ),
    st.sampled_from([b"\x1e", b"\n", b"{", b'{"jsonrpc"', b"[]\n", b"\0\n", b"x" * 70_000]),
)


def said(watched: Watched, sent: bytes) -> list[Any]:
    """Return all that the daemon answers to these bytes, after which nothing more comes."""
    with watched.home.link(20) as link, link.makefile("rb") as answers:
        try:
            link.sendall(sent)
            link.shutdown(1)
        except OSError:
            pass  # it has hung up: what was said until then counts
        try:
            lines = answers.read().split(b"\n")
        except ConnectionResetError:
            return []
    assert lines.pop() == b"", "what is said ends with its line"
    return [json.loads(line) for line in lines]


def wrong(message: Any) -> bool:
    """Whether this is no message of JSON-RPC 2.0, or reports a fault of the daemon."""
    if isinstance(message, list):
        return not message or any(map(wrong, message))
    if message.get("jsonrpc") != "2.0":
        return True
    if "method" in message:
        return "id" in message
    fault = message.get("error", {}).get("code") == -32603
    return fault or "id" not in message or ("error" in message) == ("result" in message)


@given(st.lists(PIECES, max_size=5).map(b"".join))
@example(b"a line without its end")
@example(b"x" * (16 * 1024 * 1024 + 1) + b"\n" + b"{}\n")
@example(header("PreToolUse") + b"x" * (16 * 1024 * 1024 + 1) + b"\x1e")
def test_any_bytes_have_an_error_or_a_hang_up_and_the_daemon_goes_on(
    daemon_of_bytes: Watched, sent: bytes
) -> None:
    assert not any(map(wrong, said(daemon_of_bytes, sent)))
    assert daemon_of_bytes.lives()


@settings(max_examples=max(10, settings.default.max_examples // 4))
@given(st.data())
@pytest.mark.parametrize("group", sorted({name.partition(".")[0] for name in ASKED}))
def test_no_params_make_a_method_fail(
    daemon_of_bytes: Watched, group: str, data: st.DataObject
) -> None:
    mine = [name for name in ASKED if name.partition(".")[0] == group]
    asked = data.draw(requests(st.sampled_from(mine)))
    sent = _line(asked)
    assert not any(map(wrong, said(daemon_of_bytes, sent))), asked
    assert daemon_of_bytes.lives()


@pytest.mark.parametrize("root", ["\0", "/a\0", "/" + "a" * 300, "../..", ""])
def test_a_folder_that_cannot_be_has_no_hooks(daemon_of_bytes: Watched, root: str) -> None:
    assert daemon_of_bytes.home.rpc("userHooks.list", {"root": root})["hooks"] == []
