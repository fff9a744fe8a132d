"""Policy contract: a rule that may have an opinion on an event, with its options and examples."""

from collections.abc import Callable
from typing import Any, Literal

from hookd.config.models import PolicyOptions, Profile
from hookd.core.model.facts import Facts
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.lazy_dataclass import dataclass

BOTH: frozenset[Profile] = frozenset({"guards", "workflow"})
WORKFLOW: frozenset[Profile] = frozenset({"workflow"})
BY_NAME: frozenset[Profile] = frozenset()

OpinionKind = Literal["deny", "ask", "rewrite", "output", "context", "user", "effects", ""]
"""A verdict; else a rewritten input or output; else text for the model, or for the user; else
effects only; else silence."""


def opinion_kind(opinion: Opinion | None) -> OpinionKind:
    """Return the kind of an opinion."""
    if opinion is None:
        return ""
    if opinion.verdict in ("deny", "ask"):
        return opinion.verdict
    says: dict[OpinionKind, object] = {
        "rewrite": opinion.updated_input,
        "output": "tool_output" in opinion.event_fields,
        "context": opinion.context,
        "user": opinion.system_message,
        "effects": opinion.effects or opinion.shared_facts,
    }
    return next((word for word, given in says.items() if given), "")


@dataclass(frozen=True)
class PolicyExample:
    """An event, facts, and the kind of the policy's opinion."""

    event: HookInput
    facts: Facts
    says: OpinionKind


@dataclass(frozen=True)
class Policy:
    """One policy. The lowest `priority` runs first.

    `on_error` is the result of a fault in the policy: a guard asks, advice is silent. `profiles`
    are those in which it is on by default; empty: it is turned on by name. `allowable`: the user
    can allow a single call with `hookd allow`. `by_part`: of a call that edits several files, it
    judges each file as a call of its own. `by_reading`: of a text that may be code of several
    languages, it judges each of them. `opine` is pure; None is silence. `applies` costs next to
    nothing, and is false only for an event on which `opine` is silent: then that is not called.
    `examples` is a function, since only tests call it.
    """

    name: str
    priority: int
    events: frozenset[str]
    options: type[PolicyOptions]
    on_error: Literal["ask", "silence"]
    opine: Callable[[Any, Facts, Any], Opinion | None]
    examples: Callable[[], tuple[PolicyExample, ...]]
    profiles: frozenset[Profile] = BOTH
    allowable: bool = False
    by_part: bool = False
    by_reading: bool = False
    applies: Callable[[Any, Facts], bool] | None = None
