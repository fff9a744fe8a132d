"""Files that a text writes and then uses: scripts that it runs, links.

A file is identified by its name alone, wherever the text writes and runs it.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import dropwhile

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.interpreters import effects_of
from hookd.risk.inline.snippets import snippet
from hookd.risk.inline.source import EVALUATES, language_of, programs, runs_code
from hookd.risk.model import CallContext, CommandCall, Risk
from hookd.risk.path_areas import FAR, PHRASES, Area, area, paths
from hookd.risk.quoting import quoted_word
from hookd.risk.rules.deletion import DELETERS, FINDERS, start_folders
from hookd.risk.rules.remote_code import run_file
from hookd.shell.argv import Item
from hookd.shell.command_flags import recipe_of
from hookd.shell.commands import Command, Redirect, Shell
from hookd.shell.interpreters import SHELLS

_SHEBANG = lazy_compile(r"#![ \t]*(?:[^\s/]*/)*([\w.+-]+)(?:[ \t]+(?:-S[ \t]+)?([\w.+-]+))?")
_MAKES = frozenset({"make", "gmake"})
LINKERS = frozenset({"ln", "gln", "mount"})
_WORTH: frozenset[Area] = FAR | {"project", "repository", "unknown"}
_INSTEAD = "Name the target folder itself."


class GeneratedFiles(dict[str, tuple[str, ...]]):
    """Possible contents of files, by file name.

    `fed` are the contents that a program may receive as its input, `programs` the programs that are
    copied, by the name of the copy. `guessed` are texts of the line that may be a file's content.
    """

    guessed: frozenset[str] = frozenset()
    fed: tuple[str, ...] = ()
    programs: Mapping[str, str] = {}

    def __bool__(self) -> bool:
        """Return whether the text makes any file or program."""
        return len(self) > 0 or len(self.programs) > 0


_NONE = GeneratedFiles()
_COPIES = frozenset({"cp", "mv", "ln", "install", "rsync", "gcp", "gmv", "gln", "ginstall"})
_TEES = frozenset({"tee", "sponge", "gtee"})
_PRINTS = frozenset({"echo", "printf", "print", "cat"})
_MAX_FILES = 16
"""Maximum files of unknown content of one text that are followed."""

_FLAGS = lazy_compile(r"-[neE]+|--")
_ESCAPES = {"\\n": "\n", "\\t": "\t"}
_WRITES = lazy_compile(r"(?:cat|:) >>? (?P<quote>['\"]?)([^'\"]+)(?P=quote)")
_FOLDERS = lazy_compile(r"(?:/usr(?:/local)?|/opt/homebrew)?/s?bin/")
_FOUND = lazy_compile(r"(?:\$\(|`)\s*(?:which|command -v|type -[pP])\s+([\w.-]+)\s*[)`]")


@lru_cache(maxsize=16)
def files_written_by(shell: Shell) -> GeneratedFiles:
    """Return the files that a text writes, as far as their contents are known; cached."""
    if len(shell.commands) < 2:
        return _NONE
    texts: dict[str, list[str]] = {}
    for name, written in _written(shell):
        if name:
            texts.setdefault(name, []).extend(written)
    _copy(shell, texts)
    files = GeneratedFiles({name: tuple(dict.fromkeys(parts)) for name, parts in texts.items()})
    if files:
        files.fed = tuple(text for name in _given(shell) for text in files.get(name, ()))
    files.programs = dict(_copied_programs(shell))
    known = {redirect.text for redirect in shell.redirects}
    files.guessed = frozenset(text for each in files.values() for text in each) - known
    return files or _NONE


def _written(shell: Shell) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the name of each file that is written, and its possible contents."""
    unknown = [posixpath.basename(each.path) for each in shell.redirects if _opens(each)]
    for redirect in shell.redirects:
        if redirect.text is not None and redirect.writes:
            yield posixpath.basename(redirect.path), (redirect.text,)
    for command in shell.commands:
        name, stdin = command.argv.name, command.stdin
        if name in _TEES:
            printed = stdin if not command.piped_input else _printed(shell)
            yield from ((posixpath.basename(item.text), printed) for item in command.argv.items)
        elif name == "dd" and stdin:
            targets = (word[3:] for word in command.words if word.startswith("of="))
            yield from ((posixpath.basename(target), stdin) for target in targets)
        elif runs_code(command):
            yield from _saved_by_code(command)
    if unknown:
        printed = _printed(shell)
        yield from ((name, printed) for name in unknown[:_MAX_FILES])


def _opens(redirect: Redirect) -> bool:
    """Return whether a redirection writes something unknown to a file."""
    return redirect.text is None and redirect.writes and not redirect.path.startswith("/dev/")


def _printed(shell: Shell) -> tuple[str, ...]:
    """Return the texts that the commands of a text print or receive, and all of them together."""
    texts: list[str] = []
    for command in shell.commands:
        if command.argv.name in _PRINTS:
            words = list(dropwhile(_FLAGS.fullmatch, command.words[1:]))
            text = " ".join(words)
            for escape, sign in _ESCAPES.items():
                text = text.replace(escape, sign)
            texts += [text.replace("%s", "")] if words else []
        elif command.argv.name in ("jq", "gojq", "jaq"):
            texts += [item.text.strip("\"'") for item in command.argv.items]
        elif runs_code(command):
            texts += _texts_of_code(command)
        if command.argv.name not in SHELLS and not runs_code(command):
            texts += command.stdin  # the others consume it
    if len(texts) > _MAX_FILES:
        return ()
    return tuple(dict.fromkeys((*texts, "\n".join(texts))))


def _saved_by_code(command: Command) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the files that inline code writes; any text of the code may be their content."""
    for code in programs(CommandCall(command, CallContext())):
        effects = effects_of(code.source, code.language).texts
        names = [match[2] for match in map(_WRITES.fullmatch, effects) if match]
        if names:
            contents = _texts_of_code(command)
            yield from ((posixpath.basename(name), contents) for name in names)


def _texts_of_code(command: Command) -> list[str]:
    """Return the texts with blanks in the inline code of a command."""
    codes = programs(CommandCall(command, CallContext()))
    texts = (each.content for code in codes for each in snippet(code.source, code.language).texts)
    return [text for text in texts if re.search(r"\s", text)]


def _copy(shell: Shell, texts: dict[str, list[str]]) -> None:
    """Give copies and links of written files their contents."""
    if not texts:
        return
    for command in shell.commands:
        if command.argv.name in _COPIES and len(command.argv.items) > 1:
            *sources, target = (posixpath.basename(item.text) for item in command.argv.items)
            for source in sources:
                if source in texts and target:
                    both = (*texts.get(target, ()), *texts[source])
                    texts[target] = list(dict.fromkeys(both))  # `cp a a` doubles nothing


def _given(shell: Shell) -> Iterator[str]:
    """Yield the names of the files that a program may receive as its input."""
    for redirect in shell.redirects:
        if redirect.operator == "<":
            yield posixpath.basename(redirect.path)
    for command in shell.commands:
        if command.argv.name in ("cat", "head", "tail"):
            yield from (posixpath.basename(item.text) for item in command.argv.items)


def _copied_programs(shell: Shell) -> Iterator[tuple[str, str]]:
    """Yield the name of each copy of a program, and the program's name."""
    for command in shell.commands:
        items = command.argv.items
        if command.argv.name in _COPIES and len(items) > 1:
            if program := _program_at(items[-2].text):
                yield posixpath.basename(items[-1].text), program
        elif command.argv.name == "cat" and items and (program := _program_at(items[0].text)):
            for redirect in shell.redirects:
                if redirect.writes and redirect.text is None:
                    yield posixpath.basename(redirect.path), program


def _program_at(path: str) -> str:
    """Return the name of the program that a path, or a search for it, leads to; else empty."""
    if match := _FOUND.fullmatch(path):
        return match[1]
    match = _FOLDERS.match(path)
    return path[match.end() :] if match and "/" not in path[match.end() :] else ""


_LAUNCHERS = frozenset(
    {"uv", "uvx", "npx", "bunx", "pnpm", "yarn", "deno", "bun", "tsx", "ts-node", "node", "pipx"}
    | {"nodejs", "poetry", "hatch", "pdm", "rye", "streamlit", "xargs", "nohup", "nodemon"}
)
"""Programs that run a file among their words, by its ending."""

_PACKAGES = frozenset({"npm", "yarn", "pnpm", "bun"})
_ENDINGS = {
    **dict.fromkeys(("js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx"), "node"),
    "py": "python3",
    "rb": "ruby",
    "pl": "perl",
    "php": "php",
    "lua": "lua",
    "r": "rscript",
    **dict.fromkeys(("sh", "bash", "zsh", "command"), "sh"),
}
_IMPORTS = lazy_compile(r"\b(?:import|from)\s+([\w.]+)|['\"]([\w./-]+\.\w+)['\"]")


def executed_generated_files(
    call: CommandCall, generated: GeneratedFiles
) -> Iterator[Command | str]:
    """Yield the shell texts, or the commands of interpreters, that a call runs from these files."""
    if not generated:
        return
    if call.program in _MAKES and call.has("-n", "--dry-run", "--just-print", "--recon"):
        return
    if program := generated.programs.get(call.program):
        yield replace(call.command, words=(program, *call.command.words[1:]))
    for name, program in _run_names(call, generated):
        for text in generated.get(name, ()):
            yield from _as_run(text, program)
    reads = call.program in SHELLS or language_of(call.command) != ""
    if generated.fed and reads and not call.items:
        for text in generated.fed:
            yield from _as_run(text, call.program)


def _run_names(call: CommandCall, generated: GeneratedFiles) -> Iterator[tuple[str, str]]:
    """Yield the names of the files that a call runs, and the program that reads each."""
    item = run_file(call)
    if item is not None:
        by_name = "/" in call.words.path and item.place == 0
        yield posixpath.basename(item.text), "" if by_name else call.program
    yield from _named_files(call, generated)
    if call.program in _PACKAGES and "package.json" in generated:
        yield "package.json", call.program
    elif call.program == "just":
        yield from ((name, "just") for name in ("justfile", "Justfile", ".justfile"))


def _named_files(call: CommandCall, generated: GeneratedFiles) -> Iterator[tuple[str, str]]:
    """Yield the files that are named in flags, among the words of a launcher, or in code."""
    if call.program in _LAUNCHERS:
        names = [posixpath.basename(item.text) for item in call.items[:_MAX_FILES]]
        yield from ((name, _by_ending(name)) for name in names if name in generated)
    elif language_of(call.command) == "awk":
        yield from ((posixpath.basename(file.text), call.program) for file in call.values("-f"))
    elif runs_code(call.command):
        yield from ((f"{module.text}.py", "python3") for module in call.values("-m"))
        for code in programs(call):
            for match in _IMPORTS.finditer(code.source):
                name = posixpath.basename(match[2] or f"{match[1]}.py")
                yield name, _by_ending(name)


def _by_ending(name: str) -> str:
    return _ENDINGS.get(name.rpartition(".")[2].lower(), "sh")


def _as_run(text: str, program: str) -> Iterator[Command | str]:
    """Yield a file's content as the program runs it; without a program its first line names it."""
    if program in _MAKES:
        yield recipe_of(text)
        return
    if program in _PACKAGES:
        yield from _scripts(text)
        return
    if program == "just":
        yield "\n".join(line.strip(" \t@-") for line in text.split("\n") if line[:1] in " \t")
        return
    program = program or _interpreter(text)
    inner = Command((program, "", text), exact=True)
    language = language_of(inner)
    if language in EVALUATES:
        yield Command((program, EVALUATES[language][1][0], text), exact=True)
    elif language == "awk":
        yield Command((program, text), exact=True)
    elif program in SHELLS | {"source", "."}:
        yield text


def _scripts(text: str) -> Iterator[str]:
    """Yield the scripts of a package.json."""
    try:
        found = json.loads(text).get("scripts", {})
    except (ValueError, AttributeError, RecursionError):
        return
    if isinstance(found, dict):
        yield from (script for script in found.values() if isinstance(script, str))


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
