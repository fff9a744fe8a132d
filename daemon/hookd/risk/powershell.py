"""PowerShell translated to shell commands: `Remove-Item -Recurse x` is `rm -rf x`.

It is no parser: statements are separated by their ends, words by their quotes, and cmdlets are
looked up in a table. Other programs keep their words. Unknown text becomes a variable.
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.quoting import names

_TOKEN = lazy_compile(
    r"(?P<comment>(?<!\S)\#[^\n]*)"
    r"|(?P<single>'(?>(?:[^']|'')*)')|(?P<double>\"(?>(?:[^\"`]|`.|\"\")*)\")"
    r"|(?P<end>\|\||&&|[;\n|{}()])|(?P<writes>[1-6*]?>>?(?:&1)?)|(?P<and>&(?=\s))"
    r"|(?P<space>(?:\s|`\n)+)|(?P<bare>(?:[^\s;|{}()'\"<>`]|`.)+)|(?P<other>.)",
    re.DOTALL,
)
_HOMES = lazy_compile(r"(?i)\$(?:\{?env:)?(?:HOME|USERPROFILE)\}?(?![\w])|^~(?=[\\/]|$)")
_HERE = lazy_compile(r"(?i)\$(?:PWD|PSScriptRoot)\b")
_SET = lazy_compile(r"(?i)^\$env:(\w+)$")
_UNKNOWN = 'eval "$UNKNOWN"'
"""Placeholder for a text that cannot be read."""

_MAX_CHARS = 32_768
_MAX_STATEMENTS = 256
"""Maximum statements of a text that are translated."""

_KEYWORDS = names(
    "if else elseif for foreach while do until switch try catch finally function filter param begin"
    " process end return throw trap in"
)
"""Words of the language before an expression or a block."""

_CALL = lazy_compile(r"(?m)((?:^|[;{(])[ \t]*)\$\w+[ \t]*\+?=[ \t]*(?=&|[A-Za-z])")
"""An assignment of what a command prints."""

_SWITCHES = names(
    "-recurse -force -confirm -whatif -passthru -append -noclobber -nonewline -verbose -wait"
    " -nonewwindow -usebasicparsing -asjob -r -fo"
)
_NAMED_BY = ("-name", "-processname", "-n", "-na", "-nam")
_ALIASES = {
    **dict.fromkeys(names("powershell pwsh"), "powershell"),
    "cmd": "cmd",
    "stop-computer": "machine",
    "restart-computer": "machine",
    "invoke-sqlcmd": "sql",
    **dict.fromkeys(names("remove-item ri rm rmdir rd del erase"), "remove"),
    **dict.fromkeys(names("clear-content clc set-content sc add-content ac"), "write"),
    **dict.fromkeys(names("out-file tee-object tee export-csv export-clixml"), "write"),
    **dict.fromkeys(names("set-itemproperty sp set-acl icacls attrib takeown"), "modes"),
    **dict.fromkeys(names("new-item ni md mkdir"), "make"),
    **dict.fromkeys(names("copy-item cpi cp copy"), "copy"),
    **dict.fromkeys(names("move-item mi mv move"), "move"),
    **dict.fromkeys(names("rename-item rni ren"), "rename"),
    **dict.fromkeys(names("stop-process spps kill debug-process"), "kill"),
    **dict.fromkeys(names("stop-service spsv set-service suspend-service"), "service"),
    **dict.fromkeys(names("remove-service restart-service"), "service"),
    **dict.fromkeys(names("expand-archive"), "unpack"),
    **dict.fromkeys(names("set-location sl cd chdir push-location pushd"), "cd"),
    **dict.fromkeys(names("get-content gc cat type select-string sls import-csv"), "read"),
    **dict.fromkeys(names("get-childitem gci dir ls test-path get-item gi resolve-path"), "list"),
    **dict.fromkeys(names("get-filehash measure-object get-acl get-itemproperty gp"), "list"),
    **dict.fromkeys(names("write-host write-output echo write-error write-verbose"), "say"),
    **dict.fromkeys(names("where-object where foreach-object foreach sort-object"), "say"),
    **dict.fromkeys(names("select-object select format-table ft format-list fl"), "say"),
    **dict.fromkeys(names("get-process gps convertfrom-json convertto-json out-null"), "say"),
    **dict.fromkeys(names("group-object get-date get-location pwd out-string get-help"), "say"),
    **dict.fromkeys(names("start-process saps start-job invoke-command icm"), "start"),
    **dict.fromkeys(names("invoke-expression iex"), "evaluate"),
    **dict.fromkeys(names("invoke-webrequest iwr invoke-restmethod irm wget curl"), "fetch"),
}
"""Translations of cmdlets and their aliases."""

Words = list[str]
Given = dict[str, str]


def as_shell(text: str, depth: int = 0) -> str:
    """Return a PowerShell text as a text for a POSIX shell, one command per line."""
    if len(text) > _MAX_CHARS:
        return _UNKNOWN
    return "\n".join(_lines(_plain(text), depth))


def _plain(text: str) -> str:
    """Return a text without block comments, and with here-strings as plain ones."""
    for begin, end, quote in (("<#", "#>", ""), ("@'\n", "\n'@", "'"), ('@"\n', '\n"@', '"')):
        parts, rest = [], text
        while (start := rest.find(begin)) >= 0:
            stop = rest.find(end, start + len(begin))
            inner = rest[start + len(begin) : stop if stop >= 0 else len(rest)]
            parts += [
                rest[:start],
                f"{quote}{inner.replace(quote, quote * 2)}{quote}" if quote else " ",
            ]
            rest = rest[stop + len(end) :] if stop >= 0 else ""
        text = "".join((*parts, rest))
    return _CALL.sub(r"\1", text)


def _lines(text: str, depth: int) -> Iterator[str]:
    yield from _called(text)
    yield from _evaluated(text)
    before: Words = []
    set_to = dict(_PROGRAM.findall(text))
    for number, (words, files, piped) in enumerate(_statements(text)):
        if number >= _MAX_STATEMENTS:
            yield _UNKNOWN
            return
        named = set_to.get(words[0][1:]) if words and words[0][:1] == "$" else None
        run = [named, *words[1:]] if named else words
        line = _said(run, before if piped else [], depth)
        yield from (line, *(f": > {_word(file)}" for file in files))
        before = words


def _statements(text: str) -> Iterator[tuple[Words, Words, bool]]:
    """Yield each statement's words, its redirection targets, and whether it has piped input."""
    statement = _Statement()
    for token in _TOKEN.finditer(f"{text}\n"):
        kind = token.lastgroup or ""
        if kind == "end" and not statement.takes(token[0]):
            if statement.words or statement.files:
                yield statement.words, statement.files, statement.piped
            statement = _Statement(piped=token[0] == "|")
        elif kind in ("comment", "and", "space"):
            statement.breaks()
        elif kind == "writes":
            statement.redirects(token[0])
        elif kind != "end":
            statement.adds(_value(token))


@dataclass
class _Statement:
    """A statement as far as it is read; `depth` counts the open parentheses of a method's call."""

    piped: bool = False
    words: Words = field(default_factory=list)
    files: Words = field(default_factory=list)
    glued: bool = False
    writes: bool = False
    depth: int = 0

    def takes(self, sign: str) -> bool:
        """Take a parenthesis of an expression, as in `a.b(c)`; any other ends a statement."""
        if sign == "(" and self.words and (self.glued or self.depth):
            self.depth += 1
        elif sign == ")" and self.depth:
            self.depth -= 1
        else:
            return False
        self.words[-1] += sign
        self.glued = True
        return True

    def breaks(self) -> None:
        """End the current word."""
        self.glued = self.depth > 0
        if self.depth:
            self.words[-1] += " "

    def redirects(self, sign: str) -> None:
        """Take the next word as a file, unless one output only goes where another does."""
        self.writes, self.glued = not sign.endswith("&1"), False

    def adds(self, value: str) -> None:
        """Add a value to the adjacent word before, or as a new one."""
        into = self.files if self.writes and not self.glued else self.words
        if self.glued and into:
            into[-1] += value
        else:
            into.append(value)
        self.glued, self.writes = True, False


def _value(match: re.Match[str]) -> str:
    if match["single"]:
        return match["single"][1:-1].replace("''", "'")
    text = match["double"][1:-1].replace('""', '"') if match["double"] else match[0]
    if not _SET.match(text.rstrip("=")):
        text = _HERE.sub(".", _HOMES.sub("~", text))
    return re.sub(r"`(.)", r"\1", text, flags=re.DOTALL)


def _said(words: Words, before: Words, depth: int) -> str:
    """Return one statement as a shell command; empty if it does nothing."""
    if not words:
        return ""
    if (match := _SET.match(words[0].rstrip("="))) and len(words) > 1:
        value = words[2] if words[1] == "=" and len(words) > 2 else words[1]
        return f"export {match[1]}={_word(value.lstrip('='))}"
    if match := re.match(r"(?is)\$env:(\w+)=(.*)", words[0]):
        return f"export {match[1]}={_word(match[2])}"
    if words[0][:1] in ("$", "["):
        return ""
    if words[0].lower() in _KEYWORDS:
        return _said(words[1:], before, depth)
    name = words[0].replace("\\", "/").rpartition("/")[2].lower()
    act = _ACTS.get(_ALIASES.get(name.removesuffix(".exe"), ""))
    return act(words[1:], before, depth) if act else " ".join(map(_word, words))


_METHOD = lazy_compile(r"\[[\w.]+\]::(\w+)\(([^()]{0,1000})")
_READS = lazy_compile(r"(?i)(?:Read|Exists|Get|Open(?:Read|Text)|Combine|Parse|Join|Is)\w*")


_PROGRAM = lazy_compile(r"\$(\w+)\s*=\s*['\"]([\w./-]+)['\"]")
_FETCHED = lazy_compile(
    r"(?i)\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget|downloadstring)\b"
)
_EVALUATED = lazy_compile(r"(?i)(?<![\w-])(?:iex|invoke-expression)\b")
_EACH_DELETED = lazy_compile(r"(?i)\$(?:_|PSItem)\.Delete\(")
_LISTED = lazy_compile(
    r"(?i)(?<![\w-])(?:get-childitem|gci|dir|ls|get-item|gi)\b([^|;\n{}()]{0,400})"
)
_DELETED = lazy_compile(
    r"(?i)\[(?:System\.)?(?:IO\.(?:Directory|File)|Microsoft\.VisualBasic\.FileIO\.FileSystem)\]"
    r"::Delete\w*\(\s*([^,()]{1,400})"
)


def _evaluated(text: str) -> Iterator[str]:
    """Yield that a text runs code that it fetches, and the files that it deletes by methods."""
    if _EVALUATED.search(text) and _FETCHED.search(text):
        yield "curl network | sh"
    for _, match in zip(range(_MAX_STATEMENTS), _DELETED.finditer(text), strict=False):
        yield _line("rm -rf", match[1].strip().strip("'\""))
    if _EACH_DELETED.search(text):
        listed = _LISTED.search(text)
        yield _line("rm -rf", *(_files(listed[1].split()) if listed else ()) or ("./*",))


def _called(text: str) -> Iterator[str]:
    """Yield the possible effects of .NET methods: each text argument may be a file they write."""
    for _, match in zip(range(_MAX_STATEMENTS), _METHOD.finditer(text), strict=False):
        quoted = re.findall(r"'([^']*)'|\"([^\"]*)\"", match[2])
        files = [text for pair in quoted for text in pair if text][:2]
        if files and not _READS.fullmatch(match[1]):
            yield _line("touch", *files)


def _parted(words: Words) -> tuple[Words, Given]:
    """Split the words after a cmdlet: those without a parameter, and the values of parameters."""
    plain: Words = []
    values: Given = {}
    flag = ""
    for word in words:
        low = word.lower()
        if low[:1] == "-" and not re.match(r"-\d", low):
            flag, colon, value = low.partition(":")
            values[flag] = value if colon else ""
            flag = "" if colon or flag in _SWITCHES else flag
        elif flag:
            values[flag], flag = word, ""
        else:
            plain.append(word)
    return plain, values


def _listed(text: str) -> Words:
    return [part for part in text.split(",") if part]


def _files(words: Words, *more: str) -> Words:
    plain, parameters = _parted(words)
    named = [
        parameters[flag]
        for flag in ("-path", "-literalpath", "-filepath", *more)
        if parameters.get(flag)
    ]
    return [name for text in (*named, *(plain if not named else ())) for name in _listed(text)]


_DRIVE = lazy_compile(r"^[A-Za-z]:[\\/]*")


def _remove(words: Words, before: Words, _depth: int) -> str:
    deep = any(word.lower().startswith(("-r", "/s")) for word in words)
    operands = [word for word in words if not re.fullmatch(r"/[a-zA-Z]", word)]
    files = [_DRIVE.sub("/", file) for file in _files(operands) or _files(before[1:])]
    return _line("rm", "-rf" if deep else "-f", *files)


def _write(words: Words, _before: Words, _depth: int) -> str:
    plain, parameters = _parted(words)
    named = parameters.get("-path") or parameters.get("-literalpath") or parameters.get("-filepath")
    return _line(": >", named or (plain[0] if plain else ""))


def _modes(words: Words, _before: Words, _depth: int) -> str:
    return _line("chmod 600", *_files(words)[:1])


def _make(words: Words, _before: Words, _depth: int) -> str:
    plain, parameters = _parted(words)
    kind = (parameters.get("-itemtype") or parameters.get("-type") or "").lower()
    folder = parameters.get("-path") or (plain[0] if plain else "")
    name = parameters.get("-name", "")
    path = f"{folder.rstrip('/')}/{name}" if folder and name else folder or name
    if "link" in kind or kind == "junction":
        return _line("ln -s", parameters.get("-value") or parameters.get("-target") or "x", path)
    return _line("touch" if kind == "file" else "mkdir -p", path)


def _pair(words: Words, *targets: str) -> tuple[Words, str]:
    plain, parameters = _parted(words)
    target = next((parameters[one] for one in targets if parameters.get(one)), "")
    named = parameters.get("-path") or parameters.get("-literalpath")
    sources = _listed(named) if named else _listed(plain.pop(0)) if plain else []
    return sources, target or (plain[0] if plain else "")


def _copy(words: Words, _before: Words, _depth: int) -> str:
    sources, target = _pair(words, "-destination")
    return _line("cp -r", *sources, target or ".")


def _move(words: Words, _before: Words, _depth: int) -> str:
    sources, target = _pair(words, "-destination", "-newname")
    return _line("mv", *sources, target or ".")


def _rename(words: Words, _before: Words, _depth: int) -> str:
    sources, target = _pair(words, "-newname")
    folder = sources[0].rpartition("/")[0] if sources else ""
    return _line("mv", *sources, f"{folder}/{target}" if folder else target)


def _kill(words: Words, before: Words, _depth: int) -> str:
    plain, parameters = _parted(words)
    if name := next((parameters[flag] for flag in _NAMED_BY if parameters.get(flag)), ""):
        return _line("killall", *_listed(name))
    numbers = _listed(parameters.get("-id", "")) or [one for text in plain for one in _listed(text)]
    if not numbers and before:
        listed, piped = _parted(before[1:])
        names_of = [piped.get("-name", ""), *listed]
        number = piped.get("-id", "")
        return _line("kill", number) if number else f"killall {_line('', *names_of).strip()}"
    return _line("kill", *numbers)


def _service(words: Words, _before: Words, _depth: int) -> str:
    plain, parameters = _parted(words)
    return _line("systemctl stop", parameters.get("-name") or (plain[0] if plain else ""))


def _unpack(words: Words, _before: Words, _depth: int) -> str:
    sources, target = _pair(words, "-destinationpath")
    return _line("unzip", *sources, "-d", target or ".")


def _cd(words: Words, _before: Words, _depth: int) -> str:
    files = _files(words)
    return _line("cd", *files[:1]) if files else ""


def _read(words: Words, _before: Words, _depth: int) -> str:
    plain, parameters = _parted(words)
    named = (
        parameters.get("-path") or parameters.get("-literalpath") or (plain[-1] if plain else "")
    )
    return _line("cat", named)


def _nothing(_words: Words, _before: Words, _depth: int) -> str:
    return ""


def _start(words: Words, _before: Words, _depth: int) -> str:
    plain, parameters = _parted(words)
    program = parameters.get("-filepath") or (plain.pop(0) if plain else "")
    more = [*_listed(parameters.get("-argumentlist") or parameters.get("-args") or ""), *plain]
    return _line(program, *more) if program else ""


_ENCODED = lazy_compile(r"(?i)-e(?:c|nc?|nco\w*)?")


def _powershell(words: Words, _before: Words, depth: int) -> str:
    """Translate a nested PowerShell: its command is read, an encoded one cannot be."""
    if any(map(_ENCODED.fullmatch, words)):
        return _UNKNOWN
    at = next((at for at, word in enumerate(words) if re.fullmatch(r"(?i)[-/]c\w*", word)), -1)
    if at < 0:
        return _line("pwsh", *words)
    return as_shell(" ".join(words[at + 1 :]), depth + 1) if depth < 4 else _UNKNOWN


def _cmd(words: Words, _before: Words, depth: int) -> str:
    """Translate cmd.exe, whose commands have the names of aliases here."""
    rest = words[1:] if words[:1] and re.fullmatch(r"(?i)/[ck]", words[0]) else words
    return _said(rest, [], depth + 1) if depth < 4 else _UNKNOWN


def _machine(words: Words, _before: Words, _depth: int) -> str:
    return "" if any(word.lower() == "-whatif" for word in words) else "reboot"


def _sql(words: Words, _before: Words, _depth: int) -> str:
    _, parameters = _parted(words)
    return _line("sqlcmd -Q", parameters.get("-query", ""))


def _evaluate(words: Words, _before: Words, depth: int) -> str:
    plain, parameters = _parted(words)
    text = parameters.get("-command") or " ".join(plain)
    return as_shell(text, depth + 1) if depth < 4 else _UNKNOWN


def _fetch(words: Words, _before: Words, _depth: int) -> str:
    plain, parameters = _parted(words)
    address = parameters.get("-uri") or (plain[0] if plain else "")
    file = parameters.get("-outfile") or parameters.get("-o") or ""
    return _line("curl -o", file, address) if file else _line("curl", address)


def _line(program: str, *words: str) -> str:
    quoted_words = [_word(word) for word in words if word]
    return " ".join((program, *quoted_words)) if quoted_words else ""


def _word(text: str) -> str:
    """Return a text as one word of a shell; a variable in it stays one."""
    text = _HOMES.sub("~", text)
    text = text.replace("\\", "/") if re.match(r"(?:[~.$]|\w:)?[\w.~$-]*\\[\w.]", text) else text
    home = "~/" if text.startswith("~/") else "~" if text == "~" else ""
    rest = text[len(home) :]
    if re.fullmatch(r"[\w./*?$:=@%+,-]*", rest):
        return f"{home}{rest}" if home or rest else "''"
    return home + shlex.quote(rest)


_ACTS: Mapping[str, Callable[[Words, Words, int], str]] = {
    "remove": _remove,
    "write": _write,
    "modes": _modes,
    "make": _make,
    "copy": _copy,
    "move": _move,
    "rename": _rename,
    "kill": _kill,
    "service": _service,
    "unpack": _unpack,
    "cd": _cd,
    "read": _read,
    "list": _nothing,
    "say": _nothing,
    "start": _start,
    "evaluate": _evaluate,
    "powershell": _powershell,
    "cmd": _cmd,
    "machine": _machine,
    "sql": _sql,
    "fetch": _fetch,
}
