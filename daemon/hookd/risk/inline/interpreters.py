"""Effects of inline code, as shell commands: `python -c`, `perl -e`, `node -e`.

`shutil.rmtree("/srv")` is `rm -rf /srv` and is assessed like it, so there is one set of rules for
what may be deleted, written, read and sent. Code that cannot be translated is asked about.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.evaluated_code import evaluated_texts, runs_decoded
from hookd.risk.inline.known_calls import (
    ENVIRONMENT,
    EVALUATES,
    FETCHES,
    HIDDEN,
    ONE_VARIABLE,
    SENDS,
    SHOWS,
    Mark,
    Row,
    rows,
)
from hookd.risk.inline.lowering import ACTIONS, has_statement, quoted
from hookd.risk.inline.snippets import (
    CALLS,
    HOME,
    UNKNOWN,
    Snippet,
    arguments,
    calls_of,
    matches_of,
    receiver,
    script,
    snippet,
    word,
)
from hookd.risk.inline.source import EDITORS, RUNS_CODE, language_of, programs, runs_code
from hookd.risk.inline.stored_data import StoredData, stored_data
from hookd.risk.model import CallContext, CommandCall, Risk, RiskRule
from hookd.risk.subcommands import call_risk
from hookd.shell.commands import Command
from hookd.shell.interpreters import SHELLS
from hookd.shell.quoting import names, program_name

_IMPORTS = lazy_compile(
    r"\bfrom\s+[\w.]+\s+import\s+[^;\n]+|\bimport\s+[^;\n]+|\{[^{}]*\}\s*=\s*require\([^()]*\)"
)
_CALLED = r"(?!\s*[(\x01$@\w:=])"
_DELETES = lazy_compile(
    r"\b(?:rmtree|rmSync|unlinkSync|rmdirSync|truncateSync|ftruncate|rm_rf|remove_tree)\b"
    rf"{_CALLED}|\b(?:os|fs|File|shutil|Path)\.(?:remove|unlink|rmdir|rm|truncate|delete)\b{_CALLED}"
    r"|\brimraf\b|\bsh\.rm\b|\bftruncate\b"
)
_RUNS = lazy_compile(
    rf"\.(?:system|popen|execSync|spawnSync|exec|spawn|Popen|check_call|check_output|run){_CALLED}"
)
_STARTS = lazy_compile(r"\b(?:run|call|Popen|spawn|spawnSync|check_call|execFile\w*|exec\w+)\s*\(")
_DELETERS = names("rm /bin/rm /usr/bin/rm shred rimraf unlink rmtree rmsync unlinksync remove_tree")
_RUNNERS = names("exec execsync system popen shell_exec passthru")
_GLOBBED = lazy_compile(r"(?:/[\w.@+*?-]+)+/?|/\*?")
_PATH = lazy_compile(r"(?:~|/|\.\./|\x03)[^\s:;|&<>()]*")
_QUOTED = lazy_compile(r"'([^']*)'|\"([^\"]*)\"")
_MAX_HINTS = 16


def hints(program: Snippet, acts: Sequence[str], language: str) -> tuple[str, ...]:
    """Return shell texts that a program may amount to; `acts` are its known effects."""
    code = _IMPORTS.sub(" ", program.code)
    contents = [text.content for text in program.texts]
    lone = {text.lower() for text in contents}
    commands: list[str] = []
    unknown = any(re.fullmatch(r'rm -r?f "\$UNKNOWN"', text) for text in acts)
    listed = not _DELETERS.isdisjoint(lone) and (_STARTS.search(code) or "(" in code)
    if unknown or listed or _DELETES.search(code):
        commands += islice(_deleted(contents), _MAX_HINTS)
    evaluates = next(matches_of(program, EVALUATES), None) is not None
    guessed = language in ("other", "vim")
    if guessed or evaluates or _RUNS.search(code) or not _RUNNERS.isdisjoint(lone):
        commands += islice(_run(contents), _MAX_HINTS)
    return tuple(dict.fromkeys(commands))


def _deleted(contents: Sequence[str]) -> Iterator[str]:
    for text in contents:
        if _PATH.fullmatch(text):
            path = text.replace(HOME, "~")
            plain = _GLOBBED.fullmatch(path) or path == "~"
            tail = path[2:] if path.startswith("~/") else ""
            yield f"rm -rf {path if plain else f'~/{quoted(tail)}' if tail else quoted(path)}"


def _run(contents: Sequence[str]) -> Iterator[str]:
    for text in contents:
        if " " in text:
            yield text
            yield from (match[1] or match[2] for match in _QUOTED.finditer(text) if " " in match[0])


_NOT_KNOWN = "runs code that is not known from the text, and may do anything"
_CROWDED = "contains too many calls to analyze"
_LONG = "is a program that is too long to analyze"
_OPEN = "contains an unclosed text, and calls that may be harmful"
_COMPOSED = (
    "runs code that is composed, or decoded, at run time: what it does cannot be read before"
)
_DECODED_FIRST = "runs an encoded text: what it does cannot be read before"
_WAYS = {
    _NOT_KNOWN: "Write the code in the command itself.",
    _CROWDED: "Split it: a program of fewer calls can be read.",
    _LONG: "Split it: a shorter program can be read.",
    _OPEN: "Close the quotes of its texts.",
}
_PLAINLY = "Write the code as it is to run, with its texts and names in plain letters."
"""A way for code whose texts hide what it does."""

_NOWHERE = CallContext()
_MAX_EFFECTS = 64
"""Maximum effects of one program; a program with more cannot be analyzed."""

_MAX_CHARS = 32_768
"""Characters of a program; a longer one cannot be analyzed."""

_CACHE_SIZE = 16
"""Size of the cache of effects, in programs."""

Acts = list[tuple[Row, list[re.Match[str]]]]


def effect_texts(command: Command) -> tuple[str, ...]:
    """Return the effects of the inline programs of a command, as shell texts."""
    if not runs_code(command):
        return ()
    call = CommandCall(command, _NOWHERE)
    effects = tuple(
        text for code in programs(call) for text in effects_of(code.source, code.language).texts
    )
    if any(text.startswith("curl -") for text in effects):
        effects += ("\n".join(effects),)  # what is saved may be run
    return tuple(dict.fromkeys((*effects, *_edited(call))))


def possible_effect_texts(command: Command) -> tuple[str, ...]:
    """Return the possible effects of the inline programs of a command, as shell texts."""
    if not runs_code(command) or language_of(command) == "powershell":
        return ()
    codes = programs(CommandCall(command, _NOWHERE))
    return tuple(text for code in codes for text in effects_of(code.source, code.language).hints)


def _edited(call: CommandCall) -> Iterator[str]:
    """Yield the files that `perl -i` and `ruby -i` write."""
    if call.program in EDITORS:
        commands = " ".join(code.source for code in programs(call))
        if _VIM_EMPTIES.search(commands) and re.search(r"\b(?:wq?a?|x|up(?:date)?)!?\b", commands):
            yield from (f": > {quoted(item.text)}" for item in call.items if item.optional is False)
        return
    if language_of(call.command) not in ("perl", "ruby"):
        return
    if any(re.match(r"-[a-zA-Z0]*?i", flag) for flag, _ in call.words.flags):
        valued = {p + 1 for flag, p in call.words.flags if re.fullmatch(r"-\w*[eE]", flag)}
        files = [item for item in call.items if item.place not in valued]
        empties = any(_EMPTIES.fullmatch(code.source) for code in programs(call))
        for item in files[:64]:
            path = word(Snippet("", ()), "") if item.unknown else quoted(item.text)
            edit = "d" if empties else "s/x/y/"
            yield f"sed -i {edit} {item.text if item.unknown and _safe(item.text) else path}"


_VIM_EMPTIES = lazy_compile(r"(?:^|[\s|:])(?:%|1,\$)d(?:elete)?\b|\bgg\"?_?dG")
_EMPTIES = lazy_compile(
    r"\s*+(?:s(?P<mark>[/|{,#])\^?\.[*+]\$?(?P=mark)\s*+(?P=mark)[gmsxe]*+|undef\s*+\$_"
    r"|\$_\s*+=\s*+(?:\"\"|''|undef)|print if 0|)\s*+;?\s*+"
)
"""Programs that leave nothing of a file that they edit in place."""


def _safe(text: str) -> bool:
    return re.fullmatch(r"[\w./*?~${}\[\]-]+", text) is not None


class Effects(NamedTuple):
    """The effects of a program, as shell texts; or why they are unknown.

    `hints` are further possible effects.
    """

    texts: tuple[str, ...]
    hidden: str = ""
    hints: tuple[str, ...] = ()
    stored: tuple[StoredData, ...] = ()


@lru_cache(maxsize=_CACHE_SIZE)
def effects_of(source: str, language: str, depth: int = 0) -> Effects:
    """Return the effects of a program; `depth` counts the programs that evaluate it."""
    if len(source) > _MAX_CHARS:
        return Effects((), _LONG)
    program = snippet(source, language)
    acts = [
        (row, list(calls_of(program, row.pattern)))
        for row in rows(language)
        if row.action != "sql" or has_statement(program)
    ]
    if sum(len(its) for _, its in acts) > CALLS:
        return Effects((), _CROWDED)
    inner = list(_evaluated(program, source, language, depth))
    effects = tuple(
        dict.fromkeys(
            (
                *_said(program, acts, source, language),
                *(text for each in inner for text in each.texts),
            )
        )
    )
    hidden = _hidden(program, acts, source, crowded=len(effects) > _MAX_EFFECTS)
    if not hidden:
        started = [match for row, its in acts if row.action in ("run", "run-any") for match in its]
        hidden = _COMPOSED if runs_decoded(program, language, started) else ""
    hidden = hidden or next((each.hidden for each in inner if each.hidden), "")
    stored = (*stored_data(program), *(one for each in inner for one in each.stored))
    possible = (*hints(program, effects, language), *(one for each in inner for one in each.hints))
    return Effects(effects[:_MAX_EFFECTS], hidden, possible, tuple(dict.fromkeys(stored)))


_DEPTH = 4
"""Maximum programs that evaluate each other."""


def _evaluated(program: Snippet, source: str, language: str, depth: int) -> Iterator[Effects]:
    """Yield the effects of the texts that a program evaluates."""
    for one in islice(evaluated_texts(program, language), _MAX_HINTS):
        if one.text is None:
            yield Effects((), _COMPOSED)
        elif depth >= _DEPTH:
            yield Effects((), _CROWDED)
        elif one.text != source:
            yield effects_of(one.text, language, depth + 1)


def _said(program: Snippet, acts: Acts, source: str, language: str) -> Iterator[str]:
    effects = [text for row, its in acts for text in _row(program, row, its, language)]
    if language == "awk":
        effects += _piped(program)
    if language == "powershell":
        from hookd.risk.powershell import as_shell  # noqa: PLC0415 - slow, rarely needed

        effects += filter(None, (*_removed(source), as_shell(source)))
    if language in _EMBEDDED:
        effects += _EMBEDDED[language](source)
    effects += (*_ticked(program, language), *_fed(program, effects), *_spawning(program))
    effects += _swept(program, effects)
    if _is(program, SENDS):
        effects += [f"curl -T {text[4:]} network" for text in effects if text.startswith("cat ")]
    if _is(program, EVALUATES) and _is(program, FETCHES):
        effects.append("curl network | sh")
    yield from effects
    yield from _environment(program)


def _row(program: Snippet, row: Row, its: list[re.Match[str]], language: str) -> Iterator[str]:
    for match in its:
        plain = match[0] == "exec" or match[0][:1] == ")"
        regex = plain and row.action == "run" and language == "js"
        if regex and not _starts_processes(program):
            continue  # a regular expression's
        if row.method:
            args = [receiver(program.code, match.start())]
            args += arguments(program.code, match.end(), bare=False)[0]
        else:
            args, _ = arguments(program.code, match.end(), bare=row.bare)
        if text := ACTIONS[row.action](program, args, match[0]):
            yield text


def _starts_processes(program: Snippet) -> bool:
    return any(text.content.endswith("child_process") for text in program.texts)


_PIPED = lazy_compile(
    r"(?:\bprintf?\b([^;\n{}|]{0,400}+))?\|&?\s*+\x01(\d+)\x02|\x01(\d+)\x02\s*+\|&?\s*+getline"
)


_SHELLED = lazy_compile(r"(?:\S*/)?(?:ba|da|z|k)?sh(?: -s)?")
_INPUT = lazy_compile(
    r"\binput\s*=\s*[bru]?\x01(\d+)\x02|\.(?:communicate|write|end|puts|print|send)\s*\(?\s*"
    r"(?:input\s*=\s*)?[bru]?\x01(\d+)\x02"
)
_FORKS = lazy_compile(
    r"\bwhile\b[^;\n{}]{0,30}[:{(]?\s*(?:os\.)?fork\b|\bfork\b[\s()]*(?:while|until)\b"
    r"|\bloop\s*(?:\{|do)\s*fork\b"
)
_ALL_PROCESSES = lazy_compile(r"\bprocess_iter\b")
_KILLS = lazy_compile(r"\.(?:kill|terminate)\(\)")


def _fed(program: Snippet, effects: list[str]) -> Iterator[str]:
    """Yield the texts that a program gives to a shell that it starts."""
    if any(_SHELLED.fullmatch(text.replace("'", "")) for text in effects):
        for match in _INPUT.finditer(program.code):
            yield program.texts[int(match[1] or match[2])].content


_SWEEPS = lazy_compile(r"\b(?:os\.walk|walk|rglob|os\.fwalk|find)\s*\(")
_CHOOSES = lazy_compile(r"\b(?:if|unless|endswith|fnmatch|suffix|filter)\b|\x02\)\.unlink")


def _swept(program: Snippet, effects: list[str]) -> Iterator[str]:
    """Yield that a program deletes every file below a folder: it chooses none by its name."""
    found = _SWEEPS.search(program.code)
    deletes = any(text.startswith("rm ") and UNKNOWN in text for text in effects)
    if found and deletes and not _CHOOSES.search(program.code):
        args, _ = arguments(program.code, found.end() - 1, bare=False)
        if args and args[0] and "rglob" not in found[0]:
            yield f"rm -rf {word(program, args[0])}"


def _spawning(program: Snippet) -> Iterator[str]:
    """Yield that a program starts itself without end, or ends all processes."""
    if "fork" in program.low and _FORKS.search(program.code):
        yield ":(){ :|:& };:"
    if _ALL_PROCESSES.search(program.code) and _KILLS.search(program.code):
        yield "" if re.search(r"\bif\b", program.code) else "kill $(ps)"


def _piped(program: Snippet) -> Iterator[str]:
    """Yield the commands that awk starts by a pipe, and the files that it writes."""
    for match in _PIPED.finditer(program.code):
        text = program.texts[int(match[2] or match[3])].content
        yield script(program, match[1]) if match[1] and program_name(text) in SHELLS else text
    for match in re.finditer(r"\bprintf?\b[^;\n{}]{0,400}?>>?\s*\x01(\d+)\x02", program.code):
        yield f": > {quoted(program.texts[int(match[1])].content)}"
    for match in re.finditer(r"\bgetline\b[^;\n{}<]{0,40}<\s*\x01(\d+)\x02", program.code):
        yield f"cat {quoted(program.texts[int(match[1])].content)}"


_REMOVES = lazy_compile(r"(?i)(?<![\w-])(?:remove-item|ri|rd|rmdir|del|erase|rm)\s([^;|\n]{1,400})")


def _removed(source: str) -> Iterator[str]:
    """Yield the deletions of PowerShell; its words resemble those of a shell."""
    for match in _REMOVES.finditer(source):
        words = match[1].split()
        flags = "-rf" if any(re.match(r"(?i)-r|/s", word) for word in words) else "-f"
        files = (word.strip("'\",)}") for word in words if word[:1] not in "-/" or word[2:])
        yield " ".join(("rm", flags, *(quoted(file) for file in files if file[:1] != "-")))


def _ticked(program: Snippet, language: str) -> Iterator[str]:
    """Yield the commands in backticks, in languages that run them."""
    if language in ("perl", "ruby", "php"):
        for number, text in enumerate(program.texts):
            if text.ticks:
                yield script(program, f"\x01{number}\x02")
    elif language == "js":
        for match in re.finditer(r"\$\s*\x01(\d+)\x02", program.code):
            yield script(program, f"\x01{match[1]}\x02")


_VIM_CODE = lazy_compile(
    r"(?:^|[\n|])[ \t:]*+(?:(py(?:thon)?[3x]?|pyx)|(lua)|(ruby?)|(perl))\s++([^\n]++)"
)
_VIM_SHELL = lazy_compile(
    r"(?:^|[\n|])[ \t:]*+(?:sil(?:ent)?!?[ \t]++)?"
    r"(?:[%\d,$.]*+(?:r|w|read|write)?[ \t]*+!|ter(?:minal)?!?[ \t])([^\n]++)"
)
_TCL_EXEC = lazy_compile(r"(?:^|[\n;\[{])[ \t]*+(?:exec|spawn|open\s++\"?\|)\s*+([^\n;\]}]++)")
_TCL_DELETE = lazy_compile(r"\bfile\s++delete\s++((?>(?:-force\s++|--\s++)*))([^\n;\]}]++)")


_VIM_EXECUTE = lazy_compile(r"\bexe(?:cute)?!?[ \t]++(?:\"([^\"\n]++)\"|'([^'\n]++)')")


def _vim(source: str) -> list[str]:
    """Return the shell commands of an editor's commands, and the effects of embedded code."""
    found = [match[1] for match in _VIM_SHELL.finditer(source)]
    for match in _VIM_EXECUTE.finditer(source):
        found += effects_of(match[1] or match[2], "vim").texts
    for match in _VIM_CODE.finditer(source):
        pairs = zip(("python", "lua", "ruby", "perl"), match.groups(), strict=False)
        language = next(name for name, group in pairs if group)
        found += effects_of(match[5], language).texts
        if language == "lua":
            found += effects_of(match[5].replace("vim.fn.", ""), "vim").texts
    return found


def _tcl(source: str) -> list[str]:
    """Return the commands that a program of Tcl starts, and its deletions."""
    deletions = (f"rm -rf {match[2]}" for match in _TCL_DELETE.finditer(source))
    return [match[1] for match in _TCL_EXEC.finditer(source)] + list(deletions)


_EMBEDDED = {"vim": _vim, "tcl": _tcl}
"""By language: the shell texts in its commands, which have no parentheses."""


def _is(program: Snippet, mark: Mark) -> bool:
    return next(matches_of(program, mark), None) is not None


def _environment(program: Snippet) -> Iterator[str]:
    """Yield that a program prints the environment, or sends it."""
    prints, sends = SHOWS.search(program.code), _is(program, SENDS)
    alone = ENVIRONMENT.pattern.fullmatch(program.code.strip()) is not None
    if _is(program, ENVIRONMENT) and (prints or sends or alone):
        yield "curl -T /proc/self/environ network" if sends else "printenv"
    for match in matches_of(program, ONE_VARIABLE) if prints else ():
        name = program.texts[int(match[1])].content if match[1] else match[2] or match[3]
        if re.fullmatch(r"\w+", name):
            yield f"printenv {name}"


_ENCODED = lazy_compile(r"(?i)-e(?:c|nc?|nco[a-z]*)?")


def _unreadable(call: CommandCall) -> Iterator[Risk]:
    if language_of(call.command) == "powershell" and any(
        _ENCODED.fullmatch(word) for word in call.command.words[1:]
    ):
        yield call_risk(call, "shell.encoded-code", "ask", _DECODED_FIRST, _PLAINLY)
        return
    for code in programs(call):
        effects = effects_of(code.source, code.language) if code.known else Effects((), _NOT_KNOWN)
        for one in effects.stored:
            yield call_risk(call, one.rule, "ask", one.why, one.instead)
        if effects.hidden:
            way = _WAYS.get(effects.hidden, _PLAINLY)
            yield call_risk(call, "code.unreadable", "ask", effects.hidden, way)
            return


def _hidden(program: Snippet, acts: Acts, source: str, *, crowded: bool) -> str:
    """Return why the effects of a program are unknown; empty if they are known."""
    if _is(program, HIDDEN):
        return _COMPOSED
    if crowded:
        return _CROWDED
    if program.odd and _dangerous(acts, source):
        return _OPEN
    return ""


def _dangerous(acts: Acts, source: str) -> bool:
    """Return whether a program of unknown effects contains names of harmful calls."""
    acting = (row for row, _ in acts if row.action not in ("read", "open", "perl-open"))
    return any(row.pattern.search(source) for row in acting)


RULES: Mapping[str, RiskRule] = {
    f"{name}{version}": _unreadable
    for name in sorted(RUNS_CODE)
    for version in ("", "2", "3", *(f"3.{minor}" for minor in range(6, 20)))
}
"""By program: the rule for unreadable code. `texts` returns the effects of readable code."""
