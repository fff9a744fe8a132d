"""Opinions and how they become one outcome: deny over defer over ask over allow over silence."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from hookd.core.effects import Effect

Verdict = Literal["deny", "defer", "ask", "allow"]

_PRECEDENCE: tuple[Verdict, ...] = ("deny", "defer", "ask", "allow")


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one voice says about an event. No opinion at all is None, not an empty one.

    `verdict` decides; without one the opinion only adds `context` for the model or a
    `system_message` for the user. `updated_input` replaces the tool's whole input. `rule` names
    who speaks; where it is empty, the policy's name stands in. On events that know only a block,
    deny is that block.
    """

    verdict: Verdict | None = None
    reason: str = ""
    context: str = ""
    system_message: str = ""
    updated_input: dict[str, Any] | None = None
    rule: str = ""
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """All opinions as one. An empty outcome is silence."""

    verdict: Verdict | None = None
    reason: str = ""
    context: str = ""
    system_message: str = ""
    updated_input: dict[str, Any] | None = None
    rule: str | None = None


_SILENCE = Outcome()


def merge(opinions: Iterable[Opinion]) -> Outcome:
    """Merge opinions in their order, which must not depend on who finished first.

    The strongest verdict wins, and the reasons of those who gave it are joined; a denied call
    keeps no rewritten input. Contexts are joined by blank lines, repeated ones once. Of two
    writers of the input the first wins.
    """
    said = tuple(opinions)
    if not said:
        return _SILENCE
    verdict = next((v for v in _PRECEDENCE if any(o.verdict == v for o in said)), None)
    winners = [o for o in said if verdict and o.verdict == verdict]
    rewrites = [o.updated_input for o in said if o.updated_input is not None]
    return Outcome(
        verdict=verdict,
        reason=_joined((o.reason for o in winners), " "),
        context=_joined((o.context for o in said), "\n\n"),
        system_message=_joined((o.system_message for o in said), "\n"),
        updated_input=rewrites[0] if rewrites and verdict not in ("deny", "defer") else None,
        rule=", ".join(dict.fromkeys(o.rule for o in winners if o.rule)) or None,
    )


def _joined(texts: Iterable[str], between: str) -> str:
    return between.join(dict.fromkeys(text for text in texts if text))
