"""Reading of inline programs: their strings, aliases, calls and arguments.

It is no parser: strings and comments are separated from code, calls are found by their names, and
their arguments are followed as far as they are texts, joined paths and variables that contain such.
Unknown text becomes a shell variable that is never set. Composed texts and other names are resolved
first. In the code of a program each of its texts is a number between two signs.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import field
from functools import cached_property
from itertools import islice

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.aliases import without_aliases
from hookd.risk.inline.constants import Text, folded
from hookd.risk.inline.known_calls import Mark
from hookd.shell.quoting import names

HOME, HERE = "\x03", "\x04"
UNKNOWN = '"$UNKNOWN"'

_UNKNOWNS = lazy_compile(r'("?\$UNKNOWN"?)(?:"?\$UNKNOWN"?)+')

CALLS = 128
"""Maximum calls per program; a program with more cannot be analyzed."""

_ARGUMENTS = 1000
"""Characters of a call's arguments."""

_ODD = lazy_compile("[\x00-\x08]")
_Q = "['\"]"
_HOMES = lazy_compile(
    rf"(?:\bos|__import__\({_Q}os{_Q}\))\.environ(?:\.get\(|\[)\s*{_Q}HOME{_Q}\s*[\])]|os\.getenv\(\s*{_Q}HOME{_Q}\s*\)"
    rf"|process\.env\.HOME\b|process\.env\[{_Q}HOME{_Q}\]"
    rf"|(?:\bos\.|require\({_Q}(?:node:)?os{_Q}\)\.)?\bhomedir\(\)|\b(?:Path|pathlib\.Path)\.home\(\)"
    rf"|\bDir\.home\b|\bENV(?:\.fetch\(|\[){_Q}HOME{_Q}[\])]|\$ENV\{{{_Q}?HOME{_Q}?\}}"
    rf"|\$_(?:SERVER|ENV)\[{_Q}HOME{_Q}\]|\b(?:Sys\.getenv|getenv|os\.getenv)\({_Q}HOME{_Q}\)"
    rf"|\bENVIRON\[{_Q}HOME{_Q}\]|Deno\.env\.get\({_Q}HOME{_Q}\)"
)
_HERES = lazy_compile(
    r"\bos\.getcwd\(\)|\bprocess\.cwd\(\)|\bDir\.pwd\b|\bPath\.cwd\(\)|\b__dirname\b"
)

_LINE, _DOUBLE, _SINGLE = (
    r'"(?>(?:[^"\\\n]|\\.)*)(?:"|(?=\n)|\Z)|' r"'(?>(?:[^'\\\n]|\\.)*)(?:'|(?=\n)|\Z)",
    r'"(?>(?:[^"\\]|\\.)*)(?:"|\Z)',
    r"'(?>(?:[^'\\]|\\.)*)(?:'|\Z)",
)
_TICKS = r"`(?>(?:[^`\\]|\\.)*)(?:`|\Z)"
_TRIPLE = r'"""(?>(?:[^"\\]|\\.|"(?!""))*)(?:"""|\Z)|' r"'''(?>(?:[^'\\]|\\.|'(?!''))*)(?:'''|\Z)"
_HASH = r"(?:(?<=\s)|(?<![^;]))#[^\n]*"
_BLOCK = r"/\*(?>(?:[^*]|\*(?!/))*)(?:\*/|\Z)"
_MANY = f"{_DOUBLE}|{_SINGLE}|{_TICKS}"
_LEXERS = {
    "python": lazy_compile(rf"#[^\n]*|(?:\b[rRbBfFuU]{{1,2}})?(?:{_TRIPLE}|{_LINE})", re.DOTALL),
    "js": lazy_compile(rf"//[^\n]*|{_BLOCK}|{_LINE}|{_TICKS}", re.DOTALL),
    "php": lazy_compile(rf"//[^\n]*|{_HASH}|{_BLOCK}|{_MANY}", re.DOTALL),
    "lua": lazy_compile(rf"--[^\n]*|{_LINE}|\[\[(?>(?:[^\]]|\](?!\]))*)(?:\]\]|\Z)", re.DOTALL),
    "awk": lazy_compile(rf"{_HASH}|{_LINE}", re.DOTALL),
    "": lazy_compile(
        rf"{_HASH}|{_MANY}|(?:\b(?:qx|qq?)|%x|%[qQ])(?:\{{[^{{}}]*\}}|\([^()]*\)|\[[^\]]*\])",
        re.DOTALL,
    ),
}
_COMMENT = ("#", "//", "/*", "--")
_PREFIX = lazy_compile(r"[rRbBfFuU]*")
_ESCAPE = lazy_compile(
    r"\\(?:x([0-9a-fA-F]{2})|u\{?([0-9a-fA-F]{4,5})\}?|([0-7]{1,3})|(.))", re.DOTALL
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_INSIDE = lazy_compile(r"[$#]?\{+([^{}]*)\}+|[$@]\w+(?:[\[{]\w+[\]}])?|\x03|\x04")
_NAME = lazy_compile(r"[$@]?[A-Za-z_][\w.]*")
_DEPTH = 4
"""Variables that are followed, one after another."""

_PERL_GLOB = lazy_compile(r"(?<!<)<([\w./~-]*+[*?][\w./~*?\[\]{},-]*+)>")
_WORDS = lazy_compile(r"(?:%[wWiI]|\bqw\s*)[\[({<|]([^\])}>|\"]{1,400}+)[\])}>|]")
_INSERTED = lazy_compile(r"[$#]?\{\s*+[$@]?(\w++)\s*+\}|[$@](\w++)")
_OPENED = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}

_TOKEN = lazy_compile(
    r"\x01(?P<string>\d+)\x02|(?P<place>[\x03\x04])|(?P<call>\.?[A-Za-z_$@][\w.:$]*)\s*\("
    r"|(?P<name>[$@%]?[A-Za-z_][\w.]*)|(?P<joint>[,/]|\.\.|[+.&])|(?P<other>\d+|[^\s()\[\]])"
)
_THROUGH = names(
    "join expanduser abspath realpath normpath resolve path purepath posixpath str string"
    " expand_path normalize fspath expandvars new file paste0 paste file.path relpath encode decode"
    " strip shlex quote quotemeta text sql raw literal list array"
)
_GLOBS = frozenset({"glob", "iglob", "rglob", "globsync"})
_LISTS = names("listdir scandir readdirsync walk iterdir children readdir each_child")
_FRESH = names("mkdtemp mkdtempsync temporarydirectory mktmpdir mkstemp tmpdir gettempdir")
_ASSIGNED = lazy_compile(
    r"(?:^|[\n;{(,]|\b(?:const|let|var|my|local) )[ \t]{0,40}+([$@]?\w{1,60}+)[ \t]{0,9}+"
    r"(?::?=(?![=~])|<-)[ \t]{0,9}+([^\n;]{1,400})"
    r"|\bfor(?:each)?[ \t]{0,9}+\(?[ \t]{0,9}+(?:const |let |var |my )?([$@]?\w{1,60}+)"
    r"(?:[ \t]{0,9}+,[ \t]{0,9}+\w{1,60}+){0,4}[ \t]{1,9}+(?:in|of)[ \t]{1,9}+([^\n;:]{1,400})"
)
_BLOCK_OF = r"[ \t]{0,9}+(?:\{|do\b)[ \t]{0,9}+\|[ \t]*(\w{1,60}+)"
_EACH = lazy_compile(
    r"\bforeach[ \t]{0,9}+\([ \t]{0,9}+([^\n;]{1,200}?)[ \t]+as[ \t]+"
    r"(?:\$\w+[ \t]*=>[ \t]*)?(\$\w{1,60}+)"
    r"|(?<![\w.:])([\w:]{1,40}+(?:\.[\w:]{1,40}+){0,4}?(?:\([^()\n]{0,200}\)|\[[^\[\]\n]{0,200}\])?)\."
    rf"(?:each|map|forEach|select)(?:{_BLOCK_OF}|\([ \t]*\(?[ \t]*(\w{{1,60}}+)[ \t]*\)?[ \t]*=>)"
    rf"|\b(Dir\.(?:each_child|foreach)\([^()\n]{{0,200}}\)){_BLOCK_OF}"
)
"""A loop over a list, in a language that names the list first."""


@dataclass(frozen=True)
class Snippet:
    """A program: `code` with numbers in place of its texts. `odd`: a text in it is not closed.

    `written` is the code under the usual names, with its texts as they are written, not composed.
    """

    code: str
    texts: tuple[Text, ...]
    odd: bool = False
    variables: dict[str, str] = field(default_factory=dict)
    written: str = ""

    @cached_property
    def written_variables(self) -> dict[str, str]:
        """The variables of the written code, and what is assigned to each."""
        return dict(_variables(self.written))

    @cached_property
    def low(self) -> str:
        """The written code in lower case."""
        return self.written.lower()


def snippet(source: str, language: str) -> Snippet:
    """Read a program."""
    clean = _HERES.sub(HERE, _ODD.sub(" ", source))
    clean = _HOMES.sub(HOME, clean) if "home" in clean.lower() else clean
    if language in ("perl", "ruby"):
        clean = _PERL_GLOB.sub(r'glob("\1")', clean) if "<" in clean else clean
        clean = _WORDS.sub(_listed_words, clean)
    texts: list[Text] = []
    parts: list[str] = []
    odd, last = False, 0
    for match in _LEXERS.get(language, _LEXERS[""]).finditer(clean):
        parts.append(clean[last : match.start()])
        last = match.end()
        if not match[0].startswith(_COMMENT):
            text, ended = _text(match[0], language)
            odd = odd or not ended
            parts.append(f"\x01{len(texts)}\x02")
            texts.append(text)
        else:
            parts.append(" ")
    written = without_aliases("".join((*parts, clean[last:])), _contents(texts), language)
    code = folded(written, texts, language)
    if code != written:
        code = folded(without_aliases(code, _contents(texts), language), texts, language)
    variables = dict(_variables(code))
    return Snippet(code, tuple(_filled(texts, variables)), odd, variables, written)


def _listed_words(match: re.Match[str]) -> str:
    """Return a list of words as one of texts: `%w[rm -rf]`, `qw(rm -rf)`."""
    words = ", ".join('"' + word.replace("\\", "") + '"' for word in match[1].split())
    return f"[{words}]" if match[0][:1] == "%" else f"({words})"


def _contents(texts: list[Text]) -> list[str]:
    return [text.content for text in texts]


def _filled(texts: list[Text], variables: dict[str, str]) -> Iterator[Text]:
    """Yield the texts with the texts of variables that a program inserts: `f"{a} -rf"`."""
    known = {
        name.lstrip("$@"): texts[int(match[1])].content
        for name, value in variables.items()
        if (match := re.fullmatch(r"\x01(\d+)\x02", value.strip()))
    }
    for text in texts:
        if text.mixed and known:
            content = _INSERTED.sub(
                lambda match: known.get(match[1] or match[2], match[0]), text.content
            )
            yield Text(content, text.mixed, text.ticks)
        else:
            yield text


def _text(source: str, language: str) -> tuple[Text, bool]:
    prefix = (_PREFIX.match(source) or [""])[0] if language == "python" else ""
    body = source[len(prefix) :]
    if body[:2] == "[[":
        return Text(body[2:].removesuffix("]]")), body.endswith("]]")
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
    content = inner if "r" in prefix.lower() else _ESCAPE.sub(_unescaped, inner)
    return Text(content, mixed, body[0] == "`"), ended


def _unescaped(match: re.Match[str]) -> str:
    if code := match[1] or match[2]:
        return chr(int(code, 16))
    if match[3]:
        return chr(int(match[3], 8))
    return _PLAIN.get(match[4], match[4])


def _variables(code: str) -> Iterator[tuple[str, str]]:
    for match in _ASSIGNED.finditer(code):
        if match[1] or match[3]:
            yield match[1] or match[3], match[2] or match[4]
    if "each" in code or ".map" in code or "forEach" in code or ".select" in code:
        for match in _EACH.finditer(code):
            yield match[2] or match[4] or match[5] or match[7], match[1] or match[3] or match[6]


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


def matches_of(program: Snippet, mark: Mark) -> Iterator[re.Match[str]]:
    """Yield where a program matches a mark."""
    hinted = any(hint in program.low for hint in mark.hints)
    return mark.pattern.finditer(program.written) if hinted else iter(())


def calls_of(program: Snippet, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the calls that match a pattern, up to one more than the limit."""
    return islice(pattern.finditer(program.code), CALLS + 1)


def literal(program: Snippet, expression: str) -> str | None:
    """Return the text of an expression that is only a text; None if it is more."""
    match = re.fullmatch(r"[bru]?\x01(\d+)\x02", expression.strip())
    return program.texts[int(match[1])].content if match else None


def value_of(program: Snippet, source: str) -> str:
    """Return an expression with a variable replaced by what is assigned to it."""
    for _ in range(_DEPTH):
        name = source.strip()
        if not _NAME.fullmatch(name) or name not in program.variables:
            break
        if re.search(rf"{re.escape(name)}\s*+(?:[+.]=|<<)", program.code):
            return name  # more is added to it
        source = program.variables[name]
    return source.strip()


def word(program: Snippet, expression: str) -> str:
    """Return an expression as one word of a shell."""
    return _joined(program, expression, quoted=True) or UNKNOWN


def script(program: Snippet, expression: str) -> str:
    """Return an expression as a shell text."""
    return _joined(program, expression, quoted=False)


def _joined(program: Snippet, expression: str, *, quoted: bool, depth: int = 0) -> str:
    parts: list[str] = []
    globs, at = False, 0
    while (token := _TOKEN.search(expression, at)) and at < _ARGUMENTS:
        kind, text, at = token.lastgroup, token[token.lastgroup or 0], token.end()
        if kind == "string":
            parts.append(_spelled(program.texts[int(text)], quoted=quoted, globs=globs))
        elif kind == "place":
            parts = ["~" if text == HOME else "."]
        elif kind == "call":
            name = text.rpartition(".")[2].rpartition(":")[2].lower()
            globs = globs or name in _GLOBS
            if name in _GLOBS:
                parts += ["/"] if parts else []
            elif name not in _THROUGH:
                args, at = arguments(expression, token.end() - 1, bare=False)
                at += 1
                result = _returned(program, name, args, quoted=quoted, depth=depth)
                parts = ["~"] if result == "~" else [*parts, result]
        elif kind == "name" and depth < 4 and text in program.variables:
            value = program.variables[text]
            parts.append(_joined(program, value, quoted=quoted, depth=depth + 1))
            at = _index_end(expression, at)
        elif kind == "joint":
            parts += ["/"] if text in ",/" and parts and not parts[-1].endswith("/") else []
        else:
            parts.append(_unknown(quoted=quoted))
            at = _index_end(expression, at)
    return _UNKNOWNS.sub(lambda match: match[1], "".join(parts))


def _index_end(expression: str, at: int) -> int:
    """Return where the index ends that begins at `at`, as in `ENVIRON["X"]`; `at` without one."""
    if expression[at : at + 1] != "[":
        return at
    return at + 1 + arguments(f"({expression[at + 1 :]}", 0, bare=False)[1]


def _returned(program: Snippet, name: str, args: list[str], *, quoted: bool, depth: int) -> str:
    """Return the result of a call, as a part of one word."""
    if name in ("home", "homedir"):
        return "~"
    if name in _FRESH:
        return "/tmp/fresh"  # noqa: S108 - what such a call returns lies there
    if name in _LISTS and depth < 4:
        folder = _joined(program, args[0] if args else "", quoted=quoted, depth=depth + 1)
        return f"{folder or '.'}/*"
    return _unknown(quoted=quoted)


def _unknown(*, quoted: bool) -> str:
    return UNKNOWN if quoted else "$UNKNOWN"


def _spelled(text: Text, *, quoted: bool, globs: bool) -> str:
    """Return a text as a part of one word, or of a script."""
    content, pieces, last = text.content, [], 0
    marks = _INSIDE if text.mixed else re.compile("[\x03\x04]")
    for match in marks.finditer(content):
        pieces.append(_kept(content[last : match.start()], quoted=quoted, globs=globs))
        inner = match[0]
        prefix = "~" if HOME in inner else "." if HERE in inner else _unknown(quoted=quoted)
        pieces.append(prefix)
        last = match.end()
    return "".join((*pieces, _kept(content[last:], quoted=quoted, globs=globs)))


def _kept(content: str, *, quoted: bool, globs: bool) -> str:
    if not quoted or not content:
        return content
    home = "~/" if content.startswith("~/") else "~" if content == "~" else ""
    rest = content[len(home) :]
    if globs and re.fullmatch(r"[\w./*?\[\]-]*", rest):
        return home + rest
    return home + (shlex.quote(rest) if rest else "")
