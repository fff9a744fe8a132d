"""The home of what a user says in own words: a prompt without what it quotes, and phrases in it.

What is left is compared word by word, whatever the case. The time that it takes grows with the text
and no faster.
"""

import re
from collections.abc import Iterable

from hookd.core.telling.spoken import spoken

# What an apostrophe begins and ends within a word is no quotation.
_QUOTED = re.compile(r"(?<!\w)'[^'\n]*+'(?!\w)")
_TOKEN = re.compile(r"[\w'/-]+|[.!?;:,()\n]")
_ENDS = frozenset(".!?;:,()\n")
_NEGATIONS = frozenset({"not", "never", "without", "don't", "dont", "doesn't", "won't"})
_COURTESY = frozenset({"please", "ok", "okay", "yes", "now", "and", "so", "then", "alright"})


def own_words(prompt: str) -> str:
    """Return the words of a prompt that are the user's own, one space between and around them."""
    return spelled(_QUOTED.sub(" , ", spoken(prompt).replace("’", "'")))


def spelled(text: str) -> str:
    """Return a text's words in lower case, one space between and around them.

    >>> spelled("Stop the  Loop!")
    ' stop the loop ! '
    """
    return f" {' '.join(_TOKEN.findall(text.replace('’', chr(39)).casefold()))} "


def said(phrases: Iterable[str], words: str) -> str:
    """Return the first of these phrases that stands whole in the words, "" where none does.

    A word that denies it right before it makes it none.
    """
    return next((one for one in phrases if any(_denied(words, one))), "")


def opened(phrases: Iterable[str], words: str) -> str:
    """Return the first of these phrases that begins a sentence, but for courtesies."""
    return next((one for one in phrases if any(_opening(words, one))), "")


def _denied(words: str, phrase: str) -> Iterable[bool]:
    return (_before(words, place)[0] not in _NEGATIONS for place in _places(words, phrase))


def _opening(words: str, phrase: str) -> Iterable[bool]:
    for place in _places(words, phrase):
        word, at = _before(words, place)
        while word in _COURTESY:
            word, at = _before(words, at)
        yield not word or word in _ENDS


def _places(words: str, phrase: str) -> Iterable[int]:
    """Yield where a phrase stands: the place of the space before it."""
    wanted = spelled(phrase)
    place = words.find(wanted) if wanted.strip() else -1
    while place >= 0:
        yield place
        place = words.find(wanted, place + 1)


def _before(words: str, place: int) -> tuple[str, int]:
    """Return the word before a space, and the place of the space before that; "" at the start."""
    start = max(words.rfind(" ", 0, place), 0)
    return words[start:place].strip(" "), start
