"""Rules files: rules in both forms; each mistake with its line and column."""

import json

from hookd.core.guard_rules.rule_file import MAX_BYTES, MAX_RULES, FileProblem, read_rules
from support.parametrize import parametrize_all

HEAD = "rules:\n  - id: a\n"

MISTAKES = [
    ("rules: 3", 1, 1, "expected a list of rules"),
    ("- id: a", 1, 1, "expected `rules:`"),
    ("rulez: []", 1, 1, "there is no such key"),
    ("version: 2\nrules: []", 1, 1, "only version 1"),
    ("rules:\n  - a", 2, 5, "expected a rule"),
    ("rules:\n  - match: Edit\n    deny: x", 2, 5, "id: Field required"),
    (f"{HEAD}    match: Edit", 2, 5, "it says nothing"),
    (f"{HEAD}    deny: x\n    ask: y", 2, 5, "give one of deny and ask"),
    (f"{HEAD}    deny: x\n    urgency: ask", 2, 5, "deny and urgency say the same"),
    (f"{HEAD}    deny: x\n    match: Edit\n    toolFilter: {{include: []}}", 2, 5, "say the same"),
    (f"{HEAD}    deny: 3", 3, 5, "deny: expected a text"),
    (f"{HEAD}    match: [Edit, 4]\n    deny: x", 3, 19, "match.1: expected a text"),
    (f"{HEAD}    denny: x", 3, 5, "denny: there is no such field"),
    (f"{HEAD}    deny: x\n    urgent: block", 4, 5, "urgent: there is no such field"),
    (f"{HEAD}    deny: x\n    match: Edit(", 4, 5, "is not closed"),
    (
        f"{HEAD}    toolFilter:\n      include:\n        - Read\n        - Edit(\n    deny: x",
        6, 11, "toolFilter.include.1: the parenthesis",
    ),
    (f"{HEAD}    match: [Edit, 'Bash(a; b)']\n    deny: x", 3, 19, "'Bash(a; b)' never matches"),
    (f"{HEAD}    match: Edit\n    except: Edit\n    deny: x", 2, 5, "exempt every call"),
    (
        f"{HEAD}    deny: x\n    condition: {{field: context_usage, op: gt, value: 1.0}}",
        4, 5, "is never gt 1",
    ),
    (
        f"{HEAD}    deny: x\n    trigger:\n      type: contextThreshold\n"
        "      condition: {gte: 7}",
        6, 19, "trigger.condition.gte",
    ),
    (f"{HEAD}    deny: x\n  - id: a\n    deny: y", 4, 5, "line 2 has a rule with this name"),
    (f"{HEAD}    id: b", 3, 5, 'the key "id" is given twice'),
    ("rules:\n  - &x id: a", 2, 5, "an anchor"),
    (f"{HEAD}    deny: *x", 3, 11, "an alias"),
    (f"{HEAD}    <<: *x", 3, 9, "an alias"),
    (f"{HEAD}    deny: !!python/object/apply:os.system [x]", 3, 11, "a tag"),
    (f"{HEAD}    deny: !x y", 3, 11, "a tag"),
    ("? [a]\n: 3", 1, 3, "a key is a word"),
    ("a: 1\n---\nb: 1", 2, 1, "one YAML document"),
    ("rules:\n\t- a", 2, 1, "invalid YAML"),
    ("rules: [\n  {id: a,\n", 3, 1, "invalid YAML"),
    ("rules:\n  'x\x01'", 2, 5, "a character that YAML does not allow"),
    ("rules: " + "[" * 40 + "]" * 40, 1, 28, "nested deeper than 20"),
    (f"{HEAD}    deny: x\n    match: Edit({'x' * 1000})", 2, 5, "at most 1,000 characters"),
    (
        f"{HEAD}    match: Bash(curl ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123 *)\n    deny: x",
        2, 5, "looks like a secret",
    ),
    ("# " + "x" * MAX_BYTES, 1, 1, "at most 64 kB"),
    (
        "rules:\n" + "".join(f"  - {{id: r{n}, deny: x}}\n" for n in range(MAX_RULES + 1)),
        MAX_RULES + 2, 5, "at most 200 rules; here are 201",
    ),
]  # fmt: skip


@parametrize_all(("text", "line", "column", "why"), MISTAKES)
def test_a_mistake_has_its_line_and_column_and_takes_all_rules_away(
    text: str, line: int, column: int, why: str
) -> None:
    file = read_rules(text.encode())
    assert file.rules == ()
    first = file.problems[0]
    assert (first.line, first.column) == (line, column), first
    assert why in first.sentence


def test_all_mistakes_of_a_file_are_named() -> None:
    file = read_rules(b"rules:\n  - {id: a}\n  - {id: b, deny: x}\n  - {id: c, deny: 3}\n")
    assert [(one.line, one.column) for one in file.problems] == [(2, 5), (4, 13)]


def test_bytes_that_are_no_text_have_their_place() -> None:
    file = read_rules(b"rules:\n  - \xff")
    assert file.problems == (FileProblem(2, 5, "this is not UTF-8"),)


@parametrize_all("text", ["", "\n", "# nothing\n", "rules:\n", "rules: []", "version: 1", "---\n"])
def test_a_file_without_rules_is_valid(text: str) -> None:
    assert read_rules(text.encode()) == read_rules(b"")
    assert not read_rules(b"").problems


def test_the_short_and_the_long_form_are_the_same_rule() -> None:
    short = b"rules:\n- id: a\n  match: [Edit]\n  except: Edit(x)\n  deny: No.\n  priority: 3"
    long = b"""
rules:
  - ruleId: a
    toolFilter: {include: [Edit], exclude: ["Edit(x)"]}
    payload: {text: 'No.'}
    urgency: block
    priority: 3
"""
    one, other = (read_rules(text).rules[0] for text in (short, long))
    assert one.rule == other.rule
    assert one.text == other.text
    assert one.rule.urgency == "block"


def test_words_are_texts_and_numbers_are_numbers() -> None:
    # In YAML 1.1, `no`, `on` and `off` would be false and true, and the date a date.
    text = "rules:\n  - {id: no, match: Bash, tell: off, priority: 7, description: 2026-01-31}\n"
    rule = read_rules(text.encode()).rules[0].rule
    assert (rule.id, rule.payload.text, rule.priority) == ("no", "off", 7)
    assert rule.description == "2026-01-31"


def test_json_is_a_rules_file() -> None:
    text = json.dumps({"rules": [{"id": "a", "match": ["Edit"], "deny": "x"}]})
    assert [one.rule.id for one in read_rules(text.encode()).rules] == ["a"]


def test_a_secret_in_a_text_is_not_stored() -> None:
    text = f"{HEAD}    deny: ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123\n"
    assert "[redacted:" in read_rules(text.encode()).rules[0].text
