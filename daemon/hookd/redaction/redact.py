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
from typing import Any

from pydantic_core import from_json, to_json

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.redaction.hints import find_hints, fold, hints_among
from hookd.redaction.patterns import LONG, MARK, NAME, PATTERNS, Pattern

LIMIT = 65_536
"""Characters of a payload that are kept."""

_MARGIN = 8_192  # read past the cut, so that a secret astride it is never half visible
_DEPTH = 100  # as deep as json_text.py reads; the serializer gives up some 100 levels below
_PASSES = 4  # a mark can make an edge that a secret beside it lacked; two passes nearly always do
_ENDS = 100  # characters at the end of a key, which decide; a whole key may have millions
_VALUE = f"{MARK}value]"

_STEPS = tuple((pattern, hint) for pattern in PATTERNS for hint in pattern.hints)
_STEPS_OF: defaultdict[str, list[int]] = defaultdict(list)
for _at, (_, _hint) in enumerate(_STEPS):
    _STEPS_OF[_hint].append(_at)

_SECRET_KEY = lazy_compile(rf"(?:{NAME}|(?i:(?<![a-z])auth|authorization|cookie))\Z", re.VERBOSE)
_SECRET_FLAG = lazy_compile(rf"--?(?:[A-Za-z0-9]{{1,40}}[-_]){{0,4}}{NAME}", re.VERBOSE)
_ENV_FILE = lazy_compile(
    r"(?:^|[\s/\\\"'=<>(:@*])(?!process\.|import\.)[\w.-]*\.env(?:rc)?"
    r"(?!\.(?:example|sample|template|dist)\b)(?:\.[\w-]+){0,2}(?![\w./(])"
)
_ENV_PLACES = ("file_path", "path", "notebook_path", "command", "glob")
# A line as a file has it, or as a listing, grep or a diff shows it; a quoted value may span lines.
_ENV_LINE = lazy_compile(
    r"(?m)^((?:[^\s=:]{0,200}:)?(?:[0-9]{1,7}:)?(?:[ +-]|\s{0,8}[0-9]{1,7}[\t→])?[ \t#]{0,40}"
    r"(?:export[ \t]{1,8})?[A-Za-z_][\w.]{0,100}[ \t]{0,8}=[ \t]{0,8})(?!\[redacted:)"
    r'(?:"(?>(?:[^"\\]|\\.)*)"|\'[^\']*+\'|(?=\S))(?:.*)'
)
_ENV_INLINE = lazy_compile(
    r"(?<![\w$])([A-Z][A-Z0-9_]{0,100}=)(?!\[redacted:)(?:\"[^\"\n]+\"|'[^'\n]+'|[^\s\"'\\]+)"
)
_ENV_MARK = rf"\1{MARK}env]"


Hints = frozenset[str]
Trail = Callable[[list[tuple[int, int]], str], None]
"""Called for each step with the replaced spans of the current text, and the kind of the marks."""


def redact(text: str, *, env_file: bool = False, hints: Hints | None = None) -> str:
    """Return `text` without its secrets. With `env_file` every `NAME=value` loses its value.

    A JSON text stays valid: if it contains a secret, it is parsed and redacted member by member.
    `hints` are those of the text, where they are known.
    """
    clean = redact_text(text, env_file=env_file, hints=hints)
    if clean == text or not text.startswith(("{", "[")):
        return clean
    try:
        value = from_json(text)
    except (ValueError, TypeError):  # TypeError: a lone surrogate
        return clean
    return _dump(_Walk(env_file=env_file, room=len(text) * 20).value(value))


def redact_text(
    text: str,
    *,
    env_file: bool = False,
    trail: Trail | None = None,
    hints: Hints | None = None,
) -> str:
    """Return `text` without its secrets; JSON is treated as plain text."""
    for _ in range(_PASSES):
        before = text
        for form in (_ENV_LINE, _ENV_INLINE) if env_file else ():
            if trail:
                trail([(one.end(1), one.end()) for one in form.finditer(text)], "env")
            text = form.sub(_ENV_MARK, text)
        text = _redact_once(text, trail, hints)
        if text == before:
            break
        hints = None  # a mark may contain one
    return text


def _redact_once(text: str, trail: Trail | None, hints: Hints | None) -> str:
    if hints is not None and not hints:
        return text
    low = fold(text)
    seen = find_hints(low) if hints is None else hints
    places: dict[str, list[int]] = {}
    for step in sorted(step for hint in seen for step in _STEPS_OF[hint]):
        pattern, hint = _STEPS[step]
        if hint not in places:
            places[hint] = _places(low, hint)
        clean = _replace(text, places[hint], pattern, trail)
        if clean is not text:
            text, low, places = clean, fold(clean), {}
    return text


def _places(low: str, hint: str) -> list[int]:
    places, at = [], low.find(hint)
    while at >= 0:
        places.append(at)
        at = low.find(hint, at + 1)
    return places


def _replace(text: str, places: list[int], pattern: Pattern, trail: Trail | None) -> str:
    match, judge, context = pattern.regex.match, pattern.judge, pattern.context
    pieces, spans, kept = [], [], 0
    for at in places:
        if at < kept:
            continue
        found = match(text, at) if context is None or context(text, at) else None
        if found and (judge is None or found.end() - at > LONG or judge(found)):
            start, end = found.span("secret")
            pieces += [text[kept:start], f"{MARK}{pattern.kind}]"]
            spans.append((start, end))
            kept = end
    if trail and spans:
        trail(spans, pattern.kind)
    return "".join([*pieces, text[kept:]]) if pieces else text


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
        hints = find_hints(fold(text).replace('"bypasspermissions"', '""'))
        if not hints:
            return Record(text)
    walk = _Walk(env_file=env_file, room=LIMIT, hints=_hints_of_parts(text, hints))
    kept = _dump(walk.value(payload))
    if not walk.cut:
        return Record(kept)
    return Record(kept, sha256(whole or (text or kept).encode()).hexdigest())


_OWN_KEYS = re.compile(r'"hookspecificoutput":|"key": ?"[0-9a-f]{64}"')
"""Members of answers and decision records that contain a hint, but never a secret."""


def redact_json(text: str) -> str:
    """Return a JSON text without its secrets, redacted value by value, so that it stays JSON."""
    # Without these, every answer that denies a call would be parsed and redacted part by part.
    hints = find_hints(_OWN_KEYS.sub("", fold(text)))
    if not hints:
        return text
    known = None if "\\u" in text else _hints_of_parts(text, hints)  # an escape may hide one
    walk = _Walk(env_file=False, room=len(text) * 20, hints=known)
    return _dump(walk.value(from_json(text)))


def _hints_of_parts(text: str, hints: Hints | None) -> Hints | None:
    """Return the hints that texts within a JSON text may have, None if they are unknown.

    A text with U+0130, the one letter that is longer in lower case, is folded in another way than
    its parts.
    """
    return None if "\u0130" in text else hints


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
    for source in (payload, inner) if isinstance(inner, Mapping) else (payload,):
        for place in _ENV_PLACES:
            text = source.get(place)
            if isinstance(text, str) and ".env" in text and _ENV_FILE.search(text):
                return True
    return False


class _Walk:
    """One pass over a payload; `room` is the number of characters of JSON that may still be kept.

    `hints` are those that any of its texts may have, None if unknown.
    """

    def __init__(self, *, env_file: bool, room: int, hints: Hints | None = None) -> None:
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
                name = self._key(str(key))  # a mark in it can turn it into a secret's name
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

    def _key(self, key: str) -> str:
        size = 0 if self.env_file or len(key) > _ENDS else _plain_size(key)
        if not 0 < size - 2 <= self.room:
            return self._text(key)
        self.room -= size
        return key

    def _text(self, text: str) -> str:
        room = max(self.room, 0)
        hints = self.hints
        if hints is not None:
            hints = hints_among(fold(text), hints)
            if not hints and (size := len(_dump(text))) - 2 <= room:
                self.room -= size
                return text
        head = text[: room + _MARGIN].encode("utf-8", "replace").decode()
        kept = redact(head, env_file=self.env_file, hints=hints)
        if len(text) > len(head):  # a secret may extend past the end of `head`, undetected
            kept = kept[: max(len(kept) - _MARGIN, 0)]
        fit, size = _fit(kept, room)
        if len(fit) < len(kept) or len(text) > len(head):
            self.cut = True
            mark = f"[cut by hookd: {len(text)} characters in all]"
            fit, size = fit + mark, size + len(mark)
        self.room -= size
        return fit


def _fit(text: str, room: int) -> tuple[str, int]:
    """Return the beginning of `text` that fits into `room` characters of JSON, and its size."""
    while (size := len(_dump(text))) - 2 > room:
        text = text[: len(text) * room // (size - 2)]
    return text, size


def _is_secret(key: Any, members: Mapping[Any, Any]) -> bool:
    """Return whether a key names a secret, or is the value of a name/value pair that does."""
    if key in ("value", "Value"):
        name = members.get("name", members.get("key", members.get("Name", members.get("Key"))))
        return isinstance(name, str) and _names_secret(name[-_ENDS:])
    return _names_secret(str(key)[-_ENDS:])


@lru_cache(maxsize=4096)
def _plain_size(key: str) -> int:
    """Return the length of a key in JSON, 0 if it has a hint or a lone surrogate."""
    with suppress(ValueError):
        return 0 if find_hints(fold(key)) else len(_dump(key))
    return 0


@lru_cache(maxsize=1024)
def _names_secret(end: str) -> bool:
    return _SECRET_KEY.search(end) is not None
