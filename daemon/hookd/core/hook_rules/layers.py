"""Layers: merge the hooks of all settings files into one list, and the result for a project.

Hooks are added, never replaced. A stronger layer turns hooks of weaker ones off by their ids; equal
hooks are merged; every hook has a unique id.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from hookd.core.hook_rules.match import GlobRoots, HookTable
from hookd.core.hook_rules.model import (
    HandlerKey,
    Hook,
    Layer,
    entry_key,
    unique_id,
    without_duplicates,
)
from hookd.core.hook_rules.parse import ParsedHooks
from hookd.core.hook_rules.problems import Problem, did_you_mean, printable
from hookd.core.hook_rules.sources import LAYERS
from hookd.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hookd.config.models import Section
    from hookd.core.guard_rules.file_state import FileState
    from hookd.core.model.verdict import Outcome
    from hookd.events.model import HookInput


ENTRY_DISABLED = "its own entry says disabled"
CLIENT_RUNS_IT = "Claude Code runs it itself"


@dataclass(frozen=True, slots=True)
class InactiveHook:
    """A hook that is listed but does not run, and why."""

    hook: Hook
    reason: str


@dataclass(frozen=True, slots=True)
class MergedHooks:
    """The hooks of all layers in configuration order, and the inactive ones."""

    hooks: tuple[Hook, ...] = ()
    problems: tuple[Problem, ...] = ()
    inactive: tuple[InactiveHook, ...] = ()

    @property
    def disabled(self) -> dict[str, str]:
        """The reason for each id without an active hook."""
        active = {hook.id for hook in self.hooks}
        return {one.hook.id: one.reason for one in self.inactive if one.hook.id not in active}


def merge_layers(
    parts: Sequence[ParsedHooks], held: Mapping[str, str] | None = None
) -> MergedHooks:
    """Merge several files, in any order of layers.

    `held` has the reason, by path, why a file does not apply, such as missing trust: its hooks are
    listed as inactive, and it turns no hooks off.
    """
    ordered = sorted(parts, key=lambda part: LAYERS.index(part.place.layer))
    why = {part.place.path: CLIENT_RUNS_IT for part in ordered if not part.place.runs} | dict(
        held or {}
    )
    holding = [part for part in ordered if part.place.path not in why]
    idle = [InactiveHook(hook, ENTRY_DISABLED) for part in ordered for hook in part.disabled_hooks]
    idle += [
        InactiveHook(hook, why[part.place.path])
        for part in ordered
        if part.place.path in why
        for hook in part.hooks
    ]
    problems = [problem for part in ordered for problem in part.problems]
    problems += _unused_disables(holding, ordered)
    hooks = _without_copies(_enabled(holding, idle), idle)
    return MergedHooks(tuple(_with_unique_ids(hooks, problems)), tuple(problems), tuple(idle))


def _enabled(parts: Sequence[ParsedHooks], idle: list[InactiveHook]) -> list[Hook]:
    """Return the hooks that no stronger layer turns off."""
    left = []
    for hook in (hook for part in parts for hook in part.hooks):
        by = next((part for part in parts if _disables(part, hook)), None)
        if by is None:
            left.append(hook)
        else:
            idle.append(InactiveHook(hook, f"disabled in {by.place.path}"))
    return left


def _disables(part: ParsedHooks, hook: Hook) -> bool:
    reaches = _may_disable(part.place.layer, hook.source.layer)
    return reaches and any(fnmatchcase(hook.id, wish) for wish in part.disabled_ids)


def _may_disable(by: Layer, layer: Layer) -> bool:
    """Return whether one layer can turn off hooks of another.

    The user's layer can turn off plugins, which the user installed. The managed layer is strongest.
    """
    return LAYERS.index(layer) < LAYERS.index(by) or (by, layer) == ("user", "plugin")


def _without_copies(hooks: Iterable[Hook], idle: list[InactiveHook]) -> list[Hook]:
    """Return the hooks without copies: the first stays, unless a copy is managed.

    Otherwise a managed hook could be turned off by turning off a weaker copy.
    """
    kept: dict[HandlerKey, Hook] = {}
    for hook in hooks:
        first = kept.setdefault(entry_key(hook), hook)
        if first is hook:
            continue
        copy = hook
        if hook.source.layer == "managed" and first.source.layer != "managed":
            kept[entry_key(hook)], copy, first = hook, first, hook
        idle.append(InactiveHook(copy, f"the same as {first.source.key} in {first.source.path}"))
    return list(kept.values())


def _with_unique_ids(hooks: Iterable[Hook], problems: list[Problem]) -> list[Hook]:
    """Return the hooks with unique ids; the first hook with an id keeps it."""
    by_id: dict[str, Hook] = {}
    for hook in hooks:
        name = unique_id(hook, by_id)
        if name != hook.id:
            first = by_id[hook.id].source
            owner = f"{first.key} in {first.path}"
            text = f"the id {printable(hook.id)} is taken by {owner}; {name} is used"
            problems.append(Problem(hook.source.path, f"{hook.source.key}.id", text, fatal=False))
        by_id[name] = replace(hook, id=name)
    return list(by_id.values())


def _unused_disables(holding: Sequence[ParsedHooks], parts: Sequence[ParsedHooks]) -> list[Problem]:
    """Return a problem for each `disable` entry without effect."""
    hooks = [hook for part in parts for hook in (*part.hooks, *part.disabled_hooks)]
    found = []
    for part in holding:
        for at, wish in enumerate(part.disabled_ids):
            meant = [hook for hook in hooks if fnmatchcase(hook.id, wish)]
            if any(_may_disable(part.place.layer, hook.source.layer) for hook in meant):
                continue
            if meant:
                layers = " or ".join(dict.fromkeys(hook.source.layer for hook in meant))
                said = (
                    f"hooks of the {layers} layer cannot be disabled in the {part.place.layer} one"
                )
            else:
                near = did_you_mean(wish, (hook.id for hook in hooks))
                said = f"there is no hook {printable(wish)}{near}"
            found.append(Problem(part.place.path, f"{part.disabled_key}[{at}]", said, fatal=False))
    return found


@dataclass(frozen=True, slots=True)
class ProjectConfig:
    """User hooks and policy settings of one project, or outside of any.

    `digest` is of the project's own files, None if they have no hooks and no policy settings;
    `trusted` says whether that content is trusted. `sections` are the policy settings that apply,
    the weakest layer first; `last_trusted` are those among them that the project's files had when
    they were last trusted, if they have changed since. `rule_files` are the rules files that apply
    here, and `rules_notice` is the line about them for a new session.
    """

    root: str | None
    merged: MergedHooks
    table: HookTable
    digest: str | None = None
    trusted: bool | None = None
    sections: "tuple[Section, ...]" = ()
    last_trusted: "tuple[Section, ...]" = ()
    rule_files: "tuple[FileState, ...]" = ()
    rules_notice: str = ""

    def has_hooks(self, event: str) -> bool:
        """Return whether there are hooks for an event, whatever their matchers."""
        return bool(self.table.for_event(event))

    def hooks_for(self, home: str) -> "Callable[[HookInput, Outcome], tuple[Hook, ...]]":
        """Return a function that selects the hooks to run, given the event and its outcome.

        `home` is the user's folder.
        """
        places = GlobRoots(home=home, project=self.root or "")

        def hooks(event: "HookInput", outcome: "Outcome") -> "tuple[Hook, ...]":
            found = self.table.matching(event, places)
            if outcome.verdict == "deny":
                found = tuple(hook for hook in found if hook.always)
            return without_duplicates(found)

        return hooks
