"""Values of variables beyond plain assignments: temporary folders, loops, calls.

The shell reader knows plain values. Here are new temporary folders, which may be deleted, and the
words of a loop. If a variable may get its value in any other way, nothing is known. The arguments
of a function's calls are known too, but never completely: there may be other calls. A variable with
an empty tuple is filled by the text itself, with something unknown.
"""

import re
from collections.abc import Iterator, Mapping

FRESH = re.compile(
    r"(?:\$\(|`)\s*mktemp(?:\s+(?:-[dqut]+|--directory|(?:/tmp/)?[\w.-]*X{3}[\w.-]*|-p\s*/tmp))*"
    r"\s*(?:\)|`)"
)
"""A new folder, or file, that no other program uses."""

_PLAIN = re.compile(
    r"""(?P<quote>"?)(?P<value>(?:~|\$HOME|\$\{HOME\}|\$PWD|\$\{PWD\}|\$\(pwd\)"""
    r"""|\$\(git rev-parse --show-toplevel\))[\w./@+-]*)(?P=quote)"""
)
"""A path below a folder that is known elsewhere."""

_ANY = re.compile(r"(?<![\w$.{/-])([A-Za-z_]\w*)\+?=(?!=)")
_MADE = re.compile(r"\"?(?:\$\((?!\()|`|[^\s;\"']*\$\{[^}\s]*\s)")
_WHICH = r"(?:which|command -v|type -[pP]|xcrun (?:-f|--find))\s+[\w.+-]+\s*(?:2>\s*/dev/null\s*)?"
_PROGRAM = re.compile(rf"\"?(?:\$\(|`)\s*(?:\w+env )?{_WHICH}(?:\|\|\s*{_WHICH})*[)`]")
"""Output of another program, or of `which` and its like."""

_READ = re.compile(r"\b(?:read|readarray|mapfile|getopts)\b([^;\n|&<>]*)")
_MKTEMP = re.compile(r"\bmktemp[ \t]*\(\)|\bfunction[ \t]+mktemp\b|\balias[ \t]+mktemp=")
_GUARD = re.compile(
    r"(?:^|[;\n]|\bthen\b)[ \t]*(?:set[ \t]+(?:-o[ \t]+nounset|-[a-zA-Z]*u)"
    r"|:[ \t]+\"?\$\{TMPDIR:[?=]"
    r"|(?:export[ \t]+)?TMPDIR=[\"']?(?:(?:/private)?(?:/var)?/tmp|/dev/shm)(?=[/\"';\s]|$))",
    re.MULTILINE,
)
_LISTS = r"(?:sudo\s+)?(?:pgrep|pidof|ps|lsof|fuser|ss|netstat|ls|find|seq|cat)\b"
_LISTING = re.compile(
    r"(?:(?<![\w$.-])([A-Za-z_]\w*)=|\bfor[ \t]+([A-Za-z_]\w*)[ \t]+in[ \t]+)\"?"
    rf"(\$\(\s*{_LISTS}(?:[^()]|\([^()]*\)){{0,400}}\)|`\s*{_LISTS}[^`]{{0,400}}`)"
)
_PIPED = re.compile(
    rf"(?<![\w-])({_LISTS}[^;\n&]{{0,400}}?)\|\s*while\s+(?:IFS=\S*\s+)?read\s+"
    r"(?:-r\s+)?([\w \t]{1,80})"
)
_COUNTED = re.compile(r"\bfor\s*\(\(\s*([A-Za-z_]\w*)\s*=")
"""Variables that contain the output lines of a program, or consecutive numbers."""

_USED = re.compile(r"(?<!-z )(?<!-n )(?<!-z \")(?<!-n \")\$(?:TMPDIR\b|\{TMPDIR\})")
"""Uses of the value of TMPDIR, apart from tests."""

_EACH = re.compile(r"\b(?:for|select)[ \t]+([A-Za-z_]\w*)")
_LOOKED_AT = 256

_QUOTED = re.compile(r"\\.|'[^']*'|\"(?:[^\"\\]|\\.)*\"|(?<![^\s;&|()])\#[^\n]*", re.DOTALL)
_ASSIGNED = re.compile(
    r"(?:^|[;\n]|&&)[ \t]*(?:export[ \t]+|local[ \t]+)?(?P<name>[A-Za-z_]\w*)=", re.MULTILINE
)
_LOOP = re.compile(
    r"(?:^|[;\n]|&&|\bdo\b)[ \t]*for[ \t]+(?P<name>[A-Za-z_]\w*)[ \t]+in[ \t]+(?P<words>[^;\n]*)",
    re.MULTILINE,
)
_FUNCTION = re.compile(
    r"(?:^|[;&\n(])[ \t]*(?:function[ \t]+(?P<bare>[A-Za-z_][\w-]*+)[ \t]*(?:\(\))?"
    r"|(?P<name>[A-Za-z_][\w-]*+)[ \t]*\(\))[ \t\n]*\{",
    re.MULTILINE,
)
_BEFORE = r"(?:^|[;&|\n({!]|\b(?:do|then|else|if|while|until|sudo|time)\b)[ \t]*"
_ARGUMENT = r"(?:[^\s;&|<>()\"'`\\]|\"[^\"`\\]*\"|'[^']*')+"
_END = re.compile(r"[ \t]*(?:$|[;\n]|&&)")
_HIDDEN = re.compile(r"[$`'\"\\()<>|&]")
_MOST = 16
"""Assignments and loops; of a text with more, nothing is known."""

_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
_DEFAULT = re.compile(r"\$\{(\w+):-([\w.][\w./-]*)\}")
_TEXTS = 64
"""Texts that one word may be."""

_VALUES = 32
"""Values of one variable that are checked; if there may be more, nothing is known."""


def values_in(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the possible values of the variables that a text writes, by name.

    Variables with an unknown value have none. The same applies to `mktemp` if the text redefines
    that program.
    """
    if "$" not in text and "`" not in text:
        return {}
    unknown: dict[str, tuple[str, ...]] = dict.fromkeys(_written(text), ())
    if "TMPDIR" in text and "TMPDIR" not in unknown and _is_set_before(text):
        unknown["TMPDIR"] = ("/tmp/fresh",)  # noqa: S108 - it is not empty
    if "kill" in text:
        unknown |= _listed(text)
    return unknown if "<<" in text else {**unknown, **_known(text)}


def _listed(text: str) -> dict[str, tuple[str, ...]]:
    """Return the variables with the output of another program, each as that program's call."""
    found: dict[str, tuple[str, ...]] = {
        one[1] or one[2]: (one[3],) for one in _LISTING.finditer(text)
    }
    for one in _PIPED.finditer(text):
        for name in one[2].split():
            found[name] = (f"$({one[1]})",)
    found |= {one[1]: ("{1..9}",) for one in _COUNTED.finditer(text)}
    return found


def _is_set_before(text: str) -> bool:
    """Return whether TMPDIR is assigned, or checked to be set, before it is used."""
    used = _USED.search(text)
    guard = _GUARD.search(text, 0, used.start() if used else len(text))
    return guard is not None


def filled(text: str, values: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Return the texts that an argument may be, with the possible values of its variables."""
    # ${NAME:-word} is the word if the text does not set the variable.
    text = _DEFAULT.sub(lambda found: found[0] if found[1] in values else found[2], text)
    texts = [text]
    if "{}" in text and "{}" in values:
        texts = [text.replace("{}", value) for value in values["{}"]]
    known = {name for name, each in values.items() if each}
    used = {one or two for one, two in _VARIABLE.findall(text)} & known if known else set()
    for name in sorted(used):
        variable = re.compile(rf"\${name}\b|\${{{name}}}")
        texts = [
            variable.sub(lambda _, value=value: value, each)  # type: ignore[misc]
            for each in texts[:_TEXTS]
            for value in values[name]
        ]
    return texts


def _written(text: str) -> Iterator[str]:
    split = "IFS=" in text
    for found in _ANY.finditer(text):
        value = text[found.end() : found.end() + _LOOKED_AT]
        if split or _is_made(found[1], value) or f"${{{found[1]}:-" in text:
            yield found[1]
    for found in _READ.finditer(text):
        yield from re.findall(r"(?<![\w-])[A-Za-z_]\w*", found[1])
    for found in _EACH.finditer(text):
        if f"${{{found[1]}:-" in text:
            yield found[1]
    if _MKTEMP.search(text):
        yield "mktemp"


def _is_made(name: str, value: str) -> bool:
    """Return whether a value is the output of another program, or may be a list."""
    if name == "TMPDIR":
        return "$" in value.partition("\n")[0]
    made = value.startswith("(") or _MADE.match(value) is not None
    return made and not (FRESH.match(value.lstrip('"')) or _PROGRAM.match(value))


def _known(text: str) -> Mapping[str, tuple[str, ...]]:
    masked = _QUOTED.sub(lambda found: "_" * len(found[0]), text)
    if len(_ASSIGNED.findall(masked)) + len(_LOOP.findall(masked)) > _MOST:
        return {}
    known: dict[str, list[str]] = {}
    places: dict[str, list[int]] = {}
    for name, at, values in (*_folders(text, masked), *_loops(text, masked)):
        known.setdefault(name, []).extend(values)
        places.setdefault(name, []).append(at)
    names = [name for name in known if _only(name, places[name], text)]
    alone = {name: tuple(dict.fromkeys(known[name])) for name in names}
    alone = {name: values for name, values in alone.items() if len(values) <= _VALUES}
    return alone | _arguments(text, masked)


def _folders(text: str, masked: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    for found in _ASSIGNED.finditer(masked):
        quoted = text[found.end() : found.end() + 1] == '"'
        made, plain = FRESH.match(text, found.end() + quoted), _PLAIN.match(text, found.end())
        end = made.end() + quoted if made else plain.end() if plain else -1
        if end < 0 or not _END.match(text, end):
            continue
        rest = masked[end:]
        sure = not found[0].startswith("&&") or not re.search(r";|\n|\|\|", rest)
        if sure and _depth(masked[: found.start()]) == 0:
            value = plain["value"] if plain and not made else "/tmp/fresh"  # noqa: S108
            yield found["name"], found.start("name"), (value,)


def _loops(text: str, masked: str) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    for found in _LOOP.finditer(masked):
        words = text[found.start("words") : found.end("words")]
        if words.strip() and not _HIDDEN.search(words) and _depth(masked[: found.start()]) == 0:
            yield found["name"], found.start("name"), tuple(words.split())


def _arguments(text: str, masked: str) -> dict[str, tuple[str, ...]]:
    """Return the arguments of functions, by number; the number itself means any other value."""
    defined = [found["name"] or found["bare"] for found in _FUNCTION.finditer(masked)]
    known: dict[str, list[str]] = {}
    for name in dict.fromkeys(defined[:_MOST]):
        called = re.compile(rf"{_BEFORE}{name}(?P<words>(?:[ \t]+{_ARGUMENT})+)", re.MULTILINE)
        for found in called.finditer(text):
            words = re.findall(_ARGUMENT, found["words"])[:9]
            for number, word in enumerate(words, 1):
                known.setdefault(str(number), [f"${number}"]).append(word.strip("\"'"))
    return {number: tuple(dict.fromkeys(words))[:_VALUES] for number, words in known.items()}


def _depth(text: str) -> int:
    return text.count("(") - text.count(")")


_TRAPPED = re.compile(r"\btrap[ \t]+'[^'\n]*\"\Z")


def _is_trapped(text: str, found: re.Match[str]) -> bool:
    """Return whether a bare `"$name"` is in a trap: it runs last, and an empty name is no file."""
    before = _TRAPPED.search(text[: found.start()]) is not None
    return before and re.match(r"\}?\"(?!/)", text[found.end() :]) is not None


def _only(name: str, places: list[int], text: str) -> bool:
    """Return whether a name is read, and written only in these places, first of all."""
    for found in re.finditer(rf"(?<![\w.-])(\$\{{?)?{name}(?!\w)", text):
        if found[1] is None and found.start() not in places:
            return False
        early = found[1] is not None and found.start() < places[0]
        if early and not _is_trapped(text, found):
            return False
    return True
