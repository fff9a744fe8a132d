"""Other names for the functions of a program, replaced by the usual ones.

`from shutil import rmtree as r; r(x)` is read as `shutil.rmtree(x)`, `const {execSync: e} =
require("child_process"); e(x)` as `child_process.execSync(x)`, `FileUtils.send(:rm_rf, x)` as
`FileUtils.rm_rf(x)`, so that one table has them all.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from hookd.lazy_pattern import lazy_compile
from hookd.shell.quoting import names

_S = r"[bru]?\x01(\d+)\x02"
_NAME = r"[A-Za-z_$][\w$]*+"
_DOTTED = rf"{_NAME}(?>(?:\.{_NAME})*)"

_MAX_ALIASES = 64
"""Maximum aliases per program."""

_ROUNDS = 3
"""Times that names are replaced: an alias may be one of another alias."""

_MODULE_CHARS = 40
"""Maximum characters of a module's name."""

_IDENTIFIER = lazy_compile(r"[A-Za-z_]\w*[!?]?")
_FREE = lazy_compile(rf"(?<![\w.$@:\x01])[$&@]?{_NAME}")


def without_aliases(code: str, texts: Sequence[str], language: str) -> str:
    """Return the code of a program with its aliases replaced by the usual names."""
    rewrite = _REWRITES.get(language)
    if rewrite is None:
        return code
    for _ in range(_ROUNDS):
        before = code
        code = rewrite(code, texts)
        aliases = dict(islice(_ALIASES[language](code, texts), _MAX_ALIASES))
        code = _renamed(code, aliases)
        if code == before:
            break
    return code


def _renamed(code: str, aliases: Mapping[str, str]) -> str:
    """Return the code with each alias replaced where it is used; its own definition stays."""
    usual = {name: target for name, target in aliases.items() if name != target}
    if not usual:
        return code

    def use(match: re.Match[str]) -> str:
        target = usual.get(match[0])
        if target is None or _is_defined(code, match):
            return match[0]
        return target

    return _FREE.sub(use, code)


_DEFINES = lazy_compile(r"\s*(?:=(?![=~>])|<-|:=)")
_DECLARES = lazy_compile(r"(?:\bas|\bimport|\bfrom|\balias|\bfunction|\bdef|\bsub)\s+$")


def _is_defined(code: str, match: re.Match[str]) -> bool:
    """Return whether a name is defined here, not used."""
    if _DEFINES.match(code, match.end()):
        return True
    return _DECLARES.search(code[max(0, match.start() - 12) : match.start()]) is not None


def _named(texts: Sequence[str], number: str) -> str:
    """Return the text of a number if it can be a name; empty otherwise."""
    text = texts[int(number)] if number else ""
    return text if _IDENTIFIER.fullmatch(text) else ""


def _module(text: str) -> str:
    """Return a module's name as code has it: `node:fs/promises` is `fs.promises`."""
    path = text.rpartition(":")[2].replace("/", ".")
    return re.sub(r"[^\w.]", "_", path).strip("._")


def _values(code: str, sign: str = "") -> dict[str, str]:
    """Return the variables that are assigned one text: its number."""
    pattern = rf"(?<![\w.$])({sign}[A-Za-z_]\w*+)\s*+(?::?=(?![=~])|<-)\s*+{_S}\s*+(?=[;\n,)]|\Z)"
    return {match[1]: match[2] for match in re.finditer(pattern, code)}


# Python

_PY_MODULE = lazy_compile(
    rf"(?:__import__|(?:importlib\s*+\.\s*+)?\bimport_module)\(\s*+{_S}\s*+(?>(?:,[^()]{{0,40}}+)?)\)"
    rf"|\bsys\.modules\[\s*+{_S}\s*+\]"
)
_PY_MEMBER = lazy_compile(
    rf"\bgetattr\(\s*+({_DOTTED})\s*+,\s*+{_S}\s*+(?>(?:,[^(),]{{0,40}}+)?)\)"
    rf"|\bvars\(\s*+({_DOTTED})\s*+\)\s*+\[\s*+{_S}\s*+\]"
    rf"|\battrgetter\(\s*+{_S}\s*+\)\(\s*+({_DOTTED})\s*+\)"
)
_PY_INDEX = lazy_compile(rf"(?:\.__dict__)\[\s*+{_S}\s*+\]|(?<=[\w)])\[\s*+{_S}\s*+\](?=\s*+\()")
_PY_BUILTIN = lazy_compile(
    rf"\b(?:globals|locals|vars)\(\)\[\s*+{_S}\s*+\]|\b(?:__builtins__|builtins)\.(?=\w)"
)
_PY_GETTER = lazy_compile(rf"(\bgetattr\(\s*+{_DOTTED}\s*+,\s*+)([A-Za-z_]\w*+)(?=\s*+[,)])")
_PY_FROM = lazy_compile(r"\bfrom\s++([\w.]++)\s++import\s++\(?([\w \t,*]++)")
_PY_IMPORT = lazy_compile(r"(?:^|[;\n:])[ \t]*+import\s++([\w. \t,]++)")
_PY_SET = lazy_compile(rf"(?<![\w.])({_NAME})\s*+(?::?=(?!=))\s*+({_DOTTED})\s*+(?=[;\n,)]|\Z)")
_PY_ROOTS = names("os shutil subprocess pathlib builtins exec eval open compile base64 codecs pty")
_STARRED = {
    "os": "system popen remove unlink rmdir removedirs rename replace kill killpg truncate chmod"
    " execv execve execvp execl execlp spawnv spawnl spawnlp posix_spawn",
    "shutil": "rmtree move copy copyfile copytree",
    "subprocess": "run call check_call check_output Popen getoutput getstatusoutput",
    "pathlib": "Path",
}


def _python_rewritten(code: str, texts: Sequence[str]) -> str:
    values = _values(code) if "getattr" in code else {}
    if values:
        code = _PY_GETTER.sub(
            lambda match: (
                match[1] + (f"\x01{values[match[2]]}\x02" if match[2] in values else match[2])
            ),
            code,
        )
    code = _PY_MODULE.sub(lambda match: _module(texts[int(match[1] or match[2])]), code)
    code = _PY_MEMBER.sub(lambda match: _python_member(match, texts), code)
    code = _PY_INDEX.sub(lambda match: _member(texts, match[1] or match[2], match[0]), code)
    return _PY_BUILTIN.sub(lambda match: texts[int(match[1])] if match[1] else "", code)


def _python_member(match: re.Match[str], texts: Sequence[str]) -> str:
    owner = match[1] or match[3] or match[6]
    name = _named(texts, match[2] or match[4] or match[5])
    return f"{owner}.{name}" if name else match[0]


def _member(texts: Sequence[str], number: str, source: str) -> str:
    name = _named(texts, number)
    return f".{name}" if name else source


def _python_aliases(code: str, _texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    roots = set(_PY_ROOTS)
    for match in _PY_IMPORT.finditer(code):
        for name, alias in _parted(match[1]):
            roots.add(name.partition(".")[0])
            if alias != name:
                yield alias, name
    for match in _PY_FROM.finditer(code):
        for name, alias in _parted(match[2]):
            if name == "*":
                yield from (
                    (each, f"{match[1]}.{each}") for each in _STARRED.get(match[1], "").split()
                )
            else:
                yield alias, f"{match[1]}.{name}"
    yield from _assigned(code, _PY_SET, roots)


def _assigned(
    code: str, pattern: re.Pattern[str], roots: set[str] | frozenset[str]
) -> Iterator[tuple[str, str]]:
    for match in pattern.finditer(code):
        if re.split(r"[.:]", match[2])[0] in roots:
            yield match[1], match[2]


def _parted(listed: str) -> Iterator[tuple[str, str]]:
    for part in listed.split(",")[:_MAX_ALIASES]:
        words = part.split()
        if len(words) == 1:
            yield words[0], words[0]
        elif len(words) == 3 and words[1] == "as":
            yield words[0], words[2]


# JavaScript

_JS_MODULE = lazy_compile(
    r"(?>(?:\b(?:process|global(?:This)?|module|mainModule|constructor|default|this)\s*+\.\s*+){0,6})"
    rf"(?:\brequire|\b_load)\s*+\(\s*+{_S}\s*+\)|\bawait\s++import\s*+\(\s*+{_S}\s*+\)"
)
_JS_INDEX = lazy_compile(rf"(?<=[\w)])(?:\?\.)?\[\s*+{_S}\s*+\](?=\s*+[(.\[,;)]|\s*+\Z)")
_JS_BY_NAME = lazy_compile(r"(?<=[\w)])\[\s*+([A-Za-z_$][\w$]*+)\s*+\](?=\s*+\()")
_JS_PARTS = lazy_compile(
    rf"\{{([^{{}}]{{1,400}}+)\}}\s*+=\s*+({_DOTTED})\s*+(?=[;\n,)]|\Z)"
    rf"|\bimport\s*+(?:{_NAME}\s*+,\s*+)?\{{([^{{}}]{{1,400}}+)\}}\s*+from\s*+{_S}"
    rf"|\bimport\(\s*+{_S}\s*+\)\s*+\.then\(\s*+(?:async\s++)?\(\s*+\{{([^{{}}]{{1,400}}+)\}}"
)
_JS_WHOLE = lazy_compile(
    rf"\bimport\s++(?:\*\s*+as\s++)?({_NAME})\s++from\s*+{_S}"
    rf"|\bimport\(\s*+{_S}\s*+\)\s*+\.then\(\s*+(?:async\s++)?\(?\s*+({_NAME})\s*+\)?\s*+=>"
)
_JS_SET = lazy_compile(rf"(?<![\w.$])({_NAME})\s*+=(?![=>])\s*+({_DOTTED})\s*+(?=[;\n,)]|\Z)")
_JS_ROOTS = names(
    "fs fsp child_process process Deno Bun eval Function fs_extra shelljs rimraf execa"
)


def _js_rewritten(code: str, texts: Sequence[str]) -> str:
    code = _JS_MODULE.sub(lambda match: _module(texts[int(match[1] or match[2])]) or match[0], code)
    if "[" not in code:
        return code
    values = _values(code)
    if values:
        code = _JS_BY_NAME.sub(
            lambda match: f"[\x01{values[match[1]]}\x02]" if match[1] in values else match[0], code
        )
    return _JS_INDEX.sub(lambda match: _member(texts, match[1], match[0]), code)


def _js_aliases(code: str, texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    roots = _JS_ROOTS | set(_modules(code, texts))
    for match in _JS_PARTS.finditer(code):
        number = match[4] or match[5]
        module = _module(texts[int(number)]) if number else match[2]
        if module.partition(".")[0] not in roots:
            continue
        for part in (match[1] or match[3] or match[6]).split(",")[:_MAX_ALIASES]:
            name, *alias = re.split(r"\s*:\s*|\s+as\s+", part.strip())
            if _IDENTIFIER.fullmatch(name):
                yield (alias[0] if alias else name), f"{module}.{name}"
    for match in _JS_WHOLE.finditer(code):
        yield match[1] or match[4], _module(texts[int(match[2] or match[3])])
    yield from _assigned(code, _JS_SET, roots)


def _modules(code: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield the names of modules that the program's texts name and its code uses."""
    for text in texts[:_MAX_ALIASES]:
        root = _module(text).partition(".")[0] if len(text) < _MODULE_CHARS else ""
        if root and root in code:
            yield root


# Ruby, Perl, PHP, Lua, R

_RUBY_SENT = lazy_compile(
    rf"(?<![\w$:])(?:({_NAME}(?>(?:::{_NAME}){{0,4}}))\.|(?<!\.))(?:send|public_send|__send__)\b(\s*+\(?)\s*+"
    rf"(?::({_NAME})|{_S})\s*+(?:,|(?=[)\n;]|\Z))"
)
_RUBY_METHOD = lazy_compile(
    rf"(?<![\w$])(?:({_NAME})\.|(?<!\.))method\s*+\(?\s*+(?::({_NAME})|{_S})\s*+\)?\s*+\.(?:call\b|(?=\())"
)
_RUBY_GLOB = lazy_compile(r"\bDir\s*+\[")
_RUBY_CALL = lazy_compile(rf"(?<![\w.])((?:{_NAME}\.)?{_NAME})\.call(?=\s*+\()")
_RUBY_ALIAS = lazy_compile(
    rf"\balias\s++:?({_NAME})\s++:?({_NAME})"
    rf"|\balias_method\s*+\(?\s*+:({_NAME})\s*+,\s*+:({_NAME})"
    rf"|(?<![\w.])({_NAME})\s*+=\s*+(?:{_NAME}\.)?method\s*+\(?\s*+:({_NAME})"
)
_RUBY_SET = lazy_compile(r"(?<![\w.])([A-Za-z_]\w*+)\s*+=(?![=~>])\s*+([A-Z]\w*+)\s*+(?=[;\n]|\Z)")
_RUBY_ROOTS = names("FileUtils File Dir IO Kernel Process Open3 Pathname Object")


def _ruby_rewritten(code: str, texts: Sequence[str]) -> str:
    def whole(match: re.Match[str]) -> str:
        name = match[2] or _named(texts, match[3])
        return ".".join(filter(None, (match[1], name))) if name else match[0]

    def sent(match: re.Match[str]) -> str:
        name = match[3] or _named(texts, match[4])
        return ".".join(filter(None, (match[1], name))) + (match[2] or " ") if name else match[0]

    code = _RUBY_METHOD.sub(whole, _RUBY_GLOB.sub("Dir.glob(", code))
    return _RUBY_CALL.sub(r"\1", _RUBY_SENT.sub(sent, code))


def _ruby_aliases(code: str, _texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for match in _RUBY_ALIAS.finditer(code):
        yield match[1] or match[3] or match[5], match[2] or match[4] or match[6]
    yield from _assigned(code, _RUBY_SET, _RUBY_ROOTS)


_PHP_CALL = lazy_compile(
    rf"\b(?:call_user_func(?:_array)?|array_map|forward_static_call|register_shutdown_function)"
    rf"\s*+\(\s*+{_S}\s*+,"
    rf"|\bnew\s++ReflectionFunction\(\s*+{_S}\s*+\)\s*+\)?\s*+->\s*+invoke(?:Args)?\s*+\("
)
_PHP_VARIABLE = lazy_compile(r"(?<![\w>:])(\$[A-Za-z_]\w*+)\s*+\(")
_PHP_TEXT = lazy_compile(rf"(?:\(\s*+)?{_S}\s*+\)?\s*+\((?=[^()])")
_PHP_USE = lazy_compile(r"\buse\s++function\s++\\?(\w++)\s++as\s++(\w++)")


def _php_rewritten(code: str, texts: Sequence[str]) -> str:
    values = _values(code, r"\$")

    def called(match: re.Match[str]) -> str:
        number = next((group for group in match.groups() if group), "")
        name = _named(texts, values.get(number, "") if number[:1] == "$" else number)
        return f"{name}(" if name else match[0]

    for pattern in (_PHP_VARIABLE, _PHP_CALL, _PHP_TEXT):
        code = pattern.sub(called, code)
    return code


def _php_aliases(code: str, _texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for match in _PHP_USE.finditer(code):
        yield match[2], match[1]


_PERL_CALL = lazy_compile(
    r"&\{?\s*+\$([A-Za-z_]\w*+)\s*+\}?\s*+\(|(?<![\w$@%&])\$([A-Za-z_]\w*+)\s*+->\s*+\("
    rf"|&\{{\s*+{_S}\s*+\}}\s*+\("
)
_PERL_GLOB = lazy_compile(
    r"\*(?:\{\s*+)?(?:main::)?([A-Za-z_]\w*+)\s*+=\s*+\\&(?:CORE::(?:GLOBAL::)?)?([\w:]++)"
)
_PERL_CORE = lazy_compile(
    r"\bCORE::(?:GLOBAL::)?|\bPOSIX::(?=exec|unlink|rmdir|remove|rename|kill|system)"
)


def _perl_rewritten(code: str, texts: Sequence[str]) -> str:
    values = _values(code, r"\$")

    def called(match: re.Match[str]) -> str:
        variable = match[1] or match[2]
        number = values.get(f"${variable}") if variable else match[3]
        name = _named(texts, number) if number else ""
        return f"{name}(" if name else match[0]

    return _PERL_CALL.sub(called, code)


def _perl_aliases(code: str, _texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for match in _PERL_GLOB.finditer(code):
        yield match[1], match[2]


_LUA_INDEX = lazy_compile(rf"(?<=\w)\[\s*+{_S}\s*+\]")
_LUA_SET = lazy_compile(
    r"(?<![\w.])([A-Za-z_]\w*+)\s*+=(?!=)\s*+((?:os|io)(?>(?:\.\w++)?))\s*+(?=[;\n]|\s[a-z_]|\Z)"
)
_R_CALL = lazy_compile(rf"\bdo\.call\(\s*+(?:{_S}|([\w.]++))\s*+,\s*+(?:list|c)\s*+\(")
_R_SET = lazy_compile(
    r"(?<![\w.])([A-Za-z_]\w*+)\s*+(?:<-|=(?!=))\s*+(system2?|unlink|file\.remove|eval)\s*+(?=[;\n]|\Z)"
)


def _lua_rewritten(code: str, texts: Sequence[str]) -> str:
    return _LUA_INDEX.sub(lambda match: _member(texts, match[1], match[0]), code)


def _lua_aliases(code: str, _texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((match[1], match[2]) for match in _LUA_SET.finditer(code))


def _r_rewritten(code: str, texts: Sequence[str]) -> str:
    return _R_CALL.sub(lambda match: f"{match[2] or texts[int(match[1])]}(", code)


def _r_aliases(code: str, _texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    return ((match[1], match[2]) for match in _R_SET.finditer(code))


Rewrite = Callable[[str, Sequence[str]], str]

_REWRITES: Mapping[str, Rewrite] = {
    "python": _python_rewritten,
    "js": _js_rewritten,
    "ruby": _ruby_rewritten,
    "php": _php_rewritten,
    "perl": lambda code, texts: _PERL_CORE.sub("", _perl_rewritten(code, texts)),
    "lua": _lua_rewritten,
    "r": _r_rewritten,
}
_ALIASES: Mapping[str, Callable[[str, Sequence[str]], Iterator[tuple[str, str]]]] = {
    "python": _python_aliases,
    "js": _js_aliases,
    "ruby": _ruby_aliases,
    "php": _php_aliases,
    "perl": _perl_aliases,
    "lua": _lua_aliases,
    "r": _r_aliases,
}
