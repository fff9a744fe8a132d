"""Central board of 10,000 hosts: time of each page of `hookd web --fleet`, and of each list."""

import json
import sys
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any

from homes import home
from rows import Aim, Row, percentile

if TYPE_CHECKING:
    from pathlib import Path

    from hookd.central.logins import Login
    from support.central import Store

HOSTS, SESSIONS, EVENTS = 10_000, 20, 200
"""Hosts, and sessions and events of each: 200,000 and 2,000,000."""

BUSY, BUSY_EVENTS = "host-00007", 100_000
"""A host with more events than the others, each tenth of them decided."""

ROUNDS = 9
"""Loads of a page. The first quartile counts, since other processes use the cores, too."""

_LIMIT_MS = Aim(300, of="value")
_TENANT = "acme"
_NAME = "'host-' || lpad(h::text, 5, '0')"

# Every fourth host is away. Four sessions of each host are open; the last event of each is within
# the retention. One session has a status that is rare.
_MAKE = (
    "INSERT INTO hookd.hosts (tenant, host, public_key, certificate, epoch, last_seen, mode,"
    " version, open_sessions, attention, counted_on, events_today, denied_today, joined_at)"
    f" SELECT 'acme', {_NAME}, '', '', gen_random_uuid(),"
    " now() - interval '10 minutes' * (h % 4 / 3), 'decisions', '0.1.0', 4, h % 2,"
    " (now() AT TIME ZONE 'UTC')::date, 9600, 12, now() FROM generate_series(1, {hosts}) h",
    "INSERT INTO hookd.epochs SELECT tenant, host, epoch, 1, 1000000 FROM hookd.hosts",
    "INSERT INTO hookd.sessions (tenant, host, epoch, number, conversation, agent, client, project,"
    " status, started_at, last_event_at, ended_at, state)"
    f" SELECT 'acme', {_NAME}, 1, s, gen_random_uuid()::text, 'agent-' || s,"
    " CASE WHEN (h + s) % 50 = 0 THEN 'codex' ELSE 'claude-code' END, 'project-' || h % 90,"
    " CASE WHEN h = 4711 AND s > {sessions} - 1 THEN 'error' WHEN s <= {sessions} - 4 THEN 'done'"
    "  WHEN h % 2 = 0 AND s = {sessions} THEN 'attention' ELSE 'working' END,"
    " l.at - interval '2 hours', l.at, CASE WHEN s <= {sessions} - 4 THEN l.at END,"
    " jsonb_build_object('session', s, 'branch', 'paging', 'skill', 'review', 'phase', 'check',"
    "  'cost', 0.5, 'client_version', '2.1.330', 'model', 'claude-opus-4-5', 'context', 0.4,"
    "  'tool_calls', 217)"
    " FROM generate_series(1, {hosts}) h, generate_series(1, {sessions}) s,"
    " LATERAL (SELECT now() - CASE WHEN s <= {sessions} - 4 THEN interval '1 day'"
    "  * ({sessions} - 3 - s) ELSE interval '0' END - interval '0.3 seconds' * h AS at) l",
    "SELECT hookd.maintain('acme', current_date - 2)",
    "SELECT hookd.maintain('acme', current_date)",
    f"INSERT INTO hookd.events ({{columns}}) SELECT 'acme', {_NAME}, {{values}}"
    " FROM generate_series(1, {hosts}) h, generate_series(1, {events}) n",
    "INSERT INTO hookd.events ({columns}) SELECT 'acme', '{busy}', {values}"
    " FROM generate_series({events} + 1, {busy_events}) n",
    # Each part has each decision in each minute of a day; a tenth of the hosts worked for 8 hours.
    "INSERT INTO hookd.fleet_minutes SELECT 'acme', date_trunc('minute', now())"
    " - interval '1 minute' * m, d, p, 300 FROM generate_series(0, 1439) m,"
    " unnest(ARRAY['', 'deny', 'ask']) d, generate_series(0, 31) p",
    f"INSERT INTO hookd.minutes SELECT 'acme', {_NAME}, (a.at AT TIME ZONE 'UTC')::date, a.at,"
    " e, '', 10 FROM generate_series(1, {hosts} / 10) h, generate_series(0, 479) m,"
    " unnest(ARRAY['PreToolUse', 'PostToolUse']) e,"
    " LATERAL (SELECT date_trunc('minute', now()) - interval '1 minute' * m AS at) a",
    "ANALYZE",
)
_COLUMNS = (
    "tenant, host, epoch, event_id, received_at, at, event, session, conversation, tool,"
    " decision, decided_by, duration_us, client, kind"
)
_VALUES = (
    "1, n, r.at, r.at, CASE n % 2 WHEN 0 THEN 'PreToolUse' ELSE 'PostToolUse' END, 1 + n % 20,"
    " '0a5e3de9-7fef-4e12-a412-fc862f7ab4f0', 'Bash', CASE n % 10 WHEN 0 THEN 'deny' END,"
    " CASE n % 10 WHEN 0 THEN 'destructive-guard' END, 1500 + n % 999, 'claude-code', 'hook'"
)
_AT = ", LATERAL (SELECT now() - interval '1 day' * (2 - n % 3) AS at) r"

_PAGES = {
    "hosts": "",
    "hosts, last page": "?after=host-09899",
    "hosts by text": "?text=9999",
    "hosts by state": "?state=away",
    "sessions": "sessions",
    "sessions, ended ones too": "sessions?ended=1",
    "sessions by status": "sessions?status=attention",
    "sessions by a rare status": "sessions?status=error",
    "sessions by client": "sessions?client=codex",
    "sessions by a client that none has": "sessions?client=gemini",
    "sessions by a client that none has, ended ones too": "sessions?ended=1&client=gemini",
    "sessions of a host": f"sessions?host={BUSY}&ended=1",
    "minutes of all hosts, 1 hour": "minutes",
    "minutes of all hosts, 1 day": "minutes?time=1+day",
    "minutes of a host, 1 day": f"minutes?host={BUSY}&time=1+day",
    "a host": f"hosts/{BUSY}",
    "a host, all events": f"hosts/{BUSY}?all=1",
    "a host, events in the middle": f"hosts/{BUSY}?before=1~{BUSY_EVENTS // 2}",
    "a session": f"hosts/{BUSY}/sessions/1/20",
    "an event": f"hosts/{BUSY}/events/1/{BUSY_EVENTS // 2}",
}


def measure(central: "Store") -> list[Row]:
    """Return a row for each page and list; the pages need the extra `web`."""
    began = perf_counter()
    login = _make(central)
    spent = perf_counter() - began
    print(f"bench: a store of {HOSTS:,} hosts was made in {spent:.0f} s", file=sys.stderr)
    lists = [
        Row(f"fleet: 10,000 hosts: {name}", "ms", _quartile(one), aim=_LIMIT_MS)
        for name, one in _lists(central, login).items()
    ]
    return [*_pages(central, login), *lists]


def _make(central: "Store") -> "Login":
    """Fill a tenant; return a viewer's login."""
    from hookd.central import logins  # noqa: PLC0415 - needs the extra

    central.add_tenant(_TENANT)
    numbers = {"hosts": HOSTS, "sessions": SESSIONS, "events": EVENTS, "busy_events": BUSY_EVENTS}
    rest = {"busy": BUSY, "columns": _COLUMNS, "values": _VALUES}
    for statement in _MAKE:
        text = statement.format(**numbers, **rest)
        central.admin.execute((text + _AT if "hookd.events" in text else text).encode())
    return logins.add_viewer(central.admin, _TENANT, "screen")


def _pages(central: "Store", login: "Login") -> list[Row]:
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        print("bench: pages are not measured: hookd[web] is not installed.", file=sys.stderr)
        return []
    from support.web_page import web  # noqa: PLC0415 - as above

    with home(daemon=False) as place:
        file = _viewer_file(place.path, central, login)
        with web(place, "--fleet", str(file)) as served:  # type: ignore[arg-type]
            served.enters()
            return [
                Row(
                    f"fleet: 10,000 hosts: page {name}",
                    "ms",
                    _quartile(lambda path=path: _load(served, path)),  # type: ignore[misc]
                    aim=_LIMIT_MS,
                )
                for name, path in _PAGES.items()
            ]


def _viewer_file(folder: "Path", central: "Store", login: "Login") -> "Path":
    server = {key: value for key, value in central.address(login).items() if key != "user"}
    found = {"version": 1, "tenant": _TENANT, "viewer": "screen", "server": server}
    made = folder / "viewer.json"
    made.touch(0o600)
    made.write_text(json.dumps(found | {"role": login.role, "password": login.password}))
    return made


def _load(served: Any, path: str) -> None:
    """Load a whole page."""
    with closing(HTTPConnection("127.0.0.1", served.port, timeout=60)) as one:
        answer = served.send(one, "GET", served.root + path)
        answer.read()
    if answer.status != 200:
        raise RuntimeError(f"the page {path!r} answers {answer.status}")


def _lists(central: "Store", login: "Login") -> dict[str, Callable[[], object]]:
    """Return what the lists of the command line read, each with a connection of its own."""
    from hookd.central import board, hosts  # noqa: PLC0415 - needs the extra
    from hookd.central.viewer import View, Viewer  # noqa: PLC0415

    def viewed(query: Callable[[View], Any]) -> Callable[[], object]:
        def read() -> object:
            with closing(Viewer(central.address(login), login.password)) as viewer:
                return viewer.read(query)

        return read

    opened, decided = board.SessionFilter(), board.EventFilter(equal={"decision": "deny"})
    rare = board.EventFilter(equal={"tool": "none"})
    return {
        "hookd fleet hosts": lambda: hosts.hosts(central.admin, _TENANT, HOSTS),
        "hookd fleet --host all": viewed(lambda v: board.sessions(v, opened, None, 2_000)),
        "hookd event --host": viewed(lambda v: board.events(v, BUSY, decided, None, 50)),
        "a window of events without a match": viewed(
            lambda v: board.events(v, BUSY, rare, None, 50)
        ),
    }


def _quartile(read: Callable[[], object]) -> float:
    """Return the milliseconds that a read takes."""
    took = []
    for _ in range(ROUNDS):
        began = perf_counter()
        read()
        took.append((perf_counter() - began) * 1000)
    return percentile(took, 25)
