"""The short form of a rule and the long one say the same."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.guard_rules.builtin import BUILTIN
from hookd.core.guard_rules.short_form import expand, shorten, written_keys
from support.parametrize import parametrize_all

FILTER = st.fixed_dictionaries(
    {},
    optional={
        "include": st.lists(st.text(), max_size=2),
        "exclude": st.lists(st.text(), max_size=2),
    },
)
RULES = st.fixed_dictionaries(
    {"id": st.text(min_size=1)},
    optional={
        "toolFilter": FILTER.filter(bool),
        "payload": st.dictionaries(st.sampled_from(["text", "command"]), st.text(), min_size=1),
        "urgency": st.sampled_from(["block", "ask", "allow", "interrupt"]),
        "priority": st.integers(),
    },
)


@given(RULES)
def test_a_shortened_rule_expands_to_itself(rule: dict[str, Any]) -> None:
    said = {"urgency": "allow"} | rule
    assert {"urgency": "allow"} | expand(shorten(rule)) == said


def test_the_built_in_rules_are_short() -> None:
    for name, rule in BUILTIN.items():
        short = shorten({"id": name, **rule})
        assert list(short)[:2] == ["id", "description"]
        assert expand(short) == {"urgency": "allow"} | {"id": name, **rule}


@parametrize_all(
    ("key", "where"),
    [
        (("toolFilter", "include", 0), ("match", 0)),
        (("toolFilter", "exclude"), ("except",)),
        (("payload", "text"), ("deny",)),
        (("urgency",), ("ask",)),
    ],
)
def test_an_error_is_found_where_it_is_written(
    key: tuple[str | int, ...], where: tuple[str | int, ...]
) -> None:
    assert where in written_keys(key)
    assert written_keys(key)[0] == key
    assert written_keys(("priority",)) == (("priority",),)
