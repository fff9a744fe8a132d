"""Live: what tools and subagents came back with is cut, explained, and not spoken of twice."""

import pytest

from support.home import Home, Window, window_in
from support.payloads import context


@pytest.fixture
def helped(home: Home) -> Window:
    """A new conversation where subagents without a result are asked for it."""
    options = {"empty-task-response-detector": {"ask_again": True}}
    chosen = {"profile": "workflow", "enabled": ["verification"], "options": options}
    home.settings({"policies": chosen})
    return window_in(home.serves())


def test_a_long_output_is_cut_on_the_way_to_the_model(helped: Window) -> None:
    blocks = [{"type": "text", "text": "a row of the table\n" * 20_000}]
    call = {"tool_name": "mcp__db__query", "tool_input": {}, "tool_response": blocks}
    answer = helped.says("PostToolUse", **call)
    (block,) = answer["hookSpecificOutput"]["updatedToolOutput"]
    assert block["text"].startswith("a row of the table\n" * 10_000)
    assert 199_000 < len(block["text"]) < 200_200
    assert "[hookd:tool-output-truncator] " in context(answer)


def test_a_failed_edit_is_explained_once(helped: Window) -> None:
    call = {"tool_name": "Edit", "tool_input": {"file_path": "/w/a.py"}, "tool_use_id": "toolu_a"}
    failed = helped.says("PostToolUseFailure", **call, error="File does not exist.")
    assert "[hookd:edit-error-recovery] Edit of /w/a.py failed." in context(failed)
    refused = "<tool_use_error>File has not been read yet.</tool_use_error>"
    calls = [
        {**call, "tool_response": "<tool_use_error>File does not exist.</tool_use_error>"},
        {**call, "tool_use_id": "toolu_b", "tool_response": refused},
    ]
    batch = context(helped.says("PostToolBatch", tool_calls=calls))
    assert "was not read in this window" in batch
    assert "no such file" not in batch


def test_a_subagent_without_a_result_is_asked_for_it_once_and_its_work_is_checked(
    helped: Window,
) -> None:
    one = {"agent_id": "a1", "agent_type": "Explore"}
    helped.says("UserPromptSubmit", prompt="Look around")
    helped.says("SubagentStart", **one)
    asked = helped.says("SubagentStop", **one, last_assistant_message="")
    assert asked["decision"] == "block"
    assert "the last message is empty" in asked["reason"]
    helped.says("PostToolUse", **one)
    assert helped.says("SubagentStop", **one, last_assistant_message="") is None
    call = {"tool_name": "Agent", "tool_input": {"prompt": "x"}}
    empty = helped.says("PostToolUse", **call, tool_response={"status": "completed", "content": []})
    assert "returned nothing" in context(empty)
    assert "[hookd:verification] " not in context(empty)
    texts = [{"type": "text", "text": "Done."}]
    done = helped.says("PostToolUse", **call, tool_response={"content": texts, "agentId": "a1"})
    assert "[hookd:verification] " in context(done)
