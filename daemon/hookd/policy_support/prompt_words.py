"""The home of what a user says in own words: a prompt without what it quotes, and phrases in it.

What is left is compared word by word, whatever the case. The time that it takes grows with the text
and no faster.
"""

import re
from collections.abc import Iterable

from hookd.core.context_window.prompt_text import unquoted_prose

# What an apostrophe begins and ends within a word is no quotation.
_QUOTED = re.compile(r"(?<!\w)'[^'\n]*+'(?!\w)")
_TOKEN = re.compile(r"[\w'/-]+|[.!?;:,()\n]")
_ENDS = frozenset(".!?;:,()\n")
_COURTESY = frozenset({"please", "ok", "okay", "yes", "now", "and", "so", "then", "alright"})
_ASKING = _COURTESY | frozenset(
    {
        *("no", "well", "fine", "enough", "hey", "thanks", "thank", "claude", "hookd", "just"),
        *("i", "we", "you", "want", "need", "said", "would", "could", "can", "will", "should"),
        *("must", "like", "to"),
    }
)
_TRAILING = frozenset(
    {
        *("please", "now", "ok", "okay", "thanks", "thank", "you", "here", "for", "the"),
        *("moment", "today", "right", "away", "at", "once", "immediately", "any", "more"),
        *("anymore", "already"),
    }
)
_AROUND = 10
"""Words before a phrase, and after it, that may belong to it."""


def own_words(prompt: str) -> str:
    """Return the words of a prompt that are the user's own, one space between and around them."""
    return spelled(_QUOTED.sub(" , ", unquoted_prose(prompt).replace("’", "'")))


def spelled(text: str) -> str:
    """Return a text's words in lower case, one space between and around them.

    >>> spelled("Stop the  Loop!")
    ' stop the loop ! '
    """
    return f" {' '.join(_TOKEN.findall(text.replace('’', chr(39)).casefold()))} "


def said(phrases: Iterable[str], words: str) -> str:
    """Return the first of these phrases that is a whole sentence, "" where none is.

    Words by which it is asked for, and courtesies, may stand around it: "could you please stop
    now". With anything else it is about something, and no word of its own.
    """
    return next((one for one in phrases if any(_whole(words, one))), "")


def opened(phrases: Iterable[str], words: str) -> str:
    """Return the first of these phrases that begins a sentence, but for courtesies."""
    return next((one for one in phrases if any(_opening(words, one))), "")


def _whole(words: str, phrase: str) -> Iterable[bool]:
    length = len(spelled(phrase)) - 1
    for place in _places(words, phrase):
        yield _begins(words, place) and _ends(words, place + length)


def _begins(words: str, place: int) -> bool:
    at = place
    for _ in range(_AROUND):
        word, at = _before(words, at)
        if word not in _ASKING and word != ",":
            return not word or word in _ENDS
    return False


def _ends(words: str, place: int) -> bool:
    # What follows is read from a piece, so that a long prompt is not copied for each place.
    for word in words[place : place + 20 * _AROUND].split(" ")[1:_AROUND]:
        if word not in _TRAILING and word != ",":
            return not word or word in _ENDS
    return False


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
