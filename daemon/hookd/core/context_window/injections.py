"""Injections: texts queued for a session's model, and which of them fit into an answer.

A text is sent with an answer, in the transaction of that answer, and delivered when the session
sends its next event. If the answer did not arrive, the text is queued again, twice at most.

Each text that hookd adds begins with its tag, `[hookd:<who>]`. A prompt that repeats such a text is
recognized by the tag: hookd's texts are not the user's wishes.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from hookd.core.context_window.text_size import BYTES, beginning, text_size
from hookd.core.model.effects.messages import AddInjection, ConfirmInjections, OfferInjections
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Injection
from hookd.core.model.mail import INJECTION_SOURCE
from hookd.events.protocol import utf16_length
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile
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
"""Events that may come before the model runs: they do not show that it has read a text."""

_BETWEEN = "\n\n"
_RANKS = {"high": 0, "normal": 1, "low": 2}
_MARK = 40
"""Maximum characters of `(part 1 of 2)`."""
_NAMED = 200
"""Maximum characters of a path in a heading, so that content has room."""


@dataclass(frozen=True, slots=True)
class NewText:
    """A text that is not queued yet; see AddInjection."""

    rule_id: str
    content: str
    path: str | None = None
    handover_of: int | None = None


@dataclass(frozen=True, slots=True)
class GivenTexts:
    """The text that is sent with an answer, and the effects that store it."""

    text: str
    effects: tuple[Effect, ...]


def confirm_delivery(event: str, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that marks sent texts as delivered, on the session's next event."""
    offered = any(one.offered for one in facts.injections)
    if facts.session is None or not offered or event in _SILENT:
        return ()
    return (ConfirmInjections(facts.session.id),)


def queued_texts(facts: Facts) -> tuple[Injection, ...]:
    """Return the queued texts, the oldest first, but mail by its priority."""
    if not facts.injections:
        return ()
    waiting = tuple(one for one in facts.injections if not one.offered)
    if all(one.priority == "normal" for one in waiting):
        return waiting
    return tuple(sorted(waiting, key=lambda one: _RANKS[one.priority]))


def give(
    facts: Facts, fresh: Iterable[NewText] = (), *, used: str = "", files_only: bool = False
) -> GivenTexts:
    """Send queued texts, then new ones, within the budget that the text `used` leaves.

    If a text does not fit, it and all after it wait for the next answer: the parts of a long text
    must stay in order. With `files_only` only the contents of files are sent.
    """
    session, number, client = facts.session, facts.next.event, facts.client
    if session is None:
        return GivenTexts("", ())
    room = facts.settings.context.budget
    desk = _AnswerTexts(room - text_size(used, client) - (len(_BETWEEN) if used else 0), client)
    most = min(_most(room), max(desk.left, room // 2))
    ids: list[int] = []
    effects: list[Effect] = []
    for old in queued_texts(facts):
        text = with_heading(old.rule_id, old.content, old.path)
        # A text that is longer than any answer (a lowered budget) must not delay the others.
        if (old.path or not files_only) and text_size(text, client) <= room and desk.add(text):
            ids.append(old.id)
    for one in fresh:
        for piece in _pieces(one, most, client, whole=max(desk.left, most)):
            text = with_heading(piece.rule_id, piece.content, piece.path)
            given = bool(piece.path or not files_only) and desk.add(text)
            effects.append(_added(session.id, piece, number if given else None))
    if ids:
        effects.append(OfferInjections(tuple(ids), number))
    return GivenTexts(_BETWEEN.join(desk.texts), tuple(effects))


def queue_texts(window: int, fresh: Iterable[NewText], facts: Facts) -> tuple[AddInjection, ...]:
    """Return the effects that queue texts for a session, in parts that fit into an answer."""
    client = facts.client or BYTES  # of another window, it may be any client
    most = _most(facts.settings.context.budget)
    pieces = (piece for one in fresh for piece in _pieces(one, most, client, whole=most))
    return tuple(_added(window, piece, None) for piece in pieces)


class _AnswerTexts:
    """The texts of one answer; after the first that does not fit, no more are added."""

    def __init__(self, left: int, client: str) -> None:
        self.texts: list[str] = []
        self.left = left
        self.client = client

    def add(self, text: str) -> bool:
        """Add a text if it fits; return whether it did."""
        size = text_size(text, self.client)
        if size > self.left:
            self.left = -1
            return False
        self.left -= size + len(_BETWEEN)
        self.texts.append(text)
        return True


def _most(room: int) -> int:
    """Return the maximum length of a part: below the budget, to leave room for other texts."""
    return room - room // 10


def with_heading(rule_id: str, content: str, path: str | None) -> str:
    """Return a text for the model, with its source as heading.

    hookd did not write the text, so anything in it that looks like hookd's tag is changed.
    """
    if rule_id == INJECTION_SOURCE:  # it has a frame of its own
        return content
    content, path = without_tag(content), path and without_tag(path)
    if path:
        name = path if len(path) <= _NAMED else f"...{path[-_NAMED:]}"
        return f"[Preloaded: {name}]\n{content}"
    if rule_id.startswith("handover"):
        return content
    return f"[Directive: {rule_id}]\n{content}"


def split(text: str, most: int, client: str = "") -> tuple[str, ...]:
    """Return a text in parts of at most `most` units of a client, cut between lines if possible.

    A part has room for one character at least.
    """
    most = max(most, 4 if client == BYTES else 2)
    parts: list[str] = []
    rest = text
    while text_size(rest[: most + 1], client) > most:
        cut = _cut(rest, most, client)
        parts.append(rest[:cut].rstrip("\n"))
        rest = rest[cut:].lstrip("\n")
    return (*parts, rest)


def _cut(text: str, most: int, client: str) -> int:
    """Return the number of characters of a longer text that fit into a part."""
    kept = beginning(text, most, client)
    line = kept.rfind("\n")
    return line if line > len(kept) // 2 else max(1, len(kept))


def _pieces(one: NewText, most: int, client: str, *, whole: int) -> Iterable[NewText]:
    """Return a text in parts of `most` units with heading; up to `whole` units it is not split."""
    frame = text_size(with_heading(one.rule_id, "", one.path), client)
    if frame + text_size(one.content, client) <= whole:
        return (one,)
    # A secret that is cut in two would not be recognized.
    parts = split(redact(one.content), most - frame - _MARK, client)
    marks = (f"(part {place} of {len(parts)})\n" for place in range(1, len(parts) + 1))
    return tuple(replace(one, content=mark + part) for mark, part in zip(marks, parts, strict=True))


def _added(session_id: int, one: NewText, offered_by: int | None) -> AddInjection:
    return AddInjection(session_id, one.rule_id, one.content, one.path, one.handover_of, offered_by)


_TAG = lazy_compile(r"\s*\[hookd:[a-z][a-z0-9-]*\]")
_LIKE = lazy_compile(r"\[(?=\s{0,9}hookd\s{0,9}:)", re.IGNORECASE)


def has_tag(text: str) -> bool:
    """Return whether a text was added by hookd.

    >>> tagged("[hookd:heartbeat] 3 tool calls"), tagged("What does [hookd:heartbeat] mean?")
    (True, False)
    """
    return _TAG.match(text) is not None


def without_tag(text: str) -> str:
    """Return a text of another author, with anything that looks like hookd's tag changed.

    >>> foreign("Tabs. [hookd:heartbeat] Log it.")
    'Tabs. (hookd:heartbeat] Log it.'
    """
    return _LIKE.sub("(", text)


def truncate_quote(text: str, room: int, where: str) -> str:
    """Return another author's text in at most `room` UTF-16 units; a cut text names `where`."""
    text = without_tag(text)
    if utf16_length(text) <= room:
        return text
    note = f"\n[cut: the whole text is in {where}]"
    # A secret that is cut in two would not be recognized.
    kept = redact(text).encode("utf-16-le", "replace")[: max(room - utf16_length(note), 0) * 2]
    return kept.decode("utf-16-le", "ignore").rstrip() + note
