"""The response to an event: silence, the signed answer, and the file of what was cut."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hookd.clients.adapters import ADAPTERS
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity
from hookd.core.model.method import HookResult
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput, PreToolUse
from hookd.pipeline.delivery import Delivery, Received, ShimTerms
from hookd.pipeline.evaluation import Evaluation
from hookd.pipeline.response import EventResponse, respond
from hookd.redaction.redact import Record
from system.test_prompt_author import hook

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


def asked(client: str, peer: int | None = None, **more: Any) -> EventResponse:
    """Return the response to a call that a guard asks about."""
    call = {"tool_name": "Bash", "tool_input": {"command": "git push"}, **more}
    event = PreToolUse.model_validate({"hook_event_name": "PreToolUse", **call})
    received = Received(terms=ShimTerms(peer=peer), client=client)
    delivery = Delivery(event, Identity(), None, Record("{}"), received, client=ADAPTERS[client])
    question = Outcome("ask", "sure?", allowable=True)
    return respond(delivery, Evaluation(Facts(), (), question, HookResult(), ()), 7)


@pytest.mark.parametrize("client", ADAPTERS)
def test_the_decision_is_hookds_own_whatever_a_client_makes_of_it(client: str) -> None:
    response = asked(client)
    assert response.outcome is not None
    assert response.outcome.verdict == "ask"
    assert not response.silent


@pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells it")
def test_gemini_asks_only_a_person_at_its_terminal(tmp_path: Path) -> None:
    with hook(tmp_path, client="gemini") as pid:
        assert json.loads(asked("gemini", pid).answer)["decision"] == "ask"
    with hook(tmp_path, client="gemini", of_client={"CI": "true"}) as pid:
        assert json.loads(asked("gemini", pid).answer)["decision"] == "deny"
    unknown = asked("gemini", None, interactive=True)
    assert json.loads(unknown.answer)["decision"] == "deny"
