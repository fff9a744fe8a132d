"""The list of hosts: their state, for administrator and viewer, without reading events."""

from hookd.central import logins
from hookd.central.hosts import HOSTS, hosts
from support.central import Store


def test_states_of_hosts(central: Store) -> None:
    central.add_tenant("states")
    for name in ("away", "here", "invited", "left", "removed"):
        central.add_host("states", name)
    logins.remove_host(central.admin, "states", "removed")
    for name, last in (("away", "-3 minutes"), ("here", "0"), ("left", "0")):
        central.admin.execute(
            "UPDATE hookd.hosts SET joined_at = now(), last_seen = now() + %s::interval,"
            " left_at = CASE host WHEN 'left' THEN now() END,"
            " counted_on = current_date - 1, events_today = 7"
            " WHERE tenant = 'states' AND host = %s",
            [last, name],
        )
    rows = hosts(central.admin, "states", 100)
    assert [row["host"] for row in rows] == [row["state"] for row in rows]
    assert {row["eventsToday"] for row in rows} == {0}
    assert rows[0]["lastSeen"].endswith("Z")
    viewer = logins.add_viewer(central.admin, "states", "screen")
    with central.login(viewer) as connection:
        assert hosts(connection, "states", 100) == rows
        assert len(hosts(connection, "states", 2)) == 2


def test_no_event_is_read(central: Store) -> None:
    central.add_tenant("plan")
    plan = central.admin.execute(f"EXPLAIN {HOSTS}", ["plan", 10_000]).fetchall()
    read = {row[0].split(" on ")[1].split()[0] for row in plan if " on " in row[0]}
    assert read == {"hosts"}
