"""Texts that are given to Bash, and are certainly written in PowerShell or Python.

Bash refuses them, or knows none of their commands. They are judged in their own language, and
as Bash reads them, apart from its doubts about words that mean nothing to it.
"""

import re
import shlex
import warnings

from hookd.lazy_pattern import lazy_compile

DOUBTS = frozenset({"shell.unreadable", "shell.unknown-program"})
"""Rules of risks that say only that Bash's reading is not certain."""

_MAX_CHARS = 32_768
_BLANK = r"(?>(?:[ \t]*+(?:\#[^\n]*+)?\n)*)[ \t]*+"
_PYTHON = lazy_compile(
    rf"(?:\#!\S*[ /]python[\d.]*[ \t]*\n)?{_BLANK}(?:import|from)[ \t]+[A-Za-z_]"
)
_REFUSED = lazy_compile(rf"{_BLANK}&[ \t]")
"""A call as the first statement: Bash runs nothing of the text."""

_POWERSHELL = lazy_compile(
    rf"{_BLANK}(?:\$[A-Za-z_][\w:]*[ \t]*=[ \t]|(?:[A-Z][a-z]+-){{1}}[A-Z][A-Za-z]+\b(?!=)"
    r"|@\{|\[[A-Z][\w.]*\]::|(?i:iex|irm|iwr)[ \t])"
)
_VARIABLE = lazy_compile(r"(?i)\$\{?env:[a-z_]\w*")
_SCRIPT = lazy_compile(r"(?i)^[ \t]*&[ \t]+\S*\\\\\S*", re.MULTILINE)
_COMMAND = lazy_compile(r"(?m)^[ \t]*(?:\$\w+[ \t]*=[ \t]*)?[A-Z][a-z]+-[A-Z][A-Za-z]+\b(?!=)")
_CALLED = lazy_compile(r"(?m)(?<!\\\\\n)^&[ \t]+[\"'.$]")
"""PowerShell's call of a program, at the beginning of a line: Bash reads no further."""

_COMMENT = lazy_compile(r"(?m)^[ \t]*\#[^\n]*")
_SHELL = lazy_compile(
    r"(?m)(?:^|[;&|])[ \t]*(?:fi|done|esac|then|do|export|eval|source|[A-Za-z_]\w*=)(?=[^\w({]|$)"
    r"|<<|\$\{?[@*#!]"
    r"|(?<![\w.-])(?:rm|rmdir|shred|truncate|mkfs|dd|xargs|find|sudo|chmod|chown|base64"
    r"|(?:ba|z|da|k)?sh)(?![\w-])"
)
"""Words of a shell, and of programs that do harm if Bash reads the text after all."""


def translated(text: str) -> str | None:
    """Return what a text of PowerShell or Python does, as a shell text; None if it is neither."""
    if len(text) > _MAX_CHARS:
        return None
    if _PYTHON.match(text):
        return _python(text)
    if _is_powershell(text):
        from hookd.risk.powershell import as_shell  # noqa: PLC0415 - slow, rarely needed

        return as_shell(text)
    return None


def _is_powershell(text: str) -> bool:
    if _REFUSED.match(text):
        return True
    begins = _POWERSHELL.match(text) or _CALLED.search(text)
    return begins is not None and _marked(text) and not _has_shell_words(text)


def _marked(text: str) -> bool:
    return any(form.search(text) for form in (_COMMAND, _VARIABLE, _SCRIPT))


def _has_shell_words(text: str) -> bool:
    return _SHELL.search(_COMMENT.sub("", text)) is not None


def _python(text: str) -> str | None:
    if "`" in text or "$(" in text or _has_shell_words(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return f"python3 -c {shlex.quote(text)}"
