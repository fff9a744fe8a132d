"""Make a guard rule from a call that was made: a narrow pattern, for exactly such a call."""

import json
import posixpath
from collections.abc import Mapping
from shlex import quote
from typing import Any

from hookd.core.guard_rules.example_check import check_examples
from hookd.core.guard_rules.rule import Rule
from hookd.core.model.facts import Guard
from hookd.events.call_parts import APPLY_PATCH, patched_names
from hookd.events.tool_pattern import ToolCall, main_field
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
from hookd.shell.commands import Command, read
from hookd.shell.quoting import names

TEXTS = {"deny": "The user does not want this call.", "ask": "Is this call wanted?"}
"""The text of a rule without one, by its short key."""

_SILENT = names("cd pushd popd echo printf true false : export set unset pwd test [ [[ sleep wait")
"""Programs that are hardly what a rule is about, if others run beside them."""

_EDITORS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
_REDACTED = "[redacted:"
_WILD = lazy_compile(r"([*?\[])")
_WORD = lazy_compile(r"[A-Za-z0-9_.-]+")
_MAX_NAME_CHARS = 48
_MAX_PATTERN_CHARS = 1_000


_PRINTERS = names("cat echo printf")
"""Programs whose words do not say what a call does that writes their output to a file."""


class UnclearCallError(Exception):
    """Why no rule can be made from a call; `patterns` are those to choose from.

    `file` is what the call writes, if a rule about that file is what people want.
    """

    def __init__(self, sentence: str, patterns: tuple[str, ...] = (), file: str = "") -> None:
        super().__init__(sentence)
        self.patterns = patterns
        self.file = file


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call that was made in the folder `cwd`, in a project at `project`."""

    tool: str
    input: Mapping[str, Any]
    cwd: str
    project: str
    home: str = ""


def rule_of_call(call: MadeCall, pattern: str, name: str, action: str, text: str) -> dict[str, Any]:
    """Return a rule in the short form, with the call as its example.

    `action` is `deny` or `ask`. Raise UnclearCallError if the rule would not stop the call.
    """
    kind = "denies" if action == "deny" else "asks"
    example = _example(call)
    rule = {"id": name, "match": pattern, action: text or TEXTS[action]}
    known = Rule.model_validate({**rule, kind: example})
    guard = Guard(1, name, "user", known.model_dump_json(by_alias=True, exclude_none=True))
    if not all(one.passed for one in check_examples([guard], call.project, call.home)):
        raise UnclearCallError(f"{pattern} does not match the call")
    return {**rule, kind: [example]}


def pattern_of_call(call: MadeCall, *, in_project: bool) -> str:
    """Return a pattern for such a call only; `in_project`: paths begin at the project's root.

    Raise UnclearCallError.
    """
    if call.tool == "Bash":
        found = _pattern_of_command(str(call.input.get("command", "")))
    elif call.tool in (*_EDITORS, "Read"):
        path = call.input.get(main_field(call.tool) or "")
        found = _pattern_of_file(call, path, in_project=in_project)
    elif call.tool == APPLY_PATCH:
        found = _pattern_of_patch(call, in_project=in_project)
    else:
        found = _pattern_of_input(call)
    if _REDACTED in found.replace("[[]", "["):
        raise UnclearCallError("a secret was removed from the call when it was recorded")
    if len(found) > _MAX_PATTERN_CHARS:
        raise UnclearCallError("the call is too long for a pattern")
    return found


def _pattern_of_command(text: str) -> str:
    shell = read(text)
    if shell.unreadable is not None:
        raise UnclearCallError(f"the command cannot be read: {shell.unreadable}")
    known = [one for one in shell.commands if one.argv.program]
    chosen = [one for one in known if one.argv.program not in _SILENT] or known
    patterns = tuple(dict.fromkeys(map(_pattern_of_words, chosen)))
    if not patterns:
        raise UnclearCallError("no program of the command is known from its text")
    if len(patterns) > 1:
        raise UnclearCallError("the command runs several programs", patterns)
    written = next((one.path for one in shell.redirects if one.writes and not one.hole), "")
    if written and chosen[0].argv.program in _PRINTERS:
        raise UnclearCallError(f"all that it does is write {written}", file=written)
    return patterns[0]


def _pattern_of_words(command: Command) -> str:
    words = (command.argv.program, *command.words[1:])
    # Unknown words are compared as they are written, where only `*` is special.
    texts = words if command.holes else map(_literal, words)
    return f"Bash({' '.join(map(quote, texts))})"


def _pattern_of_patch(call: MadeCall, *, in_project: bool) -> str:
    paths = patched_names(call.input)
    patterns = tuple(_pattern_of_file(call, path, in_project=in_project) for path in paths)
    if not patterns:
        raise UnclearCallError("the patch names no file")
    if len(patterns) > 1:
        raise UnclearCallError("the patch changes several files", patterns)
    return patterns[0]


def _pattern_of_file(call: MadeCall, path: object, *, in_project: bool) -> str:
    if not isinstance(path, str) or not path:
        raise UnclearCallError("the call names no file")
    whole = posixpath.normpath(posixpath.join(call.cwd or "/", path))
    root = call.project.rstrip("/")
    place = whole[len(root) :] if in_project and whole.startswith(f"{root}/") else f"/{whole}"
    return f"{'Read' if call.tool == 'Read' else 'Edit'}({_literal(place)})"


def _pattern_of_input(call: MadeCall) -> str:
    if not call.input:
        return call.tool
    text = ToolCall(call.tool, call.input).primary
    if not text:
        raise UnclearCallError(f"the call of {call.tool} has no {main_field(call.tool)}")
    return f"{call.tool}({_literal(text)})"


def _literal(text: str) -> str:
    """Return a glob that matches only this text."""
    return _WILD.sub(r"[\1]", text)


def name_of_pattern(pattern: str, action: str) -> str:
    """Return a name for a rule over a pattern, such as `deny-npm-publish`."""
    tool, _, rest = pattern.partition("(")
    subject = rest[:-1] if tool == "Bash" else f"{tool} {posixpath.basename(rest[:-1])}"
    words = (word.strip("-.") for word in _WORD.findall(subject.replace("mcp__", "").lower()))
    return "-".join((action, *filter(None, words)))[:_MAX_NAME_CHARS].rstrip("-._")


def _example(call: MadeCall) -> str | dict[str, Any]:
    """Return the call as an example of a rule."""
    if call.tool == "Bash":
        text = str(call.input.get("command", ""))
    else:
        field = main_field(call.tool)
        given = call.input.get(field) if field else None
        whole = json.dumps(dict(call.input), ensure_ascii=False)
        text = f"{call.tool}({given if isinstance(given, str) else whole})"
    inside = f"{call.cwd}/".startswith(f"{call.project.rstrip('/')}/")
    folder = posixpath.relpath(call.cwd, call.project) if inside else call.cwd
    return text if folder in ("", ".") else {"call": text, "folder": folder}
