"""Closing rules share their exceptions; a whitelist weakens no other rule."""

import json
from typing import Any

import hypothesis
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.guard_rules.rule import Rule, fired
from hookd.core.model.facts import Facts, Guard, Session
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.events.tool_pattern import ToolCall
from hookd.policies.guard_rules import POLICY
from support.parametrize import parametrize_all


def facts(*rules: dict[str, Any]) -> Facts:
    made = [Guard(at, one["id"], "user", json.dumps(one)) for at, one in enumerate(rules, 1)]
    session = Session(1, "s", heartbeat_counter=3, context_usage=0.95, tool_calls=5)
    return Facts(guards=tuple(made), session=session)


def said(call: ToolCall, *rules: dict[str, Any]) -> Opinion:
    event = PreToolUse(tool_name=call.name, tool_input=dict(call.input))
    return POLICY.opine(event, facts(*rules), POLICY.options()) or Opinion()


def gate(name: str, *whitelist: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "urgency": "block", "whitelist": list(whitelist)} | more


LOG = ToolCall("Bash", {"command": "hookd log x"})
READ = ToolCall("Read", {"file_path": "/w/a"})
EDIT = ToolCall("Edit", {"file_path": "/w/a"})

FULL = {"type": "contextThreshold", "condition": {"gte": 0.9}}
LOGS, READS = gate("logs", "Bash(hookd *)"), gate("reads", "Read")


def test_a_door_that_one_closing_rule_leaves_open_no_other_locks() -> None:
    assert said(LOG, LOGS, READS).verdict is None
    assert said(READ, LOGS, READS).verdict is None
    assert said(EDIT, LOGS, READS).verdict == "deny"
    assert fired(READ, facts(LOGS, READS)) == ()


def test_a_closing_rule_that_does_not_hold_now_opens_nothing() -> None:
    later = LOGS | {"condition": {"field": "heartbeat_counter", "op": "gte", "value": 10}}
    assert said(LOG, later, READS).verdict == "deny"


def test_a_call_that_a_closing_rule_is_not_about_is_no_way_out_of_another() -> None:
    spares = gate("spares", toolFilter={"exclude": ["Bash"]})
    assert said(LOG, spares).verdict is None
    assert said(LOG, spares, READS).verdict == "deny"


NAMED = gate("named", toolFilter={"include": ["Read(/w/*)"]})


def test_a_rule_that_names_calls_is_spared_by_its_own_whitelist_only() -> None:
    assert said(READ, READS, NAMED).rule == "named"
    assert said(READ, READS, NAMED | {"whitelist": ["Read(/w/a)"]}).verdict is None
    assert said(READ, READS, NAMED | {"toolFilter": {"exclude": ["Read"]}}).verdict is None


def test_the_whitelist_of_a_rule_that_names_calls_opens_no_closing_rule() -> None:
    named = NAMED | {"whitelist": ["Bash"]}
    assert said(LOG, named, READS).rule == "reads"


@parametrize_all("urgency", ["ask", "interrupt", "allow"])
def test_only_rules_that_block_share(urgency: str) -> None:
    other = gate("other", "Read", urgency=urgency)
    assert said(READ, other, LOGS).rule == "logs"
    found = [one.rule.id for one in fired(LOG, facts(other, LOGS))]
    assert found == ["other"]


def test_an_interruption_has_no_way_out_but_its_own() -> None:
    stop = gate("stop", "AskUserQuestion", urgency="interrupt")
    assert said(LOG, stop, LOGS).rule == "stop"
    assert said(ToolCall("AskUserQuestion", {}), stop).verdict is None


def test_a_full_window_is_the_one_thing_that_is_told() -> None:
    full = gate("full", "Write", trigger=FULL, payload={"text": "Full."}, priority=500)
    other = gate("other", payload={"text": "Start an effort."})
    named = gate("named", toolFilter={"include": ["Edit"]}, payload={"text": "Plan first."})
    stop = gate("stop", urgency="interrupt", payload={"text": "Stop."})
    opinion = said(EDIT, full, other, named, stop)
    assert opinion.verdict == "deny"
    assert "Full." in opinion.reason
    assert "Start an effort." not in opinion.reason
    assert "Plan first." in opinion.reason, "it names the call"
    assert "Stop." in opinion.reason, "it is for the user"
    assert set(opinion.rule.split(", ")) == {"full", "other", "named", "stop"}


def test_a_rule_on_a_full_window_that_only_tells_silences_nobody() -> None:
    full = gate("full", trigger=FULL, payload={"text": "Full."}, urgency="allow")
    assert "Start." in said(EDIT, full, gate("other", payload={"text": "Start."})).reason


MANY = hypothesis.settings(max_examples=4 * hypothesis.settings.default.max_examples)
"""No property here is about time."""

PATTERNS = ["Bash", "Bash(hookd *)", "Bash(ls *)", "Read", "Read(/w/*)", "Edit(/w/*)", "Write", "*"]
CALLS = [
    LOG,
    READ,
    EDIT,
    ToolCall("Write", {"file_path": "/w/a"}),
    ToolCall("Bash", {"command": "ls -l; hookd log x"}),
    ToolCall("Bash", {"command": "if ("}),
    ToolCall("AskUserQuestion", {}),
]
SOME = st.lists(st.sampled_from(PATTERNS), max_size=2)
TRIGGERS = st.sampled_from([None, FULL, {"type": "toolCount", "condition": {"gte": 1}}])
RULE = st.fixed_dictionaries(
    {
        "urgency": st.sampled_from(["block", "block", "interrupt", "ask", "allow"]),
        "trigger": TRIGGERS,
        "include": st.sampled_from([[], [], ["*"], ["Bash"], ["Read(/w/*)"], ["Edit(/w/*)"]]),
        "exclude": st.sampled_from([[], [], ["Bash(hookd *)"], ["Write"]]),
        "whitelist": SOME,
        "priority": st.integers(0, 3),
    }
)


def made(number: int, drawn: dict[str, Any]) -> dict[str, Any]:
    rule = {key: drawn[key] for key in ("urgency", "whitelist", "priority")}
    calls = {"include": drawn["include"], "exclude": drawn["exclude"]}
    rule |= {"id": f"r{number}", "toolFilter": calls, "payload": {"text": f"text {number}"}}
    rule |= {"trigger": drawn["trigger"]} if drawn["trigger"] else {}
    assert Rule.model_validate(rule)
    return rule


@MANY
@given(
    st.lists(RULE, min_size=1, max_size=4),
    st.sampled_from(CALLS),
    st.sampled_from(["block", "interrupt"]),
    st.data(),
)
def test_a_whitelist_never_weakens_a_named_rule_of_somebody_else(
    drawn: list[dict[str, Any]], call: ToolCall, urgency: str, data: st.DataObject
) -> None:
    others = [made(number, one) for number, one in enumerate(drawn)]
    priority = data.draw(st.integers(0, 3))
    include = {"include": [data.draw(st.sampled_from([call.name, "*"]))]}
    named = {"id": "named", "urgency": urgency, "priority": priority, "toolFilter": include}
    before = said(call, *others, named)
    assert before.verdict == "deny"
    place = data.draw(st.integers(0, len(others) - 1))
    own = [*others[place]["whitelist"], *data.draw(SOME), call.name]
    others[place] = others[place] | {"whitelist": own}
    after = said(call, *others, named)
    assert after.verdict == "deny"
    assert "named" in after.rule.split(", ")


@MANY
@given(st.lists(RULE, min_size=1, max_size=4), st.sampled_from(CALLS))
def test_no_silenced_reason_changes_the_verdict(
    drawn: list[dict[str, Any]], call: ToolCall
) -> None:
    rules = [made(number, one) for number, one in enumerate(drawn)]
    found = fired(call, facts(*rules))
    opinion = said(call, *rules)
    denied = any(one.certain and one.rule.urgency in ("block", "interrupt") for one in found)
    asked = any(one.rule.urgency == "ask" or not one.certain for one in found) and any(
        one.rule.urgency != "allow" for one in found
    )
    if denied:
        assert opinion.verdict == "deny"
        assert opinion.reason
    elif any(one.rule.urgency != "allow" for one in found):
        assert asked
        assert opinion.verdict == "ask"
    else:
        assert opinion.verdict is None
