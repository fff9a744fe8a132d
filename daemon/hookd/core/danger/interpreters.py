"""Home of what programs of other languages do, said as a shell would do it.

`shutil.rmtree("/srv")` is `rm -rf /srv` and is judged like it, so there is one judgement of what
may be deleted, written, read and sent. What cannot be said so is asked about.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from hookd.core.danger.entry import Call, Danger, Rule
from hookd.core.danger.given import Program, language_of, programs
from hookd.core.danger.script_calls import (
    DECODED,
    DECODES,
    ENVIRONMENT,
    EVALUATES,
    FETCHES,
    HIDDEN,
    LANGUAGES,
    ONE_VARIABLE,
    SENDS,
    SHOWS,
    Row,
    rows,
)
from hookd.core.danger.snippets import (
    Snippet,
    arguments,
    calls,
    crowded,
    literal,
    receiver,
    script,
    snippet,
    word,
)

_INSTEAD = "A program that stands in a file of the project can be read, and run after that."
_TEXTS = 256
"""What one program does that is looked at; one that does more cannot be judged."""


def texts(call: Call) -> tuple[str, ...]:
    """Return what the programs that a call is given do, as texts for a shell."""
    made = tuple(text for one in programs(call) for text in said(one.source, one.language))
    return (*made, *_edited(call))


def _edited(call: Call) -> Iterator[str]:
    """Yield that `perl -i` and `ruby -i` write the files that they are given."""
    if language_of(call) not in ("perl", "ruby"):
        return
    if any(re.match(r"-[a-zA-Z0]*?i", flag) for flag, _ in call.words.flags):
        valued = {p + 1 for flag, p in call.words.flags if re.fullmatch(r"-\w*[eE]", flag)}
        files = [item for item in call.items if item.place not in valued]
        for item in files[:64]:
            path = word(Snippet("", ()), "") if item.unknown else _quoted(item.text)
            yield f"sed -i s/x/y/ {item.text if item.unknown and _safe(item.text) else path}"


def _safe(text: str) -> bool:
    return re.fullmatch(r"[\w./*?~${}\[\]-]+", text) is not None


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\"'\"'") + "'"


@lru_cache(maxsize=64)
def said(source: str, language: str) -> tuple[str, ...]:
    """Return what a program does, as texts for a shell."""
    found = snippet(source, language)
    made = [text for row in rows(language) for text in _row(found, row, language)]
    if language == "awk":
        made += _piped(found)
    if language == "powershell":
        made += _removed(source)
    made += _ticked(found, language)
    if SENDS.search(found.code):
        made += [f"curl -T {text[4:]} network" for text in made if text.startswith("cat ")]
    if EVALUATES.search(found.code) and FETCHES.search(found.code):
        made.append("curl network | sh")
    return tuple(dict.fromkeys((*made, *_environment(found))))[: _TEXTS + 1]


def _row(found: Snippet, row: Row, language: str) -> Iterator[str]:
    for one in calls(found, row.pattern):
        if one[0].endswith("exec") and language == "js" and not _starts_processes(found):
            continue  # a regular expression's
        if row.method:
            given = [receiver(found.code, one.start())]
            given += arguments(found.code, one.end(), bare=False)[0]
        else:
            given, _ = arguments(found.code, one.end(), bare=row.bare)
        if text := _ACTIONS[row.action](found, given, one[0]):
            yield text


def _starts_processes(found: Snippet) -> bool:
    return any(text.said.endswith("child_process") for text in found.texts)


def _delete(found: Snippet, given: list[str], _name: str) -> str:
    return f"rm -f {_targets(found, given)}"


def _delete_tree(found: Snippet, given: list[str], _name: str) -> str:
    return f"rm -rf {word(found, given[0])}" if given and given[0] else ""


def _delete_either(found: Snippet, given: list[str], name: str) -> str:
    deep = any(re.search(r"recursive\W+(?:true|TRUE|T\b)", one) for one in given[1:])
    flags = "-rf" if deep or re.search(r"rimraf|remove|emptyDir", name) else "-f"
    return f"rm {flags} {word(found, given[0])}" if given and given[0] else ""


def _targets(found: Snippet, given: list[str]) -> str:
    return " ".join(word(found, one) for one in given if one)


_SHELL = re.compile(
    r"(?:system|popen|exec|execSync|getoutput|getstatusoutput|execute|script|shell)$"
)


def _run(found: Snippet, given: list[str], name: str) -> str:
    """A text that a shell reads, or the words of a program."""
    if not given or not given[0]:
        return ""
    first = given[0]
    listed = first.startswith("[")
    words = arguments(f"({first[1:-1]})", 0, bare=False)[0] if listed else [first]
    for one in given[1:] if not listed else []:
        if one.startswith("["):
            words += arguments(f"({one[1:-1]})", 0, bare=False)[0]
        elif literal(found, one) is not None:
            words.append(one)
        else:
            break
    if len(words) == 1 and not listed:
        text = script(found, first)
        if text.strip() != "$UNKNOWN":
            return text
        shell = _SHELL.search(name) or any(
            re.search(r"\bshell\W+[Tt]rue", one) for one in given[1:]
        )
        return 'sh -c "$UNKNOWN"' if shell else ""
    return " ".join(word(found, one) for one in words if one)


def _read(found: Snippet, given: list[str], _name: str) -> str:
    return f"cat {word(found, given[0])}" if given and given[0] else ""


def _write(found: Snippet, given: list[str], _name: str) -> str:
    return f": > {word(found, given[0])}" if given and given[0] else ""


def _open(found: Snippet, given: list[str], _name: str) -> str:
    """Open a file: the mode, where there is one, tells what for."""
    modes = [literal(found, one.rpartition("=")[2]) for one in given[1:3]]
    mode = next((mode for mode in modes if mode is not None), "r")
    return _write(found, given, "") if set(mode) & set("wax+") else _read(found, given, "")


def _perl_open(found: Snippet, given: list[str], _name: str) -> str:
    """Open by Perl: the mode is a word of its own, or stands before the path."""
    rest = given[1:]
    mode = literal(found, rest[0]) if rest else None
    if mode is None:
        return ""
    if len(rest) == 1:
        sign = re.match(r"\s*([+<>|]*)\s*(.*?)\s*(\|?)$", mode, re.DOTALL)
        if sign is None or "|" in sign[1] + sign[3]:
            return sign[2] if sign else ""
        return f"{': >' if '>' in sign[1] else 'cat'} {_quoted(sign[2])}"
    if "|" in mode:
        return _run(found, rest[1:], "")
    return (_write if set(mode) & {">", "+"} else _read)(found, rest[1:], "")


def _kill(found: Snippet, given: list[str], _name: str) -> str:
    numbers = [one for one in given if re.fullmatch(r"-?\s?\d+", one)]
    everybody = any(re.fullmatch(r"-\s?1|0", one) for one in numbers)
    return "kill -9 -1" if everybody else ""


def _two(program: str) -> Callable[[Snippet, list[str], str], str]:
    def both(found: Snippet, given: list[str], _name: str) -> str:
        return f"{program} {_targets(found, given[:2])}" if len(given) > 1 else ""

    return both


def _chmod(found: Snippet, given: list[str], _name: str) -> str:
    path, mode = (given[1], given[0]) if re.match(r"0?\d", given[0]) else (given[0], given[-1])
    number = re.search(r"[0-7]{3,4}", mode)
    return f"chmod {number[0]} {word(found, path)}" if number else ""


_ACTIONS: Mapping[str, Callable[[Snippet, list[str], str], str]] = {
    "delete": _delete,
    "delete-tree": _delete_tree,
    "delete-either": _delete_either,
    "run": _run,
    "read": _read,
    "write": _write,
    "open": _open,
    "perl-open": _perl_open,
    "kill": _kill,
    "move": _two("mv"),
    "copy": _two("cp"),
    "link": _two("ln -s"),
    "chmod": _chmod,
}


def _piped(found: Snippet) -> Iterator[str]:
    """Yield what awk starts by a pipe, and which files it writes."""
    for one in re.finditer(r"\|&?\s*\x01(\d+)\x02|\x01(\d+)\x02\s*\|&?\s*getline", found.code):
        yield found.texts[int(one[1] or one[2])].said
    for one in re.finditer(r"\bprintf?\b[^;\n{}]{0,400}?>>?\s*\x01(\d+)\x02", found.code):
        yield f": > {_quoted(found.texts[int(one[1])].said)}"
    for one in re.finditer(r"\bgetline\b[^;\n{}<]{0,40}<\s*\x01(\d+)\x02", found.code):
        yield f"cat {_quoted(found.texts[int(one[1])].said)}"


_REMOVES = re.compile(r"(?i)(?<![\w-])(?:remove-item|ri|rd|rmdir|del|erase|rm)\s([^;|\n]{1,400})")


def _removed(source: str) -> Iterator[str]:
    """Yield what PowerShell removes; its words are much like those of a shell."""
    for one in _REMOVES.finditer(source):
        words = one[1].split()
        flags = "-rf" if any(re.match(r"(?i)-r|/s", word) for word in words) else "-f"
        files = (word.strip("'\",)}") for word in words if word[:1] not in "-/" or word[2:])
        yield " ".join(("rm", flags, *(_quoted(file) for file in files if file[:1] != "-")))


def _ticked(found: Snippet, language: str) -> Iterator[str]:
    """Yield what stands in backticks, where they run it."""
    if language in ("perl", "ruby", "php"):
        for number, text in enumerate(found.texts):
            if text.ticks:
                yield script(found, f"\x01{number}\x02")
    elif language == "js":
        for one in re.finditer(r"\$\s*\x01(\d+)\x02", found.code):
            yield script(found, f"\x01{one[1]}\x02")


def _environment(found: Snippet) -> Iterator[str]:
    """Yield that a program shows the environment, or sends it."""
    shown, sends = SHOWS.search(found.code), SENDS.search(found.code)
    alone = ENVIRONMENT.fullmatch(found.code.strip()) is not None
    if ENVIRONMENT.search(found.code) and (shown or sends or alone):
        yield "curl -T /proc/self/environ network" if sends else "printenv"
    for one in ONE_VARIABLE.finditer(found.code) if shown else ():
        name = found.texts[int(one[1])].said if one[1] else one[2] or one[3]
        if re.fullmatch(r"\w+", name):
            yield f"printenv {name}"


def _unreadable(call: Call) -> Iterator[Danger]:
    for one in programs(call):
        if why := _hidden(one):
            yield Danger("unreadable", "ask", why, _INSTEAD, command=call.text)
            return


def _hidden(one: Program) -> str:
    """Tell why it is not known what a program does; empty if it is."""
    if not one.known:
        return "runs a program that is not known from the text"
    found = snippet(one.source, one.language)
    decoded = DECODES.search(found.code) and DECODED.search(found.code)
    if decoded or HIDDEN.search(found.code):
        return "runs a text that is put together, or decoded, while it runs"
    many = len(said(one.source, one.language)) > _TEXTS
    if many or any(crowded(found, row.pattern) for row in rows(one.language)):
        return "calls more than can be judged"
    if found.odd and _dangerous(one):
        return "holds a text that does not end, and calls that can do harm"
    return ""


def _dangerous(one: Program) -> bool:
    """Whether a program that could not be told from its texts names what does harm."""
    acting = (row for row in rows(one.language) if row.action not in ("read", "open", "perl-open"))
    return any(row.pattern.search(one.source) for row in acting)


RULES: Mapping[str, Rule] = {
    f"{name}{version}": _unreadable
    for name in LANGUAGES
    for version in ("", "2", "3", *(f"3.{minor}" for minor in range(6, 20)))
}
"""By program: what it runs that nobody can read. What can be read, `texts` says."""
