"""Live: `hookd web --fleet` on a real central store: its pages, their safety, what is refused."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hookd.central import logins
from support.central import EPOCH, Store, event, line, store
from support.home import Home, place
from support.parametrize import parametrize_all
from support.postgres import Cluster
from support.web_page import HEADERS, OUTSIDE, REFUSED, Web, web

HOSTILE = "<script>alert('\u202e')</script>"


@pytest.fixture(scope="module")
def central(postgres: Cluster) -> Iterator[Store]:
    """A store with 101 hosts, of which alpha and beta sent sessions and events."""
    with store(postgres) as made:
        made.add_tenant("acme")
        for host in ("alpha", "beta"):
            detail = {"payload": {"tool_input": {"command": f"rm -rf / # {HOSTILE}"}}}
            state = {"session": 1, "agent": HOSTILE, "status": "attention", "branch": {"a": []}}
            at = datetime.now(UTC).isoformat().replace("+00:00", "Z")
            rows = [
                line(1, "session", state | {"context": "much", "task": [HOSTILE]}),
                *(event(n, decision=None) for n in range(2, 220)),
                event(220, decision="deny", decided_by=HOSTILE, tool=HOSTILE, detail=detail),
            ]
            rows = [row.replace(b"2026-01-02T03:04:05.678Z", at.encode()) for row in rows]
            with made.login(made.add_host("acme", host)) as ship, ship.transaction():
                ship.execute("SELECT hookd.maintain_1()")
                ship.execute("SELECT hookd.open_batch_1()")
                copy = "COPY pg_temp.hookd_batch (seq, kind, at, body) FROM STDIN"
                with ship.cursor().copy(copy) as to:
                    to.write(b"".join(rows))
                ship.execute("SELECT hookd.ingest_1(%s, 'changes')", [EPOCH])
                hello = {"at": "2026-01-02T03:04:05.678Z", "mode": "events", "version": HOSTILE}
                ship.execute("SELECT hookd.hello_1(%s, %s::jsonb)", [EPOCH, json.dumps(hello)])
        made.admin.execute(
            "INSERT INTO hookd.hosts (tenant, host, public_key, certificate)"
            " SELECT 'acme', 'n' || n, '', '' FROM generate_series(100, 198) n"
        )
        yield made


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """A home without a daemon."""
    with place() as made:
        yield made


@pytest.fixture(scope="module")
def file(home: Home, central: Store) -> Path:
    """A viewer's file."""
    login = logins.add_viewer(central.admin, "acme", "screen")
    server = {key: value for key, value in central.address(login).items() if key != "user"}
    found = {"version": 1, "tenant": "acme", "viewer": "screen", "server": server}
    made = home.path / "viewer.json"
    made.touch(0o600)
    made.write_text(json.dumps(found | {"role": login.role, "password": login.password}))
    return made


@pytest.fixture(scope="module")
def page(home: Home, file: Path) -> Iterator[Web]:
    """A server on the central store, and a browser that has opened its link."""
    with web(home, "--fleet", str(file)) as served:
        yield served.enters()


PAGES = [
    "",
    "sessions",
    "minutes",
    "hosts/alpha",
    "hosts/alpha?all=1",
    "hosts/alpha/sessions/1/1",
    "hosts/alpha/events/1/220",
]


def test_hosts_by_pages_with_totals(page: Web) -> None:
    first = page.get("").body
    assert "<h1>Hosts of acme</h1>" in first
    assert "101, 2 here, 99 invited" in first
    assert "2 open, 2 wait for a person" in first
    assert "438 events, 2 denied or blocked" in first
    assert re.search(r"data-label=.clock.>\d+ d[^<]* behind<", first)
    names = re.findall(r'id="host-([^"]+)"', first)
    more = re.search(r'rel="next" href="[^"?]*\?([^"]+)"', first)
    assert more
    last = page.get(f"?{more[1]}").body
    names += re.findall(r'id="host-([^"]+)"', last)
    assert names == ["alpha", "beta", *(f"n{n}" for n in range(100, 199))]
    assert 'rel="next"' not in last
    assert re.findall(r'id="host-([^"]+)"', page.get("?text=ET&state=here").body) == ["beta"]
    assert "No host matches." in page.get("?text=%00zzz").body


def test_a_host_has_sessions_minutes_and_decisions(page: Web) -> None:
    shown = page.get("hosts/alpha").body
    assert f'href="{page.root}hosts/alpha/sessions/1/1"' in shown
    assert shown.count('data-label="took"') == 1, "one event has a decision"
    assert "rm -rf /" in shown
    assert "<svg" in shown
    assert "Numbers of the chart" in shown
    found: list[str] = []
    path = "hosts/alpha?all=1"
    while path:
        shown = page.get(path).body
        found += re.findall(r'id="event-1-(\d+)"', shown)
        more = re.search(r'rel="next" href="[^"]*/(hosts/[^"]+)"', shown)
        path = more[1].replace("&amp;", "&") if more else ""
    assert found == [str(n) for n in range(220, 1, -1)]
    assert page.get("hosts/gamma").status == 404
    assert page.get("hosts/a%00b").status == 404


def test_sessions_of_hosts(page: Web) -> None:
    shown = page.get("sessions?status=attention").body
    assert re.findall(r'id="session-(\w+)-1-1"', shown) in (["alpha", "beta"], ["beta", "alpha"])
    assert re.findall(r'id="session-(\w+)-1-1"', page.get("sessions?host=beta").body) == ["beta"]
    assert "Nothing matches" in page.get("sessions?client=codex").body
    for wrong in ("x", "x~y~1~2", "2026-01-02~alpha~1~2", "2026-01-02T00:00:00Z~alpha~9e9~2"):
        assert page.get(f"sessions?before={wrong}").status == 200
    body = page.get("hosts/alpha/sessions/1/1").body
    assert len(re.findall(r'id="event-1-(\d+)"', body)) == 200
    for path in (
        "hosts/alpha/sessions/1/2",
        "hosts/alpha/sessions/9/1",
        f"hosts/a/events/1/{9:018}",
    ):
        assert page.get(path).status == 404


def test_minutes_of_a_chosen_time(page: Web) -> None:
    assert "438 events in 1 day" in page.get("minutes?time=1+day").body
    assert "219 events in 1 hour" in page.get("minutes?host=beta").body
    assert "0 events in 1 hour" in page.get("minutes?host=gamma&time=9").body


@parametrize_all("path", PAGES)
def test_texts_of_hosts_are_escaped_and_pages_have_no_inline_script(page: Web, path: str) -> None:
    answer = page.get(path)
    assert answer.status == 200
    assert HEADERS.items() <= answer.headers.items()
    assert "<script>alert" not in answer.body
    assert "\u202e" not in answer.body
    assert not re.search(
        r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", answer.body
    )
    loaded = re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"([^\"]*)\"", answer.body)
    assert all(address.startswith(page.root) for address in loaded)
    assert "<form" not in answer.body or 'method="post"' not in answer.body


@parametrize_all("path", ["", "sessions", "hosts/alpha", "live?topics=fleet", "static/live.js"])
def test_each_path_refuses_other_pages_and_browsers(page: Web, path: str) -> None:
    for name, (status, headers) in REFUSED.items():
        answer = page.ask("GET", page.root + path, {"Cookie": page.cookie} | headers, cookie="")
        assert (answer.status, page.cookie in answer.body) == (status, False), name


@parametrize_all("path", OUTSIDE)
def test_outside_the_prefix_is_nothing(page: Web, path: str) -> None:
    assert (page.ask("GET", path).status, page.ask("GET", path).body) == (404, "")


def test_nothing_is_changed_and_pages_of_this_machine_are_not_there(page: Web) -> None:
    for path in ("", "sessions", "approvals/1", "events/1/allow", "hosts/alpha"):
        answer = page.form(path, "csrf=x")
        assert (answer.status, "read-only" in answer.body) == (403, True)
    for path in ("decisions", "approvals", "rules", "events/1", "fleet"):
        assert page.get(path).status == 404


def test_the_store_that_is_gone_is_named_and_comes_back(central: Store, page: Web) -> None:
    allow = "ALTER DATABASE {} ALLOW_CONNECTIONS {}"
    name = central.name
    with central.cluster.admin() as admin:
        try:
            admin.execute(allow.format(name, "false").encode())
            admin.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = %s AND usename LIKE 'hookd%%'",
                [name],
            )
            answer = page.get("")
            assert (answer.status, "Next:" in answer.body) == (503, True)
        finally:
            admin.execute(allow.format(name, "true").encode())
    assert page.get("").status == 200


@parametrize_all(
    ("args", "code", "said"),
    [
        (["--fleet"], 1, "There is no viewer file"),
        (["--fleet", "{home}/nothing.json"], 1, "There is no viewer file"),
        (["--fleet", "{home}/viewer.json", "--metrics"], 2, "--fleet excludes"),
        (["--fleet", "{home}/viewer.json", "--allow-changes"], 2, "--fleet excludes"),
        (["--fleet", "{home}/refused.json"], 1, "refuses this login"),
    ],
)
def test_bad_input_is_named(home: Home, file: Path, args: list[str], code: int, said: str) -> None:
    refused = home.path / "refused.json"
    refused.touch(0o600)
    refused.write_text(json.dumps(json.loads(file.read_text()) | {"password": "hunter2"}))
    done = home.hookd("web", *(arg.format(home=home.path) for arg in args), check=False)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert "next: hookd" in done.stderr
    assert "hunter2" not in done.stderr
