"""The response to an event: silence, the signed answer, and the file of what was cut."""

import json

from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity
from hookd.core.model.method import HookResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput
from hookd.pipeline.delivery import Delivery
from hookd.pipeline.evaluation import Evaluation
from hookd.pipeline.response import EventResponse, respond
from hookd.redaction.redact import Record

LONG = "x" * 20_000


def response(outcome: Outcome, number: int = 7, spill: str = "") -> EventResponse:
    delivery = Delivery(HookInput(hook_event_name="PreToolUse"), Identity(), None, Record("{}"))
    return respond(delivery, Evaluation(Facts(), (), outcome, HookResult(), ()), number, spill)


def test_silence_is_null() -> None:
    assert response(Outcome()).silent
    assert response(Outcome()).answer == b"null"


def test_the_answer_is_signed_and_part_of_the_result() -> None:
    denied = response(Outcome("deny", "not here"))
    answer = json.loads(denied.answer)
    assert answer["hookSpecificOutput"]["permissionDecisionReason"] == "not here (hookd #7)"
    assert json.loads(denied.result)["hookOutput"] == answer
    assert (denied.silent, denied.spill) == (False, None)


def test_what_was_cut_goes_to_the_file_if_there_is_one() -> None:
    assert response(Outcome("deny", LONG)).spill is None
    cut = response(Outcome("deny", LONG), spill="/tmp/7.txt")
    assert cut.spill == ("/tmp/7.txt", LONG)
    assert b"/tmp/7.txt" in cut.answer
