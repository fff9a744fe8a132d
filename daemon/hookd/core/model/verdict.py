"""Verdicts: opinions merged into one outcome: deny over defer over ask over allow over silence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from hookd.core.model.effects.union import Effect
from hookd.core.model.event_fields import conflicts_of, merge_fields
from hookd.lazy_dataclass import dataclass

Verdict = Literal["deny", "defer", "ask", "allow"]

ALLOWED = "allow"
"""The rule name of an event whose call an allow rule allowed."""

_PRECEDENCE: tuple[Verdict, ...] = ("deny", "defer", "ask", "allow")

_ONE_REASON = frozenset({"Stop", "SubagentStop"})
"""Events whose reason is the model's next task: only one reason is used."""


@dataclass(frozen=True, slots=True)
class BlockedCall:
    """A call that a guard denies or asks about: `key` identifies it, `text` shows it, redacted.

    `folder` is the working folder, "" if that does not matter. `project_key` identifies the call in
    any folder of the project at `project`; both are "" outside of one.
    """

    key: str
    tool: str
    text: str
    folder: str = ""
    project_key: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """The opinion of one handler, policy or hook about an event. No opinion is None.

    `verdict` decides; without one the opinion only adds `context` for the model or a
    `system_message` for the user. `updated_input` replaces the tool's whole input. `rule` is the
    author; if empty, the policy's name is used. On events that know only a block, deny is that
    block. `stops_turn` ends the whole turn, and `stop_reason` is for the user: a tool that is about
    to run still runs. `event_fields` are fields that only some events have
    (events/answer_fields.py). `shared_facts` are for the policies that run after this one, in
    `facts.shared`. `call` is set if the user can allow exactly this call; a `lasting` opinion
    permits no allow rule. `allowed` is the event whose allow rule allowed the call. `rule_ids` are
    the rules of the catalogue of programs that found what the verdict is about.
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
    rule_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """All opinions as one. An empty outcome is silence.

    `conflicts` are sentences for the log about overridden opinions; they are not in the answer.
    `allowable`: the user can allow this call for all guards that decided so.
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


def strongest(opinions: Sequence[Opinion]) -> Verdict | None:
    """Return the verdict that wins, None if no opinion has one."""
    return next((v for v in _PRECEDENCE if any(o.verdict == v for o in opinions)), None)


def merge(opinions: Iterable[Opinion], event: str = "") -> Outcome:
    """Merge opinions in their order, which must not depend on execution time.

    The strongest verdict wins, and its reasons are joined (at a stop, only the first is used); a
    denied call keeps no rewritten input. Contexts are joined by blank lines, repeated ones once. Of
    two rewritten inputs the first wins.
    """
    said = tuple(opinions)
    if not said:
        return _SILENCE
    verdict = strongest(said)
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
