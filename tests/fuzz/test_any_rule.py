"""Whatever is given as a guard rule is one or refused, and judges any call without a fault."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from fuzz.odd_values import JSON, ODD, changed
from hookd.core.guard_rules.rule import Rule, fired, parse_rule, payloads, unreadable_guards
from hookd.core.model.facts import Effort, Facts, Guard, Session
from hookd.events.tool_pattern import ToolCall

PATTERNS = st.lists(
    st.sampled_from(
        [
            "Bash",
            "Bash(rm -rf *)",
            "Bash(git push * main)",
            "Read(*/.env)",
            "mcp__*",
            "Edit(*)",
            "*",
        ]
    )
    | st.text("BashEdit()*-/ _", max_size=12),
    max_size=3,
)
FIELDS = st.sampled_from(["context_usage", "heartbeat_counter", "tool_calls", "x"])
TRIGGERS = st.fixed_dictionaries(
    {"type": st.sampled_from(["phase", "lifecycle", "contextThreshold", "toolCount", "discovery"])},
    optional={
        "matches": st.text("abc*[]?!", max_size=6) | JSON,
        "condition": JSON | st.fixed_dictionaries({"field": FIELDS, "op": JSON, "value": JSON}),
    },
)
RULES = st.fixed_dictionaries(
    {"id": st.text("ab-.", min_size=1, max_size=4)},
    optional={
        "trigger": TRIGGERS | JSON,
        "condition": st.fixed_dictionaries(
            {
                "field": FIELDS,
                "op": st.sampled_from(["gt", "eq"]),
                "value": st.integers(0, 3),
            }
        )
        | JSON,
        "toolFilter": st.fixed_dictionaries(
            {}, optional={"include": PATTERNS, "exclude": PATTERNS}
        ),
        "payload": st.fixed_dictionaries(
            {}, optional={"text": st.text("$ab{}phase", max_size=9), "files": JSON, "command": JSON}
        ),
        "mode": st.sampled_from(["inline", "read", "preload", "paste"]),
        "urgency": st.sampled_from(["allow", "ask", "block", "interrupt"]),
        "priority": st.integers(-2, 2) | JSON,
        "inject": st.sampled_from(["always", "once"]),
        "whitelist": PATTERNS,
    },
)
CALLS = st.builds(
    ToolCall,
    st.sampled_from(["Bash", "Edit", "Read", "mcp__a__b"]) | st.text(max_size=4),
    st.dictionaries(st.sampled_from(["command", "file_path", "path", "x"]), ODD, max_size=3),
) | changed().map(lambda case: _called(case[1]))


def _called(event: Any) -> ToolCall:
    given = event if isinstance(event, dict) else {}
    name, inside = given.get("tool_name"), given.get("tool_input")
    return ToolCall(
        name if isinstance(name, str) else "", inside if isinstance(inside, dict) else {}
    )


FACTS = st.builds(
    Facts,
    session=st.none()
    | st.builds(
        Session,
        st.just(3),
        st.just("s"),
        heartbeat_counter=st.integers(0, 5),
        context_usage=st.none() | st.floats(0, 1),
    ),
    effort=st.none() | st.just(Effort(1, "/w/t", "build", phase="2: Check")),
)


@given(RULES | JSON)
def test_whatever_is_given_is_a_rule_or_refused_with_its_field(value: Any) -> None:
    try:
        rule = Rule.model_validate(value)
    except ValidationError as error:
        assert all(one["msg"] for one in error.errors())
        return
    text = rule.model_dump_json(by_alias=True)
    assert parse_rule(text) == rule
    assert parse_rule(json.dumps(json.loads(text))) == rule


@given(st.lists(RULES | JSON, max_size=4), CALLS, FACTS)
def test_whatever_is_stored_every_call_is_judged_and_no_rule_is_passed_over(
    stored: list[Any], call: ToolCall, facts: Facts
) -> None:
    texts = [json.dumps(one) for one in stored]
    guards = tuple(Guard(at, "x", "global", text) for at, text in enumerate(texts))
    known = Facts(session=facts.session, effort=facts.effort, guards=guards)
    hits = fired(call, known)
    lost = {guard.id for guard in unreadable_guards(known)}
    for guard in guards:
        try:
            parse_rule(guard.rule)
        except ValueError:
            assert guard.id in lost
        else:
            assert guard.id not in lost
    assert [one.rule.priority for one in hits] == sorted(one.rule.priority for one in hits)
    json.dumps(payloads(hits))
