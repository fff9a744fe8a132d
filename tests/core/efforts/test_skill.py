"""A SKILL.md is parsed, or its problem is named; a skill survives its columns."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hookd
from hookd.core.efforts.skill import (
    Phase,
    Skill,
    SkillError,
    parse_skill,
    skill_from_json,
    skill_to_json,
)
from support.parametrize import parametrize_all

WHOLE = """\
---
name: another-name
description: Builds what was planned.
version: 1.10
argument-hint: "[task]"
allowed-tools: [Read, "Bash(git *)"]
modes:
  tdd: {label: TDD, description: Tests first, file: modes/tdd.md, rounds: 3, strict: true}
  free: ~
templates: {log: assets/LOG.md}
planTemplate: assets/PLAN.md
commands:
- §CMD_LOG
next-skills: [/review, test]
directives: [PITFALLS.md]
phases:
- label: 0
  name: Setup
  proof: [mode, task]
- label: 1.10
  name: Plan
  steps:
  - §CMD_PLAN
  commands: [§CMD_ASK]
- 3.A: Operation
---
# Build

```json
{"phases": ["not this one"]}
```
"""

BLOCK = """\
# Build

```json
{"an": "example"}
```

```json
{
  "phases": [
    {"major": 0, "minor": 0, "name": "Setup", "proof": ["mode"]},
    {"major": 3, "minor": 1, "name": "Handoff", "gate": false},
    {"label": 3.10, "name": "Late"}
  ],
  "nextSkills": ["/test"],
  "cmdDependencies": ["A"],
  "logTemplate": "assets/LOG.md",
  "modes": {"tdd": {"share": 0.50, "rounds": 3, "on": [true, null]}}
}
```
"""


def parsed(text: str) -> Skill:
    return parse_skill(text, "build")


def refusal(text: str) -> str:
    with pytest.raises(SkillError) as refused:
        parsed(text)
    return str(refused.value)


def front(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "# Text", ""])


def block(keys: Any) -> str:
    return f"# Text\n\n```json\n{json.dumps(keys)}\n```\n"


def phases(*values: Any) -> tuple[Phase, ...]:
    return parsed(block({"phases": list(values)})).phases


def test_front_matter_says_the_whole_skill() -> None:
    assert parsed(WHOLE) == Skill(
        name="build",
        description="Builds what was planned.",
        version="1.10",
        phases=(
            Phase("0", "Setup", proof=("mode", "task")),
            Phase("1.10", "Plan", steps=("§CMD_PLAN",), commands=("§CMD_ASK",)),
            Phase("3.A", "Operation"),
        ),
        modes={
            "tdd": {
                "label": "TDD",
                "description": "Tests first",
                "file": "modes/tdd.md",
                "rounds": 3,
                "strict": True,
            },
            "free": None,
        },
        templates={"log": "assets/LOG.md", "plan": "assets/PLAN.md"},
        commands=("§CMD_LOG",),
        next_skills=("review", "test"),
        directives=("PITFALLS.md",),
    )


def test_a_block_of_json_says_it_too() -> None:
    assert parsed(BLOCK) == Skill(
        name="build",
        phases=(
            Phase("0", "Setup", proof=("mode",)),
            Phase("3.1", "Handoff"),
            Phase("3.10", "Late"),
        ),
        modes={"tdd": {"share": "0.50", "rounds": 3, "on": [True, None]}},
        templates={"log": "assets/LOG.md"},
        commands=("A",),
        next_skills=("test",),
    )


def test_front_matter_without_phases_goes_before_the_block() -> None:
    skill = parsed(front("description: Builds.", "directives: [A]", "phases:") + BLOCK)
    assert (skill.description, skill.directives, len(skill.phases)) == ("Builds.", ("A",), 3)
    assert parsed(front("commands: [B]") + BLOCK).commands == ("B",)


PAGE = Path(hookd.__file__).parent.parent.parent / "docs" / "guides" / "skills.md"


@parametrize_all(
    ("fence", "titles"),
    [
        (
            "```",
            ["0: Setup", "1: Plan", "2: Build", "2.A: Build alone", "2.B: Hand over", "3: Close"],
        ),
        ("````", ["0: Setup", "1: Build", "1.1: Hand over"]),
    ],
)
def test_the_examples_of_the_docs_are_skills(fence: str, titles: list[str]) -> None:
    text = PAGE.read_text("utf-8").partition(f"\n{fence}markdown\n")[2]
    skill = parsed(text.partition(f"\n{fence}\n")[0])
    assert [phase.title for phase in skill.phases] == titles
    assert skill.phases[0].proof == ("mode", "task")
    assert skill.templates["log"] == "assets/LOG.md"


PLAIN = {
    "nothing at all": "",
    "text": "# A skill\n\nDo it.\n",
    "front matter without keys": "---\n---\ntext",
    "front matter of a comment": "---\n# nothing\n---\ntext",
    "keys of the client alone": front("allowed-tools: Read", "model: opus"),
    "an example that is not an object": '```json\n["phases"]\n```\n',
    "an example that is no JSON": "```json\n{...}\n```\n",
    "phases below another key": '```json\n{"x": {"phases": 1}}\n```\n',
    "a block of another kind": '```json5\n{"phases": ["A"]}\n```\n',
    "a block of no kind": '```\n{"phases": ["A"]}\n```\n',
    "a block within a block": '````md\n```json\n{"phases": ["A"]}\n```\n````\n',
    "a block after a shorter fence": '````md\n```\n```json\n{"phases": ["A"]}\n```\n````\n',
    "a block after a fence of a kind": '```md\n```x\n```json\n{"phases": ["A"]}\n```\n',
    "a block within a block of tildes": '~~~md\n```json\n{"phases": ["A"]}\n```\n~~~\n',
    "phases that are null": '```json\n{"phases": null}\n```\n',
    "a rule that is no front matter": "text\n---\nphases: [A]\n---\n",
}


@parametrize_all("text", PLAIN.values(), ids=PLAIN)
def test_a_skill_without_phases_is_a_skill(text: str) -> None:
    assert parsed(text) == Skill("build")


BLOCKS = {
    "indented, as in a list": '- see:\n\n    ```json\n    {"phases": ["A"]}\n    ```\n',
    "tildes": '~~~json\n{"phases": ["A"]}\n~~~\n',
    "more marks": '`````JSON title="x"\n{"phases": ["A"]}\n``````  \n',
    "without an end": '```json\n{"phases": ["A"]}\n',
    "after front matter": '---\nname: x\n---\n```json\n{"phases": ["A"]}\n```\n',
    "before a broken one": '```json\n{"phases": ["A"]}\n```\n```json\n{"phases": \n```\n',
    "after a broken example": '```json\n{...}\n```\n```json\n{"phases": ["A"]}\n```\n',
}


@parametrize_all("text", BLOCKS.values(), ids=BLOCKS)
def test_the_first_block_with_phases_is_found(text: str) -> None:
    assert parsed(text).phases == (Phase("0", "A"),)


@parametrize_all("text", [WHOLE, BLOCK], ids=["front matter", "block"])
def test_a_byte_order_mark_and_line_ends_make_no_difference(text: str) -> None:
    assert parsed("\ufeff" + text.replace("\n", "\r\n")) == parsed(text)
    assert parsed(text.replace("\n", "\r")) == parsed(text)


PHASES = [
    (["Setup", "Build"], ["0: Setup", "1: Build"]),
    (["0: Setup", "3.A: Operation", " 4 :  Close "], ["0: Setup", "3.A: Operation", "4: Close"]),
    (["1: Setup", "Build", "3.b:Part"], ["1: Setup", "2: Build", "3.b: Part"]),
    (["Setup: the beginning"], ["0: Setup: the beginning"]),
    (["3", "4: "], ["3", "4"]),
    ([{"label": "3.A"}], ["3.A"]),
    ([{"label": 3, "name": "Build"}], ["3: Build"]),
    ([{"label": "3.A.2", "name": "a\n b"}], ["3.A.2: a b"]),
    ([{"major": 3, "name": "A"}, {"major": 4, "minor": 0}], ["3: A", "4"]),
    ([{"major": "3", "minor": "2", "name": "A"}], ["3.2: A"]),
    ([{"major": 3, "minor": "B", "name": "A"}], ["3.B: A"]),
    ([{"name": "A"}, {"name": "B", "label": None}], ["0: A", "1: B"]),
    ([{"name": "2: A"}, {"name": "B"}], ["2: A", "3: B"]),
    ([{"3.A": "Operation", "proof": []}], ["3.A: Operation"]),
    (["3.1: A", "3.A: B", "3.10: C"], ["3.1: A", "3.A: B", "3.10: C"]),
    ([], []),
]


@parametrize_all(("values", "titles"), PHASES)
def test_a_phase_is_said_in_several_ways(values: list[Any], titles: list[str]) -> None:
    assert [phase.title for phase in phases(*values)] == titles


def test_what_yaml_would_make_of_a_label_or_a_date_is_not_made() -> None:
    lines = ["- 1.10", "- {label: 010, name: 2026-01-31}", "- {label: 1.1, name: yes}"]
    skill = parsed(front("version: 2026-01-31", "description: no", "phases:", *lines))
    titles = [phase.title for phase in skill.phases]
    assert (skill.version, skill.description) == ("2026-01-31", "no")
    assert titles == ["1.10", "010: 2026-01-31", "1.1: yes"]


@parametrize_all("kind", ["log", "plan", "debrief", "request", "response"])
@parametrize_all("key", ["{}Template", "{}_template", "{}-template"])
def test_single_templates_are_folded_into_one_table(kind: str, key: str) -> None:
    assert parsed(front(f"{key.format(kind)}: a.md")).templates == {kind: "a.md"}
    both = front(f"{key.format(kind)}: a.md", f"templates: {{{kind}: b.md, other: c.md}}")
    assert parsed(both).templates == {kind: "b.md", "other": "c.md"}


@parametrize_all("key", ["commands", "cmdDependencies", "cmd_dependencies"])
def test_commands_have_an_older_name(key: str) -> None:
    assert parsed(front(f"{key}: [A, B]")).commands == ("A", "B")


LAX = [
    ("description: Use it: now", "Use it: now"),
    ("description: *bold* words", "*bold* words"),
    ("description: it's `this` - or: that", "it's `this` - or: that"),
    ("argument-hint: [file] [--all]\ndescription: Reads.", "Reads."),
    ("allowed-tools: Bash(a: b), @x\ndescription: >\n  Two\n  lines.", "Two lines."),
]


@parametrize_all(("lines", "description"), LAX)
def test_a_line_that_claude_code_takes_is_taken(lines: str, description: str) -> None:
    skill = parsed(front(lines, "phases: [A]"))
    assert (skill.description, skill.phases) == (description, (Phase("0", "A"),))


MANY = [f"- P{number}" for number in range(201)]
DEEP = json.loads("[" * 40 + "]" * 40)
LAUGHS = ["a: &a [x, x]", "b: &b [*a, *a]", "phases: [*b]"]

REFUSED = {
    "no end": ("---\nname: x\n", "line 1: the front matter has no end"),
    "no YAML": (front("name: x", "phases: [a"), "line 3: the front matter is invalid YAML: "),
    "no YAML in an object": (front("modes: {a: b"), "line 2: the front matter is invalid YAML: "),
    "tabs": (front("phases:", "\t- a"), "line 3: the front matter is invalid YAML: "),
    "no keys": (front("- a"), "the front matter has no keys"),
    "a text for keys": (front("a text"), "the front matter has no keys"),
    "two documents": (front("a: b", "--- c"), "more than one YAML document"),
    "a zero": (front("name: \0"), "a character that YAML does not allow"),
    "an escape beyond Unicode": (front(r'phases: ["\UFFFFFFFF"]'), "the front matter"),
    "an alias": (front("phases: *x"), "line 2: anchors and aliases"),
    "a billion laughs": (front(*LAUGHS), "line 2: anchors and aliases"),
    "an anchored key": (front("&a b: c"), "line 2: anchors and aliases"),
    "a key that is a list": (front("[a]: b"), "line 2: a key must be text"),
    "a key twice": (front("phases: [A]", "phases: [B]"), "line 3: the key 'phases' is used twice"),
    "too deep": (front("modes: " + "[" * 40 + "]" * 40), "deeper than 20 levels"),
    "too deep in JSON": (
        block({"phases": [], "modes": {"a": DEEP}}),
        "modes.a",
    ),
    "far too deep in JSON": ('```json\n{"phases": ' + "[" * 60_000 + "\n```", "line 1: "),
    "too long": (front("description: >", *["  " + "x" * 70] * 1000), "is longer than 64 kB"),
    "a block too long": (block({"phases": [], "x": "x" * 70_000}), "line 3: the block of JSON is"),
    "no JSON": ('\n```json\n{\n"phases": [}\n```\n', "line 4: invalid JSON: "),
    "no number": ('```json\n{"phases": [NaN]}\n```\n', "line 1: the block contains NaN"),
    "too many phases": (front("phases:", *MANY), "phases has more than 200 entries"),
    "phases that are no list": (front("phases: {a: b}"), "phases is not a list"),
    "a phase that is null": (block({"phases": [None]}), "phases[0] is neither a text nor"),
    "a phase that is a truth": (block({"phases": ["A", True]}), "phases[1] is neither a text nor"),
    "a phase that is a list": (block({"phases": [["A"]]}), "phases[0] is neither a text nor"),
    "a phase without a name": (block({"phases": [{"proof": []}]}), "phases[0] has neither a label"),
    "a phase that is blank": (block({"phases": [" "]}), "phases[0] is empty"),
    "a label twice": (
        block({"phases": ["3: A", "3.0: B"]}),
        "the label 3.0 is used twice",
    ),
    "a label of words": (block({"phases": [{"label": "A"}]}), "phases[0].label is 'A'; a label"),
    "a label that is a truth": (
        block({"phases": [{"label": True}]}),
        "phases[0].label is not a text",
    ),
    "a fraction for a major": (block({"phases": [{"major": 1.5}]}), "phases[0].major is '1.5'"),
    "a minor of words": (block({"phases": [{"major": 1, "minor": "AB"}]}), "phases[0].minor is"),
    "a name too long": (block({"phases": ["A" * 201]}), "phases[0] is longer than 200"),
    "a name with an escape": (block({"phases": ["\x1b[2J"]}), "phases[0] contains a control"),
    "a proof that is a text": (
        front("phases: [{name: A, proof: b}]"),
        "phases[0].proof is not a list",
    ),
    "a proof that is blank": (front('phases: [{name: A, proof: [b, ""]}]'), "proof[1] is empty"),
    "a step that is an object": (front("phases: [{name: A, steps: [{a: b}]}]"), "steps[0] is no"),
    "modes that are a list": (front("modes: [a]"), "modes is not an object"),
    "templates that are a text": (front("templates: a.md"), "templates is not an object"),
    "a template that is a list": (front("log_template: [a]"), "log_template is not a text"),
    "a template of a list": (front("templates: {log: [a]}"), "templates.log is not a text"),
    "a description that is a list": (front("description: [a]"), "description is not a text"),
    "commands that are a text": (front("cmd_dependencies: a"), "cmd_dependencies is not a list"),
    "a skill without a name": (front("next_skills: [/]"), "next_skills has a / without"),
    "a text too long": (front("directives: [" + "x" * 10_001 + "]"), "directives[0] is longer"),
}


@parametrize_all(("text", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named(text: str, told: str) -> None:
    assert told in refusal(text)


@parametrize_all("key", ["\x1b[2J", "\ud800", "a\nb", "x" * 9000])
def test_a_refusal_is_one_short_line_that_any_terminal_can_show(key: str) -> None:
    told = refusal(block({"phases": [], "templates": {key: [1]}}))
    assert told.isprintable()
    assert len(told) <= 300


def test_half_characters_do_not_get_into_the_database() -> None:
    skill = parsed('```json\n{"phases": ["\\ud800"], "modes": {"\\udc00": ["\\ud800"]}}\n```\n')
    assert (skill.phases, skill.modes) == ((Phase("0", "?"),), {"?": ["?"]})
    assert parsed(front(r'phases: ["\ud800"]')).phases == (Phase("0", "?"),)


TEXTS = st.text(max_size=12)
LISTS = st.lists(TEXTS, max_size=3).map(tuple)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
SKILLS = st.builds(
    Skill,
    name=TEXTS,
    description=TEXTS,
    version=TEXTS,
    phases=st.lists(st.builds(Phase, TEXTS, TEXTS, LISTS, LISTS, LISTS), max_size=4).map(tuple),
    modes=st.dictionaries(TEXTS, JSON, max_size=3),
    templates=st.dictionaries(TEXTS, TEXTS, max_size=3),
    commands=LISTS,
    next_skills=LISTS,
    directives=LISTS,
)


@given(SKILLS)
def test_a_skill_comes_back_from_its_columns(skill: Skill) -> None:
    columns = skill_to_json(skill)
    assert all(isinstance(column, str) for column in columns.values())
    assert skill_from_json(skill.name, {**columns, "id": 7, "project_id": 1}) == skill


def test_a_skill_without_a_version_comes_back_from_nulls() -> None:
    columns = skill_to_json(parsed(WHOLE)) | {"version": None, "description": None}
    skill = skill_from_json("build", columns)
    assert (skill.version, skill.description, skill.phases) == ("", "", parsed(WHOLE).phases)


SAID = st.text("abc é:#[]{}'\"0.-&*!|>%@`,?", min_size=1, max_size=10).map(str.strip).filter(bool)
KEYS = st.fixed_dictionaries(
    {
        "phases": st.lists(
            st.fixed_dictionaries({"name": SAID, "proof": st.lists(SAID, max_size=2)}), max_size=4
        ),
    },
    optional={
        "directives": st.lists(SAID, max_size=3),
        "modes": st.dictionaries(SAID, st.integers(-99, 99) | st.booleans() | SAID, max_size=3),
        "logTemplate": SAID,
    },
)


@given(KEYS)
def test_front_matter_and_a_block_say_the_same(keys: dict[str, Any]) -> None:
    def outcome(text: str) -> Skill | str:
        try:
            return parsed(text)
        except SkillError as error:  # the labels of two phases may be the same
            return str(error)

    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()]
    assert outcome(front(*lines)) == outcome(block(keys))


def survives(text: str) -> None:
    try:
        skill = parsed(text)
    except SkillError as error:
        assert str(error)
    else:
        assert skill_from_json("build", skill_to_json(skill)) == skill


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    survives(text)
    survives(f"---\n{text}\n---\n")
    survives(f"---\nphases: {text}\n---\n")
    survives(f'```json\n{{"phases": {text}}}\n```\n')


@settings(max_examples=3 * settings.default.max_examples)
@given(
    st.sampled_from([WHOLE, BLOCK]),
    st.lists(
        st.tuples(
            st.floats(0, 1, exclude_max=True),
            st.integers(0, 6),
            st.text("-:[]{}&*!|>'\"%@`#,?~\\ \n\t0.xUu\0\ud800", max_size=4),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_a_skill_with_slips_is_read_or_refused(
    text: str, slips: list[tuple[float, int, str]]
) -> None:
    for share, cut, put in slips:
        at = int(share * len(text))
        text = text[:at] + put + text[at + cut :]
    survives(text)
