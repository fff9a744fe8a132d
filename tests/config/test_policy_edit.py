"""What settings say of policies is changed alone, and all beside it stays."""

from typing import Any

import pytest

from hookd.config.policy_edit import (
    SettingsShapeError,
    disable,
    enable,
    with_option,
    without_option,
)
from support.parametrize import parametrize_all

REST = {"hooks": {"Stop": []}, "log": {"level": "debug"}}


@parametrize_all(
    ("before", "by_default", "after"),
    [
        ({}, False, {"enabled": ["a"]}),
        ({}, True, {}),
        ({"disabled": ["a", "b"]}, True, {"disabled": ["b"]}),
        ({"disabled": ["a"]}, True, {}),
        ({"enabled": ["a"]}, False, {"enabled": ["a"]}),
        ({"options": {"a": {"mode": "off", "x": 1}}}, True, {"options": {"a": {"x": 1}}}),
        ({"options": {"a": {"mode": "off"}}}, False, {"enabled": ["a"]}),
        (
            {"options": {"a": {"mode": "warn"}}},
            False,
            {"options": {"a": {"mode": "warn"}}, "enabled": ["a"]},
        ),
    ],
)
def test_a_policy_is_switched_on(
    before: dict[str, Any], by_default: bool, after: dict[str, Any]
) -> None:
    value = REST | ({"policies": before} if before else {})
    expected = REST | ({"policies": after} if after else {})
    assert enable(value, "a", by_default=by_default) == expected


@parametrize_all(
    ("before", "after"),
    [
        ({}, {"disabled": ["a"]}),
        ({"enabled": ["a"]}, {"disabled": ["a"]}),
        ({"disabled": ["b"]}, {"disabled": ["b", "a"]}),
        ({"disabled": ["a"]}, {"disabled": ["a"]}),
    ],
)
def test_a_policy_is_switched_off(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert disable(REST | {"policies": before}, "a") == REST | {"policies": after}


def test_an_option_is_set_and_taken_out_again() -> None:
    value = with_option(REST, "a", "x", [1])
    assert value == REST | {"policies": {"options": {"a": {"x": [1]}}}}
    more = with_option(value, "a", "y", 2)
    assert without_option(more, "a", "y") == value
    assert without_option(value, "a", "x") == REST
    assert without_option(REST, "a", "x") == REST


@parametrize_all(
    ("policies", "key"),
    [
        ([], "policies"),
        ({"disabled": {}}, "policies.disabled"),
        ({"options": []}, "policies.options"),
        ({"options": {"a": 1}}, "policies.options.a"),
    ],
)
def test_what_has_another_shape_is_told_by_its_key(policies: Any, key: str) -> None:
    with pytest.raises(SettingsShapeError, match=f"^{key} must be "):
        with_option(disable({"policies": policies}, "a"), "a", "x", 1)
