"""Texts that wait for a window's model, and which of them an answer has room for.

A text is offered with an answer, in the transaction of that answer, and delivered when the window
is heard from again. One whose answer is known not to have arrived waits again, twice at most.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from hookd.core.model.effects.messages import AddInjection, ConfirmInjections, OfferInjections
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Injection
from hookd.events.protocol import utf16_length
from hookd.redaction.redact import redact

_SILENT = frozenset(
    {
        "SessionStart",
        "SessionEnd",
        "Setup",
        "InstructionsLoaded",
        "ConfigChange",
        "CwdChanged",
        "DirectoryAdded",
        "FileChanged",
        "Notification",
        "PreCompact",
        "PostCompact",
        "PreModelSwitch",
        "PostModelSwitch",
    }
)
"""Events that may come before the model was asked anything: they do not show that it has read."""

_BETWEEN = "\n\n"
_MARK = 40
"""Characters that `(part 1 of 2)` takes at most."""
_NAMED = 200
"""Characters of a path that head its content: the name of a file must not take the room for it."""


@dataclass(frozen=True, slots=True)
class NewText:
    """A text that has just come up; see AddInjection."""

    rule_id: str
    content: str
    path: str | None = None
    handover_of: int | None = None


@dataclass(frozen=True, slots=True)
class GivenTexts:
    """What goes out with an answer, and the effects that keep it."""

    text: str
    effects: tuple[Effect, ...]


def confirm_delivery(event: str, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that delivers what the window was offered, now that it is heard again."""
    offered = any(one.offered for one in facts.injections)
    if facts.session is None or not offered or event in _SILENT:
        return ()
    return (ConfirmInjections(facts.session.id),)


def queued_texts(facts: Facts) -> tuple[Injection, ...]:
    """Return the texts that wait, the oldest first."""
    return tuple(one for one in facts.injections if not one.offered)


def give(
    facts: Facts, fresh: Iterable[NewText] = (), *, used: str = "", files_only: bool = False
) -> GivenTexts:
    """Give what waits, then what is fresh, as far as the budget reaches beside the text `used`.

    What has no room waits for the next answer, and all behind it: a text goes in pieces, and they
    are read in their order. With `files_only` only the contents of files are given.
    """
    session, number = facts.session, facts.next.event
    if session is None:
        return GivenTexts("", ())
    room = facts.settings.context.budget
    desk = _AnswerTexts(room - utf16_length(used) - (len(_BETWEEN) if used else 0))
    most = min(_most(room), max(desk.left, room // 2))
    ids: list[int] = []
    effects: list[Effect] = []
    for old in queued_texts(facts):
        text = with_heading(old.rule_id, old.content, old.path)
        # What is longer than any answer (the budget was lowered) must not hold up the others.
        if (old.path or not files_only) and utf16_length(text) <= room and desk.add(text):
            ids.append(old.id)
    for one in fresh:
        for piece in _pieces(one, most, whole=max(desk.left, most)):
            text = with_heading(piece.rule_id, piece.content, piece.path)
            given = bool(piece.path or not files_only) and desk.add(text)
            effects.append(_added(session.id, piece, number if given else None))
    if ids:
        effects.append(OfferInjections(tuple(ids), number))
    return GivenTexts(_BETWEEN.join(desk.texts), tuple(effects))


def queue_texts(window: int, fresh: Iterable[NewText], facts: Facts) -> tuple[AddInjection, ...]:
    """Return the effects by which texts wait for a window, in pieces that fit into an answer."""
    most = _most(facts.settings.context.budget)
    pieces = (piece for one in fresh for piece in _pieces(one, most, whole=most))
    return tuple(_added(window, piece, None) for piece in pieces)


class _AnswerTexts:
    """The texts of one answer; once one finds no room, none is taken any more."""

    def __init__(self, left: int) -> None:
        self.texts: list[str] = []
        self.left = left

    def add(self, text: str) -> bool:
        """Take a text, if there is room."""
        if utf16_length(text) > self.left:
            self.left = -1
            return False
        self.left -= utf16_length(text) + len(_BETWEEN)
        self.texts.append(text)
        return True


def _most(room: int) -> int:
    """Return how long a piece may be: less than the budget, for an answer says more than that."""
    return room - room // 10


def with_heading(rule_id: str, content: str, path: str | None) -> str:
    """Return a text as the model reads it, under the name of where it comes from.

    Whoever wrote it, hookd did not: nothing in it looks like hookd's own tag.
    """
    content, path = without_tag(content), path and without_tag(path)
    if path:
        name = path if len(path) <= _NAMED else f"...{path[-_NAMED:]}"
        return f"[Preloaded: {name}]\n{content}"
    if rule_id.startswith("handover"):
        return content
    return f"[Directive: {rule_id}]\n{content}"


def split(text: str, most: int) -> tuple[str, ...]:
    """Return a text in parts of at most `most` UTF-16 units, cut between lines where that goes.

    A part has two at least: a character may take as many.
    """
    most = max(most, 2)
    parts: list[str] = []
    rest = text
    while utf16_length(rest[: most + 1]) > most:
        cut = _cut(rest, most)
        parts.append(rest[:cut].rstrip("\n"))
        rest = rest[cut:].lstrip("\n")
    return (*parts, rest)


def _cut(text: str, most: int) -> int:
    """Return how many characters of a longer text a part takes."""
    head = text[:most].encode("utf-16-le", "replace")[: most * 2]
    kept = head.decode("utf-16-le", "ignore")
    line = kept.rfind("\n")
    return line if line > len(kept) // 2 else max(1, len(kept))


def _pieces(one: NewText, most: int, *, whole: int) -> Iterable[NewText]:
    """Return a text in pieces of `most` units with their frame; one of `whole` is left whole."""
    frame = utf16_length(with_heading(one.rule_id, "", one.path))
    if frame + utf16_length(one.content) <= whole:
        return (one,)
    # A secret that is cut in two would not be known for one.
    parts = split(redact(one.content), most - frame - _MARK)
    marks = (f"(part {place} of {len(parts)})\n" for place in range(1, len(parts) + 1))
    return tuple(replace(one, content=mark + part) for mark, part in zip(marks, parts, strict=True))


def _added(session_id: int, one: NewText, offered_by: int | None) -> AddInjection:
    return AddInjection(session_id, one.rule_id, one.content, one.path, one.handover_of, offered_by)


_TAG = re.compile(r"\s*\[hookd:[a-z][a-z0-9-]*\]")
_LIKE = re.compile(r"\[(?=\s{0,9}hookd\s{0,9}:)", re.IGNORECASE)


def has_tag(text: str) -> bool:
    """Whether a text is one that hookd itself has brought.

    >>> tagged("[hookd:heartbeat] 3 tool calls"), tagged("What does [hookd:heartbeat] mean?")
    (True, False)
    """
    return _TAG.match(text) is not None


def without_tag(text: str) -> str:
    """Return a text that somebody else wrote, with nothing in it that looks like the tag.

    >>> foreign("Tabs. [hookd:heartbeat] Log it.")
    'Tabs. (hookd:heartbeat] Log it.'
    """
    return _LIKE.sub("(", text)


def truncate_quote(text: str, room: int, where: str) -> str:
    """Return somebody else's text in at most so many UTF-16 units; a cut one names `where`."""
    text = without_tag(text)
    if utf16_length(text) <= room:
        return text
    note = f"\n[cut: the whole text is in {where}]"
    # A secret that is cut in two would not be known for one.
    kept = redact(text).encode("utf-16-le", "replace")[: max(room - utf16_length(note), 0) * 2]
    return kept.decode("utf-16-le", "ignore").rstrip() + note
