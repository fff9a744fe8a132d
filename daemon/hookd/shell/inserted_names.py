"""Names that find and xargs insert in the text of a shell: `xargs -I{} sh -c 'wc -l {}'`."""

from collections.abc import Sequence

from hookd.programs.catalogue import with_trait
from hookd.shell.model import CommandRun, Redirect
from hookd.shell.quoting import names
from hookd.shell.words import Word
from hookd.shell.wrappers import program_of

_READERS = (with_trait("plain") & with_trait("takes-text")) - names(
    "command declare export fc hash history less let local man more read readonly trap type typeset"
    " gh glab"
)
"""Programs that only read the files among their words."""


def _mark(word: Word) -> str:
    """Return what find replaces by a name in a text: `{}`, or one sign; empty for a variable."""
    unknown = word.text[len(word.head) : len(word.text) - len(word.tail)]
    if "$" in unknown or "`" in unknown:
        return ""
    return "{}" if "{}" in unknown else unknown[:1]


def only_reads(
    words: Sequence[Word], runs: Sequence[CommandRun], redirects: Sequence[Redirect]
) -> bool:
    """Return whether a text with names that find or xargs insert only reads files.

    As in `xargs -I{} sh -c 'wc -l {}'`. Where another program runs, or a name begins a command, the
    name may have any effect.
    """
    marks = set(map(_mark, words))
    opened = any(mark in redirect.target.text for mark in marks for redirect in redirects)
    return (
        bool(runs)
        and not opened
        and "" not in marks
        and all(program_of(run.words) in _READERS for run in runs)
    )
