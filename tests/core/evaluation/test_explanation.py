"""The record of a decision: its facts and all opinions."""

import json

from hookd.core.evaluation.explanation import decision_record
from hookd.core.model.facts import Agent, Effort, Facts, Guard, Project, Session
from hookd.core.model.verdict import Opinion


def test_all_that_an_answer_rests_on_is_named() -> None:
    facts = Facts(
        project=Project(1, "/work/orders"),
        effort=Effort(4, "/work/orders/demo", "implement", phase="1: Plan"),
        session=Session(2, "s", heartbeat_counter=0, context_usage=0.0),
        agent=Agent("builder", status="working"),
        guards=(Guard(1, "no-force", "user", "{}"), Guard(2, "release", "user", "{}")),
    )
    assert json.loads(decision_record(facts, ())) == {
        "agent": "builder",
        "agentStatus": "working",
        "project": "/work/orders",
        "effort": 4,
        "task": "/work/orders/demo",
        "skill": "implement",
        "phase": "1: Plan",
        "heartbeat": 0,
        "contextUsage": 0.0,
        "guards": ["no-force", "release"],
        "opinions": [],
    }


def test_what_is_not_known_is_left_out() -> None:
    assert json.loads(decision_record(Facts(), ())) == {"opinions": []}


def test_every_opinion_is_kept_in_its_order_without_what_it_does_not_say() -> None:
    said = (
        Opinion("deny", "no", rule="heartbeat"),
        Opinion(context="é" * 500, rule="tests"),
        Opinion(system_message="look", updated_input={"command": "ls"}),
    )
    text = decision_record(Facts(), said)
    assert json.loads(text)["opinions"] == [
        {"rule": "heartbeat", "verdict": "deny", "reason": "no"},
        {"rule": "tests", "context": "é" * 400, "contextChars": 500},
        {"systemMessage": "look"},
    ]
    assert "é" in text
