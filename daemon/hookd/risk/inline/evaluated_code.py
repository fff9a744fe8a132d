"""Code that a program evaluates: `exec("...")`, `eval(b64decode(...))`, `new Function("...")`.

A known text is read like a program of its own. Of an unknown one only the way it was made is known:
decoded or composed texts hide what they do, a file that is read is like a script that is started.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.known_calls import DECODED, DECODES
from hookd.risk.inline.snippets import Snippet, arguments, matches_of, value_of

_FREE = r"(?<![\w.$>:@&-])"

_EVALUATORS = {
    "python": lazy_compile(
        rf"{_FREE}(?:exec|eval|execfile|run_code)(?=\s*\()|\bbuiltins\.(?:exec|eval)\b"
    ),
    "js": lazy_compile(
        rf"{_FREE}(?:eval|Function|setTimeout|setInterval|setImmediate)(?=\s*\()"
        r"|\bvm\.(?:run\w+|Script\)?|compileFunction)(?=\s*\()|\b(?:globalThis|window|global)\.eval\b"
    ),
    "ruby": lazy_compile(
        rf"{_FREE}eval\b|\b(?:instance|class|module)_eval\b(?!\s*[{{d])|\bbinding\.eval\b"
    ),
    "perl": lazy_compile(rf"{_FREE}eval\b(?!\s*\{{)"),
    "php": lazy_compile(rf"{_FREE}(?:eval|assert|create_function)(?=\s*\()"),
    "lua": lazy_compile(rf"{_FREE}(?:load|loadstring|dostring)(?=\s*[(\x01])"),
    "r": lazy_compile(
        rf"{_FREE}eval(?=\s*\()|{_FREE}evalq(?=\s*\()|\bsource\(textConnection(?=\s*\()"
    ),
    "osa": lazy_compile(r"\brun script\b"),
    "other": lazy_compile(
        r"(?<![\w.-])(?:eval|eval-string|evalstr|Code\.eval_string|EVAL|load-string)(?=[\s(]*\x01)"
    ),
}
_BARE = frozenset({"ruby", "perl", "osa", "other"})
_TEXT = lazy_compile(r"[bru]?\x01(\d+)\x02")
_WRAPPED = lazy_compile(
    r"(?:(?:compile|parse|text|str|bytes|String|Code)\s*[(=]\s*)*[bru]?\x01(\d+)\x02"
)
_READS = lazy_compile(
    r"\b(?:open|read|readFileSync|readFile|read_text|File|IO|file_get_contents|__DATA__|slurp"
    r"|readLines|quote|bquote|substitute|expression|file|require|import|get_data|getsource)\b|<\$?\w*>|\bSTDIN\b|\b(?:q|qq)\s*\{"
)
_RECEIVED = lazy_compile(r"(?i)stdin|popen|^php://input|^https?://|\bargv\b")
"""Sources of code that no file on the disk has."""

_HARMLESS = lazy_compile(
    r"[\d\s.+*/%()-]*|true|false|\w+\s*=>.*|(?:async\s+)?(?:\([^()]*\)|\w+)\s*=>.*|function\b.*",
    re.DOTALL,
)


class Evaluated(NamedTuple):
    """A text that a program evaluates; None if it is not known."""

    text: str | None


def evaluated_texts(program: Snippet, language: str) -> Iterator[Evaluated]:
    """Yield what a program evaluates as code of its own language."""
    pattern = _EVALUATORS.get(language)
    if pattern is None:
        return
    for match in pattern.finditer(program.code):
        args, _ = arguments(program.code, match.end(), bare=language in _BARE)
        last = match[0].endswith(("Function", "create_function"))
        source = value_of(program, args[-1] if last else args[0]) if args and args[0] else ""
        if text := _WRAPPED.match(source):
            yield Evaluated(program.texts[int(text[1])].content)
        elif source and not match[0].startswith("set") and not _is_readable(program, source):
            yield Evaluated(None)


def _is_readable(program: Snippet, source: str) -> bool:
    """Return whether code is read from a file, like a script, or has no effect."""
    named = [program.texts[int(number)].content for number in _TEXT.findall(source)]
    if _RECEIVED.search(source) or any(map(_RECEIVED.search, named)):
        return False
    return _READS.search(source) is not None or _HARMLESS.fullmatch(source) is not None


def runs_decoded(program: Snippet, language: str, calls: list[re.Match[str]]) -> bool:
    """Return whether a call runs, or evaluates, a decoded text; `calls` start programs."""
    if next(matches_of(program, DECODES), None) is None:
        return False
    if next(matches_of(program, DECODED), None) is not None:
        return True
    pattern = _EVALUATORS.get(language)
    evaluated = pattern.finditer(program.written) if pattern is not None else ()
    written = Snippet(program.written, program.texts, variables=program.written_variables)
    for match in (*evaluated, *calls):
        args, _ = arguments(program.written, match.end(), bare=language in _BARE)
        if any(DECODES.pattern.search(value_of(written, arg)) for arg in args[:2]):
            return True
    return False
