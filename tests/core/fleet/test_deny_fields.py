"""Fields that never leave the machine, by their path in the payload."""

from typing import Any

import pytest

from hookd.core.fleet.deny_fields import MARK, without_fields

PAYLOAD = {"prompt": "p", "tool_input": {"content": "c", "edits": [{"old": 1}, {"old": 2}]}}


@pytest.mark.parametrize(
    ("denied", "left"),
    [
        ((), PAYLOAD),
        (("prompt",), PAYLOAD | {"prompt": MARK}),
        (("tool_input",), PAYLOAD | {"tool_input": MARK}),
        (("tool_input.*",), PAYLOAD | {"tool_input": {"content": MARK, "edits": MARK}}),
        (
            ("tool_input.edits.old",),
            PAYLOAD | {"tool_input": {"content": "c", "edits": [{"old": MARK}, {"old": MARK}]}},
        ),
        (("content", "tool_input.none", "prompt.deeper"), PAYLOAD),
    ],
)
def test_a_denied_field_has_no_value(denied: tuple[str, ...], left: Any) -> None:
    assert without_fields(PAYLOAD, denied) == left


@pytest.mark.parametrize("value", [None, 4, "text", ["text"]])
def test_what_has_no_fields_stays(value: Any) -> None:
    assert without_fields(value, ("a", "*")) == value
