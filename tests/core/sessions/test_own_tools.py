"""Own tools: only names of hookd's server count, and a digest is that of the whole input."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.mcp.tools import TOOLS
from hookd.core.model.facts import Facts, Session
from hookd.core.sessions.own_tools import WITHOUT_EFFORT, input_digest, own_call, own_tool
from hookd.events.model import PreToolUse

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    "name",
    [
        *("log", "mcp__hookd", "mcp__hookd__", "mcp__other__log", "mcp__hookd__log__x"),
        *("mcp__my_hookd__log", "mcp__plugin_x_hookd__log", "mcp__hookd__Log", "Bash", ""),
    ],
)
def test_another_name_is_no_own_tool(name: str) -> None:
    assert own_tool([name]) == ""
    event = PreToolUse(session_id="s", tool_name=name, tool_input={"text": "x"})
    assert own_call(event, Facts(session=Session(1, "s"))) == ()


def test_any_reading_of_a_flat_name_counts() -> None:
    assert own_tool(["mcp__hookd_work__add", "mcp__hookd__work_add"]) == "work_add"


def test_every_tool_passes_without_an_effort() -> None:
    assert {tool.name for tool in TOOLS} == WITHOUT_EFFORT


@given(st.dictionaries(st.text(), VALUES))
def test_a_digest_survives_json_and_the_order_of_keys(value: dict[str, Any]) -> None:
    again = json.loads(json.dumps(dict(reversed(value.items()))))
    assert input_digest(again) == input_digest(value)
    assert input_digest({"inner": value}) != input_digest(value)


def test_a_call_outside_of_a_session_is_not_stored() -> None:
    event = PreToolUse(session_id="s", tool_name="mcp__hookd__log", tool_input={"text": "x"})
    assert own_call(event, Facts()) == ()
    (call,) = own_call(event, Facts(session=Session(4, "s", agent_id="sub")))
    assert (call.session_id, call.agent_id, call.tool) == (4, "sub", "log")
