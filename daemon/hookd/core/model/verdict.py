"""Opinions and how they become one outcome: deny over defer over ask over allow over silence."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from hookd.core.model.effects.union import Effect
from hookd.core.model.event_fields import conflicts_of, merge_fields

Verdict = Literal["deny", "defer", "ask", "allow"]

ALLOWED = "allow"
"""The rule of an event on which an allow rule let a call pass."""

_PRECEDENCE: tuple[Verdict, ...] = ("deny", "defer", "ask", "allow")

_ONE_REASON = frozenset({"Stop", "SubagentStop"})
"""Where the reason is what the model does next: several would be several tasks at once."""


@dataclass(frozen=True, slots=True)
class BlockedCall:
    """A call that a guard holds back: `key` identifies it, `text` shows it to a person, redacted.

    `folder` is the working folder, "" if that does not matter.
    """

    key: str
    tool: str
    text: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one voice says about an event. No opinion at all is None, not an empty one.

    `verdict` decides; without one the opinion only adds `context` for the model or a
    `system_message` for the user. `updated_input` replaces the tool's whole input. `rule` names
    who speaks; where it is empty, the policy's name stands in. On events that know only a block,
    deny is that block. `halts` ends the whole turn, and `stop_reason` tells the user why: a tool
    that is about to run still runs. `also` holds what only some events take
    (events/answer_fields.py). `tells` are facts for the policies that are asked after this one, who
    find them in `facts.told`. `call` is set where the user can let exactly this call pass this
    guard; a `lasting` opinion admits no such rule. `allowed` is the event whose allow rule let it
    pass.
    """

    verdict: Verdict | None = None
    reason: str = ""
    context: str = ""
    system_message: str = ""
    updated_input: dict[str, Any] | None = None
    rule: str = ""
    effects: tuple[Effect, ...] = ()
    stops_turn: bool = False
    stop_reason: str = ""
    event_fields: Mapping[str, Any] = field(default_factory=dict)
    shared_facts: Mapping[str, Any] = field(default_factory=dict)
    call: BlockedCall | None = None
    lasting: bool = False
    allowed: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """All opinions as one. An empty outcome is silence.

    `conflicts` says for the log who did not get their way; it is no part of what is answered.
    `allowable`: the user can let this call pass all who decided so.
    """

    verdict: Verdict | None = None
    reason: str = ""
    context: str = ""
    system_message: str = ""
    updated_input: dict[str, Any] | None = None
    rule: str | None = None
    stops_turn: bool = False
    stop_reason: str = ""
    event_fields: Mapping[str, Any] = field(default_factory=dict)
    allowable: bool = False
    conflicts: tuple[str, ...] = field(default=(), compare=False)


_SILENCE = Outcome()


def merge(opinions: Iterable[Opinion], event: str = "") -> Outcome:
    """Merge opinions in their order, which must not depend on who finished first.

    The strongest verdict wins, and the reasons of those who gave it are joined (at a stop, the
    first alone is told); a denied call keeps no rewritten input. Contexts are joined by blank
    lines, repeated ones once. Of two writers of the input the first wins.
    """
    said = tuple(opinions)
    if not said:
        return _SILENCE
    verdict = next((v for v in _PRECEDENCE if any(o.verdict == v for o in said)), None)
    winners = [o for o in said if verdict and o.verdict == verdict]
    reasons = [o.reason for o in winners if o.reason]
    rewrites = _rewrites(said, verdict)
    also, conflicts = merge_fields((o.rule, o.event_fields) for o in said)
    return Outcome(
        verdict=verdict,
        reason=_joined(reasons[:1] if event in _ONE_REASON else reasons, " "),
        context=_joined((o.context for o in said), "\n\n"),
        system_message=_joined((o.system_message for o in said), "\n"),
        updated_input=rewrites[0][1] if rewrites else None,
        rule=_rule_names(winners) or (ALLOWED if any(o.allowed for o in said) else None),
        stops_turn=any(o.stops_turn for o in said),
        stop_reason=_joined((o.stop_reason for o in said if o.stops_turn), " "),
        event_fields=also,
        allowable=bool(winners) and all(o.call for o in winners),
        conflicts=(*conflicts_of("updated_input", rewrites), *conflicts),
    )


def _rewrites(
    said: tuple[Opinion, ...], verdict: Verdict | None
) -> list[tuple[str, dict[str, Any]]]:
    if verdict in ("deny", "defer"):
        return []
    return [(o.rule, o.updated_input) for o in said if o.updated_input is not None]


def _rule_names(winners: Iterable[Opinion]) -> str:
    return ", ".join(dict.fromkeys(one.rule for one in winners if one.rule))


def _joined(texts: Iterable[str], between: str) -> str:
    return between.join(dict.fromkeys(text for text in texts if text))
