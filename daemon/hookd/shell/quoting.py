"""Quotes and backslashes of shell texts, and names of programs in words."""

import re

from hookd.lazy_pattern import lazy_compile

_SIMPLE = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))
_ANSI = lazy_compile(
    r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})"
    r"|c(.)|([abeEfnrtv\\'\"?]))",
    re.DOTALL,
)
_DOUBLE = lazy_compile(r"\\([$`\"\\\n])|\\.|[\"`]|\$(?=[\w({\[@*#?!$-])", re.DOTALL)
_BACKTICK = lazy_compile(r"\\([$`\\])")
_BACKTICK_QUOTED = lazy_compile(r"\\([$`\\\"])")


class Misread(ValueError):  # noqa: N818 - it names a reading, not a fault of the program
    """The tree contains something that bash would read differently."""


def names(text: str) -> frozenset[str]:
    """Return the words of `text` as a set."""
    return frozenset(text.split())


def ansi_c(text: str) -> str:
    r"""Decode the content of `$'...'`; bash ends the string at a NUL.

    >>> ansi_c(r"r\x6d\t\162")
    'rm\tr'
    """
    raw = bytearray()
    at = 0
    for match in _ANSI.finditer(text):
        raw += text[at : match.start()].encode() + _ansi_unit(match)
        at = match.end()
    raw += text[at:].encode()
    return raw.partition(b"\0")[0].decode("utf-8", "replace")


def _ansi_unit(match: re.Match[str]) -> bytes:
    octal, hexadecimal, short, long, control, simple = match.groups()
    if octal:
        return bytes([int(octal, 8) & 0xFF])
    if hexadecimal:
        return bytes([int(hexadecimal, 16)])
    if short or long:
        point = int(short or long, 16)
        return chr(point).encode("utf-8", "replace") if point < 0x110000 else b"?"
    return bytes([ord(control) & 0x1F]) if control else _SIMPLE[simple].encode()


def double_quoted(text: str) -> str:
    r"""Remove the backslashes that are special between double quotes.

    Misread if the text contains an expansion: the tree should have shown it.

    >>> double_quoted(r"a \"b\" \n \$c")
    'a "b" \\n $c'
    """
    if "\\" not in text and "`" not in text and "$" not in text and '"' not in text:
        return text
    return _DOUBLE.sub(_double, text)


def _double(match: re.Match[str]) -> str:
    if match[0][0] != "\\":
        raise Misread
    if match[1] is None:
        return match[0]
    return "" if match[1] == "\n" else match[1]


def backticked(text: str, *, quoted: bool) -> str:
    r"""Remove the backslashes of a command between backticks; `quoted`: inside double quotes.

    >>> backticked(r"echo \`id\`", quoted=False)
    'echo `id`'
    """
    return (_BACKTICK_QUOTED if quoted else _BACKTICK).sub(r"\1", text)


_VERSION = lazy_compile(r"(?<=[\w)])@[\w.^~*+-]*")
_SCOPED = lazy_compile(r"@([\w.-]+)/cli")
_PACKAGES = {
    "firebase-tools": "firebase",
    "netlify-cli": "netlify",
    "aws-cdk": "cdk",
    "eas-cli": "eas",
    "vercel-cli": "vercel",
    "changesets": "changeset",
    "del-cli": "rimraf",
}
"""Packages whose program has another name: `npx firebase-tools deploy`."""


def program_name(word: str) -> str:
    """Return the name of the program that this word starts, without folder, version and `.exe`.

    >>> called("/usr/bin/git"), called("rimraf@5"), called("@railway/cli@latest")
    ('git', 'rimraf', 'railway')
    """
    if "@" in word:
        word = _VERSION.sub("", word)
        if scoped := _SCOPED.fullmatch(word):
            word = scoped[1]
    name = word.rpartition("/")[2].removesuffix(".exe")
    return _PACKAGES.get(name, name)
