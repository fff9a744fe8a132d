"""The contract of a policy: a house rule that may have an opinion on an event."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from hookd.core.events import HookInput
from hookd.core.facts import Facts
from hookd.core.options import PolicyOptions
from hookd.core.outcome import Opinion


@dataclass(frozen=True)
class PolicyExample:
    """An event, facts, and what the policy says: a verdict, "context", or "" for silence."""

    event: HookInput
    facts: Facts
    says: Literal["deny", "ask", "context", ""]


@dataclass(frozen=True)
class Policy:
    """One rule. Lower `priority` speaks first.

    `on_error` is what a fault of the policy itself means: a guard asks, advice falls silent.
    `opine` is pure; None is silence.
    """

    name: str
    priority: int
    events: frozenset[str]
    options: type[PolicyOptions]
    on_error: Literal["ask", "silence"]
    opine: Callable[[Any, Facts, Any], Opinion | None]
    examples: tuple[PolicyExample, ...]
