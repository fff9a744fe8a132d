"""Reading of inline programs: their strings, aliases, calls and arguments.

It is no parser: strings and comments are separated from code, calls are found by their names, and
their arguments are followed as far as they are texts, joined paths and variables that contain such.
Unknown text becomes a shell variable that is never set. Aliases are resolved first: `from shutil
import rmtree as r; r(x)` is read as `shutil.rmtree(x)`, so one table has both. In the code of a
program each of its texts is a number between two signs.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from hookd.risk.inline.known_calls import Mark
from hookd.shell.quoting import names

_NAMES = (
    r"(?:rmtree|removedirs|remove|unlink|rmdir|f?truncate|system|popen|run|call|check_call"
    r"|check_output|Popen|rm|rename|replace|move|kill|getoutput"
    r"|(?:rm|unlink|rmdir|truncate|exec|spawn|execFile)Sync|exec|spawn|execFile)"
)
_HINTS = re.compile(r"\bimport\b|\brequire\b|__|\x02\]\s*\(|[=:]\s*\w+\.")
_IMPORTED = re.compile(r"__import__\(\s*\x01(\d+)\x02\s*\)")
_INDEXED = re.compile(r"(?:\.__dict__)?(?<=[\w)])\[\s*\x01(\d+)\x02\s*\](?=\s*\()")
_FROM = re.compile(r"\bfrom\s+(\w+)\s+import\s+\(?([\w \t,]+)")
_MODULE = re.compile(r"\bimport\s+([\w. \t,]+)")
_PARTS = re.compile(
    r"\{([^{}]{1,400})\}\s*=\s*(?:await\s+)?(?:require|import)\(\s*\x01(\d+)\x02\s*\)"
    r"|\bimport\s*\{([^{}]{1,400})\}\s*from\s*\x01(\d+)\x02"
)
_SET = re.compile(
    rf"(?<![\w.])([A-Za-z_$][\w$]*)\s*=\s*((?:require\(\s*\x01\d+\x02\s*\)|[A-Za-z_]\w*)"
    rf"(?:\.\w+)*\.{_NAMES})\s*(?=[;\n,]|\Z)"
)
_MOST = 16
"""Maximum aliases per program."""


def renamed(code: str, texts: Sequence[str], language: str) -> str:
    """Return the code of a program with its aliases replaced by the usual names."""
    if language not in ("python", "js") or _HINTS.search(code) is None:
        return code
    code = _IMPORTED.sub(lambda one: texts[int(one[1])], code)
    code = _INDEXED.sub(lambda one: _member(texts[int(one[1])], one[0]), code)
    found = _python(code) if language == "python" else _js(code, texts)
    for _, (name, usual) in zip(range(_MOST), (*found, *_assigned(code)), strict=False):
        if name != usual:
            own = rf"(?<![\w.$:]){re.escape(name)}(?=\s*[(.])"
            code = re.sub(own, lambda _, usual=usual: usual, code)  # type: ignore[misc]
    return code


def _member(name: str, source: str) -> str:
    return f".{name}" if re.fullmatch(_NAMES, name) else source


def _python(code: str) -> Iterator[tuple[str, str]]:
    for one in _FROM.finditer(code):
        for name, own in _parted(one[2]):
            if re.fullmatch(_NAMES, name):
                yield own, f"{one[1]}.{name}"
    for one in _MODULE.finditer(code):
        for name, own in _parted(one[1]):
            if name in ("os", "shutil", "subprocess") and own != name:
                yield own, name


def _parted(listed: str) -> Iterator[tuple[str, str]]:
    for part in listed.split(",")[:_MOST]:
        name, _, own = part.strip().partition(" as ")
        yield name.strip(), (own or name).strip()


def _js(code: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for one in _PARTS.finditer(code):
        module = texts[int(one[2] or one[4])].rpartition(":")[2].partition("/")[0]
        for part in (one[1] or one[3]).split(",")[:_MOST]:
            name, *own = re.split(r"\s*:\s*|\s+as\s+", part.strip())
            if re.fullmatch(_NAMES, name):
                yield own[0] if own else name, f"{module}.{name}"


def _assigned(code: str) -> Iterator[tuple[str, str]]:
    for one in _SET.finditer(code):
        usual = re.sub(r"require\([^()]*\)", "child_process" if "exec" in one[2] else "fs", one[2])
        yield one[1], usual


HOME, HERE = "\x03", "\x04"
UNKNOWN = '"$UNKNOWN"'

_UNKNOWNS = re.compile(r'("?\$UNKNOWN"?)(?:"?\$UNKNOWN"?)+')

CALLS = 128
"""Maximum calls per program; a program with more cannot be analyzed."""

_ARGUMENTS = 1000
"""Characters of a call's arguments."""

_ODD = re.compile("[\x00-\x08]")
_Q = "['\"]"
_HOMES = re.compile(
    rf"(?:\bos|__import__\({_Q}os{_Q}\))\.environ(?:\.get\(|\[)\s*{_Q}HOME{_Q}\s*[\])]|os\.getenv\(\s*{_Q}HOME{_Q}\s*\)"
    rf"|process\.env\.HOME\b|process\.env\[{_Q}HOME{_Q}\]"
    rf"|(?:\bos\.|require\({_Q}(?:node:)?os{_Q}\)\.)?\bhomedir\(\)|\b(?:Path|pathlib\.Path)\.home\(\)"
    rf"|\bDir\.home\b|\bENV(?:\.fetch\(|\[){_Q}HOME{_Q}[\])]|\$ENV\{{{_Q}?HOME{_Q}?\}}"
    rf"|\$_(?:SERVER|ENV)\[{_Q}HOME{_Q}\]|\b(?:Sys\.getenv|getenv|os\.getenv)\({_Q}HOME{_Q}\)"
    rf"|\bENVIRON\[{_Q}HOME{_Q}\]|Deno\.env\.get\({_Q}HOME{_Q}\)"
)
_HERES = re.compile(
    r"\bos\.getcwd\(\)|\bprocess\.cwd\(\)|\bDir\.pwd\b|\bPath\.cwd\(\)|\b__dirname\b"
)

_LINE, _DOUBLE, _SINGLE = (
    r'"(?:[^"\\\n]|\\.)*+(?:"|(?=\n)|\Z)|' r"'(?:[^'\\\n]|\\.)*+(?:'|(?=\n)|\Z)",
    r'"(?:[^"\\]|\\.)*+(?:"|\Z)',
    r"'(?:[^'\\]|\\.)*+(?:'|\Z)",
)
_TICKS = r"`(?:[^`\\]|\\.)*+(?:`|\Z)"
_TRIPLE = r'"""(?>(?:[^"\\]|\\.|"(?!""))*)(?:"""|\Z)|' r"'''(?>(?:[^'\\]|\\.|'(?!''))*)(?:'''|\Z)"
_HASH = r"(?:(?<=\s)|(?<![^;]))#[^\n]*"
_BLOCK = r"/\*(?>(?:[^*]|\*(?!/))*)(?:\*/|\Z)"
_MANY = f"{_DOUBLE}|{_SINGLE}|{_TICKS}"
_LEXERS = {
    "python": re.compile(rf"#[^\n]*|(?:\b[rRbBfFuU]{{1,2}})?(?:{_TRIPLE}|{_LINE})", re.DOTALL),
    "js": re.compile(rf"//[^\n]*|{_BLOCK}|{_LINE}|{_TICKS}", re.DOTALL),
    "php": re.compile(rf"//[^\n]*|{_HASH}|{_BLOCK}|{_MANY}", re.DOTALL),
    "lua": re.compile(rf"--[^\n]*|{_LINE}", re.DOTALL),
    "awk": re.compile(rf"{_HASH}|{_LINE}", re.DOTALL),
    "": re.compile(
        rf"{_HASH}|{_MANY}|(?:\b(?:qx|qq?)|%x|%[qQ])(?:\{{[^{{}}]*\}}|\([^()]*\)|\[[^\]]*\])",
        re.DOTALL,
    ),
}
_COMMENT = ("#", "//", "/*", "--")
_PREFIX = re.compile(r"[rRbBfFuU]*")
_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{4,5})\}?|([0-7]{1,3})|(.))", re.DOTALL
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_INSIDE = re.compile(r"[$#]?\{+([^{}]*)\}+|[$@]\w+(?:[\[{]\w+[\]}])?|\x03|\x04")
_OPENED = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}

_TOKEN = re.compile(
    r"\x01(?P<string>\d+)\x02|(?P<place>[\x03\x04])|(?P<call>\.?[A-Za-z_$@][\w.:$]*)\s*\("
    r"|(?P<name>[$@%]?[A-Za-z_][\w.]*)|(?P<joint>[,/]|\.\.|[+.&])|(?P<other>\d+|[^\s()\[\]])"
)
_THROUGH = names(
    "join expanduser abspath realpath normpath resolve path purepath posixpath str string"
    " expand_path normalize fspath expandvars new file paste0 paste file.path relpath encode decode"
    " strip shlex quote quotemeta"
)
_GLOBS = frozenset({"glob", "iglob", "rglob", "globsync"})
_LISTS = frozenset({"listdir", "scandir", "readdirsync", "walk", "iterdir", "children"})
_FRESH = names("mkdtemp mkdtempsync temporarydirectory mktmpdir mkstemp tmpdir gettempdir")
_ASSIGNED = re.compile(
    r"(?:^|[\n;{(,]|\b(?:const|let|var|my|local) )[ \t]{0,40}+([$@]?\w{1,60}+)[ \t]{0,9}+"
    r"(?::?=(?![=~])|<-)[ \t]{0,9}+([^\n;]{1,400})"
    r"|\bfor(?:each)?[ \t]{0,9}+\(?[ \t]{0,9}+(?:const |let |var |my )?([$@]?\w{1,60}+)"
    r"(?:[ \t]{0,9}+,[ \t]{0,9}+\w{1,60}+){0,4}[ \t]{1,9}+(?:in|of)[ \t]{1,9}+([^\n;:]{1,400})"
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text in a program, and whether the program inserts more into it."""

    said: str
    mixed: bool = False
    ticks: bool = False


@dataclass(frozen=True)
class Snippet:
    """A program: `code` with numbers in place of its texts. `odd`: a text in it is not closed."""

    code: str
    texts: tuple[Text, ...]
    odd: bool = False
    variables: dict[str, str] = field(default_factory=dict)

    @cached_property
    def low(self) -> str:
        """The code in lower case."""
        return self.code.lower()


def snippet(source: str, language: str) -> Snippet:
    """Read a program."""
    clean = _HERES.sub(HERE, _ODD.sub(" ", source))
    clean = _HOMES.sub(HOME, clean) if "home" in clean.lower() else clean
    texts: list[Text] = []
    parts: list[str] = []
    odd, last = False, 0
    for found in _LEXERS.get(language, _LEXERS[""]).finditer(clean):
        parts.append(clean[last : found.start()])
        last = found.end()
        if not found[0].startswith(_COMMENT):
            text, ended = _text(found[0], language)
            odd = odd or not ended
            parts.append(f"\x01{len(texts)}\x02")
            texts.append(text)
        else:
            parts.append(" ")
    code = renamed("".join((*parts, clean[last:])), [text.said for text in texts], language)
    return Snippet(code, tuple(texts), odd, dict(_variables(code)))


def _text(source: str, language: str) -> tuple[Text, bool]:
    prefix = (_PREFIX.match(source) or [""])[0] if language == "python" else ""
    body = source[len(prefix) :]
    if body[:1] in "q%":  # q{...}, qx(...), %x{...}
        kind, inner = body[:2], re.sub(r"^\W?[a-zA-Z]*.", "", body)[:-1]
        return Text(inner, mixed=True, ticks="x" in kind), True
    width = 3 if body[:3] in ('"""', "'''") else 1
    ended = len(body) >= 2 * width and body.endswith(body[:width])
    inner = body[width : len(body) - width] if ended else body[width:]
    single = body[0] == "'" and language not in ("python", "js", "lua")
    mixed = "f" in prefix.lower() if language == "python" else body[0] == "`" or not single
    if language in ("js", "lua", "awk"):
        mixed = body[0] == "`"
    said = inner if "r" in prefix.lower() else _ESCAPE.sub(_unescaped, inner)
    return Text(said, mixed, body[0] == "`"), ended


def _unescaped(found: re.Match[str]) -> str:
    if code := found[1] or found[2]:
        return chr(int(code, 16))
    if found[3]:
        return chr(int(found[3], 8))
    return _PLAIN.get(found[4], found[4])


def _variables(code: str) -> Iterator[tuple[str, str]]:
    for found in _ASSIGNED.finditer(code):
        if found[1] or found[3]:
            yield found[1] or found[3], found[2] or found[4]


def arguments(code: str, at: int, *, bare: bool) -> tuple[list[str], int]:
    """Return the arguments of the call whose name ends at `at`, and where they end.

    `bare`: parentheses may be left out.
    """
    start = at
    while start < len(code) and code[start] in " \t":
        start += 1
    closed = code[start : start + 1] == "("
    if not closed and not bare:
        return [], at
    parts, depth, begin = [], 0, start + closed
    place = begin
    for place in range(begin, min(len(code), begin + _ARGUMENTS)):
        sign = code[place]
        depth += _OPENED.get(sign, 0)
        if depth < 0 or (not closed and depth == 0 and sign in ";\n|"):
            break
        if sign == "," and depth == 0:
            parts.append(code[begin:place])
            begin = place + 1
    else:
        place += 1
    return [part.strip() for part in (*parts, code[begin:place])], place


def receiver(code: str, at: int) -> str:
    """Return the expression that ends before `at`: the receiver of a method."""
    depth, place = 0, at
    while place > 0 and at - place < 400:
        sign = code[place - 1]
        depth -= _OPENED.get(sign, 0)
        inside = depth > 0 or re.match(r"[\w.$@)\]\x01-\x04]", sign)
        if depth < 0 or not inside:
            break
        place -= 1
    return code[place:at]


def marked(found: Snippet, mark: Mark) -> Iterator[re.Match[str]]:
    """Yield where a program matches a mark."""
    hinted = any(hint in found.low for hint in mark.hints)
    return mark.pattern.finditer(found.code) if hinted else iter(())


def calls(found: Snippet, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the calls that match a pattern, up to one more than the limit."""
    return islice(pattern.finditer(found.code), CALLS + 1)


def literal(found: Snippet, expression: str) -> str | None:
    """Return the text of an expression that is only a text; None if it is more."""
    one = re.fullmatch(r"[bru]?\x01(\d+)\x02", expression.strip())
    return found.texts[int(one[1])].said if one else None


def word(found: Snippet, expression: str) -> str:
    """Return an expression as one word of a shell."""
    return _joined(found, expression, quoted=True) or UNKNOWN


def script(found: Snippet, expression: str) -> str:
    """Return an expression as a shell text."""
    return _joined(found, expression, quoted=False)


def _joined(found: Snippet, expression: str, *, quoted: bool, depth: int = 0) -> str:
    parts: list[str] = []
    globs, at = False, 0
    while (token := _TOKEN.search(expression, at)) and at < _ARGUMENTS:
        kind, text, at = token.lastgroup, token[token.lastgroup or 0], token.end()
        if kind == "string":
            parts.append(_spelled(found.texts[int(text)], quoted=quoted, globs=globs))
        elif kind == "place":
            parts = ["~" if text == HOME else "."]
        elif kind == "call":
            name = text.rpartition(".")[2].rpartition(":")[2].lower()
            globs = globs or name in _GLOBS
            if name in _GLOBS:
                parts += ["/"] if parts else []
            elif name not in _THROUGH:
                given, at = arguments(expression, token.end() - 1, bare=False)
                at += 1
                parts.append(_returned(found, name, given, quoted=quoted, depth=depth))
        elif kind == "name" and depth < 4 and text in found.variables:
            value = found.variables[text]
            parts.append(_joined(found, value, quoted=quoted, depth=depth + 1))
        elif kind == "joint":
            parts += ["/"] if text in ",/" and parts and not parts[-1].endswith("/") else []
        else:
            parts.append(_unknown(quoted=quoted))
    return _UNKNOWNS.sub(lambda one: one[1], "".join(parts))


def _returned(found: Snippet, name: str, given: list[str], *, quoted: bool, depth: int) -> str:
    """Return the result of a call, as a part of one word."""
    if name in _FRESH:
        return "/tmp/fresh"  # noqa: S108 - what such a call returns lies there
    if name in _LISTS and depth < 4:
        folder = _joined(found, given[0] if given else "", quoted=quoted, depth=depth + 1)
        return f"{folder or '.'}/*"
    return _unknown(quoted=quoted)


def _unknown(*, quoted: bool) -> str:
    return UNKNOWN if quoted else "$UNKNOWN"


def _spelled(text: Text, *, quoted: bool, globs: bool) -> str:
    """Return a text as a part of one word, or of a script."""
    said, pieces, last = text.said, [], 0
    marks = _INSIDE if text.mixed else re.compile("[\x03\x04]")
    for found in marks.finditer(said):
        pieces.append(_kept(said[last : found.start()], quoted=quoted, globs=globs))
        inner = found[0]
        known = "~" if HOME in inner else "." if HERE in inner else _unknown(quoted=quoted)
        pieces.append(known)
        last = found.end()
    return "".join((*pieces, _kept(said[last:], quoted=quoted, globs=globs)))


def _kept(said: str, *, quoted: bool, globs: bool) -> str:
    if not quoted or not said:
        return said
    home = "~/" if said.startswith("~/") else "~" if said == "~" else ""
    rest = said[len(home) :]
    if globs and re.fullmatch(r"[\w./*?\[\]-]*", rest):
        return home + rest
    return home + (shlex.quote(rest) if rest else "")
