"""Each client's adapter keeps the contract: its modules have the functions of the protocols."""

import inspect
from copy import deepcopy
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients import contract
from hookd.clients.adapters import ADAPTERS
from hookd.clients.contract import Adapter, Capabilities, Decoder, Encoder, Registration, Transcript
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS

PARTS = {
    "decode": Decoder,
    "encode": Encoder,
    "registration": Registration,
    "capabilities": Capabilities,
    "transcript": Transcript,
}


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)
def test_an_adapter_has_the_functions_of_the_contract(adapter: Adapter) -> None:
    assert {field.name for field in fields(Adapter)} == {
        *("name", "attended", "transcript_place", "shares_process"),
        *PARTS,
    }
    for part, protocol in PARTS.items():
        module = getattr(adapter, part)
        if module is None:
            continue
        for name, promised in inspect.getmembers(protocol, inspect.isfunction):
            if not name.startswith("_"):
                taken = list(inspect.signature(getattr(module, name)).parameters)
                assert taken == list(inspect.signature(promised).parameters)[1:], name


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)
@pytest.mark.parametrize("event", [*sorted(EVENTS), "Unknown"])
def test_silence_is_silence_in_every_client(adapter: Adapter, event: str) -> None:
    given = HookInput(hook_event_name=event)
    assert adapter.encode.render(given, Outcome(), 7) == contract.Rendered(None)
    assert adapter.capabilities.feasible(given, Outcome()) == Outcome()


WORDS = st.sampled_from(
    [
        *("", "PreToolUse", "BeforeTool", "AfterTool", "AfterAgent", "PostToolUse", "Stop"),
        *("UserPromptSubmit", "PreCompress", "Notification", "TodoCreated", "PostToolBatch"),
        *("run_shell_command", "write_file", "web_fetch", "read_many_files", "write_todos"),
        *("mcp_a_b", "bash", "edit", "apply_patch", "task", "/work", "../a\x00b", "\ud800", "yolo"),
    ]
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS, st.text(max_size=9)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(WORDS | st.text(max_size=9), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        *("hook_event_name", "session_id", "sessionId", "cwd", "tool_name", "toolName"),
        *("tool_input", "toolArgs", "tool_response", "toolResult", "prompt", "submitted_prompt"),
        *("prompt_response", "permission_mode", "mcp_context", "trigger", "notification_type"),
        *("tool_calls", "phase", "todo_id", "input_tokens", "context_limit", "turn_id", "agent_id"),
        *("timestamp", "interactive", "client_event", "input", "output", "properties"),
    ]
)
INPUT_KEYS = st.sampled_from(
    [
        *("command", "file_path", "path", "dir_path", "directory", "include", "prompt", "urls"),
        *("todos", "name", "agent_name", "is_background", "llmContent", "error", "filePath"),
    ]
)
VALUES = JSON | st.dictionaries(INPUT_KEYS, JSON, max_size=4)


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=ADAPTERS)
@given(payload=st.dictionaries(KEYS | st.text(max_size=9), VALUES, max_size=9))
def test_any_payload_gets_the_name_of_an_event(adapter: Adapter, payload: dict[str, Any]) -> None:
    before = deepcopy(payload)
    made = adapter.decode.normalize(payload, "PreToolUse")
    assert isinstance(made["hook_event_name"], str)
    assert made["hook_event_name"]
    assert repr(payload) == repr(before), "the payload of the client is not changed"
