"""Every answer fits the closed schema of its event, and says what Codex acts on."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clients.codex.test_decode import NAMES, event_of
from hookd.clients.codex import encode
from hookd.clients.codex.capabilities import denial_template
from hookd.core.model.verdict import Outcome
from hookd.events.answer_fields import ANSWER_FIELDS
from hookd.events.model import HookInput
from hookd.events.protocol import EVENTS
from support.json_schema import problems
from support.payloads import PAYLOADS

SCHEMAS = PAYLOADS / "codex/schemas"
OWN = ("Interrupt", "PreModelRequest", "PostModelRequest")
ALL = [*EVENTS, *OWN]


def schema_of(event: str) -> Any:
    words = "".join(f"-{one.lower()}" if one.isupper() else one for one in event).strip("-")
    path = SCHEMAS / f"{words}.command.output.json"
    return json.loads(path.read_bytes()) if path.exists() else None


SCHEMA = {event: schema_of(event) for event in ALL}


def render(event: str, outcome: Outcome) -> Any:
    """Return the answer to the captured payload of an event."""
    given = event_of(event) if event in NAMES else HookInput(hook_event_name=event)
    return encode.render(given, outcome, 7).output


def check(event: str, output: Any) -> None:
    """Assert what Codex demands beside the schema: else it drops the answer, or ends the turn."""
    schema = SCHEMA[event]
    if output is None:
        return
    assert schema is not None, event
    assert list(problems(output, schema)) == []
    specific = output.get("hookSpecificOutput", {})
    assert output.keys().isdisjoint({"suppressOutput"})
    if output.get("continue") is False:
        assert event == "SessionStart"
    if "decision" in output:
        assert output["decision"] == "block"
        assert output["reason"].strip()
    match specific.get("permissionDecision"):
        case "allow":
            assert isinstance(specific["updatedInput"], dict)
        case "deny":
            assert specific["permissionDecisionReason"].strip()
            assert "updatedInput" not in specific
        case other:
            assert other is None
            assert "updatedInput" not in specific
    request = specific.get("decision", {})
    assert request.keys() <= {"behavior", "message"}
    if request.get("behavior") == "deny":
        assert request["message"].strip()


TEXTS = st.one_of(st.just(""), st.text(max_size=30), st.sampled_from(["e" * 12_000, "é" * 8_000]))
VALUES = st.one_of(TEXTS, st.booleans(), st.none(), st.lists(TEXTS, max_size=2))
OUTCOMES = st.builds(
    Outcome,
    st.sampled_from([None, "deny", "defer", "ask", "allow"]),
    TEXTS,
    TEXTS,
    TEXTS,
    st.one_of(st.none(), st.dictionaries(st.text(max_size=8), VALUES, max_size=2)),
    stops_turn=st.booleans(),
    stop_reason=TEXTS,
    event_fields=st.dictionaries(st.sampled_from(sorted(ANSWER_FIELDS)), VALUES, max_size=3),
    allowable=st.booleans(),
)


@given(st.sampled_from(ALL), OUTCOMES, st.integers(0, 10**6), st.booleans())
def test_every_answer_is_valid_by_the_schema_of_codex(
    event: str, outcome: Outcome, number: int, active: bool
) -> None:
    given = HookInput(hook_event_name=event, stop_hook_active=active)
    rendered = encode.render(given, outcome, number, "/spill/7.txt")
    check(event, rendered.output)
    assert rendered.rewrites == ("updatedInput" in json.dumps(rendered.output))
    if outcome.verdict in ("deny", "ask", "defer") and event == "PreToolUse":
        assert rendered.output["hookSpecificOutput"]["permissionDecision"] == "deny"
    for text in texts_in(rendered.output):
        assert len(text.encode("utf-8")) <= encode.MAX_TEXT_BYTES


def texts_in(value: Any) -> list[str]:
    """Return the texts of an answer, without a tool's input, which has no limit."""
    if isinstance(value, dict):
        kept = [one for key, one in value.items() if key != "updatedInput"]
        return [text for one in kept for text in texts_in(one)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("event", [event for event in ALL if denial_template(event)])
def test_the_denial_of_the_shim_is_valid(event: str) -> None:
    check(event, json.loads(denial_template(event).replace("@", json.dumps("closed"))))


def test_a_denied_call_names_the_event_and_how_the_user_allows_it() -> None:
    denied = Outcome("deny", "not here", system_message="look", allowable=True)
    reason = "not here The user can allow this: hookd allow 7 (hookd #7)"
    assert render("PreToolUse", denied) == {
        "systemMessage": "look",
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        },
    }
    asked = render("PreToolUse", Outcome("ask", "not here", allowable=True))
    told = asked["hookSpecificOutput"]["permissionDecisionReason"]
    assert told.endswith("let the user decide. The user can allow this: hookd allow 7 (hookd #7)")


@pytest.mark.parametrize(
    ("event", "outcome", "answer"),
    [
        ("PermissionRequest", Outcome("allow"), {"decision": {"behavior": "allow"}}),
        (
            "PermissionRequest",
            Outcome("deny", "no"),
            {"decision": {"behavior": "deny", "message": "no (hookd #7)"}},
        ),
        ("SessionStart", Outcome(context="so"), {"additionalContext": "so"}),
        ("UserPromptSubmit", Outcome(context="so"), {"additionalContext": "so"}),
        ("SubagentStart", Outcome(context="so"), {"additionalContext": "so"}),
        ("PreToolUse", Outcome(context="so"), {"additionalContext": "so"}),
        ("PostToolUse", Outcome("deny", "so"), {"additionalContext": "so"}),
    ],
)
def test_what_is_specific_to_an_event(event: str, outcome: Outcome, answer: Any) -> None:
    assert render(event, outcome) == {"hookSpecificOutput": {"hookEventName": event} | answer}


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "SubagentStop"])
def test_a_block_has_its_reason(event: str) -> None:
    block = {"decision": "block", "reason": "go on (hookd #7)"}
    assert render(event, Outcome("deny", "go on")) == block


def test_a_start_is_refused() -> None:
    assert render("SessionStart", Outcome(stops_turn=True, stop_reason="not here")) == {
        "continue": False,
        "stopReason": "not here (hookd #7)",
    }
    assert render("SessionStart", Outcome(stops_turn=True)) == {"continue": False}


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("short", "short"),
        ({"content": [{"type": "text", "text": "one"}]}, "one"),
        ({"rows": [1]}, '{"rows": [1]}'),
        ("", "[hookd: the tool has no output]"),
    ],
)
def test_another_result_takes_the_place_of_the_result(output: Any, text: str) -> None:
    for field in ("tool_output", "mcp_tool_output"):
        outcome = Outcome(event_fields={field: output})
        assert render("PostToolUse", outcome) == {"decision": "block", "reason": text}


@pytest.mark.parametrize(
    ("name", "changed", "own"),
    [
        ("PreToolUse", {"command": "ls"}, {"command": "ls"}),
        ("PreToolUse.mcp", {"text": "one"}, {"text": "one"}),
        ("PreToolUse.apply_patch", {"command": "*** Begin"}, {"command": "*** Begin"}),
        (
            "PreToolUse.spawn_agent",
            {"prompt": "p", "subagent_type": "t", "items": []},
            {"message": "p", "agent_type": "t", "items": []},
        ),
        ("view_image", {"file_path": "/x.png"}, {"path": "/x.png"}),
    ],
)
def test_another_input_has_codex_names(name: str, changed: Any, own: Any) -> None:
    image = HookInput(hook_event_name="PreToolUse", client_tool="view_image")
    event = event_of(name) if name in NAMES else image
    rendered = encode.render(event, Outcome(updated_input=changed), 7)
    assert rendered.rewrites
    assert rendered.output == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "allow",
            "updatedInput": own,
        }
    }


def test_a_long_text_is_cut_and_kept_whole() -> None:
    whole = "é" * 9_000
    event = HookInput(hook_event_name="UserPromptSubmit")
    rendered = encode.render(event, Outcome(context=whole), 7, "/spill/7.txt")
    assert rendered.output is not None
    text = rendered.output["hookSpecificOutput"]["additionalContext"]
    assert rendered.overflow_text == whole
    assert text.endswith("\n[cut by hookd: the whole text is in /spill/7.txt]")
    assert len(text.encode()) in (9_999, 10_000)
    assert encode.render(event, Outcome(context="e" * 10_000), 7).overflow_text is None


@pytest.mark.parametrize("event", ["SessionEnd", "PreModelRequest", "PostModelRequest", "Setup"])
def test_an_event_that_takes_no_answer_gets_none(event: str) -> None:
    assert render(event, Outcome("deny", "no", context="so", system_message="look")) is None
