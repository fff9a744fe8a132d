"""Which calls are judged for an event."""

from typing import Any

import pytest

from hookd.core.model.facts import Facts
from hookd.events.model import HookInput, PostToolUse, PreToolUse
from hookd.policy_support.judged_calls import judged_calls, may_have_parts
from support.patches import DRESSES, add, in_heredoc, in_tool, patch, update
from support.payloads import payload


def event(call: tuple[str, dict[str, Any]], cwd: str | None = "/w") -> PreToolUse:
    return PreToolUse(tool_name=call[0], tool_input=call[1], cwd=cwd, tool_use_id="toolu_1")


def test_the_captured_payload_is_judged_by_its_files() -> None:
    made = payload("codex/PreToolUse.apply_patch", tool_name="ApplyPatch")
    found = judged_calls(PreToolUse.model_validate(made), Facts())
    assert [(one.event.tool_name, one.event.call.primary, one.file) for one in found] == [
        ("Write", "/home/user/project/new.txt", "new.txt"),
        ("Edit", "/home/user/project/README.md", "README.md"),
    ]
    after = payload("codex/PostToolUse.apply_patch", tool_name="ApplyPatch")
    assert len(judged_calls(PostToolUse.model_validate(after), Facts())) == 2


@pytest.mark.parametrize("dress", DRESSES[1:])
def test_a_command_is_judged_itself_as_well(dress: Any) -> None:
    found = judged_calls(event(dress(patch(update("a")))), Facts())
    assert [one.event.tool_name for one in found] == ["Bash", "Edit"]
    assert not found[0].file


def test_a_part_is_the_event_with_another_call() -> None:
    whole = event(in_tool(patch(add("a"))))
    assert whole.call.parts[0].primary == "/w/a"
    part = judged_calls(whole, Facts())[0].event
    assert (part.tool_use_id, part.tool_name) == ("toolu_1", "Write")
    assert (part.call.name, part.call.part_of) == ("Write", "ApplyPatch")
    assert whole.call.name == "ApplyPatch"


def test_no_payload_makes_a_call_a_part() -> None:
    """A field of that name is one of the client's, of any type."""
    for value in ("ApplyPatch", {"a": 1}, None):
        given = {"tool_name": "Edit", "tool_input": {"file_path": "/a"}, "part_of": value}
        assert PreToolUse.model_validate(given).call.part_of == ""


def test_a_patch_in_an_unknown_folder_is_also_unreadable() -> None:
    text = in_heredoc(patch(add("a")))[1]["command"]
    found = judged_calls(event(("Bash", {"command": f'cd "$D" && {text}'})), Facts())
    assert [one.unreadable for one in found] == [False, False, True]


@pytest.mark.parametrize(
    "call",
    [
        ("Bash", {"command": "git status"}),
        ("Bash", {"command": "git apply a.patch"}),
        ("Bash", {"command": "apply_patch <<'EOF' ("}),
        ("Bash", {}),
        ("Write", {"file_path": "/w/a", "content": patch(add("b"))}),
        ("mcp__files__apply_patch", {"patch": patch(add("b"))}),
    ],
)
def test_other_calls_are_judged_alone(call: tuple[str, dict[str, Any]]) -> None:
    made = event(call)
    assert [one.event for one in judged_calls(made, Facts())] == [made]


def test_an_event_without_a_call_has_no_parts() -> None:
    assert not may_have_parts(HookInput())
    assert judged_calls(HookInput(), Facts()) == ()
    assert not may_have_parts(event(("Bash", {"command": "ls"})))


def test_each_page_of_a_fetch_is_judged() -> None:
    urls = ["https://a.example", "https://b.example", "https://a.example", 7]
    found = judged_calls(
        event(("WebFetch", {"prompt": "x", "url": urls[0], "urls": urls})), Facts()
    )
    assert [(one.event.call.primary, one.file) for one in found] == [
        ("https://a.example", "https://a.example"),
        ("https://b.example", "https://b.example"),
    ]
    assert found[0].event.tool_input == {"prompt": "x", "url": "https://a.example"}
    assert not found[0].event.call.part_of


def test_too_many_pages_cannot_be_judged() -> None:
    urls = [f"https://example.com/{at}" for at in range(101)]
    found = judged_calls(event(("WebFetch", {"url": urls[0], "urls": urls})), Facts())
    assert [one.unreadable for one in found] == [True]


@pytest.mark.parametrize("urls", [[], "https://a.example", None, [7]])
def test_a_fetch_without_further_pages_is_judged_alone(urls: Any) -> None:
    whole = event(("WebFetch", {"url": "https://a.example", "urls": urls}))
    assert [one.event for one in judged_calls(whole, Facts())] == [whole]


def test_the_first_address_is_judged_beside_others() -> None:
    given = {"url": "https://evil.example", "urls": ["https://a.example"]}
    found = [one.file for one in judged_calls(event(("WebFetch", given)), Facts())]
    assert found == ["https://evil.example", "https://a.example"]


def carried(*calls: Any) -> list[tuple[str, dict[str, Any], str]]:
    """Return tool, input and name of each call that is judged for a batch of these."""
    batch = event(("Batch", {"calls": list(calls)}))
    found = judged_calls(batch, Facts())
    return [(one.event.tool_name, one.event.tool_input, one.file) for one in found]


def inner(tool: str, **given: Any) -> dict[str, Any]:
    return {"tool_name": tool, "tool_input": given}


def test_each_call_of_a_batch_is_judged_as_if_it_was_made_alone() -> None:
    made = in_tool(patch(add("a"), update("b")))
    found = carried(inner("Bash", command="ls"), inner(made[0], **made[1]), inner("TodoRead"))
    assert [(tool, name) for tool, _, name in found] == [
        ("Bash", "call 1 of the batch"),
        ("Write", "a"),
        ("Edit", "b"),
        ("TodoRead", "call 3 of the batch"),
    ]
    assert found[0][1] == {"command": "ls"}


def test_a_call_of_a_batch_has_its_own_names() -> None:
    one = inner("mcp__a__b_c") | {"tool_readings": ["mcp__a_b__c"]}
    batch = event(("Batch", {"calls": [one, inner("Bash", command="ls")]}))
    first, second = judged_calls(batch, Facts())
    assert first.event.call.names == ("mcp__a__b_c", "mcp__a_b__c")
    assert second.event.call.names == ("Bash",)
    assert second.event.call.part_of == "Batch"


@pytest.mark.parametrize(
    "calls",
    [
        None,
        "rm",
        ["rm"],
        [{"tool_name": "Bash"}],
        [{"tool_name": None, "tool_input": {}}],
        [inner("Batch", calls=[])],
        [inner("Bash", command="ls")] * 101,
    ],
)
def test_a_batch_that_cannot_be_read_is_unreadable(calls: Any) -> None:
    found = judged_calls(event(("Batch", {"calls": calls})), Facts())
    assert [one.unreadable for one in found] == [True]
    assert "batch" in found[0].file


def typed(text: object, tool: str = "Bash") -> list[str]:
    """Return the commands that are judged as readings of a typed text."""
    given = {"tool_name": tool, "tool_input": {"command": text}, "typed_text": True}
    first, *others = judged_calls(PreToolUse.model_validate(given), Facts())
    assert (first.reading, first.event.tool_input) == (False, {"command": text})
    assert all(one.reading and one.file for one in others)
    return [one.event.tool_input["command"] for one in others]


def test_typed_text_is_judged_as_input_of_programs_too() -> None:
    assert typed("x = 'a'")[0] == """python3 -c 'x = '"'"'a'"'"''"""
    assert "psql -c 'drop table x;'" in typed("drop table x;", "PowerShell")
    assert "mongosh --eval 'db.x.drop()'" in typed("db.x.drop()")
    assert not any(one.startswith("mongosh") for one in typed("df.drop()"))
    assert {"ls a", "ls b", "ls c"} < set(typed("!ls a\n\\! ls b\n.shell ls c\n"))
    assert typed(" ") == typed(None) == []


def test_a_typed_patch_has_its_parts_too() -> None:
    given = {"command": in_heredoc(patch(add("a")))[1]["command"]}
    made = event(("Bash", given)).model_copy(update={"typed_text": True})
    tools = [(one.event.tool_name, one.reading) for one in judged_calls(made, Facts())]
    assert tools[:3] == [("Bash", False), ("Write", False), ("Bash", True)]
