"""What a client does not carry out becomes something that it does."""

from hookd.clients.substitutes import (
    NO_REASON,
    as_context,
    denied,
    denied_at_stop,
    for_user,
    joined,
    output_text,
    outputs_of,
    told_after_call,
    unasked,
    with_feedback,
    with_input,
    with_reason,
)
from hookd.core.model.verdict import Outcome
from hookd.events.model import Stop

FEEDBACK = Outcome(event_fields={"stop_feedback": "check the tests"})


def test_a_denial_replaces_another_verdict_and_rewrites_nothing() -> None:
    asked = Outcome("ask", "It deletes. ", updated_input={"command": "ls"}, allowable=True)
    assert denied(asked, "Ask.") == Outcome("deny", "It deletes. Ask.", allowable=True)


def test_a_denial_always_has_a_reason() -> None:
    assert with_reason(Outcome("deny", " \n")).reason == NO_REASON
    assert with_reason(Outcome("deny", "not here")).reason == "not here"
    assert with_reason(Outcome()) == Outcome()


def test_a_denial_after_a_call_is_context() -> None:
    assert as_context(Outcome("deny", "stop", context="more")) == Outcome(context="stop\n\nmore")
    assert as_context(Outcome("allow", "fine", context="more")) == Outcome(context="more")
    assert as_context(Outcome(context="more")) == Outcome(context="more")


def test_feedback_at_a_stop_blocks_it_once() -> None:
    first, next_one = Stop(), Stop(stop_hook_active=True)
    assert with_feedback(first, FEEDBACK).verdict == "deny"
    assert with_feedback(first, FEEDBACK).reason == "check the tests"
    assert with_feedback(next_one, FEEDBACK).verdict is None
    assert with_feedback(next_one, FEEDBACK).system_message == "check the tests"
    both = Outcome("deny", "go on", event_fields=FEEDBACK.event_fields)
    assert with_feedback(next_one, both).reason == "go on\n\ncheck the tests"
    ends = Outcome(stops_turn=True, event_fields=FEEDBACK.event_fields)
    assert with_feedback(first, ends) == ends


def test_empty_texts_are_not_joined() -> None:
    assert joined("", "a", "", "b") == "a\n\nb"


def test_the_end_of_a_turn_is_a_denial() -> None:
    assert denied_at_stop(Outcome("ask", "sure?")) == Outcome("ask", "sure?")
    ended = Outcome("deny", "no", stops_turn=True, stop_reason="spent", allowable=True)
    assert denied_at_stop(ended) == Outcome("deny", "no", allowable=True)
    asked = Outcome("ask", "sure?", stops_turn=True, stop_reason="spent", allowable=True)
    assert denied_at_stop(asked) == Outcome("deny", "spent")
    assert denied_at_stop(Outcome(stops_turn=True)).reason


def test_after_a_call_each_reason_is_context() -> None:
    assert told_after_call(Outcome("deny", "no", context="mind")) == "no\n\nmind"
    ended = told_after_call(Outcome(stops_turn=True, stop_reason="spent"))
    assert ended.startswith("hookd would end this turn: spent. Stop here")
    assert told_after_call(Outcome("allow", "fine")) == ""


def test_another_result_is_one_text() -> None:
    fields = {"mcp_tool_output": {"rows": 1}, "stop_feedback": "look"}
    outcome = Outcome(event_fields=fields)
    assert outputs_of(outcome) == {"mcp_tool_output": {"rows": 1}}
    assert output_text(outcome) == '{"rows": 1}'
    assert output_text(Outcome(event_fields={"tool_output": "hidden"})) == "hidden"
    assert output_text(Outcome()) is None


def test_a_sentence_names_what_is_done_instead() -> None:
    assert "but it is late, so the call is denied" in unasked("it is late")
    assert with_input({"command": "ls"}).endswith('{"command": "ls"}')
    assert (for_user("look")[-4:], for_user("")) == ("look", "")
