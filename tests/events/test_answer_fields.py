"""What a hook may answer comes out as the client takes it; what is too long is cut and named."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd import json_text
from hookd.core.hook_rules.model import Hook, HookExecution, Source
from hookd.core.model.event_fields import EVENT_FIELDS
from hookd.core.model.verdict import Opinion, Outcome, merge
from hookd.events.answer_fields import ANSWER_FIELDS, OF_EVENT
from hookd.events.protocol import EVENTS, MAX_TEXT_UNITS, utf16_length
from hookd.user_hooks.hook_output import parse
from hookd.user_hooks.hook_reply import opinion
from support.claude_code import overflow, render
from support.parametrize import parametrize_all
from support.paths import TESTS

ANSWERS = sorted((TESTS / "answers").glob("*.json"))
HANDED_OVER = {"async.json", "WorktreeCreate.http.json"}
"""Answers that decide nothing here: one comes later, one is for what hookd does not do."""


def answered(event: str, printed: str, code: int = 0, number: int = 0) -> dict[str, Any] | None:
    """Return what the client gets where one hook printed this."""
    hook = Hook("one", event, "command", Source("user", "/settings.json", "hooks"))
    said = opinion(HookExecution(hook, code, printed), event)
    return render(event, merge([said] if said else [], event), number)


def test_there_are_answers_to_try() -> None:
    assert len(ANSWERS) == 22


@parametrize_all("path", ANSWERS, ids=lambda path: path.name)
def test_a_hook_s_answer_reaches_the_client_as_it_was_meant(path: Path) -> None:
    event = path.name.split(".")[0]
    events = [event] if event in EVENTS else [name for name in EVENTS if EVENTS[name].engine]
    text = path.read_text("utf-8")
    for one in events:
        expected = None if path.name in HANDED_OVER else json.loads(text)
        assert answered(one, text) == expected


DONE = "Tests fail."
BLOCK = {"decision": "block", "reason": DONE}
DECLINE = {"hookSpecificOutput": {"hookEventName": "Elicitation", "action": "decline"}}


@parametrize_all(
    ("event", "expected"),
    [
        ("TaskCreated", BLOCK),
        ("TaskCompleted", {"continue": False, "stopReason": DONE}),
        ("TeammateIdle", {"continue": False, "stopReason": DONE}),
        ("Stop", BLOCK),
        ("PreCompact", BLOCK),
        ("Elicitation", DECLINE),
        ("SessionEnd", None),
        ("SessionStart", {"systemMessage": DONE}),
        ("PostCompact", {"message": DONE}),
    ],
)
def test_an_exit_code_that_blocks_has_its_json(event: str, expected: Any) -> None:
    hook = Hook("one", event, "command", Source("user", "/settings.json", "hooks"))
    said = opinion(HookExecution(hook, 2, "", DONE + "\n"), event)
    assert render(event, merge([said] if said else [], event), 0) == expected


def test_a_compaction_is_told_what_a_hook_printed() -> None:
    assert answered("PreCompact", "Keep the plan.\n") == {"customInstructions": "Keep the plan."}
    assert answered("PostCompact", "Compacted.") == {"message": "Compacted."}


def test_a_decision_without_a_reason_still_names_its_event() -> None:
    answer = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}
    said = answered("PreToolUse", json.dumps(answer), number=7)
    assert said is not None
    assert said["hookSpecificOutput"]["permissionDecisionReason"] == "(hookd #7)"


def test_the_end_of_a_turn_can_be_looked_up() -> None:
    outcome = Outcome(stops_turn=True, stop_reason="spent")
    assert render("Stop", outcome, 7) == {"continue": False, "stopReason": "spent (hookd #7)"}
    assert render("Stop", Outcome(stops_turn=True), 7) == {"continue": False}
    assert render("SessionEnd", outcome, 7) is None


SAMPLES: dict[str, Any] = {
    "watch_paths": ["/a"],
    "reload_skills": True,
    "hide_prompt": True,
    "retry": True,
    "interrupt": True,
    "content": {"a": 1},
    "permission_updates": [],
}
EVERYTHING = {name: SAMPLES.get(name, "x") for name in EVENT_FIELDS}


def test_every_field_has_a_key_on_events_that_exist() -> None:
    assert ANSWER_FIELDS.keys() == EVENT_FIELDS.keys()
    assert all(field.events for field in ANSWER_FIELDS.values())
    assert all(field.events <= EVENTS.keys() for field in ANSWER_FIELDS.values())
    assert OF_EVENT.keys() == EVENTS.keys()


@parametrize_all("event", sorted(EVENTS))
@parametrize_all("verdict", [None, "deny", "allow"])
def test_no_event_gets_a_field_of_another(event: str, verdict: Any) -> None:
    answer = render(event, Outcome(verdict, "so", event_fields=EVERYTHING), 0) or {}
    own = answer.get("hookSpecificOutput", {})
    decision = set(own.get("decision", {})) - {"message"}  # a denial's own
    keys = {field.key for field in ANSWER_FIELDS.values()}
    found = {key for key in keys if key in answer or key in own or key in decision}
    mine = {field.key for field in OF_EVENT[event]}
    if event == "PermissionRequest":
        kept = {None: set(), "deny": {"interrupt"}, "allow": {"updatedPermissions"}}[verdict]
        mine = mine - {"interrupt", "updatedPermissions"} | kept
    assert found == mine


HERE = "/home/user/.local/state/hookd/spilled/7.txt"
LONG = "\U0001f600" * 6000


def test_what_is_cut_names_where_the_whole_is() -> None:
    outcome = Outcome(
        "deny", LONG, "c" + LONG, "m" + LONG, event_fields={"classifier_context": "x"}
    )
    answer = render("PreToolUse", outcome, 7, HERE)
    assert answer is not None
    own = answer["hookSpecificOutput"]
    for text in (own["permissionDecisionReason"], own["additionalContext"]):
        assert MAX_TEXT_UNITS - 2 <= utf16_length(text) <= MAX_TEXT_UNITS
        assert f"\n[cut by hookd: the whole text is in {HERE}]" in text
    assert own["permissionDecisionReason"].endswith(" (hookd #7)")
    assert overflow("PreToolUse", outcome, 7) == f"{LONG}\n\nm{LONG}\n\nc{LONG}"


def test_the_name_of_a_file_never_takes_all_the_room() -> None:
    outcome = Outcome(event_fields={"classifier_context": "a" * 2001})
    for name in ("/" + "x" * 3000, "/" + "x" * 1500):
        answer = render("PostToolUse", outcome, 7, name)
        assert answer is not None
        cut = answer["hookSpecificOutput"]["classifierContext"]
        assert cut.startswith("aaa")
        assert utf16_length(cut) <= 2000


def test_what_is_not_said_needs_no_room() -> None:
    assert overflow("PreToolUse", Outcome("deny", "no"), 7) is None
    assert overflow("ConfigChange", Outcome(context=LONG, system_message=LONG), 7) is None
    assert overflow("Unheard", Outcome("deny", LONG), 7) is None
    assert overflow("PreToolUse", Outcome(reason=LONG), 7) is None


def test_what_a_tool_printed_and_what_a_screen_shows_is_never_cut() -> None:
    for event, name in (("PostToolUse", "tool_output"), ("MessageDisplay", "displayed_text")):
        answer = render(event, Outcome(event_fields={name: LONG}), 7)
        assert answer is not None
        assert answer["hookSpecificOutput"][ANSWER_FIELDS[name].key] == LONG


@parametrize_all("number", [0, 7, 123_456_789])
@parametrize_all("more", range(-30, 4))
def test_what_is_cut_and_what_is_said_to_be_cut_are_the_same(number: int, more: int) -> None:
    outcome = Outcome("deny", "a" * (MAX_TEXT_UNITS + more))
    answer = render("Stop", outcome, number, HERE)
    assert answer is not None
    assert ("[cut by hookd" in answer["reason"]) == (overflow("Stop", outcome, number) is not None)
    assert utf16_length(answer["reason"]) <= MAX_TEXT_UNITS


TEXTS = st.one_of(
    st.text(max_size=40),
    st.builds(
        lambda part, times, end: part * times + end,
        st.sampled_from(["a", "é", "\U0001f600", "a\U0001f600"]),
        st.integers(0, 11_000),
        st.text(max_size=3),
    ),
)
OUTCOMES = st.builds(
    Outcome,
    st.sampled_from([None, "deny", "defer", "ask", "allow"]),
    TEXTS,
    TEXTS,
    TEXTS,
    stops_turn=st.booleans(),
    stop_reason=TEXTS,
    event_fields=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("initial_prompt", "classifier_context", "stop_feedback", "compact_message"), TEXTS
        ),
    ),
)


@given(st.sampled_from(sorted(EVENTS)), OUTCOMES, st.sampled_from(["", HERE, "/é" * 3000]))
def test_every_text_keeps_its_budget_and_no_character_is_halved(
    event: str, outcome: Outcome, spill: str
) -> None:
    answer = render(event, outcome, 7, spill) or {}
    own = answer.get("hookSpecificOutput", {})
    texts = [text for text in (*answer.values(), *own.values()) if isinstance(text, str)]
    assert all(utf16_length(text) <= MAX_TEXT_UNITS for text in texts)
    assert utf16_length(own.get("classifierContext", "")) <= 2000
    assert "\ufffd" not in "".join(texts) or "\ufffd" in repr(outcome)
    assert json_text.parse(json_text.dump(answer)) == answer


VOICES = st.builds(
    Opinion,
    st.sampled_from([None, "deny", "defer", "ask", "allow"]),
    st.text(max_size=5),
    st.text(max_size=5),
    st.text(max_size=5),
    st.sampled_from([None, {}, {"a": 1}]),
    st.just("one"),
    stops_turn=st.booleans(),
    event_fields=st.sampled_from(
        [{}, {"watch_paths": ["/a"]}, {"action": "cancel"}, {"retry": True}]
    ),
)


@given(st.sampled_from(sorted(EVENTS)), st.lists(VOICES, max_size=4))
def test_what_is_answered_is_an_answer_that_can_be_read(event: str, said: list[Opinion]) -> None:
    answer = render(event, merge(said, event), 7)
    assert answer != {}
    if answer is not None:
        assert parse(json.dumps(answer), event).answer == answer
