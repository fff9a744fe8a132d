"""What the property tests here are made of: odd JSON values, and damaged real payloads."""

import json
from typing import Any

from hypothesis import strategies as st

from support.payloads import PAYLOADS

NAMES = sorted(path.stem for path in PAYLOADS.glob("*.json"))
_REAL = {name: json.loads((PAYLOADS / f"{name}.json").read_text("utf-8")) for name in NAMES}

Path = tuple[str | int, ...]

# fmt: off
_SIGNS = st.sampled_from([
    "", "\0", "\x1e", "\x1b[2J", "\n", "\ud83d", "\udc00", "\ufffd", "\u2028", "é", "😀", '"', "\\",
    "$(id)", "`", "'", "~", "*", "../../../", "--", "<<E", "[redacted:x]", "%s", "{0}", "Bash(",
])
_PARTS = st.sampled_from([
    "a", "é", "😀", "\ud83d", "\\", '"', "$(", "(", "[", "a ", "x;", "ghp_", "/", "\n",
])
# fmt: on
_LONG = st.builds(
    lambda part, times: part * times,
    _PARTS,
    st.sampled_from([10, 99, 1_000, 9_999, 66_000, 200_000]),
)
TEXTS = st.text(max_size=12) | st.lists(_SIGNS, max_size=4).map("".join)
_NUMBERS = (
    st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1e308, 0.1])
)
_DEEP = st.builds(
    lambda times, opens, inner: _nested(times, inner, listed=opens),
    st.sampled_from([3, 99, 101, 255, 400]),
    st.booleans(),
    st.none() | TEXTS,
)
_FLAT = st.none() | st.booleans() | _NUMBERS | TEXTS
JSON = st.recursive(
    _FLAT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
ODD = JSON | _LONG | _DEEP


def _nested(times: int, inner: Any, *, listed: bool) -> Any:
    for _ in range(times):
        inner = [inner] if listed else {"a": inner}
    return inner


def places(value: Any, path: Path = ()) -> list[Path]:
    """Return the way to everything in a value, itself first."""
    found = [path]
    if isinstance(value, dict):
        return found + [way for key, one in value.items() for way in places(one, (*path, key))]
    if isinstance(value, list):
        return found + [way for key, one in enumerate(value) for way in places(one, (*path, key))]
    return found


def put(value: Any, path: Path, made: Any) -> Any:
    """Return the value with something else at one place."""
    if not path:
        return made
    key, rest = path[0], path[1:]
    if isinstance(value, list):
        return [put(one, rest, made) if at == key else one for at, one in enumerate(value)]
    return {name: put(one, rest, made) if name == key else one for name, one in value.items()}


def without(value: Any, path: Path) -> Any:
    """Return the value without what is at one place."""
    if len(path) == 1 and isinstance(value, dict):
        return {name: one for name, one in value.items() if name != path[0]}
    if len(path) < 2:
        return value
    return put(value, path[:1], without(value[path[0]], path[1:]))


@st.composite
def changed(draw: st.DrawFn, most: int = 3) -> tuple[str, Any]:
    """A real payload of a new call, some of whose fields became something else or are gone."""
    stem = draw(st.sampled_from(NAMES))
    ids = {"session_id": "tool_use_id", "prompt_id": "", "tool_use_id": ""}
    number = draw(st.integers(0, 2**40))
    value = _REAL[stem] | {key: f"{number:x}" for key in ids if key in _REAL[stem]}
    for _ in range(draw(st.integers(0, most))):
        path = draw(st.sampled_from(places(value)[1:] or [()]))
        value = put(value, path, draw(ODD)) if draw(st.booleans()) else without(value, path)
    return stem.split(".")[0], value


_EDITS = st.tuples(
    st.sampled_from(["flip", "cut", "drop", "add", "double", "front"]),
    st.floats(0, 1, exclude_max=True),
    st.integers(0, 7),
    st.binary(max_size=5) | st.sampled_from([b"\x1e", b"\n", b"\0", b"\xff\xfe", b"\xef\xbb\xbf"]),
)


def _edited(body: bytes, how: str, at: int, bit: int, more: bytes) -> bytes:
    match how:
        case "flip":
            return body[:at] + bytes([body[at] ^ 1 << bit]) + body[at + 1 :] if body else body
        case "cut":
            return body[:at]
        case "drop":
            return body[:at] + body[at + 1 + bit :]
        case "add":
            return body[:at] + more + body[at:]
        case "double":
            return body + body[at:]
        case _:
            return body[at:]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """An event and the bytes of its payload: odd inside, and in half of the cases no JSON more."""
    name, value = draw(changed())
    body = json.dumps(value, ensure_ascii=draw(st.booleans())).encode(errors="surrogatepass")
    for how, share, bit, more in draw(st.just([]) | st.lists(_EDITS, max_size=3)):
        body = _edited(body, how, int(share * len(body)), bit, more)
    return name, body
