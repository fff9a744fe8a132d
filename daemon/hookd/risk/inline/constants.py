"""Texts that a program composes of known texts: `"sys" + "tem"`, `b64decode("cm0=")`, `chr(114)`.

In code each text is a number between two signs. A composed text gets a number of its own, like a
text that is written out. What cannot be computed stays as it is.
"""

import binascii
import codecs
import re
from base64 import a85decode, b16decode, b32decode, b64decode
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a program, and whether the program inserts more into it."""

    content: str
    mixed: bool = False
    ticks: bool = False


_ROUNDS = 6
"""Times that the code is searched: the result of one composition may be a part of the next."""

_MAX_CHARS = 16_384
"""Characters of a composed text; a longer one stays unknown."""

_MAX_TEXTS = 512

_S = r"[bru]?\x01\d+\x02"
_NUMBER = r"(?:0[xX][0-9a-fA-F]{1,6}|\d{1,7})"
_NUMBERS = rf"{_NUMBER}(?>(?:\s*+,\s*+{_NUMBER})*)\s*+,?+\s*+"
_LIST = rf"{_S}(?>(?:\s*+,\s*+{_S})*)\s*+,?+\s*+"

_OPERATORS = {
    "python": r"(?:\s*+\+\s*+|[ \t]++|)",
    "ruby": r"(?:\s*+(?:\+|<<)\s*+|[ \t]++|)",
    "awk": r"(?:[ \t]++|)",
    "js": r"\s*+\+\s*+",
    "php": r"\s*+\.\s*+",
    "perl": r"\s*+\.\s*+",
    "lua": r"\s*+\.\.\s*+",
}
_ANY_OPERATOR = r"\s*+(?:\+\+?|\.\.?|<>|~|&|\^)\s*+"

_NUMBERED = lazy_compile(r"\x01(\d+)\x02")
_DIGITS = lazy_compile(_NUMBER)
_CODES = lazy_compile(
    rf"(?<![\w$])(?:chr|String\.fromCharCode|String\.fromCodePoint|char|utf8\.char|string\.char)"
    rf"\s*+\(\s*+({_NUMBERS})\)"
    rf"|(?<![\w$])(?:bytes|bytearray|Buffer\.from|new Uint8Array|map\(\s*+chr\s*+,)\s*+\(?\s*+"
    rf"[\[(]\s*+({_NUMBERS})[\])]\s*+\)?"
    rf"|\[\s*+({_NUMBERS})\]\s*+\.\s*+(?:pack\(\s*+\x01\d+\x02\s*+\)|map\(&:chr\))"
)
_SPELLED = lazy_compile(rf"sprintf\(\s*+(\x01\d+\x02)((?>(?:\s*+,\s*+{_NUMBER})+))\s*+\)")
_JOINED = lazy_compile(
    rf"(?P<glue>\x01\d+\x02)\.join\(\s*+(?:[\[(]\s*+)?(?P<parts>{_LIST})(?:[\])]\s*+)?\)"
    rf"|\[\s*+(?P<of>{_LIST})\]\s*+\.join(?:\(\s*+(?>(?P<by>\x01\d+\x02)?)\s*+\))?"
    rf"|(?<![\w$.])(?:join|implode)\s*+\(?\s*+(?P<sign>\x01\d+\x02)\s*+,\s*+"
    rf"[\[(]?\s*+(?P<rest>{_LIST})[\])]?"
)
_CALLED = lazy_compile(
    rf"(?<![\w$.])(?>(?:\w{{1,30}}+(?:\.|::)){{0,3}})(?P<name>(?:urlsafe_|standard_|strict_|raw)?b(?:64|32|16|85)decode|a85decode"
    r"|decodebytes|decodestring|unhexlify|a2b_base64|a2b_hex|fromhex|atob|(?:strict_|urlsafe_)?decode64"
    r"|decode_base64|base64_decode|hex2bin|strrev|str_rot13|from_base64|unquote|unescape"
    r"|decodeURIComponent|urldecode|rawurldecode|base64_to_string)"
    rf"\s*+\(?\s*+(?P<text>{_S})(?>(?:\s*+,[^()\x01\x02]{{0,60}}+)?)\s*+\)?"
)
_CODED = lazy_compile(
    rf"(?:Buffer\.from|(?:codecs\.)?\bdecode|bytes)\s*+\(\s*+(?P<text>{_S})\s*+,\s*+(?P<by>{_S})\s*+\)"
    rf"|(?<![\w.])pack\s*+\(?\s*+(?P<form>\x01\d+\x02)\s*+,\s*+(?P<data>{_S})\s*+\)?"
    rf"|\[\s*+(?P<of>{_S})\s*+\]\s*+\.pack\s*+\(?\s*+(?P<as>\x01\d+\x02)\s*+\)?"
    rf"|(?P<it>{_S})\s*+\.(?:unpack1?|decode)\s*+\(?\s*+(?P<how>\x01\d+\x02)\s*+\)?(?>(?:\s*+\.first\b|\[0\])?)"
)
_CHANGED = lazy_compile(
    rf"(?P<text>{_S})\s*+(?P<how>\[\s*+::\s*+-1\s*+\]|\.reverse\b(?>(?:\(\))?)"
    r"|\.split\(\x01\d+\x02\)\.reverse\(\)\.join\(\x01\d+\x02\)"
    r"|\.(?:lower|upper|toLowerCase|toUpperCase|downcase|upcase|swapcase)\b(?>(?:\(\))?)"
    r"|\.(?:strip|trim|chomp|rstrip|to_s|to_str|toString|encode|decode|to_sym|freeze)\b(?>(?:\(\s*+(?>(?:\x01\d+\x02)?)\s*+\))?))"
    rf"|(?<![\w)\]$!])\((?P<bare>\s*+{_S})\s*+\)(?=\s*+[.+%\[])"
    rf"|(?>(?:scalar\s*+\(?\s*+)?)(?<![\w.])(?P<turn>reverse|lc|uc)\s*+\(?\s*+(?P<it>{_S})\s*+\)?"
)
_REPLACED = lazy_compile(
    rf"(?P<text>{_S})\.(?:replace|replaceAll|gsub|sub)\(\s*+(?P<old>\x01\d+\x02)\s*+,\s*+(?P<new>\x01\d+\x02)\s*+\)"
)
_FILLED = lazy_compile(rf"(?P<text>{_S})(?:\s*+%\s*+\(?\s*+|\.format\(\s*+)(?P<parts>{_LIST})\)?")
_PLACE = lazy_compile(r"%[sr]|\{\d*\}")


def folded(code: str, texts: list[Text], language: str) -> str:
    """Return the code with composed texts in place of their parts; append those to `texts`."""
    if not texts and "chr" not in code and "har" not in code and "ytes" not in code:
        return code
    for _ in range(_ROUNDS):
        before = code
        for pattern, action, hints in _ACTIONS:
            if any(hint in code for hint in hints):
                code = pattern.sub(_Composer(texts, action), code)
        if len(texts) > 1:
            code = _chain(language).sub(_Composer(texts, _chained), code)
        if code == before or len(texts) > _MAX_TEXTS:
            break
    return code


@cache
def _chain(language: str) -> re.Pattern[str]:
    """Return the pattern of texts that a language joins by an operator."""
    operator = _OPERATORS.get(language, _ANY_OPERATOR)
    return re.compile(rf"{_S}(?>(?:{operator}{_S})+)")


class _Composer:
    """Replaces a composition by the number of its text; leaves it as it is if it is unknown."""

    def __init__(self, texts: list[Text], action: "Callable[[_Given], str | Text | None]") -> None:
        self._texts, self._action = texts, action

    def __call__(self, match: re.Match[str]) -> str:
        try:
            result = self._action(_Given(match, self._texts))
        except (ValueError, IndexError, LookupError, OverflowError):
            return match[0]
        if not result:
            return match[0]
        text = Text(result) if isinstance(result, str) else result
        if len(text.content) > _MAX_CHARS:
            return match[0]
        self._texts.append(text)
        return f"\x01{len(self._texts) - 1}\x02"


@dataclass(frozen=True, slots=True)
class _Given:
    """A composition, and the texts of its program."""

    match: re.Match[str]
    texts: list[Text]

    def all(self, source: str | None) -> Iterator[Text]:
        """Yield the texts that are numbered in a part of code. Raises ValueError for backticks."""
        for number in _NUMBERED.findall(source or ""):
            if self.texts[int(number)].ticks:
                raise ValueError(number)
            yield self.texts[int(number)]

    def one(self, *groups: str) -> str:
        """Return the content of the first of these groups that matched."""
        source = next(self.match[group] for group in groups if self.match[group])
        return next(self.all(source)).content


def _chained(given: _Given) -> Text | None:
    parts = list(given.all(given.match[0]))
    return Text("".join(part.content for part in parts), any(part.mixed for part in parts))


def _codes(given: _Given) -> str:
    listed = next(group for group in given.match.groups() if group)
    return "".join(chr(int(number, 0)) for number in _DIGITS.findall(listed) if _valid(number))


def _valid(number: str) -> bool:
    return number[:1] != "0" or number[1:2] in ("", "x", "X")


def _spelled(given: _Given) -> str | None:
    form = next(given.all(given.match[1])).content
    if re.fullmatch(r"(?:[^%]|%c)*", form) is None:
        return None
    numbers = iter(_DIGITS.findall(given.match[2]))
    return re.sub("%c", lambda _: chr(int(next(numbers, "32"), 0)), form)


def _join(given: _Given) -> str:
    match = given.match
    glue = next(
        (text.content for text in given.all(match["glue"] or match["by"] or match["sign"])), ""
    )
    if match["of"] and not match["by"] and match[0].endswith("()"):
        glue = ","
    listed = match["parts"] or match["of"] or match["rest"]
    return glue.join(text.content for text in given.all(listed))


def _padded(data: str) -> bytes:
    return data.encode() + b"=" * (-len(data) % 4)


def _from_base64(data: str) -> str:
    return b64decode(_padded(data.replace("-", "+").replace("_", "/"))).decode("utf-8", "replace")


def _from_hex(data: str) -> str:
    return binascii.unhexlify(re.sub(r"\s", "", data)).decode("utf-8", "replace")


def _from_percent(data: str) -> str:
    return re.sub(r"%([0-9a-fA-F]{2})", lambda match: chr(int(match[1], 16)), data)


_DECODERS: Mapping[str, Callable[[str], str]] = {
    "b32": lambda data: b32decode(data.encode()).decode("utf-8", "replace"),
    "b16": lambda data: b16decode(data.encode(), casefold=True).decode("utf-8", "replace"),
    "85": lambda data: a85decode(data.encode()).decode("utf-8", "replace"),
    "hex": _from_hex,
    "rev": lambda data: data[::-1],
    "rot": lambda data: codecs.decode(data, "rot13"),
    "url": _from_percent,
    "unquote": _from_percent,
    "unescape": _from_percent,
    "uri": _from_percent,
    "64": _from_base64,
    "bytes": _from_base64,
    "string": _from_base64,
    "atob": _from_base64,
}
"""By a part of the decoder's name, the first that fits."""


def _decoded(given: _Given) -> str | None:
    name = given.match["name"].lower()
    decode = next((decode for part, decode in _DECODERS.items() if part in name), None)
    return decode(given.one("text")) if decode is not None else None


_FORMS: Mapping[str, Callable[[str], str]] = {
    "base64": _from_base64,
    "base64url": _from_base64,
    "hex": _from_hex,
    "rot13": lambda data: codecs.decode(data, "rot13"),
    "rot_13": lambda data: codecs.decode(data, "rot13"),
    "H*": _from_hex,
    "m": _from_base64,
    "m0": _from_base64,
    "a*": str,
    "utf8": str,
    "utf-8": str,
    "ascii": str,
}


def _coded(given: _Given) -> str | None:
    form = given.one("by", "form", "as", "how")
    packs = bool(given.match["form"] or given.match["of"])
    decode = _FORMS.get(form) if not (packs and form.startswith("m")) else None
    return decode(given.one("text", "data", "of", "it")) if decode is not None else None


def _changed(given: _Given) -> str | Text | None:
    match = given.match
    if match["bare"]:
        return next(given.all(match["bare"]))
    content, how = given.one("text", "it"), (match["how"] or match["turn"]).lower()
    if "reverse" in how or "::" in how:
        return content[::-1]
    if re.search(r"lower|downcase|lc", how):
        return content.lower()
    if re.search(r"upper|upcase|uc", how):
        return content.upper()
    return content.swapcase() if "swapcase" in how else content


def _replaced(given: _Given) -> str:
    return given.one("text").replace(given.one("old"), given.one("new"))


def _filled(given: _Given) -> str | None:
    parts = iter([text.content for text in given.all(given.match["parts"])])
    form = given.one("text")
    if not _PLACE.search(form):
        return None
    return _PLACE.sub(lambda match: next(parts, match[0]), form)


_ACTIONS: tuple[
    tuple[re.Pattern[str], Callable[[_Given], str | Text | None], tuple[str, ...]], ...
] = (
    (
        _CODES,
        _codes,
        ("chr", "harCode", "odePoint", "char(", "bytes", "bytearray", "Buffer", "Uint8", "pack"),
    ),
    (_SPELLED, _spelled, ("sprintf",)),
    (
        _CALLED,
        _decoded,
        (
            "decode",
            "unhexlify",
            "a2b_",
            "fromhex",
            "atob",
            "hex2bin",
            "strrev",
            "rot13",
            "base64",
            "unquote",
            "unescape",
            "URI",
        ),
    ),
    (_CODED, _coded, ("Buffer", "decode", "bytes", "pack")),
    (
        _CHANGED,
        _changed,
        (
            ":-1",
            ": -1",
            "everse",
            "ower",
            "pper",
            "case",
            "strip",
            "trim",
            "chomp",
            "to_s",
            "encode",
            "decode",
            "freeze",
            "String",
            "lc",
            "uc",
            "(\x01",
        ),
    ),
    (_REPLACED, _replaced, ("replace", "sub(")),
    (_JOINED, _join, ("join", "implode")),
    (_FILLED, _filled, ("%", ".format")),
)
"""Patterns of compositions, what each of them is, and a part that each match contains."""
