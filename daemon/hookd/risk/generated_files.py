"""Files that a text writes and then uses: scripts that it runs, links.

A file is identified by its name alone, wherever the text writes and runs it.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.source import EVALUATES, language_of
from hookd.risk.model import CommandCall, Risk
from hookd.risk.path_areas import FAR, PHRASES, Area, area, paths
from hookd.risk.quoting import quoted_word
from hookd.risk.rules.deletion import DELETERS, FINDERS, start_folders
from hookd.risk.rules.remote_code import run_file
from hookd.shell.argv import Item
from hookd.shell.command_flags import recipe_of
from hookd.shell.commands import Command, Shell
from hookd.shell.interpreters import SHELLS

_SHEBANG = lazy_compile(r"#![ \t]*(?:[^\s/]*/)*([\w.+-]+)(?:[ \t]+(?:-S[ \t]+)?([\w.+-]+))?")
_MAKES = frozenset({"make", "gmake"})
LINKERS = frozenset({"ln", "gln", "mount"})
_WORTH: frozenset[Area] = FAR | {"project", "repository", "unknown"}
_INSTEAD = "Name the target folder itself."

GeneratedFiles = Mapping[str, tuple[str, ...]]
"""Possible contents of files, by file name."""


def files_written_by(shell: Shell) -> GeneratedFiles:
    """Return the files that a text writes, as far as their contents are known."""
    texts: dict[str, list[str]] = {}
    for redirect in shell.redirects:
        if redirect.text is not None and redirect.writes:
            texts.setdefault(posixpath.basename(redirect.path), []).append(redirect.text)
    for command in shell.commands:
        if command.argv.name == "tee" and command.stdin and not command.piped_input:
            for item in command.argv.items:
                texts.setdefault(posixpath.basename(item.text), []).extend(command.stdin)
    return {name: tuple(parts) for name, parts in texts.items() if name}


def executed_generated_files(
    call: CommandCall, generated: GeneratedFiles
) -> Iterator[Command | str]:
    """Yield the shell texts, or the commands of interpreters, that a call runs from these files."""
    item = run_file(call) if generated else None
    if call.program in _MAKES and call.has("-n", "--dry-run", "--just-print", "--recon"):
        return
    for text in generated.get(posixpath.basename(item.text), ()) if item is not None else ():
        if call.program in _MAKES:
            yield recipe_of(text)
            continue
        by_name = "/" in call.words.path and item is not None and item.place == 0
        program = _interpreter(text) if by_name else call.program
        inner = Command((program, "", text), exact=True)
        language = language_of(inner)
        if language in EVALUATES:
            yield Command((program, EVALUATES[language][1][0], text), exact=True)
        elif language == "awk":
            yield Command((program, text), exact=True)
        elif program in SHELLS | {"source", "."}:
            yield text


def _interpreter(text: str) -> str:
    """Return the program in the first line of a file; a shell if none is named."""
    match = _SHEBANG.match(text)
    if match is None:
        return "sh"
    return match[2] or "sh" if match[1] == "env" else match[1]


def through_links(calls: Iterable[CommandCall]) -> Iterator[Risk]:
    """Yield the deletions below a link that the same text creates."""
    links: dict[str, Item] = {}
    for call in calls:
        if call.program in DELETERS | FINDERS and links:
            deletes = call.program in DELETERS or call.has("-delete", "-exec", "-execdir")
            yield from _below(call, links) if deletes else ()
        elif (call.program in ("ln", "gln") and call.has("-s", "--symbolic")) or (
            call.program == "mount" and call.has("--bind", "--rbind")
        ):
            for path in paths(call.items[-1], call.context) if len(call.items) > 1 else ():
                links[path] = call.items[-2]


def _below(call: CommandCall, links: Mapping[str, Item]) -> Iterator[Risk]:
    for item in start_folders(call) if call.program in FINDERS else call.items:
        ends = item.text.endswith("/")
        for path in paths(item, call.context):
            for link, target in links.items():
                inside = path.startswith(f"{link}/") or (path == link and ends)
                where = area(target, call.context)
                if inside and where in _WORTH:
                    target_phrase = f"{quoted_word(target.text)} ({PHRASES[where]})"
                    why = f"deletes below a link to {target_phrase} that is created just before"
                    yield Risk(
                        "deletes",
                        "ask",
                        why,
                        _INSTEAD,
                        command=call.text,
                        rule="files.delete-through-link",
                    )
