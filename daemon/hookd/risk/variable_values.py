"""Values of variables beyond plain assignments: temporary folders, loops, calls.

The shell reader knows plain values. Here are new temporary folders, which may be deleted, and the
words of a loop. If a variable may get its value in any other way, nothing is known. The arguments
of a function's calls are known too, but never completely: there may be other calls. A variable with
an empty tuple is filled by the text itself, with something unknown.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice

from hookd.lazy_pattern import lazy_compile
from hookd.shell.heredocs import without_heredocs
from hookd.shell.text_cache import cached_by_text

NEW_FOLDER = lazy_compile(
    r"(?:\$\(|`)\s*mktemp(?:\s+(?:-[dqut]+|--directory|--suffix=[\w.-]+|-p\s*/tmp|--tmpdir"
    r"|(?:/tmp/)?[\w.-]*X{3}[\w.-]*|\"?\$\{TMPDIR:-/tmp/?\}/?[\w.-]*X{3}[\w.-]*\"?))*"
    r"\s*(?:\)|`)"
)
"""A new folder, or file, that no other program uses."""

_PLAIN = lazy_compile(
    r"""(?P<quote>["']?)(?P<value>(?:~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\}|\$\(pwd\)"""
    r"""|\$\(git rev-parse --show-toplevel\)|\$\{?RUNNER_TEMP\}?|[\w./])"""
    r"""(?:[\w./@+-]|\$\$)*)(?P=quote)"""
)
"""A literal text, or a path below a folder that is known elsewhere."""

_ANY = lazy_compile(r"(?<![\w$.{/-])([A-Za-z_]\w*)\+?=(?!=)")
_MADE = lazy_compile(r"\"?(?:\$\((?!\()|`|[^\s;\"']*\$\{[^}\s]*\s)")
_WHICH = r"(?:which|command -v|type -[pP]|xcrun (?:-f|--find))\s+[\w.+-]+\s*(?:2>\s*/dev/null\s*)?"
_PROGRAM = lazy_compile(rf"\"?(?:\$\(|`)\s*(?:\w+env )?{_WHICH}(?:\|\|\s*{_WHICH})*[)`]")
"""Output of another program, or of `which` and its like."""

_READ = lazy_compile(r"\b(?:read|readarray|mapfile|getopts)\b([^;\n|&<>]*)")
_PRINTED = lazy_compile(r"\bprintf[ \t]+-v[ \t]*[\"']?([A-Za-z_]\w*)")
_MKTEMP = lazy_compile(r"\bmktemp[ \t]*\(\)|\bfunction[ \t]+mktemp\b|\balias[ \t]+mktemp=")
_GUARD = lazy_compile(
    r"(?:^|[;\n]|\bthen\b)[ \t]*(?:set[ \t]+(?:-o[ \t]+nounset|-[a-zA-Z]*u)"
    r"|:[ \t]+\"?\$\{TMPDIR:[?=]"
    r"|(?:export[ \t]+)?TMPDIR=[\"']?(?:(?:/private)?(?:/var)?/tmp|/dev/shm)(?=[/\"';\s]|$))",
    re.MULTILINE,
)
_LISTS = r"(?:sudo\s+)?(?:pgrep|pidof|ps|lsof|fuser|ss|netstat|ls|find|seq|cat)\b"
_LISTING = lazy_compile(
    r"(?:(?<![\w$.-])([A-Za-z_]\w*)=|\bfor[ \t]+([A-Za-z_]\w*)[ \t]+in[ \t]+)\"?"
    rf"(\$\(\s*{_LISTS}(?:[^()]|\([^()]*\)){{0,400}}\)|`\s*{_LISTS}[^`]{{0,400}}`)"
)
_STARTED = lazy_compile(
    r"(?:^|[;\n]|&&)[ \t]*(?:export[ \t]+|local[ \t]+)?([A-Za-z_]\w*)=\"?"
    r"(\$\((?:docker|podman)[ \t]+(?:container[ \t]+)?(?:run|create)\b[^();&|`]{0,400}\))"
    r"\"?[ \t]*(?=$|[;\n]|&&)",
    re.MULTILINE,
)
"""Variables that contain the number of a container which the text itself starts."""

_PIPED = lazy_compile(
    rf"(?<![\w-])({_LISTS}[^;\n&]{{0,400}}?)\|\s*while\s+(?:IFS=\S*\s+)?read\s+"
    r"(?:-r\s+)?([\w \t]{1,80})"
)
_COUNTED = lazy_compile(r"\bfor\s*\(\(\s*([A-Za-z_]\w*)\s*=")
"""Variables that contain the output lines of a program, or consecutive numbers."""

_USED = lazy_compile(r"(?<!-z )(?<!-n )(?<!-z \")(?<!-n \")\$(?:TMPDIR\b|\{TMPDIR\})")
"""Uses of the value of TMPDIR, apart from tests."""

_EACH = lazy_compile(r"\b(?:for|select)[ \t]+([A-Za-z_]\w*)")
_LOOKED_AT = 256

_QUOTED = lazy_compile(r"\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|(?<![^\s;&|()])\#[^\n]*", re.DOTALL)
_ASSIGNED = lazy_compile(
    r"(?:^|[;\n]|&&|(?<!\$)\{(?=\s))[ \t]*"
    r"(?:export[ \t]+|local[ \t]+|readonly[ \t]+)?(?P<name>[A-Za-z_]\w*)=",
    re.MULTILINE,
)
_LOOP = lazy_compile(
    r"(?:^|[;\n]|&&|\bdo\b)[ \t]*for[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+in[ \t]+(?P<words>[^;\n]*)",
    re.MULTILINE,
)
_FUNCTION = lazy_compile(
    r"(?:^|[;&\n(])[ \t]*(?:function[ \t]+(?P<bare>[A-Za-z_][\w-]*+)[ \t]*(?:\(\))?"
    r"|(?P<name>[A-Za-z_][\w-]*+)[ \t]*\(\))[ \t\n]*\{",
    re.MULTILINE,
)
_BEFORE = r"(?:^|[;&|\n({!]|\b(?:do|then|else|if|while|until|sudo|time)\b)[ \t]*"
_ARGUMENT = r"(?:[^\s;&|<>()\"'`\\]|\"[^\"`\\]*\"|'[^']*')+"
_END = lazy_compile(r"[ \t]*(?:$|[;\n]|&&|\|\|[ \t]*(?:exit|return|die|fail|abort)\b)")
_NEXT = lazy_compile(r"[ \t]+([A-Za-z_]\w*)=")
_HIDDEN = lazy_compile(r"[$`'\"\\()<>|&]")
_MAX_ASSIGNMENTS = 48
"""Assignments and loops; of a text with more, nothing is known."""

_VARIABLE = lazy_compile(r"\$(?:(\w+)|\{(\w+)\})")
_DEFAULT = lazy_compile(r"\$\{(\w+):-([\w.][\w./-]*)\}")
_DEFAULTED = lazy_compile(r"\$\{([A-Za-z_]\w*):-")
_CHECKED = lazy_compile(r"\$\{(\w+):?\?[^{}]*\}")
_MAX_TEXTS = 64
"""Texts that one word may be."""

_MAX_VALUES = 32
"""Values of one variable that are checked; if there may be more, nothing is known."""


def values_in(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the possible values of the variables that a text writes, by name; cached.

    Variables with an unknown value have none. The same applies to `mktemp` if the text redefines
    that program.
    """
    if "$" not in text and "`" not in text:
        return {}
    return _values_in(text)


@cached_by_text
def _values_in(text: str) -> Mapping[str, tuple[str, ...]]:
    unknown: dict[str, tuple[str, ...]] = dict.fromkeys(_written(text), ())
    if "TMPDIR" in text and "TMPDIR" not in unknown and _is_set_before(text):
        unknown["TMPDIR"] = ("/tmp/fresh",)  # noqa: S108 - it is not empty
    if "kill" in text:
        unknown |= _listed(text)
    if "docker" in text or "podman" in text:
        first = islice(_STARTED.finditer(text), _MAX_ASSIGNMENTS)
        started = (match for match in first if _once(match, text))
        unknown |= {match[1]: (match[2],) for match in started}
    read = without_heredocs(text) if "<<" in text else (text, "")
    if read is None:
        return unknown
    known = {name: each for name, each in _known(read[0], text).items() if name not in read[1]}
    return {**unknown, **known}


def _once(match: re.Match[str], text: str) -> bool:
    """Return whether a text assigns this variable nowhere else, and reads it only afterwards."""
    return _only(match[1], [match.start(1)], text)


def _listed(text: str) -> dict[str, tuple[str, ...]]:
    """Return the variables with the output of another program, each as that program's call."""
    values: dict[str, tuple[str, ...]] = {
        match[1] or match[2]: (match[3],) for match in _LISTING.finditer(text)
    }
    for match in _PIPED.finditer(text):
        for name in match[2].split():
            values[name] = (f"$({match[1]})",)
    values |= {match[1]: ("{1..9}",) for match in _COUNTED.finditer(text)}
    return values


def _is_set_before(text: str) -> bool:
    """Return whether TMPDIR is assigned, or checked to be set, before it is used."""
    used = _USED.search(text)
    guard = _GUARD.search(text, 0, used.start() if used else len(text))
    return guard is not None


def with_values(text: str, values: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the texts that an argument may be, with the possible values of its variables."""
    # ${NAME:-word} is the word if the text does not set the variable.
    text = _DEFAULT.sub(lambda match: match[0] if match[1] in values else match[2], text)
    # ${NAME:?text} is the value, or the shell stops.
    text = _CHECKED.sub(lambda m: f"${{{m[1]}}}" if values.get(m[1]) else m[0], text)
    texts = [text]
    if "{}" in text and "{}" in values:
        texts = [text.replace("{}", value) for value in values["{}"]]
    variables = {name for name, each in values.items() if each}
    used = (
        {match or two for match, two in _VARIABLE.findall(text)} & variables if variables else set()
    )
    for name in sorted(used):
        variable = re.compile(rf"\${name}\b|\${{{name}}}")
        texts = [
            variable.sub(lambda _, value=value: value, each)  # type: ignore[misc]
            for each in texts[:_MAX_TEXTS]
            for value in values[name]
        ]
    return texts


def _written(text: str) -> Iterator[str]:
    split = "IFS=" in text
    defaulted = set(_DEFAULTED.findall(text))
    for match in _ANY.finditer(text):
        value = text[match.end() : match.end() + _LOOKED_AT]
        if split or _is_made(match[1], value) or match[1] in defaulted:
            yield match[1]
    for match in _READ.finditer(text):
        yield from re.findall(r"(?<![\w-])[A-Za-z_]\w*", match[1])
    yield from _PRINTED.findall(text)
    for match in _EACH.finditer(text):
        if match[1] in defaulted:
            yield match[1]
    if _MKTEMP.search(text):
        yield "mktemp"


def _is_made(name: str, value: str) -> bool:
    """Return whether a value is the output of another program, or may be a list."""
    if name == "TMPDIR":
        return "$" in value.partition("\n")[0]
    generated = value.startswith("(") or _MADE.match(value) is not None
    return generated and not (NEW_FOLDER.match(value.lstrip('"')) or _PROGRAM.match(value))


def _known(text: str, whole: str) -> Mapping[str, tuple[str, ...]]:
    """Return the known values; `text` is `whole` without the content of its heredocs."""
    masked = _QUOTED.sub(lambda match: "_" * len(match[0]), text)
    if len(_ASSIGNED.findall(masked)) + len(_LOOP.findall(masked)) > _MAX_ASSIGNMENTS:
        return {}
    known: dict[str, list[str]] = {}
    places: dict[str, list[int]] = {}
    for name, at, values in (*_folders(text, masked), *_loops(text, masked)):
        known.setdefault(name, []).extend(values)
        places.setdefault(name, []).append(at)
    names = [name for name in known if _only(name, places[name], whole)]
    for name in names:
        if not _reaches(name, places[name][0], text, masked):
            known[name].append(f"${name}")  # any other value
    alone = {name: tuple(dict.fromkeys(known[name])) for name in names}
    alone = {name: values for name, values in alone.items() if len(values) <= _MAX_VALUES}
    return alone | _arguments(text, masked)


def _folders(text: str, masked: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    for match in _ASSIGNED.finditer(masked):
        found = list(_in_a_row(text, match["name"], match.start("name"), match.end()))
        end = found[-1][2] if found else -1
        if end < 0 or not _END.match(text, end):
            continue
        rest = masked[end:]
        sure = not match[0].startswith("&&") or not re.search(r";|\n|\|\|", rest)
        if sure and _depth(masked[: match.start()]) == 0:
            yield from ((name, at, (value,)) for name, at, _, value in found)


def _in_a_row(text: str, name: str, at: int, start: int) -> Iterator[tuple[str, int, int, str]]:
    """Yield the assignments of one statement: name, its place, the end of the value, the value.

    If the last one is not known, its end is -1: a command may follow, which alone has the values.
    """
    for _ in range(_MAX_ASSIGNMENTS):
        quoted = text[start : start + 1] == '"'
        made, plain = NEW_FOLDER.match(text, start + quoted), _PLAIN.match(text, start)
        end = made.end() + quoted if made else plain.end() if plain else -1
        value = plain["value"] if plain and not made else "/tmp/fresh"  # noqa: S108
        yield name, at, end, value
        following = _NEXT.match(text, end) if end >= 0 else None
        if following is None:
            return
        name, at, start = following[1], following.start(1), following.end()


def _loops(text: str, masked: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    for match in _LOOP.finditer(masked):
        words = text[match.start("words") : match.end("words")]
        if words.strip() and not _HIDDEN.search(words) and _depth(masked[: match.start()]) == 0:
            yield match["name"], match.start("name"), tuple(words.split())


def _arguments(text: str, masked: str) -> dict[str, tuple[str, ...]]:
    """Return the arguments of functions, by number; the number itself means any other value."""
    defined = [match["name"] or match["bare"] for match in _FUNCTION.finditer(masked)]
    values: dict[str, list[str]] = {}
    for name in dict.fromkeys(defined[:_MAX_ASSIGNMENTS]):
        called = re.compile(rf"{_BEFORE}{name}(?P<words>(?:[ \t]+{_ARGUMENT})+)", re.MULTILINE)
        for match in called.finditer(text):
            words = re.findall(_ARGUMENT, match["words"])[:9]
            for number, word in enumerate(words, 1):
                values.setdefault(str(number), [f"${number}"]).append(word.strip("\"'"))
    return {number: tuple(dict.fromkeys(words))[:_MAX_VALUES] for number, words in values.items()}


ALL_ARGUMENTS = "$@"
_RENEWED = lazy_compile(r"\bset[ \t]+(?:-[a-z]*[ \t]+)*--|\bexport[ \t]+-f\b|\beval\b|<<")
_NAME_FIRST = lazy_compile(r"[ \t]+[A-Za-z0-9_./][\w./+-]*(?=[\s;&|)<>]|\Z)")
_DEFINED = lazy_compile(r"[ \t]*(?:\(\)|\{)")
_ENDED = lazy_compile(r"[ \t]*(?:[;&|)<>}\n]|\Z)")


def run_by_functions(text: str) -> tuple[str, ...]:
    """Return the commands that functions of a text run as `"$@"`: the arguments of their calls.

    Nothing if a call has arguments that are not written in the text, or if there is none.
    """
    if ALL_ARGUMENTS not in text or _RENEWED.search(text):
        return ()
    masked = _QUOTED.sub(lambda match: "_" * len(match[0]), text)
    defined = {match["name"] or match["bare"] for match in _FUNCTION.finditer(masked)}
    found: list[str] = []
    for name in sorted(defined)[:_MAX_ASSIGNMENTS]:
        called = re.compile(rf"(?<![\w./-]){name}(?![\w./=-])(?P<words>(?>(?:[ \t]+{_ARGUMENT})*))")
        for match in called.finditer(text):
            if _DEFINED.match(text, match.end(1) - len(match[1])):
                continue
            if not _ENDED.match(text, match.end()):
                return ()
            if match[1] and not _NAME_FIRST.match(match[1]):
                return ()
            found.append(match[1].strip())
    return tuple(dict.fromkeys(filter(None, found)))[:_MAX_VALUES]


def _depth(text: str) -> int:
    return text.count("(") - text.count(")")


_TRAPPED = lazy_compile(r"\btrap[ \t]+'[^'\n]*\"\Z")


def _is_trapped(text: str, match: re.Match[str]) -> bool:
    """Return whether a bare `"$name"` is in a trap: it runs last, and an empty name is no file."""
    before = _TRAPPED.search(text[: match.start()]) is not None
    return before and re.match(r"\}?\"(?!/)", text[match.end() :]) is not None


_OPENS = r"(?<![$\w])\{(?=\s)|(?<![\w$./-])(?:if|case|do)(?=\s)"
_BLOCK = lazy_compile(
    rf"(?P<opens>{_OPENS})|[;\n&][ \t]*\}}"
    r"|(?<![\w$./-])(?:(?P<other>elif|else)|fi|esac|done)(?![\w./=-])"
)
"""Beginnings, further branches and ends of blocks: what is assigned in one may not be assigned."""


def _reaches(name: str, at: int, text: str, masked: str) -> bool:
    """Return whether no use of a name follows the block of its first assignment, at `at`."""
    level = 0
    for match in _BLOCK.finditer(masked, 0, at):
        level += 1 if match["opens"] else -1 if match["other"] is None else 0
    if level <= 0:
        return True
    level = 0
    for match in _BLOCK.finditer(masked, at):
        level += 1 if match["opens"] else 0 if match["other"] and level else -1
        if level < 0:
            return re.search(rf"\$\{{?{name}(?!\w)", text[match.end() :]) is None
    return True


_LOCAL = lazy_compile(r"\blocal[ \t]+(?:[A-Za-z_]\w*[ \t]+)*\Z")
_EXPORTED = lazy_compile(r"\bexport[ \t]+(?:[A-Za-z_]\w*[ \t]+)*\Z")


def _declares(name: str, at: int, first: int, text: str) -> bool:
    """Return whether a name at `at` is declared without a value: `local x`, `export x`.

    After the first assignment, `local` makes another, empty variable.
    """
    if text[at + len(name) : at + len(name) + 1] in ("=", "+", "["):
        return False
    declared = _LOCAL if at < first else _EXPORTED
    start = max(0, at - 64)
    return bool(declared.search(text, start, at) or _EXPORTED.search(text, start, at))


def _only(name: str, places: list[int], text: str) -> bool:
    """Return whether a name is read, and written only in these places, first of all."""
    for match in re.finditer(rf"(?<![\w.-])(\$\{{?)?{name}(?!\w)", text):
        in_path = (
            text[match.start() - 1 : match.start()] == "/"
            or text[match.end() : match.end() + 1] == "/"
        )
        written = match[1] is None and match.start() not in places and not in_path
        if written and not _declares(name, match.start(), places[0], text):
            return False
        early = match[1] is not None and match.start() < places[0]
        if early and not _is_trapped(text, match):
            return False
    return True
