"""Find phrases of the user in a prompt, without quotations and code.

Words are compared in any case. The time is linear in the length of the text.
"""

from collections.abc import Iterable

from hookd.core.context_window.prompt_text import unquoted_prose
from hookd.lazy_pattern import lazy_compile

# Apostrophes inside words are not quotation marks.
_QUOTED = lazy_compile(r"(?<!\w)'[^'\n]*+'(?!\w)")
_TOKEN = lazy_compile(r"[\w'/-]+|[.!?;:,()\n]")
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
_MAX_WORDS_AROUND = 10
"""Maximum words before and after a phrase that may belong to it."""


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
    """Return the first phrase that is a whole sentence; "" if none is.

    Courtesies and words of request may surround it: "could you please stop now".
    """
    return next((one for one in phrases if any(_whole(words, one))), "")


def opened(phrases: Iterable[str], words: str) -> str:
    """Return the first phrase that begins a sentence, courtesies aside."""
    return next((one for one in phrases if any(_opening(words, one))), "")


def _whole(words: str, phrase: str) -> Iterable[bool]:
    length = len(spelled(phrase)) - 1
    for place in _places(words, phrase):
        yield _begins(words, place) and _ends(words, place + length)


def _begins(words: str, place: int) -> bool:
    at = place
    for _ in range(_MAX_WORDS_AROUND):
        word, at = _before(words, at)
        if word not in _ASKING and word != ",":
            return not word or word in _ENDS
    return False


def _ends(words: str, place: int) -> bool:
    # Only a piece is split, so that a long prompt is not copied for each place.
    for word in words[place : place + 20 * _MAX_WORDS_AROUND].split(" ")[1:_MAX_WORDS_AROUND]:
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
    """Yield the positions of the space before each occurrence of a phrase."""
    wanted = spelled(phrase)
    place = words.find(wanted) if wanted.strip() else -1
    while place >= 0:
        yield place
        place = words.find(wanted, place + 1)


def _before(words: str, place: int) -> tuple[str, int]:
    """Return the word before a space, and the place of the space before that; "" at the start."""
    start = max(words.rfind(" ", 0, place), 0)
    return words[start:place].strip(" "), start
