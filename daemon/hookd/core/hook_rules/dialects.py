"""Hook dialects: convert each form of a hook file into entries of one shape.

Claude Code's groups, `{"Stop": [{"matcher": "...", "hooks": [{...}]}]}`; entries directly below
their event, `{"Stop": [{...}]}`; and Opta's array, `[{"event": "tool.pre", ...}]`.
"""

from collections.abc import Iterator, Mapping

from hookd.core.hook_rules.field_reader import COMMON_KEYS, GROUP_KEYS, TYPE_KEYS
from hookd.core.hook_rules.model import Form
from hookd.core.hook_rules.problems import (
    Findings,
    did_you_mean,
    json_kind,
    printable,
    text_problem,
)
from hookd.core.hook_rules.sources import Dialect, HookFileLocation
from hookd.events.matcher import matcher_problem
from hookd.events.protocol import EVENTS
from hookd.lazy_dataclass import dataclass

EVENT_ALIASES: dict[str, tuple[str, ...]] = {
    "session.start": ("SessionStart",),
    "session.end": ("SessionEnd",),
    "session.deleted": ("SessionEnd",),
    "session.idle": ("Stop",),
    "session.error": ("StopFailure",),
    "tool.pre": ("PreToolUse",),
    "tool.post": ("PostToolUse",),
    "tool.execute.before": ("PreToolUse",),
    "tool.execute.after": ("PostToolUse",),
    "compact": ("PostCompact",),
    "experimental.session.compacting": ("PreCompact",),
    "error": ("PostToolUseFailure", "StopFailure"),
    "turn.done": ("Stop",),
    "stop": ("Stop",),
    "prompt.pre": ("UserPromptSubmit",),
    "chat.message": ("UserPromptSubmit",),
}
"""Names of other programs for the events of Claude Code."""

UNSUPPORTED_EVENTS = {
    "WorktreeCreate": "Claude Code alone runs hooks on it, since it takes the path of a worktree"
    " from their stdout",
}
"""The events that hookd does not support, and why."""

_OF_ENTRY = frozenset((*COMMON_KEYS, *(key for keys in TYPE_KEYS.values() for key in keys)))


@dataclass(frozen=True, slots=True)
class Entry:
    """One hook as written, for one event; `several_events` if its name is an alias of two events.

    `matcher` and `chain` are as in a Hook.
    """

    event: str
    place: HookFileLocation
    key: str
    values: Mapping[str, object]
    form: Form
    matcher: str | None = None
    chain: str | None = None
    several_events: bool = False

    @property
    def dialect(self) -> Dialect:
        """The program whose conventions apply."""
        return "opta" if self.form == "opta" else self.place.dialect

    @property
    def extra_keys(self) -> tuple[str, ...]:
        """Further keys of an entry in this form."""
        return {"nested": (), "flat": ("matcher", "sequential"), "opta": ("matcher", "event")}[
            self.form
        ]


def unfold(document: object, place: HookFileLocation, findings: Findings) -> Iterator[Entry]:
    """Yield the entries of a whole file, in order."""
    if not isinstance(document, dict):
        findings.add_error("", f"the file must hold an object, but holds {json_kind(document)}")
        return
    hooks = document.get("hooks", {})
    if isinstance(hooks, list):
        yield from _array(hooks, place, findings)
    elif isinstance(hooks, dict):
        yield from _by_event(hooks, place, findings)
    else:
        findings.add_error("hooks", f"must be an object of events, but is {json_kind(hooks)}")


def _array(hooks: list[object], place: HookFileLocation, findings: Findings) -> Iterator[Entry]:
    for at, given in enumerate(hooks):
        key = f"hooks[{at}]"
        if not isinstance(given, dict):
            findings.add_error(key, f"must be an object, but is {json_kind(given)}")
            continue
        name = given.get("event")
        if not isinstance(name, str):
            findings.add_error(f"{key}.event", "must be the name of an event, such as `tool.pre`")
            continue
        events = _events(name, f"{key}.event", place, findings)
        if events and _valid_matcher(given, key, events, findings):
            for event in events:
                several = len(events) > 1
                chain = f"{place.path}:hooks"
                matcher = _matcher(given)
                yield Entry(event, place, key, given, "opta", matcher, chain, several)


def _by_event(
    hooks: dict[str, object], place: HookFileLocation, findings: Findings
) -> Iterator[Entry]:
    for name, elements in hooks.items():
        key = f"hooks.{name if name in EVENTS or name in EVENT_ALIASES else printable(name)}"
        events = _events(name, key, place, findings)
        if not events:
            continue
        if not isinstance(elements, list):
            findings.add_error(key, f"must be a list, but is {json_kind(elements)}")
            continue
        for at, element in enumerate(elements):
            yield from _element(element, f"{key}[{at}]", events, place, findings)


def _element(
    element: object, key: str, events: tuple[str, ...], place: HookFileLocation, findings: Findings
) -> Iterator[Entry]:
    """Yield the entries of a group, or the single entry without a group."""
    if not isinstance(element, dict):
        findings.add_error(key, f"must be an object, but is {json_kind(element)}")
        return
    if not _valid_matcher(element, key, events, findings):
        return
    if (near := _missing_hooks_hint(element)) is not None:
        findings.add_error(f"{key}.hooks", f"is missing{near}")
        return
    form: Form = "nested" if "hooks" in element else "flat"
    # The group of entries directly below an event is the event.
    group = key if form == "nested" else key.rpartition("[")[0]
    chain = f"{place.path}:{group}" if _sequential(element, key, findings) else None
    inner = _grouped(element, key, findings) if form == "nested" else [(key, element)]
    for where, given in inner:
        for event in events:
            several = len(events) > 1
            yield Entry(event, place, where, given, form, _matcher(element), chain, several)


def _missing_hooks_hint(element: Mapping[str, object]) -> str | None:
    """Return a suggestion if an element is a group without `hooks`, None if it is not a group."""
    further = [name for name in element if name not in GROUP_KEYS]
    near = [did_you_mean(name, ("hooks",)) for name in further[:3]]
    if "hooks" in element or not all(near) or not _OF_ENTRY.isdisjoint(further):
        return None
    return next(iter(near), "")


def _grouped(
    group: dict[str, object], key: str, findings: Findings
) -> Iterator[tuple[str, dict[str, object]]]:
    for name in group:
        if name not in GROUP_KEYS:
            near = findings.did_you_mean(name, GROUP_KEYS)
            findings.add_warning(key, f"no such key in a group: {printable(name)}{near}")
    hooks = group["hooks"]
    if not isinstance(hooks, list):
        findings.add_error(f"{key}.hooks", f"must be a list, but is {json_kind(hooks)}")
        return
    for at, given in enumerate(hooks):
        where = f"{key}.hooks[{at}]"
        if isinstance(given, dict):
            yield where, given
        else:
            findings.add_error(where, f"must be an object, but is {json_kind(given)}")


def _events(name: str, key: str, place: HookFileLocation, findings: Findings) -> tuple[str, ...]:
    if name in UNSUPPORTED_EVENTS:
        if place.runs:  # a hook that Claude Code runs is in the right place
            findings.add_error(key, f"{UNSUPPORTED_EVENTS[name]}: {left_to_claude(place)}")
        return ()
    if name in EVENTS:
        return (name,)
    if name in EVENT_ALIASES:
        return EVENT_ALIASES[name]
    near = findings.did_you_mean(name, (*EVENT_ALIASES, *EVENTS))
    findings.add_error(key, f"there is no such event{near}")
    return ()


def left_to_claude(place: HookFileLocation) -> str:
    """Return where a hook that only Claude Code runs belongs."""
    if place.dialect == "claude":
        return "it stays there"
    return "leave it in Claude Code's settings"


def _matcher(given: Mapping[str, object]) -> str | None:
    matcher = given.get("matcher")
    return matcher if isinstance(matcher, str) and matcher not in {"", "*"} else None


def _valid_matcher(
    given: Mapping[str, object], key: str, events: tuple[str, ...], findings: Findings
) -> bool:
    """Return whether the matcher is valid; add a warning if it is doubtful."""
    matcher, key = given.get("matcher"), f"{key}.matcher"
    if "matcher" in given and not isinstance(matcher, str):
        findings.add_error(key, f"must be text, such as `Edit|Write`, but is {json_kind(matcher)}")
        return False
    if isinstance(matcher, str) and (said := text_problem(matcher)):
        findings.add_error(key, said)
        return False
    for event in events:
        if said := matcher_problem(event, _matcher(given)):
            findings.add_warning(key, said)
    return True


def _sequential(given: Mapping[str, object], key: str, findings: Findings) -> bool:
    value = given.get("sequential", False)
    if isinstance(value, bool):
        return value
    findings.add_warning(f"{key}.sequential", f"must be true or false, but is {json_kind(value)}")
    return False
