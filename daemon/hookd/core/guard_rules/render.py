"""Render fired guard rules as one opinion: their texts with variables expanded, and their files."""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from hookd.core.context_window.injections import give
from hookd.core.context_window.preload import mark_given, preload
from hookd.core.efforts.skill_lookup import readable_file
from hookd.core.guard_rules.describe import calls_of
from hookd.core.guard_rules.rule import (
    STATE_KEY,
    Fired,
    Rule,
    read_refusal,
    told_once,
    unreadable_guards,
)
from hookd.core.guard_rules.trigger_schema import ContextThreshold
from hookd.core.guard_rules.variables import (
    Values,
    expand,
    expand_paths,
    leads_elsewhere,
    variable_values,
)
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import File
from hookd.core.model.facts import Facts, Guard
from hookd.core.model.verdict import Opinion, merge
from hookd.events.protocol import truncate, utf16_length
from hookd.events.tool_pattern import ToolCall
from hookd.lazy_dataclass import dataclass

_STOP = "Stop here and tell the user why."
_LEAST = 200
"""Minimum characters of a file's beginning; with less room only its path is given."""


@dataclass(frozen=True, slots=True)
class _RuleFiles:
    """The files of a rule, as absolute paths: inserted, named, or given once in a session.

    `stray` are paths, as in the rule, that a variable's value would lead elsewhere.
    """

    put_in: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    stray: tuple[str, ...] = ()


def rules_opinion(found: Sequence[Fired], call: ToolCall, facts: Facts) -> Opinion | None:
    """Return one opinion for all rules that fired for a call. Raise MissingFacts for files.

    A rule that cannot be read asks.
    """
    known = variable_values(call, facts)
    heard = _heard(found)
    brings = [_bringing(one, known, facts) for one in heard]
    looked_at = (path for one in brings for path in (*one.put_in, *one.given))
    facts.require_all(*(readable_file(path, None, facts) for path in looked_at))
    # The event's handler adds the queued files to the same answer; new files get the rest.
    waits = give(facts, files_only=True).text
    room = facts.settings.context.budget - utf16_length(waits)
    opinions = tuple(_opinions(heard, brings, known, facts, room))
    said = merge((*opinions, *_silent(found, heard), *map(_lost, unreadable_guards(facts))))
    files = preload((path for one in brings for path in one.given), facts, None)
    used = waits + said.reason + said.context
    given = give(replace(facts, injections=()), files.fresh, used=used)
    context = "\n\n".join(filter(None, (said.context, given.text)))
    if not (said.verdict or context or given.effects):
        return None
    effects = (*mark_given(facts, files.fresh), *given.effects, *_remembered(heard, facts))
    told = ", ".join(dict.fromkeys(one.rule for one in opinions if one.context))
    return Opinion(said.verdict, said.reason, context, rule=said.rule or told, effects=effects)


def _heard(found: Sequence[Fired]) -> list[Fired]:
    """Return the rules whose texts are shown: if the window is full, only that matters."""
    full = any(one.certain and _blocks(one.rule) and _on_context(one.rule) for one in found)
    return [
        one
        for one in found
        if not (full and one.rule.blocks_all_calls and not _on_context(one.rule))
    ]


def _silent(found: Iterable[Fired], heard: Sequence[Fired]) -> Iterator[Opinion]:
    return (Opinion("deny", rule=one.rule.id) for one in found if one not in heard)


def _lost(guard: Guard) -> Opinion:
    at = {"project": " --scope project", "effort": " --effort"}.get(guard.scope, "")
    why = f"guard {guard.rule_id} cannot be read, so it asks about every call. To remove it:"
    remedy = f"hookd guard remove {guard.rule_id}{at}"
    return Opinion("ask", f"{why} {remedy}", rule=guard.rule_id)


def _blocks(rule: Rule) -> bool:
    return rule.urgency in ("block", "interrupt")


def _on_context(rule: Rule) -> bool:
    return isinstance(rule.trigger, ContextThreshold)


def _bringing(one: Fired, known: Values, facts: Facts) -> _RuleFiles:
    rule = one.rule
    if not one.certain:
        return _RuleFiles()
    files = tuple(_absolute(expand_paths(rule.payload.files, known), facts))
    given = tuple(_absolute(expand_paths(rule.payload.preload, known), facts))
    listed = (*rule.payload.files, *rule.payload.preload)
    stray = tuple(path for path in dict.fromkeys(listed) if leads_elsewhere(path, known))
    match rule.mode:
        case "read":
            return _RuleFiles(named=files, given=given, stray=stray)
        case "preload":
            return _RuleFiles(given=(*files, *given), stray=stray)
        case "inline" | "paste":
            return _RuleFiles(put_in=files, given=given, stray=stray)
        case _:
            assert_never(rule.mode)


def _absolute(given: Iterable[str], facts: Facts) -> Iterator[str]:
    for path in given:
        if path.startswith("~/.claude/") and facts.daemon.claude:
            yield posixpath.join(facts.daemon.claude, path.removeprefix("~/.claude/"))
        else:
            yield posixpath.normpath(posixpath.join(_root(facts), path))


def _root(facts: Facts) -> str:
    # Outside of a project no path may be read.
    return facts.project.path if facts.project else "/nowhere"


def _opinions(
    heard: Iterable[Fired], brings: Iterable[_RuleFiles], known: Values, facts: Facts, room: int
) -> Iterator[Opinion]:
    for one, bring in zip(heard, brings, strict=True):
        sure = _opinion(one, bring, known, facts, room)
        opinion = sure if one.certain else _unsure(one, known)
        room -= utf16_length(opinion.reason + opinion.context)
        yield opinion


def _unsure(one: Fired, known: Values) -> Opinion:
    rule = one.rule
    if rule.urgency == "allow":
        return Opinion()
    why = f"guard {one.name}: this call cannot be parsed well enough to know whether it matches"
    text = expand(rule.payload.text, known) or rule.description
    named = rule.tool_filter.include or rule.names_deeds
    about = f" ({calls_of(rule.model_dump(by_alias=True))})." if named else "."
    return Opinion("ask", f"{why}{about} {text}".strip(), rule=rule.id)


def _opinion(one: Fired, brings: _RuleFiles, known: Values, facts: Facts, room: int) -> Opinion:
    rule, text = one.rule, expand(one.rule.payload.text, known)
    needed = list(_needed(one))
    left = room - utf16_length(text) - utf16_length(_lines(needed))
    more = [*needed, *_more(rule, brings, known, facts, left)]
    if rule.urgency == "allow":
        return Opinion(context=_told(rule, [text, *more]), rule=rule.id)
    why = text or rule.description or ("" if more else "this call is blocked.")
    if rule.urgency == "ask":  # the reason is for the user, the rest for the model
        reason = why or "allow this call?"
        return Opinion("ask", f"guard {one.name}: {reason}", _told(rule, more), rule=rule.id)
    stop = _STOP if rule.urgency == "interrupt" else ""
    return Opinion("deny", f"guard {one.name}: {_lines([why, stop, *more])}", rule=rule.id)


def _needed(one: Fired) -> Iterator[str]:
    """Yield what has to succeed before the call."""
    for needed in one.missing:
        since = " since the last edit" if needed.since == "edit" else ""
        said = f"Run first: {needed.command}. It has not succeeded{since}"
        yield f"{said}; a pipe or a command after it hides its result."


def _more(rule: Rule, brings: _RuleFiles, known: Values, facts: Facts, room: int) -> list[str]:
    """Return the lines of a rule after its text: its command and files."""
    command = expand(rule.payload.command, known)
    said = [f"Run: {command}"] if command else []
    said += [f"Read: {path}" for path in brings.named]
    wanted = dict.fromkeys((*brings.put_in, *brings.given))
    seen = {path: facts.require(readable_file(path, None, facts)) for path in wanted}
    missing = (path for path, file in seen.items() if file is None)
    said += [f"Missing: {path}" for path in (*brings.stray, *missing)]
    held = {path: why for path, file in seen.items() if file and (why := _held(path, file, facts))}
    said += [f"Blocked: {path} ({why})" for path, why in held.items()]
    room -= utf16_length(_lines(said))
    for file in (seen[path] for path in brings.put_in if path not in held):
        if file is not None:
            said.append(_put_in(file, room))
            room -= utf16_length(said[-1])
    return said


def _held(path: str, file: File, facts: Facts) -> str:
    return read_refusal(file.path, facts) or read_refusal(path, facts)


def _put_in(file: File, room: int) -> str:
    head, rest = f"[File: {file.path}]\n", f"\n[the rest is in {file.path}]"
    if file.whole and utf16_length(head + file.text) <= room:
        return head + file.text.rstrip("\n")
    left = room - utf16_length(head + rest)
    return head + truncate(file.text, left) + rest if left >= _LEAST else f"Read: {file.path}"


def _told(rule: Rule, said: Iterable[str]) -> str:
    text = _lines(said)
    return f"[hookd:{rule.id}] {text}" if text else ""


def _lines(said: Iterable[str]) -> str:
    return "\n".join(filter(None, said))


def _remembered(heard: Iterable[Fired], facts: Facts) -> tuple[Effect, ...]:
    """Return the effect that records which rules were shown and are shown only once."""
    once = [
        one.rule.id
        for one in heard
        if one.certain and one.rule.inject == "once" and one.rule.urgency == "allow"
    ]
    if facts.session is None or not once:
        return ()
    return (Remember(facts.session.id, STATE_KEY, told_once(facts) | dict.fromkeys(once, True)),)
