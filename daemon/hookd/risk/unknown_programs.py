"""Programs in no table, or of unknown name: they may run their arguments.

`newwrap rm -rf ~` and `newshell -c 'rm -rf ~'` are asked about, since rm would be denied. Programs
that only print, search or take a message run nothing. `$TOOL x` and `"$@"` have no name at all.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.risk.model import CommandCall, Risk
from hookd.risk.quoting import quoted_word
from hookd.risk.rules.deletion import deletion_risk
from hookd.risk.subcommands import call_risk
from hookd.risk.variable_values import with_values
from hookd.shell.commands import Command
from hookd.shell.interpreters import has_known_commands

_QUIET = with_trait("takes-text")
_HANDING_ON = with_trait("may-run")
"""Programs in a table that run, in some form, their arguments."""

_MESSAGES = lazy_compile(
    r"-(?:m|b|t|d)|--(?:message|body|title|description|text|subject|comment|notes?|prompt|summary"
    r"|reason|content|query|filter|grep|name|label|annotation|msg|desc)"
)
_ASSIGNED = lazy_compile(r"(?:--?[\w-]+|[A-Za-z_]\w*)=(.*)", re.DOTALL)
_ESCAPE = lazy_compile(
    r"[ \t]*+\+?(?::?[ \t]*+(?:silent!?[ \t]++)?[%\d,$.]*+[rw]?[ \t]*+!|\.(?:shell|system)[ \t]"
    r"|(?:platform[ \t]++)?shell[ \t])[ \t]*+"
)
"""Code that opens a shell in the languages of editors, debuggers and the like."""

_INNER = lazy_compile(r'"((?>(?:[^"\\]|\\.)*))"|\'([^\']*+)\'|`([^`]*+)`')
_MAX_CHARS = 4_096
"""Characters of a text that are searched for nested texts."""

_VERBS = with_trait("is-subcommand")
"""Programs whose names are more often subcommands, after another program."""

_MAX_WORDS = 16
"""Maximum words, and texts, of one command that are checked."""


def may_run(call: CommandCall, known: bool) -> bool:
    """Return whether the program may execute its arguments; `known`: it is in a rule table."""
    name = call.program
    if name in _HANDING_ON:
        return True
    if not name:
        return bool(call.command.words)
    return not known and name not in _QUIET and not has_known_commands(name)


def argument_tails(call: CommandCall) -> Iterator[CommandCall]:
    """Yield the calls that a program would run if a command began at one of its words."""
    words = call.command.words
    rest = tuple(hole for hole in call.command.holes if hole.at > 0)
    for name in () if call.program else _possible_names(call):
        yield replace(call, command=Command((name, *words[1:]), call.command.exact, rest))
    for item in call.items[:_MAX_WORDS]:
        named_so = item.text.rpartition("/")[2]
        if named_so and not item.unknown and named_so not in _VERBS and " " not in item.text:
            place = item.place
            holes = (hole for hole in call.command.holes if hole.at > place)
            inner = Command(
                words[place:],
                call.command.exact,
                tuple(replace(hole, at=hole.at - place) for hole in holes),
            )
            yield replace(call, command=inner)


def nested_texts(call: CommandCall) -> Iterator[str]:
    """Yield the words that may be shell texts, without those that are messages."""
    words = call.command.words
    unknown = {hole.at for hole in call.command.holes}
    count = 0
    for line in (line for text in call.command.stdin for line in text.split("\n")[:_MAX_WORDS]):
        if match := _ESCAPE.match(line):
            yield line[match.end() :]
    for at, (before, text) in enumerate(pairwise(words), 1):
        assignment = _ASSIGNED.fullmatch(text)
        value = assignment[1] if assignment else text
        if re.search(r"\s", value) and at not in unknown and not _MESSAGES.fullmatch(before):
            if assignment and _MESSAGES.fullmatch(text.partition("=")[0]):
                continue
            match = _ESCAPE.match(value)
            yield value[match.end() :] if match else value
            yield from _inner(value)
            count += 1
            if count >= _MAX_WORDS:
                return


def _inner(text: str) -> Iterator[str]:
    """Yield the quoted texts within a text of another language."""
    quoted = ("".join(parts) for parts in _INNER.findall(text[:_MAX_CHARS]))
    yield from islice(
        (text_part for text_part in quoted if re.search(r"\s", text_part)), _MAX_WORDS
    )


def downgraded(danger: Risk, call: CommandCall) -> Risk:
    """Return the risk, as asked about, of a program that may run its words."""
    why = f"may run {quoted_word(danger.command)}, which {danger.reason}"
    instead = danger.alternative or "Run the target program directly."
    return replace(
        danger, severity="ask", reason=why, alternative=instead, certain=False, command=call.text
    )


_VARIABLE = lazy_compile(
    r"\$(?:[A-Za-z_]\w*|\{([A-Za-z_]\w*)(?::?[-?][\w./-]*)?\}|\{\d:?-[\w./-]{3,}\})"
)
_LITERAL = lazy_compile(r"[\w.+/\\@:-]*")
_SEPARATED = lazy_compile(r"[-_./\\]")
_ENOUGH = 3
"""Letters of a program's name that a variable completes: `${CROSS_COMPILE}gcc`, `python$VERSION`.

With fewer, as in `r${x}m`, the name is hidden rather than completed.
"""

_TEXT = lazy_compile(r"[\w./-]+\s")
_PASSED = frozenset({"$1", "${1}"})
_BELOW = lazy_compile(r"\$\([^()]*\)/[\w./-]+")
_FOUND = lazy_compile(r"\$\(\s*(?:which|command -v|type -p)\s+[\w.-]+\s*\)")
_ECHOED = lazy_compile(r"(?:\$\(|`)\s*(?:echo|printf)\b")
_INSTEAD = "Write the program's name in the command."


def unnamed_program_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of a command whose program is unknown.

    A variable that names one is usual. A deletion, if it were rm, is asked about; so is a program
    whose name another command prints.
    """
    if not call.command.words:
        if call.command.holes:
            why = "runs a program that another one names"
            yield replace(
                call_risk(call, "shell.unknown-program", "ask", why, _INSTEAD), certain=False
            )
        return
    name = call.command.words[0]
    if name.endswith("/") and all(hole.at for hole in call.command.holes):
        return  # a folder cannot be run
    tree = call.has("-r") or call.has("-R")
    risks = (
        [deletion_risk(item, call, "deletes", tree=True) for item in call.items]
        if tree or call.has("-f")
        else []
    )
    usual = (
        _is_usual(name, call)
        or _FOUND.fullmatch(name) is not None
        or _is_operand(call)
        or _is_passed(name, call)
    )
    denied = [risk for risk in risks if risk is not None and risk.severity == "deny"]
    if denied or (any(risks) and tree and call.has("-f")) or not usual:
        why = f"runs a program that is not known from the text ({name[:40]})"
        yield replace(call_risk(call, "shell.unknown-program", "ask", why, _INSTEAD), certain=False)
    if _ECHOED.match(name):
        yield from (replace(risk, rule="rm.recursive") for risk in denied)


def _is_operand(call: CommandCall) -> bool:
    """Return whether a glob of files, or a text, is rather an argument of the program before it.

    A text is read as the command that a shell makes of it, too.
    """
    first = next((hole for hole in call.command.holes if hole.at == 0), None)
    text = _TEXT.match(call.command.words[0])
    return (
        bool(call.command.wrappers) and first is not None and bool(first.spread == "glob" or text)
    )


def _is_passed(name: str, call: CommandCall) -> bool:
    """Return whether a function runs its arguments: the calls of it in the text are judged."""
    called = [value for value in call.context.values.get("1", ()) if value != "$1"]
    known = bool(called) and not any("$" in value for value in called)
    return known and name in _PASSED and not call.command.wrappers


def _is_usual(name: str, call: CommandCall) -> bool:
    """Return whether a name has variables as people use them: `$TOOL`, `${NAME}-build`.

    The text must not fill them by the output of a program.
    """
    if _BELOW.fullmatch(name):
        return True
    literals = _literals(name)
    written = [part for part in literals if part]
    hidden = not any(len(part) >= _ENOUGH or _SEPARATED.search(part) for part in written)
    if not literals[1:] or not all(map(_LITERAL.fullmatch, written)) or (written and hidden):
        return False
    return not any(_is_filled(match, call) for match in _VARIABLE.finditer(name))


def _possible_names(call: CommandCall) -> Iterator[str]:
    """Yield the names that a program may have: by the values of its variables, or without them."""
    name = call.command.words[0]
    known = (text for text in with_values(name, call.context.values) if text != name)
    yield from (text for text in (*known, "".join(_literals(name))) if text and "$" not in text)


def _literals(name: str) -> list[str]:
    """Return the parts of a name between its variables."""
    return _VARIABLE.sub("\0", name).split("\0")


def _is_filled(match: re.Match[str], call: CommandCall) -> bool:
    values = call.context.values.get(match[1] or match[0][1:])
    return values is not None and all(value.startswith(("$(", "`")) for value in values)
