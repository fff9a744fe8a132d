"""Deletions in a program that no call shows: a deleting function that is passed on.

`map(shutil.rmtree, ["/srv"])` names a function that deletes, and a path. What is told here is a
guess, and asked about at most.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from hookd.risk.inline.known_calls import EVALUATES
from hookd.risk.inline.lowering import quoted
from hookd.risk.inline.snippets import HOME, Snippet, marked
from hookd.shell.quoting import names

_IMPORTS = re.compile(
    r"\bfrom\s+[\w.]+\s+import\s+[^;\n]+|\bimport\s+[^;\n]+|\{[^{}]*\}\s*=\s*require\([^()]*\)"
)
_CALLED = r"(?!\s*[(\x01$@\w:=])"
_DELETES = re.compile(
    r"\b(?:rmtree|rmSync|unlinkSync|rmdirSync|truncateSync|ftruncate|rm_rf|remove_tree)\b"
    rf"{_CALLED}|\b(?:os|fs|File|shutil|Path)\.(?:remove|unlink|rmdir|rm|truncate|delete)\b{_CALLED}"
    r"|\brimraf\b|\bsh\.rm\b|\bftruncate\b"
)
_RUNS = re.compile(
    rf"\.(?:system|popen|execSync|spawnSync|exec|spawn|Popen|check_call|check_output|run){_CALLED}"
)
_STARTS = re.compile(r"\b(?:run|call|Popen|spawn|spawnSync|check_call|execFile\w*|exec\w+)\s*\(")
_DELETERS = names("rm /bin/rm /usr/bin/rm shred rimraf unlink rmtree rmsync unlinksync remove_tree")
_RUNNERS = names("exec execsync system popen shell_exec passthru")
_GLOBBED = re.compile(r"(?:/[\w.@+*?-]+)+/?|/\*?")
_PATH = re.compile(r"(?:~|/|\.\./|\x03)[^\s:;|&<>()]*")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_MOST = 16


def hints(found: Snippet, acts: Sequence[str]) -> tuple[str, ...]:
    """Return texts for a shell that a program may amount to; `acts` is what it is known to do."""
    code = _IMPORTS.sub(" ", found.code)
    said = [text.said for text in found.texts]
    lone = {text.lower() for text in said}
    made: list[str] = []
    unknown = any(re.fullmatch(r'rm -r?f "\$UNKNOWN"', text) for text in acts)
    listed = not _DELETERS.isdisjoint(lone) and (_STARTS.search(code) or "(" in code)
    if unknown or listed or _DELETES.search(code):
        made += islice(_deleted(said), _MOST)
    evaluates = next(marked(found, EVALUATES), None) is not None
    if evaluates or _RUNS.search(code) or not _RUNNERS.isdisjoint(lone):
        made += islice(_run(said), _MOST)
    return tuple(dict.fromkeys(made))


def _deleted(said: Sequence[str]) -> Iterator[str]:
    for text in said:
        if _PATH.fullmatch(text):
            path = text.replace(HOME, "~")
            plain = _GLOBBED.fullmatch(path) or path == "~"
            tail = path[2:] if path.startswith("~/") else ""
            yield f"rm -rf {path if plain else f'~/{quoted(tail)}' if tail else quoted(path)}"


def _run(said: Sequence[str]) -> Iterator[str]:
    for text in said:
        if " " in text:
            yield text
            yield from (one[1] or one[2] for one in _QUOTED.finditer(text) if " " in one[0])
