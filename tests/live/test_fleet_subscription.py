"""Live: subscribers of the fleet get each change, and a slow one delays no other."""

import json

from support.home import Home, until, window_in
from support.subscription import listening


def test_a_watcher_is_told_first_all_and_then_what_is_new(daemon: Home) -> None:
    orders, api = window_in(daemon, AGENT_ID="orders"), window_in(daemon, AGENT_ID="api")
    orders.says("SessionStart")
    with listening(daemon, "fleet.subscribe") as ear:
        assert ear.answer == {"jsonrpc": "2.0", "id": 7, "result": {"subscribed": True}}
        method, params = ear.next()
        assert (method, [row["agent"] for row in params["agents"]]) == ("fleet.changed", ["orders"])
        assert params["gone"] == []
        api.says("SessionStart")
        method, params = ear.next()
        assert [row["agent"] for row in params["agents"]] == ["api"], "what is the same is not told"
        orders.says("Notification", notification_type="permission_prompt")
        assert ear.until(agent="orders")["status"] == "attention"
        orders.says("PostToolUse", tool_name="Read")
        assert ear.until(agent="orders")["status"] == "working"


def test_the_fleet_is_told_that_a_session_ended(daemon: Home) -> None:
    orders, loose = window_in(daemon, AGENT_ID="orders"), window_in(daemon)
    orders.says("SessionStart")
    loose.says("SessionStart")
    with listening(daemon, "fleet.subscribe") as ear:
        ear.until(agent="orders")
        orders.says("SessionEnd", reason="prompt_input_exit")
        assert ear.until(agent="orders")["status"] == "done"
        (number,) = loose.sessions("id")[0]
        loose.says("SessionEnd", reason="prompt_input_exit")
        told = until(lambda: ear.next()[1]["gone"])
        assert told == [f"session {number}"]


def test_a_watcher_may_go_on_asking_on_its_connection(daemon: Home) -> None:
    with daemon.link() as link, link.makefile("rb") as lines:
        for number, method in enumerate(("fleet.subscribe", "daemon.status")):
            asked = {"jsonrpc": "2.0", "id": number, "method": method}
            link.sendall(json.dumps(asked).encode() + b"\n")
        told = [json.loads(lines.readline()) for _ in range(3)]
        assert sorted(one["id"] for one in told if "id" in one) == [0, 1]
        assert [one["method"] for one in told if "id" not in one] == ["fleet.changed"]


def test_a_watcher_that_does_not_read_is_dropped_and_told_why_and_holds_up_nobody(
    daemon: Home,
) -> None:
    for number in range(60):
        daemon.rpc("agents.register", {"id": f"agent-{number}", "manages": "x" * 4000})
    with listening(daemon, "fleet.subscribe") as slow, listening(daemon, "fleet.subscribe") as ear:

        def change() -> bool:
            for number in range(60):
                daemon.rpc(
                    "agents.register", {"id": f"agent-{number}", "parent": f"p{change.turn}"}
                )
            change.turn += 1  # type: ignore[attr-defined]
            ear.until(agent="agent-59", parent=f"p{change.turn - 1}")  # type: ignore[attr-defined]
            return bool(daemon.logged("slow subscriber disconnected"))

        change.turn = 0  # type: ignore[attr-defined]
        until(change)
        lines = slow.lines.readlines()
        last = json.loads(lines[-1])
        assert last["method"] == "fleet.dropped"
        assert "more slowly" in last["params"]["reason"]


def test_nobody_is_told_of_what_did_not_change(daemon: Home) -> None:
    daemon.rpc("agents.register", {"id": "orders"})
    with listening(daemon, "fleet.subscribe") as ear:
        ear.until(agent="orders")
        daemon.rpc("agents.register", {"id": "orders"})
        daemon.rpc("agents.register", {"id": "api"})
        _, params = ear.next()
        assert [row["agent"] for row in params["agents"]] == ["api"]
