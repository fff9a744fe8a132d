"""Hook matching: whether a hook runs on an event, by its event name, matcher and `if`.

A hook whose matcher needs a field that the payload lacks does not run. An `if` is for tool calls;
on any other event a hook with an `if` never runs.

No pydantic here: the command line imports it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hookd.core.hook_rules.if_condition import rule_fits, rule_problem
from hookd.core.hook_rules.model import Hook
from hookd.events.matcher import accepts, matcher_problem
from hookd.events.protocol import EVENTS
from hookd.events.tool_pattern import ToolCall
from hookd.lazy_dataclass import dataclass
from hookd.shell.globs import GlobRoots

if TYPE_CHECKING:
    from hookd.events.model import HookInput

__all__ = [
    "GlobRoots",
    "HookTable",
    "condition_holds",
    "condition_problem",
    "matcher_problem",
    "matches",
]

NO_ROOTS = GlobRoots()
"""Unknown home and project: rules that begin there do not match."""


def matches(hook: Hook, event: "HookInput", places: GlobRoots = NO_ROOTS) -> bool:
    """Return whether a hook runs on an event. `places` has the home and the project's root."""
    name = event.hook_event_name
    if hook.event != name:
        return False
    spec = EVENTS.get(name)
    value = getattr(event, spec.match, None) if spec is not None and spec.match else None
    foreign = hook.source.form == "opta" or bool(hook.env_sets)
    readings = getattr(event, "tool_readings", ())
    return accepts(name, hook.matcher, value, foreign=foreign, readings=readings) and (
        hook.condition is None or condition_holds(hook.condition, event, places)
    )


def condition_holds(rule: str, event: "HookInput", places: GlobRoots = NO_ROOTS) -> bool:
    """Return whether an event's tool call matches the rule; False without a call."""
    call = getattr(event, "call", None)
    if not _is_about_a_call(event.hook_event_name) or not isinstance(call, ToolCall):
        return False
    return rule_fits(rule, call, replace(places, cwd=event.cwd or places.project))


def condition_problem(event: str, rule: str | None) -> str | None:
    """Return why a hook on `event` can never run because of its `if`, None if it can."""
    if rule is None:
        return None
    if not _is_about_a_call(event):
        return f"a hook on {event} never runs with the condition {rule!r}: it is for tool calls"
    return rule_problem(rule)


def _is_about_a_call(event: str) -> bool:
    spec = EVENTS.get(event)
    return spec is not None and spec.match == "tool_name"


@dataclass(frozen=True)
class HookTable:
    """Hooks by their event, each event's in the order of the settings."""

    by_event: Mapping[str, tuple[Hook, ...]]

    @classmethod
    def of(cls, hooks: Iterable[Hook]) -> "HookTable":
        """Sort hooks by their event."""
        by_event: dict[str, tuple[Hook, ...]] = {}
        for hook in hooks:
            by_event[hook.event] = (*by_event.get(hook.event, ()), hook)
        return cls(by_event)

    def for_event(self, event_name: str) -> tuple[Hook, ...]:
        """Return the hooks of an event, whatever their matchers."""
        return self.by_event.get(event_name, ())

    def matching(self, event: "HookInput", places: GlobRoots = NO_ROOTS) -> tuple[Hook, ...]:
        """Return the hooks that run on an event."""
        found = self.for_event(event.hook_event_name)
        return tuple(hook for hook in found if matches(hook, event, places))
