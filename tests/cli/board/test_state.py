"""State of the board: what notifications change, and which rows are shown in which order."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.board.filter import parse
from hookd.cli.board.state import MAX_EVENTS, BoardState, Group


def agent(name: str, status: str = "working", project: str | None = "/work/a", **more: Any) -> Any:
    at = more.pop("at", "2026-01-31T08:00:00.000Z")
    row = {"agent": name, "status": status, "project": project, "statusAt": at, "sessionId": 1}
    return row | {"quiet": 0, "cost": 1.0} | more


def event(number: int, decision: str | None = None, **more: Any) -> Any:
    return {
        "id": number,
        "decision": decision,
        "sessionId": number % 3,
        "text": f"t{number}",
    } | more


def names(state: BoardState) -> list[Any]:
    return [item.key or item.value.project for item in state.fleet()]


def test_sessions_that_need_a_person_come_first_and_so_do_their_projects() -> None:
    state = BoardState()
    state.replace_agents(
        [
            agent("d", "done"),
            agent("w", "working"),
            agent("late", "attention", "/work/b", at="2026-01-31T08:05:00.000Z"),
            agent("early", "attention", "/work/b", at="2026-01-31T08:01:00.000Z"),
            agent("e", "error"),
            agent("n", "checked", None),
        ]
    )
    assert names(state) == ["/work/a", "e", "w", "d", "/work/b", "early", "late", None, "n"]
    assert state.fleet()[0].value == Group("/work/a", 3, 3.0)
    assert state.counts() == {
        "error": 1, "attention": 2, "working": 1, "checked": 1, "idle": 0, "done": 1
    }  # fmt: skip


def test_the_fleet_changes_row_by_row() -> None:
    state = BoardState()
    state.replace_agents([agent("a"), agent("b")])
    state.change_agents([agent("b", "error"), agent("c")], ["a", "unknown"])
    assert names(state) == ["/work/a", "b", "c"]
    state.replace_agents([agent("z")])
    assert names(state) == ["/work/a", "z"]


def test_quiet_sessions_and_others_than_the_filters_are_hidden() -> None:
    state = BoardState()
    state.replace_agents([agent("a", quiet=1), agent("b"), agent("c", project="/work/x")])
    assert names(state) == ["/work/a", "b", "/work/x", "c"]
    assert state.hidden() == 1
    state.choose(with_quiet=True)
    assert state.hidden() == 0
    state.choose(filter_=parse("project:x"))
    assert names(state) == ["/work/x", "c"]
    assert state.hidden() == 2


def test_events_are_counted_and_kept_by_session() -> None:
    state = BoardState()
    state.add_events([event(1, "deny"), event(2, "ask"), event(3, "block"), event(4)], skipped=7)
    assert (state.denied, state.asked, state.skipped, state.last_id) == (2, 1, 7, 4)
    assert state.news[1]["id"] == 4
    assert state.event(2) == event(2, "ask")
    assert state.event(9) is None


def test_an_event_that_arrives_again_replaces_itself() -> None:
    state = BoardState()
    state.add_events([event(1), event(2)])
    state.add_events([event(2, "deny"), event(3)])
    state.add_events([event(-5)])
    assert [item.value["decision"] for item in state.stream()] == [None, "deny", None]
    assert state.denied == 1


def test_only_what_was_stopped_is_shown_on_request() -> None:
    state = BoardState()
    state.add_events([event(1), event(2, "deny")])
    state.choose(only_stopped=True)
    state.add_events([event(3), event(4, "ask"), event(5, "allow")])
    assert [item.key for item in state.stream()] == ["2", "4"]
    state.choose(only_stopped=False, filter_=parse("t5"))
    assert [item.key for item in state.stream()] == ["5"]


@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 9_000), st.sampled_from([None, "deny", "ask"]))),
        max_size=4,
    )
)
def test_the_stream_is_bounded_in_order_and_counted(parts: list[list[tuple[int, Any]]]) -> None:
    state = BoardState()
    for part in parts:
        state.add_events([event(*one) for one in sorted(dict(part).items())])
        state.add_events([event(state.last_id + 1 + n) for n in range(MAX_EVENTS // 2)])
        ids = [item.value["id"] for item in state.stream()]
        assert ids == sorted(set(ids))
        assert len(ids) <= 2 * MAX_EVENTS
        words = [item.value["decision"] for item in state.stream()]
        assert (state.denied, state.asked) == (words.count("deny"), words.count("ask"))


def test_what_is_trimmed_is_counted_no_more() -> None:
    state = BoardState()
    state.add_events([event(1, "deny")])
    state.add_events([event(n) for n in range(2, 2 * MAX_EVENTS + 2)])
    assert (state.denied, len(state.stream()), state.event(1)) == (0, MAX_EVENTS, None)


def request(number: int, until: str) -> Any:
    return {"id": number, "until": until}


def test_requests_wait_until_they_end() -> None:
    state = BoardState()
    state.change_approvals([request(1, "2026-01-31T09"), request(2, "2026-01-31T08")], [])
    assert [item.key for item in state.approvals()] == ["2", "1"]
    state.change_approvals([], [request(2, "") | {"status": "allowed"}])
    assert [item.key for item in state.approvals()] == ["1"]
    state.forget_approvals()
    assert state.approvals() == []
