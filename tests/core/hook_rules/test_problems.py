"""The line of a key in a JSON text."""

import json

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules.problems import key_lines, line_of
from support.parametrize import parametrize_all

TEXT = """{
  "log": {"level": "info"},
  "hooks": {
    "Stop": [
      {
        "hooks": [
          { "type": "command",
            "command": "a, b: {\\"c\\"}" },
          {}
        ]
      }
    ],
    "tool.pre": [],
    "Stopp": [
    ]
  },
  "disabled_hooks": [
    "a",
    "b"]
}
"""


@parametrize_all(
    ("key", "line"),
    [
        ("", 1),
        ("log", 2),
        ("log.level", 2),
        ("hooks", 3),
        ("hooks.Stop", 4),
        ("hooks.Stop[0]", 5),
        ("hooks.Stop[0].hooks", 6),
        ("hooks.Stop[0].hooks[0]", 7),
        ("hooks.Stop[0].hooks[0].command", 8),
        ("hooks.Stop[0].hooks[1]", 9),
        ("hooks.tool.pre", 13),
        ("hooks.'Stopp'", 14),
        ("disabled_hooks[1]", 19),
    ],
)
def test_a_key_stands_in_its_line(key: str, line: int) -> None:
    assert line_of(key_lines(TEXT), key) == line


@parametrize_all(
    ("key", "line"),
    [
        ("hooks.Stop[0].hooks[1].timeout", 9),
        ("hooks.Stop[0].hooks[7]", 6),
        ("nowhere.at.all", 1),
        ("hooks.Stop[0].matcher", 5),
    ],
)
def test_what_is_not_there_is_looked_for_where_it_would_be(key: str, line: int) -> None:
    assert line_of(key_lines(TEXT), key) == line


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values)
def test_every_item_of_a_text_with_one_a_line_is_found(value: object) -> None:
    found = key_lines(json.dumps({"first": 1, "of": value, "last": 2}, indent=1))
    assert found["first"] == 2
    assert found["last"] == len(json.dumps({"of": value}, indent=1).splitlines()) + 1


@given(st.text())
def test_no_text_is_too_odd_to_be_looked_through(text: str) -> None:
    try:
        json.loads(text)
    except ValueError:
        return
    assert line_of(key_lines(text), "hooks.Stop") >= 1
