"""What of a recorded event is counted per hour: its decision, opinions, questions and duration."""

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from hookd.lazy_pattern import lazy_compile

DURATIONS_US = (250, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 250_000, 1_000_000)
"""Upper bounds of the classes of durations, in microseconds; the last class has none."""

RESULTS = frozenset({"PostToolUse", "PostToolUseFailure"})
"""Events that show that a tool call ran."""

_CALL = "PreToolUse"
_MAX_CALL_CHARS = 300
"""Characters of a call that are stored; a longer one is cut."""

_KEY_CHARS = 16
_TIME = lazy_compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d+)?Z", re.ASCII)
_UNREADABLE = "\ufffd"
"""The character in the place of bytes that are no text."""


class RecordedEvent(NamedTuple):
    """A recorded event, with the project, agent and client of its session.

    `pending`: user hooks still run on it. `lost`: its answer did not reach the client.
    """

    id: int
    at: str
    event: str
    pending: int
    lost: int
    decision: str | None
    facts: str | None
    duration_us: int | None
    session_id: int | None
    tool_use_id: str | None
    project_id: int
    agent: str
    client: str


class Said(NamedTuple):
    """An opinion: its rule, the ids of the catalogue's rules, and what it said.

    `verdict` is `tell` for a text without a verdict, `passed` where an allow rule let a call pass.
    """

    rule: str
    found: str
    verdict: str


class Question(NamedTuple):
    """A call that a rule asked about; `call_key` is empty if no allow rule can allow it."""

    rule: str
    found: str
    call_key: str
    tool: str
    call: str


class EventCount(NamedTuple):
    """What of one event is counted. `hour` is empty, and nothing is counted, without a time.

    `injected` is the number of characters for the model. `problem` says what cannot be read.
    """

    hour: str
    duration: int | None
    injected: int
    said: tuple[Said, ...]
    asked: tuple[Question, ...]
    problem: str


def count_of(event: RecordedEvent) -> EventCount:
    """Return what of an event is counted; damaged parts are left out and named."""
    if _TIME.fullmatch(event.at) is None:
        return EventCount("", None, 0, (), (), "its time is unreadable")
    problems: list[str] = []
    if _UNREADABLE in f"{event.event}{event.decision}{event.agent}{event.client}":
        problems.append("its name or decision is no text")
    opinions = _opinions(event, problems)
    named = tuple(one for one in opinions if one.get("rule"))
    said = tuple(dict.fromkeys(one for opinion in named for one in _said(opinion)))
    asks = named if event.event == _CALL and event.decision == "ask" else ()
    asked = (one for opinion in asks for one in _questions(opinion))
    took = event.duration_us
    if took is not None and took < 0:
        problems.append("its duration is negative")
        took = None
    return EventCount(
        event.at[:13],
        None if took is None else bisect_left(DURATIONS_US, took),
        _injected(opinions),
        said,
        tuple({(one.rule, one.found, one.call_key): one for one in asked}.values()),
        "; ".join(problems),
    )


def is_question(event: RecordedEvent) -> bool:
    """Return whether the user was asked about a call."""
    return event.event == _CALL and event.decision == "ask" and not event.lost


def _opinions(event: RecordedEvent, problems: list[str]) -> tuple[Mapping[str, Any], ...]:
    """Return the recorded opinions."""
    if not event.facts:
        return ()
    try:
        record = json.loads(event.facts)
    except (ValueError, RecursionError):
        record = None
    found = record.get("opinions", []) if isinstance(record, dict) else None
    if not isinstance(found, list) or not all(map(_is_opinion, found)):
        problems.append("its opinions are unreadable")
        return ()
    return tuple(found)


def _is_opinion(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    texts = (value.get(key, "") for key in ("rule", "verdict", "context"))
    ids, call = value.get("ruleIds", []), value.get("call", {})
    named = isinstance(ids, list) and all(isinstance(one, str) for one in ids)
    whole = isinstance(call, dict) and all(isinstance(one, str) for one in call.values())
    sized = isinstance(value.get("contextChars", 0), int)
    return named and whole and sized and all(isinstance(text, str) for text in texts)


def _said(opinion: Mapping[str, Any]) -> Iterator[Said]:
    """Yield what each rule of an opinion said: guard rules share one opinion."""
    verdict = str(opinion.get("verdict", ""))
    if opinion.get("allowed"):
        verdict = "passed"
    elif not verdict and opinion.get("context"):
        verdict = "tell"
    if verdict:
        for rule in rules_of(opinion["rule"]):
            yield Said(rule, _found(opinion), _storable(verdict))


def _questions(opinion: Mapping[str, Any]) -> Iterator[Question]:
    if opinion.get("verdict") != "ask":
        return
    call = opinion.get("call", {})
    key, text = (_storable(call.get(name, "")) for name in ("key", "text"))
    for rule in rules_of(opinion["rule"]):
        tool = _storable(call.get("tool", ""))
        yield Question(rule, _found(opinion), key[:_KEY_CHARS], tool, text[:_MAX_CALL_CHARS])


def rules_of(names: str) -> tuple[str, ...]:
    """Return the names of rules that one opinion has."""
    return tuple(name for name in _storable(names).split(", ") if name)


def _found(opinion: Mapping[str, Any]) -> str:
    return _storable(" ".join(sorted(opinion.get("ruleIds", []))))


def _injected(opinions: Iterable[Mapping[str, Any]]) -> int:
    """Return the number of characters for the model; a text of several opinions counts once."""
    texts = {str(one.get("context", "")): one.get("contextChars") for one in opinions}
    return sum(whole or len(text) for text, whole in texts.items())


def _storable(text: str) -> str:
    """Return a text without halves of characters, which no database stores."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
