"""Replayed sessions: facts, missing facts, user hooks, state of the session, effects of none."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.evaluation.recorded_facts import RecordedFacts
from hookd.core.model.fact_requests import RealPath
from hookd.policies import POLICIES
from hookd.replay.change import Change, added_rule
from hookd.replay.compare import Tally, merged
from hookd.replay.engine import Replayer
from hookd.replay.event import ALLOWED, DAMAGED, LACKS_FACTS, REDACTED, Damaged
from support.patches import add, patch, update
from support.replays import PROJECT, denying, plan, recorded, replayed

PUSH = denying("Bash(git push *)")


def kinds(tally: Tally) -> list[tuple[str, str]]:
    return [(one.label, one.kind) for one in tally.differences]


def real(*paths: str, **others: str) -> str:
    """Return a record in which these paths are no links, and others are."""
    facts = {RealPath(path): path for path in (PROJECT, *paths)}
    facts |= {RealPath(path): to for path, to in others.items()}
    return json.dumps(dict(RecordedFacts.of(facts).values))


@pytest.mark.parametrize(
    ("command", "decision", "by", "kind"),
    [
        ("ls", None, None, None),
        ("git push origin main", None, None, "newDeny"),
        ("git push origin main", "ask", "other", "newDeny"),
        ("rm -rf /", "deny", "destructive-guard", None),
    ],
)
def test_a_rule_is_tried(command: str, decision: Any, by: Any, kind: Any) -> None:
    one = recorded(1, command=command, decision=decision, decided_by=by, resolved=real("/"))
    tally = replayed(one, change=PUSH)
    assert kinds(tally) == ([("#1", kind)] if kind else [])
    assert (tally.events, tally.sessions, tally.gaps) == (1, 1, ())


def test_a_rule_over_files_is_tried_on_a_patch() -> None:
    given = {"command": patch(add("src/a"), update("gen/b"))}
    fields = {"tool_name": "ApplyPatch", "tool_input": given}
    known = real(*(f"{PROJECT}/{name}" for name in ("src/a", "gen/b")))
    one = recorded(1, fields=fields, resolved=known)
    assert kinds(replayed(one, change=denying("Edit(/gen/**)"))) == [("#1", "newDeny")]
    assert kinds(replayed(one, change=denying("Edit(/lib/**)"))) == []
    (shown,) = replayed(one, change=denying("Write")).differences
    assert (shown.tool, shown.text) == ("ApplyPatch", "src/a, gen/b")


@pytest.mark.parametrize(("client", "kinds_"), [("codex", ["newDeny"]), ("gemini", []), (None, [])])
def test_a_rule_for_one_client_is_tried_on_its_calls(client: Any, kinds_: list[str]) -> None:
    rule = {"id": "push", "match": "Bash(git push *)", "deny": "No.", "client": "codex"}
    one = recorded(1, command="git push", client=client, client_version="0.1.0", resolved=real("/"))
    tally = replayed(one, change=Change(rules=(added_rule(rule),)))
    assert [kind for _, kind in kinds(tally)] == kinds_


def test_a_policy_that_is_off_stops_nothing() -> None:
    off = Change(modes=(("destructive-guard", "off"),))
    tally = replayed(recorded(1, command="git reset --hard", resolved=real()), change=off)
    assert kinds(tally) == [("#1", "noStop")]
    (one,) = tally.differences
    assert (one.before.rule, one.after.verdict) == ("destructive-guard", "")


def test_without_a_change_the_recorded_decision_is_compared() -> None:
    events = [
        recorded(1, command="git reset --hard", decision="deny", decided_by="destructive-guard"),
        recorded(2, command="git reset --hard"),
        recorded(3, command="ls", decision="deny", decided_by="gone"),
        recorded(4, "Stop", fields={"hook_event_name": "Stop"}),
    ]
    answer = replayed(events[1]).differences[0].after.state
    first = recorded(1, command="git reset --hard", decision=answer)
    tally = replayed(first, *events[1:])
    expected = "newDeny" if answer == "deny" else "newAsk"
    assert kinds(tally) == [("#2", expected), ("#3", "noStop")]


READ = {"tool_name": "Read", "tool_input": {"file_path": f"{PROJECT}/notes.txt"}}


def test_a_link_is_followed_as_it_was_recorded_not_as_it_is() -> None:
    place = f"{PROJECT}/notes.txt"
    plain = recorded(1, fields=READ, resolved=real(place))
    linked = recorded(2, fields=READ, resolved=real(**{place: "/home/me/.ssh/id_rsa"}))
    tally = replayed(plain, linked)
    assert kinds(tally) in ([("#2", "newDeny")], [("#2", "newAsk")])
    assert tally.same == 1


@pytest.mark.parametrize("resolved", [None, "{}", '{"77": true}', '{"cwd": 7}'])
def test_without_its_facts_an_event_is_not_compared(resolved: str | None) -> None:
    tally = replayed(recorded(1, fields=READ, decision="deny", resolved=resolved))
    assert [(gap.label, gap.why) for gap in tally.gaps] == [("#1", LACKS_FACTS)]
    assert tally.gaps[0].detail == "secrets-guard"


@pytest.mark.parametrize(
    ("change", "decision", "compared", "kind"),
    [
        # The guard that lacks a fact has the same opinion on both sides.
        (PUSH, "deny", True, None),
        # The event was answered with silence: so was that guard.
        (denying("Read"), None, True, "newDeny"),
        # It may have stopped the call already.
        (denying("Read"), "ask", False, "newDeny"),
        # The change affects that guard itself.
        (Change(modes=(("secrets-guard", "off"),)), None, False, None),
    ],
)
def test_a_missing_fact_matters_only_if_it_can_change_the_comparison(
    change: Change, decision: str | None, compared: bool, kind: str | None
) -> None:
    tally = replayed(recorded(1, fields=READ, decision=decision), change=change)
    assert tally.compared == int(compared)
    assert [gap.kind for gap in tally.gaps] == ([] if compared else [kind])
    assert [one.kind for one in tally.differences] == ([kind] if compared and kind else [])


def test_a_transcript_s_event_is_known_not_to_be_known() -> None:
    one = recorded(1, fields=READ)
    unknown = replace(one, decided=None)
    tally = replayed(unknown, change=denying("Read"))
    assert [gap.kind for gap in tally.gaps] == ["newDeny"]


def test_what_people_allowed_then_is_allowed_and_no_longer_if_the_rule_is_gone() -> None:
    tally = replayed(recorded(1, command="git reset --hard", decided_by="allow"))
    assert [gap.why for gap in tally.gaps] == [ALLOWED]


@pytest.mark.parametrize(
    ("decision", "stopped"), [("deny", True), ("ask", True), ("allow", False), (None, False)]
)
def test_a_user_hook_counts_as_it_did(decision: str | None, stopped: bool) -> None:
    one = recorded(1, decision=decision, hooks=(("lint", decision),))
    assert replayed(one).same == 1
    tally = replayed(one, change=denying("Bash(ls)"))
    assert kinds(tally) == ([] if decision == "deny" else [("#1", "newDeny")])


def test_the_state_of_a_session_comes_from_its_events() -> None:
    once = {
        "id": "at-three",
        "urgency": "ask",
        "condition": {"field": "tool_calls", "op": "gte", "value": 3},
    }
    change = Change(rules=(added_rule(once),))
    events = [recorded(number, command=f"echo {number}") for number in range(1, 6)]
    tally = replayed(*events, change=change)
    first = int(tally.differences[0].label[1:])
    assert kinds(tally) == [(f"#{number}", "newAsk") for number in range(first, 6)]
    assert first > 1


def test_events_before_the_window_lead_to_the_state_and_are_not_counted() -> None:
    before = replace(recorded(1, command="git push a"), window=False)
    tally = replayed(before, recorded(2), change=PUSH)
    assert (tally.events, tally.differences) == (1, ())


def test_sessions_leave_nothing_behind() -> None:
    replayer = Replayer(plan(PUSH))
    try:
        first = [replayer.run("s1", [recorded(1, command="git push x")]) for _ in range(2)]
        assert first[0] == first[1]
        for side in (replayer._base, replayer._other):
            assert side is not None
            (count,) = side.database.db.execute("SELECT count(*) FROM sessions").fetchone()
            assert count == 0
    finally:
        replayer.close()


def test_what_cannot_be_read_is_counted_and_named() -> None:
    odd = recorded(2, fields={"tool_input": "x"})
    secret = recorded(3, command="echo [redacted:token]")
    tally = replayed(Damaged("#1", ("", 1), DAMAGED), odd, secret)
    assert [(gap.label, gap.why) for gap in tally.gaps] == [
        ("#1", DAMAGED),
        ("#2", DAMAGED),
        ("#3", REDACTED),
    ]
    assert tally.events == 3


def test_nothing_of_the_disk_is_read(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "key")
    fields = {"cwd": str(tmp_path), "tool_input": {"file_path": str(tmp_path / "link")}}
    one = recorded(1, fields=READ | fields, project=str(tmp_path))
    assert [gap.why for gap in replayed(one).gaps] == [LACKS_FACTS]


@pytest.mark.parametrize(
    "change",
    [
        PUSH,
        denying("Bash(*)", urgency="ask"),
        Change(modes=(("secrets-guard", "off"),)),
        Change(modes=(("heartbeat", "off"),)),
        Change(values=(("context.budget", 2000),)),
    ],
)
def test_shared_opinions_are_those_of_a_second_evaluation(change: Change) -> None:
    texts = ("ls", "git push a", "git reset --hard", "cat .env", "if (", "hookd stop")
    events = [
        one
        for number, command in enumerate(texts * 2, 1)
        for one in (
            recorded(2 * number, command=command, resolved=real("/", f"{PROJECT}/.env")),
            recorded(2 * number + 1, "PostToolUse", command=command),
        )
    ]
    shared = plan(change)
    alone = replace(shared, affected=frozenset(policy.name for policy in POLICIES))
    assert not alone.shared
    found = []
    for one in (shared, alone):
        replayer = Replayer(one)
        found.append(replayer.run("s1", events))
        replayer.close()
    assert found[0] == found[1]


COMMANDS = ("ls", "git push a", "git reset --hard", "cat .env", "echo $x")


@pytest.mark.gate
@given(
    st.lists(st.lists(st.sampled_from(COMMANDS), min_size=1, max_size=3), min_size=1, max_size=4),
    st.randoms(),
)
def test_the_order_of_sessions_does_not_matter(sessions: list[list[str]], chance: Any) -> None:
    units = []
    number = 0
    for place, commands in enumerate(sessions):
        events = []
        for command in commands:
            number += 1
            events.append(recorded(number, command=command, session=f"s{place}"))
        units.append((f"s{place}", events))
    replayer = _REPLAYER
    straight = merged(replayer.run(name, events) for name, events in units)
    chance.shuffle(units)
    assert merged(replayer.run(name, events) for name, events in units) == straight


_REPLAYER = Replayer(plan(PUSH))
