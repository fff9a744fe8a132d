"""Groups of hooks in settings: ours come, change and go, and no other ever moves."""

import json
from typing import Any

import pytest

from hookd.clients.hook_groups import (
    Changes,
    Form,
    ShapeError,
    bare,
    changes,
    events,
    own,
    programs,
    register,
    unregister,
)
from support.parametrize import parametrize_all

FOREIGN = {"type": "command", "command": "/home/ana/bin/lint"}
OLD, NEW = {"run": "ours 1"}, {"run": "ours 2"}


def program(hook: dict[str, Any]) -> str | None:
    found = str(hook.get("run", ""))
    return found if found.startswith("ours") else None


FORM = Form(frozenset({"A", "B"}), program)
PLACED = Form(frozenset({"A", "B"}), program, positional=True)


def groups(*names: str) -> list[dict[str, Any]]:
    """Return groups, each with one entry: `f` is a foreign one, `o` is ours, `e` is empty."""
    entries: dict[str, list[Any]] = {"f": [FOREIGN], "o": [OLD], "e": []}
    return [{"hooks": entries[name]} for name in names]


@parametrize_all(
    ("before", "after"),
    [
        ({}, {"hooks": {"A": [{"hooks": [NEW]}]}}),
        ({"hooks": {"A": groups("f")}}, {"hooks": {"A": [*groups("f"), {"hooks": [NEW]}]}}),
        (
            {"hooks": {"A": groups("f", "o", "f")}},
            {"hooks": {"A": [*groups("f"), {"hooks": [NEW]}, *groups("f")]}},
        ),
        (
            {"hooks": {"A": [], "B": groups("o", "f")}},
            {"hooks": {"A": [{"hooks": [NEW]}], "B": groups("f")}},
        ),
    ],
)
def test_an_entry_is_renewed_in_its_place_else_it_goes_last(before: Any, after: Any) -> None:
    assert json.dumps(register(before, FORM, {"A": {"hooks": [NEW]}})) == json.dumps(after)


@parametrize_all(
    ("before", "left", "placed"),
    [
        ("fo", "f", "f"),
        ("ofo", "f", "ef"),
        ("oof", "f", "eef"),
        ("eo", "e", "e"),
        ("o", "", ""),
        ("oe", "e", "e"),
    ],
)
def test_a_client_that_counts_places_keeps_an_emptied_group_before_one_of_others(
    before: str, left: str, placed: str
) -> None:
    value = {"hooks": {"A": groups(*before)}}
    assert unregister(value, FORM) == ({"hooks": {"A": groups(*left)}} if left else {})
    assert unregister(value, PLACED) == ({"hooks": {"A": groups(*placed)}} if placed else {})


def test_the_way_of_renewing_is_the_form_s_own() -> None:
    form = Form(FORM.events, program, lambda event, hook, new: {"event": event} | hook | new)
    value = {"hooks": {"B": [{"hooks": [OLD | {"note": 1}]}]}}
    renewed = register(value, form, {"B": {"hooks": [NEW]}})["hooks"]["B"]
    assert renewed == [{"hooks": [{"event": "B", "run": "ours 2", "note": 1}]}]


def test_what_is_ours_is_found_by_event() -> None:
    value = {"hooks": {"A": groups("f", "o"), "B": groups("f"), "later": groups("o")}}
    assert own(value, FORM) == {"A": [OLD], "later": [OLD]}
    assert list(programs(value, FORM)) == [("A", "ours 1"), ("later", "ours 1")]
    assert changes(value, unregister(value, FORM), FORM) == Changes([], [], ["A", "later"])


@parametrize_all(
    ("value", "expected"),
    [({}, ()), ({"hooks": {}}, ("hooks",)), ({"hooks": {"A": [], "B": groups("f")}}, ("hooks.A",))],
)
def test_containers_that_were_empty_before_stay(value: Any, expected: tuple[str, ...]) -> None:
    assert bare(value, FORM) == expected
    there = register(value, FORM, {"A": {"hooks": [NEW]}})
    assert unregister(there, FORM, expected) == value


@parametrize_all(
    ("value", "message"),
    [
        ([], "the top level must be an object, but is a list"),
        ({"hooks": {"A": 1}}, "hooks.A must be a list, but is a number"),
        ({"hooks": {"later": [True]}}, "hooks.later[0] must be an object, but is true or false"),
        ({"hooks": {"A": [{"hooks": [""]}]}}, "hooks.A[0].hooks[0] must be an object, but is text"),
    ],
)
def test_another_shape_is_refused_by_its_key_path(value: Any, message: str) -> None:
    with pytest.raises(ShapeError) as refused:
        events(value, FORM)
    assert str(refused.value) == message


def test_a_comment_under_an_unknown_name_is_none_of_our_business() -> None:
    assert events({"hooks": {"_comment": "mine", "A": []}}, FORM) == {"A": []}
