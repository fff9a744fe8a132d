"""Redaction: replace the secrets in a text or payload by `[redacted:<kind>]`.

Every text that is stored or logged passes through `redact`, every payload through `record`. Only
the secret is replaced, so the text stays readable.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from pydantic_core import from_json, to_json

from hookd.lazy_dataclass import dataclass
from hookd.redaction.patterns import LONG, MARK, NAME, PATTERNS, RUN, Pattern

LIMIT = 65_536
"""Characters of a payload that are kept."""

_MARGIN = 8_192  # read past the cut, so that a secret astride it is never half visible
_DEPTH = 100  # as deep as json_text.py reads; the serializer gives up some 100 levels below
_ESCAPED = 6  # characters of JSON that one character takes at most
_PASSES = 4  # a mark can make an edge that a secret beside it lacked; two passes nearly always do
_ENDS = 100  # characters at the end of a key, which decide; a whole key may have millions
_VALUE = f"{MARK}value]"

_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)
# Where a hint that ends in a separator may occur, found by its last three characters. One scan for
# all vendor prefixes costs as much as searching for ten of them one by one.
_TAIL = re.compile(rf"[_.-](?=[a-z0-9_-]{{{RUN}}})(?<=(...))")
_BY_TAIL: defaultdict[str, list[str]] = defaultdict(list)
_WORDS: list[str] = []
for _hint in dict.fromkeys(hint for pattern in PATTERNS for hint in pattern.hints):
    if _hint[-1] in "_.-" and _hint != "-----begin":
        _BY_TAIL[_hint[-3:]].append(_hint)
    else:
        _WORDS.append(_hint)

_SECRET_KEY = re.compile(rf"(?:{NAME}|(?i:(?<![a-z])auth|authorization|cookie))\Z", re.VERBOSE)
_SECRET_FLAG = re.compile(rf"--?(?:[A-Za-z0-9]{{1,40}}[-_]){{0,4}}{NAME}", re.VERBOSE)
_ENV_FILE = re.compile(
    r"(?:^|[\s/\\\"'=<>(:@*])(?!process\.|import\.)[\w.-]*\.env(?:rc)?"
    r"(?!\.(?:example|sample|template|dist)\b)(?:\.[\w-]+){0,2}(?![\w./(])"
)
_ENV_PLACES = ("file_path", "path", "notebook_path", "command", "glob")
# A line as a file has it, or as a listing, grep or a diff shows it; a quoted value may span lines.
_ENV_LINE = re.compile(
    r"(?m)^((?:[^\s=:]{0,200}:)?(?:[0-9]{1,7}:)?(?:[ +-]|\s{0,8}[0-9]{1,7}[\t→])?[ \t#]{0,40}"
    r"(?:export[ \t]{1,8})?[A-Za-z_][\w.]{0,100}[ \t]{0,8}=[ \t]{0,8})(?!\[redacted:)"
    r'(?:"(?:[^"\\]|\\.)*+"|\'[^\']*+\'|(?=\S))(?:.*)'
)
_ENV_INLINE = re.compile(
    r"(?<![\w$])([A-Z][A-Z0-9_]{0,100}=)(?!\[redacted:)(?:\"[^\"\n]+\"|'[^'\n]+'|[^\s\"'\\]+)"
)
_ENV_MARK = rf"\1{MARK}env]"


Trail = Callable[[list[tuple[int, int]], str], None]
"""Called for each step with the replaced spans of the current text, and the kind of the marks."""


def redact(text: str, *, env_file: bool = False) -> str:
    """Return `text` without its secrets. With `env_file` every `NAME=value` loses its value.

    A JSON text stays valid: if it contains a secret, it is parsed and redacted member by member.
    """
    clean = redact_text(text, env_file=env_file)
    if clean == text or not text.startswith(("{", "[")):
        return clean
    try:
        value = from_json(text)
    except ValueError:
        return clean
    return _dump(_Walk(env_file=env_file, room=len(text) * 20).value(value))


def redact_text(text: str, *, env_file: bool = False, trail: Trail | None = None) -> str:
    """Return `text` without its secrets; JSON is treated as plain text."""
    for _ in range(_PASSES):
        before = text
        for form in (_ENV_LINE, _ENV_INLINE) if env_file else ():
            if trail:
                trail([(one.end(1), one.end()) for one in form.finditer(text)], "env")
            text = form.sub(_ENV_MARK, text)
        text = _redact_once(text, trail)
        if text == before:
            break
    return text


def _redact_once(text: str, trail: Trail | None) -> str:
    low = _fold(text)
    seen = _hints(low)
    for pattern in PATTERNS if seen else ():
        for hint in pattern.hints:
            if hint in seen:
                clean = _replace(text, low, pattern, hint, trail)
                if clean is not text:
                    text, low = clean, _fold(clean)
    return text


def _fold(text: str) -> str:
    """Return `text` in lower case with the same length."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII)


def _hints(low: str) -> set[str]:
    """Return the hints in a lower-case text; without a hint there is no secret."""
    tails = set(_TAIL.findall(low))
    tails |= {tail[-1] for tail in tails}
    return {hint for hint in _WORDS if hint in low} | {
        hint for tail in tails & _BY_TAIL.keys() for hint in _BY_TAIL[tail] if hint in low
    }


def _replace(text: str, low: str, pattern: Pattern, hint: str, trail: Trail | None) -> str:
    pieces, places, kept, at = [], [], 0, low.find(hint)
    while at >= 0:
        if found := _find(text, at, pattern):
            start, end = found.span("secret")
            pieces += [text[kept:start], f"{MARK}{pattern.kind}]"]
            places.append((start, end))
            kept = end
        at = low.find(hint, max(at + 1, kept))
    if trail and places:
        trail(places, pattern.kind)
    return "".join([*pieces, text[kept:]]) if pieces else text


def _find(text: str, at: int, pattern: Pattern) -> re.Match[str] | None:
    if pattern.context and not pattern.context(text, at):
        return None
    found = pattern.regex.match(text, at)
    if found and pattern.judge and found.end() - at <= LONG and not pattern.judge(found):
        return None
    return found


@dataclass(frozen=True, slots=True)
class Record:
    """A payload to store: `text` is JSON; `sha256` is of the whole payload if `text` was cut.

    `body` is the whole payload, compressed, if `text` is an excerpt (events/payload_excerpt.py),
    and `size` its length in characters.
    """

    text: str
    sha256: str | None = None
    body: bytes = b""
    size: int = 0


def record(payload: Any, *, whole: bytes | None = None) -> Record:
    """Return `payload` redacted and cut to LIMIT characters; `whole` is its source text."""
    text = ""
    if whole is None or len(whole) <= LIMIT:
        # The walk handles lone surrogates and values that are nested too deeply.
        with suppress(ValueError):
            text = _dump(payload)
    env_file = _reads_env(payload)
    hints = None
    if text and len(text) <= LIMIT and not env_file:
        # The permission mode of many sessions: its "pass" would force the slow path for each event.
        hints = _hints(_fold(text).replace('"bypasspermissions"', '""'))
        if not hints:
            return Record(text)
    walk = _Walk(env_file=env_file, room=LIMIT, hints=hints)
    kept = _dump(walk.value(payload))
    whole = whole or (text or kept).encode()
    return Record(kept, sha256(whole).hexdigest() if walk.cut else None)


def redact_json(text: str) -> str:
    """Return a JSON text without its secrets, redacted value by value, so that it stays JSON."""
    hints = _hints(_fold(text))
    if not hints:
        return text
    return _dump(_Walk(env_file=False, room=len(text) * 20, hints=hints).value(from_json(text)))


def _dump(value: Any) -> str:
    return to_json(value, inf_nan_mode="null").decode()


def is_env(path: str) -> bool:
    """Return whether a path names an .env file: all its values are secrets."""
    return _ENV_FILE.search(path) is not None


def _reads_env(payload: Any) -> bool:
    """Return whether a tool call reads or writes an .env file, by path or by command."""
    if not isinstance(payload, Mapping):
        return False
    inner = payload.get("tool_input", payload.get("toolInput"))
    places = [
        source.get(place)
        for source in (payload, inner)
        if isinstance(source, Mapping)
        for place in _ENV_PLACES
    ]
    return any(isinstance(place, str) and _ENV_FILE.search(place) for place in places)


class _Walk:
    """One pass over a payload; `room` is the number of characters of JSON that may still be kept.

    `hints` are those of the whole payload, None if unknown.
    """

    def __init__(self, *, env_file: bool, room: int, hints: set[str] | None = None) -> None:
        self.env_file = env_file
        self.room = room
        self.hints = hints
        self.cut = False

    def value(self, value: Any, *, secret: bool = False, depth: int = 0) -> Any:
        """Return `value` without its secrets; a `secret` text or number is replaced."""
        if isinstance(value, Mapping | list | tuple):
            return self._nested(value, secret=secret, depth=depth + 1)
        if secret and value and not isinstance(value, bool):
            value = _VALUE
        if isinstance(value, str):
            return self._text(value)
        self.room -= len(_dump(value))
        return value

    def _nested(self, value: Any, *, secret: bool, depth: int) -> Any:
        if depth > _DEPTH:
            self.cut = True
            return self._text(f"[cut by hookd: deeper than {_DEPTH} levels]")
        self.room -= 2
        if isinstance(value, Mapping):
            members: dict[str, Any] = {}
            for key in self._some(value):
                name = self._text(str(key))  # a mark in it can turn it into a secret's name
                secret = _names_secret(name) or _is_secret(key, value)
                members[name] = self.value(value[key], secret=secret, depth=depth)
            return members
        kept: list[Any] = []
        after_flag = False
        for one in self._some(value):
            kept.append(self.value(one, secret=secret or after_flag, depth=depth))
            after_flag = isinstance(one, str) and _SECRET_FLAG.fullmatch(one[:200]) is not None
        return kept

    def _some(self, members: Any) -> Iterator[Any]:
        for one in members:
            if self.room <= 0:
                self.cut = True
                return
            self.room -= 2
            yield one

    def _text(self, text: str) -> str:
        room = max(self.room, 0)
        if self.hints is not None and len(text) * _ESCAPED < room and text.isascii():
            low = text.lower()
            if not any(hint in low for hint in self.hints):
                self.room -= len(_dump(text))
                return text
        head = text[: room + _MARGIN].encode("utf-8", "replace").decode()
        kept = redact(head, env_file=self.env_file)
        if len(text) > len(head):  # a secret may extend past the end of `head`, undetected
            kept = kept[: max(len(kept) - _MARGIN, 0)]
        fit = _fit(kept, room)
        if len(fit) < len(kept) or len(text) > len(head):
            self.cut = True
            fit += f"[cut by hookd: {len(text)} characters in all]"
        self.room -= len(_dump(fit))
        return fit


def _fit(text: str, room: int) -> str:
    """Return the beginning of `text` that fits into `room` characters of JSON."""
    while text and (size := len(_dump(text)) - 2) > room:
        text = text[: len(text) * room // size]
    return text


def _is_secret(key: Any, members: Mapping[Any, Any]) -> bool:
    """Return whether a key names a secret, or is the value of a name/value pair that does."""
    if key in ("value", "Value"):
        name = members.get("name", members.get("key", members.get("Name", members.get("Key"))))
        return isinstance(name, str) and _names_secret(name[-_ENDS:])
    return _names_secret(str(key)[-_ENDS:])


@lru_cache(maxsize=1024)
def _names_secret(end: str) -> bool:
    return _SECRET_KEY.search(end) is not None
