"""The result of a call has its text as content; a command's tells whether it failed."""

from typing import Any

import pytest

from hookd.clients.tool_results import result_in_events, shell_failed

QWEN = (
    "Command: {0}\nDirectory: (root)\nOutput: {0}\nError: (none)\nExit Code: {1}\nSignal: {2}\n"
    "Process Group PGID: (none)"
)
GEMINI = "<untrusted_context>\nOutput: {0}\n{1}Process Group PGID: 28246\n</untrusted_context>"


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        (QWEN.format("echo", "0", "(none)"), False),
        (QWEN.format("echo", "1", "(none)"), True),
        (QWEN.format("echo", "(none)", "9"), True),
        (QWEN.format("echo", "(none)", "(none)"), False),
        (QWEN.format("Exit Code: 1\nSignal: 9", "0", "(none)"), False),
        (QWEN.format("Exit Code: 0", "2", "(none)"), True),
        (GEMINI.format("hi", ""), False),
        (GEMINI.format("hi", "Exit Code: 2\n"), True),
        (GEMINI.format("hi", "Exit Code: 1\nSignal: 9\nBackground PIDs: 4, 5\n"), True),
        (GEMINI.format("Exit Code: 1\nand more", ""), False),
        ("Output: hi\nExit Code: 127", True),
        ("Command moved to background (PID: 7). Output hidden.", False),
        ("", False),
    ],
)
def test_the_exit_code_is_read_after_the_output(text: str, failed: bool) -> None:
    assert shell_failed(text) is failed


@pytest.mark.parametrize(
    ("tool", "response", "expected"),
    [
        ("Read", {"llmContent": "x", "returnDisplay": ""}, {"content": "x", "returnDisplay": ""}),
        ("Read", {"llmContent": [{"text": "x"}]}, {"content": [{"text": "x"}]}),
        ("Agent", {"llmContent": "done"}, {"content": [{"type": "text", "text": "done"}]}),
        ("Read", {"llmContent": None}, {"content": None}),
    ],
)
def test_the_text_for_the_model_is_the_content(tool: str, response: Any, expected: Any) -> None:
    fields = {"tool_name": tool, "tool_response": response}
    assert result_in_events(fields) == {"tool_response": expected}


def test_a_failed_command_has_its_text_as_error() -> None:
    fields = {"tool_name": "Bash", "tool_response": {"llmContent": "Output: x\nExit Code: 1"}}
    assert result_in_events(fields)["error"] == "Output: x\nExit Code: 1"
    assert "error" not in result_in_events(fields | {"tool_name": "Read"})


@pytest.mark.parametrize("response", ["x", None, 7, {}, {"error": {}}])
def test_another_result_stays_as_it_is(response: Any) -> None:
    assert result_in_events({"tool_name": "Bash", "tool_response": response}) == {}
