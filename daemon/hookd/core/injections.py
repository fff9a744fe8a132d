"""Texts that wait for a window's model, and which of them an answer has room for.

A text is offered with an answer, in the transaction of that answer, and delivered when the window
is heard from again. One whose answer is known not to have arrived waits again, twice at most.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hookd.core.effects import AddInjection, ConfirmInjections, Effect, OfferInjections
from hookd.core.facts import Facts, Injection
from hookd.core.protocol import units

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
        "PreModelSwitch",
        "PostModelSwitch",
    }
)
"""Events that may come before the model was asked anything: they do not show that it has read."""

_BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class Fresh:
    """A text that has just come up; see AddInjection."""

    rule_id: str
    content: str
    path: str | None = None
    handover_of: int | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """What goes out with an answer, and the effects that keep it."""

    text: str
    effects: tuple[Effect, ...]


def confirmed(event: str, facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that delivers what the window was offered, now that it is heard again."""
    offered = any(one.offered for one in facts.injections)
    if facts.session is None or not offered or event in _SILENT:
        return ()
    return (ConfirmInjections(facts.session.id),)


def waiting(facts: Facts) -> tuple[Injection, ...]:
    """Return the texts that wait, the oldest first."""
    return tuple(one for one in facts.injections if not one.offered)


def give(
    facts: Facts, fresh: Iterable[Fresh] = (), *, used: str = "", files_only: bool = False
) -> Given:
    """Give what waits, then what is fresh, as far as the budget reaches beside the text `used`.

    What has no room waits for the next answer. A text longer than the whole budget goes in pieces.
    With `files_only` only the contents of files are given.
    """
    session, number = facts.session, facts.next.event
    if session is None:
        return Given("", ())
    room = facts.settings.context.budget
    left = room - units(used)
    texts: list[str] = []
    ids: list[int] = []
    effects: list[Effect] = []
    for old in waiting(facts):
        text = framed(old.rule_id, old.content, old.path)
        if (old.path or not files_only) and units(text) <= left:
            left -= units(text) + len(_BETWEEN)
            texts.append(text)
            ids.append(old.id)
    for one in _pieces(fresh, room):
        text = framed(one.rule_id, one.content, one.path)
        fits = units(text) <= left
        left -= units(text) + len(_BETWEEN) if fits else left
        texts += [text] if fits else []
        effects.append(_added(session.id, one, number if fits else None))
    if ids:
        effects.append(OfferInjections(tuple(ids), number))
    return Given(_BETWEEN.join(texts), tuple(effects))


def framed(rule_id: str, content: str, path: str | None) -> str:
    """Return a text as the model reads it, under the name of where it comes from."""
    if path:
        return f"[Preloaded: {path}]\n{content}"
    if rule_id.startswith("handover"):
        return content
    return f"[Directive: {rule_id}]\n{content}"


def split(text: str, most: int) -> tuple[str, ...]:
    """Return a text in parts of at most `most` UTF-16 units, cut between lines where that goes."""
    parts: list[str] = []
    rest = text
    while units(rest) > most:
        cut = _cut(rest, most)
        parts.append(rest[:cut].rstrip("\n"))
        rest = rest[cut:].lstrip("\n")
    return (*parts, rest)


def _cut(text: str, most: int) -> int:
    """Return how many characters of a longer text a part takes."""
    kept = text.encode("utf-16-le", "surrogatepass")[: most * 2].decode("utf-16-le", "ignore")
    line = kept.rfind("\n")
    return line if line > len(kept) // 2 else max(1, len(kept))


def _pieces(fresh: Iterable[Fresh], room: int) -> Iterable[Fresh]:
    for one in fresh:
        frame = units(framed(one.rule_id, "", one.path)) + 40
        parts: Sequence[str] = split(one.content, room - frame)
        for place, part in enumerate(parts, 1):
            mark = f"(part {place} of {len(parts)})\n" if len(parts) > 1 else ""
            yield replace(one, content=mark + part)


def _added(session_id: int, one: Fresh, offered_by: int | None) -> AddInjection:
    return AddInjection(session_id, one.rule_id, one.content, one.path, one.handover_of, offered_by)
