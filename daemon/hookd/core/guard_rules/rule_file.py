"""Rules file: the guard rules of a YAML file such as `.hookd/rules.yaml`, or its mistakes.

A file holds plain values only: no anchors, aliases or tags, so that reading it runs nothing and
costs no more than its size. Each mistake has its line and its column. A file with a mistake has no
rules: half of a team's rules would look like all of them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml
from pydantic import ValidationError

from hookd.config.refusal import first_error
from hookd.core.guard_rules.dead_rules import problems, warnings, without_secrets
from hookd.core.guard_rules.example_schema import KINDS
from hookd.core.guard_rules.rule import Payload, Rule
from hookd.core.guard_rules.short_form import written_keys
from hookd.core.model.errors import DomainError
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

MAX_BYTES = 65_536
"""Bytes of one file."""

MAX_RULES = 200
"""Rules of one file."""

_MAX_LEVELS = 20
_MAX_PROBLEMS = 20
_MAX_PATTERN_CHARS = 1_000
_KEYS = ("rules", "version")
_BROKEN = (yaml.YAMLError, ValueError, OverflowError, RecursionError)
"""Errors of PyYAML; ValueError and OverflowError are for escapes beyond Unicode."""

_WHOLE = lazy_compile(r"[-+]?(?:0|[1-9][0-9]{0,17})")
_NUMBER = lazy_compile(r"[-+]?[0-9]{1,18}\.[0-9]{0,18}(?:[eE][-+][0-9]{1,3})?")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
"""Unquoted words that are no texts. `yes`, `no`, `on` and `off` are texts, as in YAML 1.2."""

Key = tuple[str | int, ...]
Places = dict[Key, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A mistake in a file; `line` and `column` count from 1."""

    line: int
    column: int
    sentence: str


@dataclass(frozen=True, slots=True)
class FileRule:
    """A rule of a file. `text` is its JSON as it is stored, without secrets in its texts.

    `example_lines` are the lines of its examples, in the order of `KINDS`.
    """

    rule: Rule
    text: str
    line: int
    column: int
    example_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleFile:
    """The rules of a file in their order; none if there are problems."""

    rules: tuple[FileRule, ...] = ()
    problems: tuple[FileProblem, ...] = ()


@dataclass(frozen=True, slots=True)
class Located:
    """A value of a file, and the place of each key and item in it: line and column from 1."""

    value: Any
    places: Mapping[Key, tuple[int, int]]

    def place(self, key: Key) -> tuple[int, int]:
        """Return the place of a key, or of its nearest parent that is in the file."""
        while key and key not in self.places:
            key = key[:-1]
        return self.places.get(key, (1, 1))


class Mistake(Exception):  # noqa: N818
    """The first mistake in a text, as `problem`."""

    def __init__(self, mark: Any, sentence: str) -> None:
        super().__init__(sentence)
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        self.problem = FileProblem(line, column, sentence)


def read_rules(data: bytes) -> RuleFile:
    """Return the rules of a file, or all mistakes that were found in it."""
    try:
        return rules_in(parse_yaml(data))
    except Mistake as mistake:
        return RuleFile(problems=(mistake.problem,))


def rules_in(located: Located, keys: Sequence[str] = _KEYS) -> RuleFile:
    """Return the rules of a parsed file that may have these keys, or all mistakes in them."""
    try:
        given = _entries(located, keys)
    except Mistake as mistake:
        return RuleFile(problems=(mistake.problem,))
    rules: list[FileRule] = []
    found: list[FileProblem] = []
    names: dict[str, int] = {}
    for index in range(len(given)):
        for one in _rule(located, index):
            if isinstance(one, FileProblem):
                found.append(one)
                continue
            first = names.setdefault(one.rule.id, one.line)
            if first != one.line:
                place = located.place(("rules", index, "id"))
                found.append(FileProblem(*place, f"line {first} has a rule with this name, too"))
            rules.append(one)
    if found:
        return RuleFile(problems=tuple(found[:_MAX_PROBLEMS]))
    return RuleFile(tuple(rules))


def rule_warnings(file: RuleFile) -> tuple[FileProblem, ...]:
    """Return a note for each tool name that Claude Code does not have."""
    return tuple(
        FileProblem(one.line, one.column, f"{one.rule.id}: {why}")
        for one in file.rules
        for why in warnings(one.rule)
    )


def _entries(located: Located, keys: Sequence[str]) -> Sequence[object]:
    """Return the entries of `rules`. Raise Mistake if the file has another shape."""
    top = located.value
    if top is None:
        return ()
    if not isinstance(top, dict):
        raise _at(located, (), "expected `rules:` and a list of rules")
    for key in top:
        if key not in keys:
            text = f"there is no such key; a file has {' and '.join(keys)}"
            raise _at(located, (key,), text)
    if top.get("version", 1) != 1:
        raise _at(located, ("version",), "only version 1 is known")
    rules = top.get("rules")
    if rules is None:
        return ()
    if not isinstance(rules, list):
        raise _at(located, ("rules",), "expected a list of rules, each with a `-`")
    if len(rules) > MAX_RULES:
        text = f"a file has at most {MAX_RULES} rules; here are {len(rules)}"
        raise _at(located, ("rules", MAX_RULES), text)
    return rules


def _at(located: Located, key: Key, sentence: str) -> Mistake:
    mistake = Mistake(None, sentence)
    mistake.problem = FileProblem(*located.place(key), sentence)
    return mistake


def _rule(located: Located, index: int) -> Iterator[FileRule | FileProblem]:
    """Yield the rule at an index, or what is wrong with it."""
    given, top = located.value["rules"][index], ("rules", index)
    if not isinstance(given, dict):
        yield FileProblem(*located.place(top), "expected a rule: id, match, and deny, ask or tell")
        return
    try:
        rule = Rule.model_validate(given)
        clean = without_secrets(rule)
    except ValidationError as error:
        yield from _invalid(located, top, error)
        return
    except DomainError as error:
        yield FileProblem(*located.place(top), str(error))
        return
    dead = [*_long_patterns(located, top, rule), *_dead(located, top, rule)]
    if rule.urgency == "allow" and rule.payload == Payload():
        dead.append(FileProblem(*located.place(top), "it says nothing: add deny, ask or tell"))
    yield from dead
    if not dead:
        text = clean.model_dump_json(by_alias=True, exclude_none=True)
        yield FileRule(clean, text, *located.place(top), _example_lines(located, top, rule))


def _example_lines(located: Located, top: Key, rule: Rule) -> tuple[int, ...]:
    listed = ((kind, len(getattr(rule, kind) or ())) for kind in KINDS)
    keys = ((*top, kind, at) for kind, count in listed for at in range(count))
    return tuple(located.place(key)[0] for key in keys)


def _invalid(located: Located, top: Key, error: ValidationError) -> Iterator[FileProblem]:
    """Yield the first rejected key of a rule, at the place where it is written."""
    name, why = first_error(error, "there is no such field")
    keys = written_keys(_key(located, top, error.errors(include_input=False)[0]["loc"]))
    there = [key for key in keys if key and (*top, *key) in located.places]
    place = located.place((*top, *(there[0] if there else keys[0])))
    shown = ".".join(map(str, there[0])) if there else name.replace("ruleId", "id")
    yield FileProblem(*place, f"{shown}: {why}" if shown else why)


def _key(located: Located, top: Key, loc: Sequence[str | int]) -> Key:
    """Return the key of a validation error; parts that name a variant of a union are left out."""
    key: Key = ()
    for name in loc:
        step = "id" if name == "ruleId" and (*top, name) not in located.places else name
        longer = (*key, step)
        written = any((*top, *one) in located.places for one in written_keys(longer))
        if written or step in ("toolFilter", "payload"):
            key = longer
    return key


def _dead(located: Located, top: Key, rule: Rule) -> Iterator[FileProblem]:
    """Yield why the rule, or a part of it, can never match, at the part that the sentence names."""
    for sentence in problems(rule):
        name = sentence.partition(": ")[0]
        keys = written_keys(tuple(name.split(".")))
        there = [(*top, *key) for key in keys if (*top, *key) in located.places]
        key = there[0] if there else top
        items = _value(located.value, key)
        if isinstance(items, list):
            named = [at for at, one in enumerate(items) if repr(one) in sentence]
            key = (*key, *named[:1])
        yield FileProblem(*located.place(key), sentence)


def _long_patterns(located: Located, top: Key, rule: Rule) -> Iterator[FileProblem]:
    filters = rule.tool_filter
    for text in (*filters.include, *filters.exclude, *rule.whitelist):
        if len(text) > _MAX_PATTERN_CHARS:
            why = f"a pattern has at most {_MAX_PATTERN_CHARS:,} characters"
            yield FileProblem(*located.place(top), why)


def _value(value: Any, key: Key) -> Any:
    for step in key:
        value = value[step]
    return value


def parse_yaml(data: bytes) -> Located:
    """Return the value of a YAML text, with places. Raise Mistake, which has the first mistake."""
    if len(data) > MAX_BYTES:
        raise Mistake(
            None, f"a file has at most {MAX_BYTES // 1024} kB; this has {len(data):,} bytes"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        mistake = Mistake(None, "this is not UTF-8")
        column = error.start - (before.rfind(b"\n") + 1) + 1
        mistake.problem = FileProblem(before.count(b"\n") + 1, column, "this is not UTF-8")
        raise mistake from None
    try:
        events = list(yaml.parse(text, Loader=yaml.SafeLoader))
    except _BROKEN as error:
        raise _broken(text, error) from None
    starts = [at for at, event in enumerate(events) if isinstance(event, yaml.DocumentStartEvent)]
    if not starts:
        return Located(None, {})
    if len(starts) > 1:
        raise Mistake(events[starts[1]].start_mark, "a file has one YAML document")
    places: Places = {}
    rest = iter(events[starts[0] + 1 :])
    return Located(_node(next(rest), rest, (), places), places)


def _broken(text: str, error: Exception) -> Mistake:
    """Return the mistake that PyYAML found."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        return Mistake(mark, f"invalid YAML: {getattr(error, 'problem', None) or error}")
    sentence = "invalid YAML: it contains a character that YAML does not allow"
    mistake = Mistake(None, sentence)
    at = getattr(error, "position", 0)
    start = text.rfind("\n", 0, at) + 1
    mistake.problem = FileProblem(text.count("\n", 0, at) + 1, at - start + 1, sentence)
    return mistake


def _node(event: Any, events: Iterator[Any], key: Key, places: Places) -> Any:
    """Return the value of the node that begins with `event`, and record its places."""
    mark = event.start_mark
    places.setdefault(key, (mark.line + 1, mark.column + 1))
    if isinstance(event, yaml.AliasEvent):
        raise Mistake(mark, "an alias (*) is not supported: write the value again")
    if event.anchor is not None:
        raise Mistake(mark, "an anchor (&) is not supported: write the value again")
    if event.tag is not None:
        raise Mistake(mark, f"a tag ({_shown(event.tag)}) is not supported: write a plain value")
    if len(key) > _MAX_LEVELS:
        raise Mistake(mark, f"values are nested deeper than {_MAX_LEVELS} levels")
    if isinstance(event, yaml.ScalarEvent):
        return _scalar(event)
    if isinstance(event, yaml.SequenceStartEvent):
        return _items(events, key, places)
    return _members(events, key, places)


def _items(events: Iterator[Any], key: Key, places: Places) -> list[Any]:
    found: list[Any] = []
    for event in events:
        if isinstance(event, yaml.SequenceEndEvent):
            break
        found.append(_node(event, events, (*key, len(found)), places))
    return found


def _members(events: Iterator[Any], key: Key, places: Places) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            break
        mark = event.start_mark
        if not isinstance(event, yaml.ScalarEvent):
            raise Mistake(mark, "a key is a word, such as id")
        _node(event, events, (*key, event.value), {})  # refuses anchors and tags
        word = event.value
        if word in found:
            raise Mistake(mark, f"the key {_shown(word)} is given twice")
        places[(*key, word)] = (mark.line + 1, mark.column + 1)
        found[word] = _node(next(events), events, (*key, word), places)
    return found


def _scalar(event: Any) -> Any:
    """Return a scalar: in quotes a text, else a number, true, false, null or a text."""
    text: str = event.value
    if not event.implicit[0]:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _shown(text: str) -> str:
    return json.dumps(text if len(text) <= 60 else f"{text[:57]}...")
