"""Live: `hookd web` on a real port: what it serves, to whom, and every refusal."""

import json
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from support.home import HOOKD, Home, place, until, window_in
from support.parametrize import parametrize_all
from support.payloads import payload
from support.web_page import HEADERS, OUTSIDE, REFUSED, Web, web


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """A daemon that has denied a call."""
    with place() as made:
        made.serves()
        deny(made, "rm -rf /")
        yield made


@pytest.fixture(scope="module")
def page(home: Home) -> Iterator[Web]:
    """A read-only server, and a browser that has opened its link."""
    with web(home) as served:
        yield served.enters()


def deny(home: Home, command: str) -> int:
    """Fire a call that is denied; return its event's number."""
    call = payload("PreToolUse", tool_name="Bash", tool_input={"command": command})
    call["tool_use_id"] = f"toolu_{command}"
    assert home.said(call)["hookSpecificOutput"]["permissionDecision"] == "deny"
    number: int = home.rows("SELECT max(id) FROM events")[0][0]
    return number


def test_a_page_lists_a_real_denied_call(page: Web) -> None:
    shown = page.get("decisions")
    assert (shown.status, shown.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "rm -rf /" in shown.body
    assert "destructive-guard" in shown.body


def test_an_event_has_a_page_of_its_own(home: Home, page: Web) -> None:
    number = deny(home, "rm -rf /etc")
    assert f"Event {number}: " in page.get(f"events/{number}").body
    missing = page.get("events/999999999")
    assert (missing.status, "There is no event 999999999" in missing.body) == (404, True)


def test_a_session_has_a_time_line(home: Home, page: Web) -> None:
    number = deny(home, "rm -rf /var")
    session = home.rows("SELECT session_id FROM events WHERE id = ?", number)[0][0]
    path = f"sessions/{session}"
    assert f'href="{page.root}{path}"' in page.get().body
    body = page.get(path).body
    assert "rm -rf /var" in body
    assert f'href="{page.root}events/{number}"' in body
    assert f"session:{session}" in body
    assert "the model received: destructive-guard" in page.get(f"{path}?show=told").body
    assert page.get(f"{path}?before=1").status == page.get(f"{path}?show=all").status == 200
    assert page.get("sessions/999999999").status == 404


def test_the_fleet_begins_with_who_waits_for_a_person(home: Home, page: Web) -> None:
    first, last = sorted((window_in(home), window_in(home)), key=lambda one: one.project)
    first.bash("ls")
    last.says("PermissionRequest", tool_name="Bash", tool_input={"command": "touch x"})
    shown = page.get("").body
    projects = re.findall(r"<h2 id=.project-\d+-name.>([^<]*)</h2>", shown)
    assert (projects[0], first.project in projects) == (last.project, True)
    columns = re.findall(r"<th scope=.col.[^>]*>([^<]*)</th>", shown.partition("</thead>")[0])
    cells = re.findall(r"<td data-label=.([^\"]*)", shown.partition("</tr>\n</tbody>")[0])
    assert columns == ["agent", *cells[: len(columns) - 1]]
    assert not {"branch", "task"} & set(columns), "no row has them"


def test_the_fleet_shows_what_an_agent_has_claimed(home: Home, page: Web) -> None:
    agent = window_in(home, AGENT_ID="claimer")
    agent.says("SessionStart", source="startup")
    assert '<td data-label="claims"' not in page.get("").body, "no row has any"
    env = agent.identity | {"CLAUDE_CODE_SESSION_ID": agent.id}
    home.rpc("claims.add", {"patterns": ["resource:staging"], "env": env})
    shown = page.get("").body
    assert '<th scope="col">claims</th>' in shown
    assert '<td data-label="claims" class="text"><code>resource:staging</code></td>' in shown
    home.rpc("claims.release", {"all": True, "env": env})


def test_rules_and_policies_are_shown_with_their_source(home: Home, page: Web) -> None:
    home.hookd("guard", "add", "no-force", "Bash(git push --force *)", "--deny", "No <b>force</b>.")
    rules = page.get("rules").body
    assert "no-force" in rules
    assert "No &lt;b&gt;force&lt;/b&gt;." in rules
    policies = page.get("policies").body
    assert "destructive-guard" in policies
    assert "by default" in policies
    assert "severity" in page.get("policies/destructive-guard").body
    assert page.get("policies/nothing").status == 404


def test_texts_of_a_call_are_escaped(home: Home, page: Web) -> None:
    number = deny(home, "rm -rf / # <script>alert('\u202e')</script>")
    for path in ("decisions", f"events/{number}", "decisions?text=%3Cscript%3E"):
        body = page.get(path).body
        assert "<script>alert" not in body
        assert "&lt;script&gt;" in body
        assert "\u202e" not in body


@pytest.mark.parametrize("digits", [19, 30, 5_000])
@pytest.mark.parametrize("page_of", ["events", "sessions", "efforts"])
def test_a_number_that_no_row_has_is_no_page(page: Web, page_of: str, digits: int) -> None:
    assert page.get(f"{page_of}/{'9' * digits}").status == 404


def test_every_answer_has_the_headers(page: Web) -> None:
    answers = {
        "a page": page.get(),
        "a file": page.get("static/style.css"),
        "no page": page.get("nothing"),
        "no file": page.get("static/nothing.css"),
        "outside": page.ask("GET", "/"),
        "refused": page.ask("GET", page.root, cookie=""),
        "a used link": page.ask("GET", page.link.removeprefix(page.origin)),
    }
    assert [answer.status for answer in answers.values()] == [200, 200, 404, 404, 404, 403, 403]
    for name, answer in answers.items():
        assert HEADERS.items() <= answer.headers.items(), name
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
        assert "unsafe" not in policy
        assert "server" not in answer.headers


def test_pages_have_no_inline_script_or_style_and_load_nothing_from_elsewhere(page: Web) -> None:
    for path in ("", "decisions", "nothing"):
        body = page.get(path).body
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", body)
        loaded = re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"([^\"]*)\"", body)
        assert loaded
        assert all(address.startswith(page.root) for address in loaded)


@parametrize_all("path", ["", "decisions", "live?topics=fleet", "static/live.js"])
def test_each_path_refuses_other_pages_and_browsers(page: Web, path: str) -> None:
    for name, (status, headers) in REFUSED.items():
        answer = page.ask("GET", page.root + path, {"Cookie": page.cookie} | headers, cookie="")
        assert (answer.status, page.cookie in answer.body) == (status, False), name
        assert "hookd stop" not in answer.body


def test_a_header_without_an_end_is_refused(page: Web) -> None:
    with page.connection() as link:
        link.connect()
        link.sock.sendall(b"GET / HTTP/1.1\r\nhost: " + b"x" * 70_000)
        assert link.sock.recv(64).startswith(b"HTTP/1.1 400")


@parametrize_all("path", OUTSIDE)
def test_outside_the_prefix_is_nothing(page: Web, path: str) -> None:
    answer = page.ask("GET", path)
    assert (answer.status, answer.body) == (404, "")


TRAVERSALS = [
    "../access.py",
    "..%2faccess.py",
    "%2e%2e/access.py",
    "..%5caccess.py",
    "/etc/passwd",
    ".",
    "",
]


@parametrize_all("name", TRAVERSALS)
def test_static_files_are_those_of_the_folder(page: Web, name: str) -> None:
    assert page.get(f"static/{name}").status == 404


def test_a_link_is_for_one_use_and_enter_prints_another(page: Web) -> None:
    link = page.press_enter()
    path = link.removeprefix(page.origin)
    embedded = page.ask("GET", path, {"Sec-Fetch-Mode": "no-cors"}, cookie="")
    assert embedded.status == 403
    first = page.ask("GET", path, {"Sec-Fetch-Site": "cross-site"}, cookie="")
    again = page.ask("GET", path, cookie="")
    assert (first.status, again.status) == (200, 403)
    assert "set-cookie" not in again.headers
    assert page.root in first.headers["set-cookie"]
    assert "; HttpOnly; SameSite=Strict" in first.headers["set-cookie"]


def test_cookies_are_of_one_server(home: Home, page: Web) -> None:
    with web(home) as other:
        answer = other.ask("GET", other.root, {"Cookie": page.cookie}, cookie="")
        assert answer.status == 403
        assert other.ask("GET", page.root, {"Cookie": page.cookie}, cookie="").status == 404


def test_without_allow_changes_nothing_is_changed(page: Web) -> None:
    for path in ("", "decisions", "approvals/1"):
        answer = page.form(path, "csrf=x")
        assert (answer.status, "read-only" in answer.body) == (403, True)


def test_arguments_hold_no_secret(page: Web) -> None:
    if not Path("/proc").exists():
        pytest.skip("there is no /proc")
    secrets = [part.encode() for part in page.press_enter().split("/")[3:] if len(part) > 8]
    assert len(secrets) == 2
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has ended
            line = file.read_bytes()
            assert all(secret not in line for secret in secrets), line


def test_it_listens_on_this_machine_alone(page: Web) -> None:
    if not Path("/proc/net/tcp").exists():
        pytest.skip("there is no /proc")
    port = f":{page.port:04X}"
    rows = [
        line.split()
        for name in ("tcp", "tcp6")
        for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
    ]
    assert [row[1] for row in rows if row[1].endswith(port) and row[3] == "0A"] == [
        f"0100007F{port}"
    ]


def test_the_browser_is_led_by_a_private_file(home: Home, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\nprintf "%s" "$*" > "$0.args"\n')
    browser.chmod(0o755)
    with web(home, "--open", env={"BROWSER": str(browser)}) as served:
        args = tmp_path / "browser.args"
        address = until(lambda: args.exists() and args.read_text())
        file = Path(address.removeprefix("file://"))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        assert "/open/" not in address
        served.links += re.findall(r'href="(http[^"]+)"', file.read_text())
        assert served.enters().get().status == 200
        until(lambda: not file.exists())


def test_a_unix_socket_is_private_and_for_the_named_origin(home: Home) -> None:
    path = home.path / "proxy" / "web"
    origin = "https://hookd.example.com"
    with web(home, "--socket", str(path), "--origin", origin) as served:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert served.enters().get("decisions").status == 200
        assert served.ask("GET", served.root, {"Host": "localhost"}).status == 403
        taken = home.hookd("web", "--socket", str(path), check=False)
        assert (taken.returncode, "Another process listens on" in taken.stderr) == (1, True)
    assert not path.exists()


def test_metrics_are_for_programs_with_the_token(home: Home, page: Web) -> None:
    with web(home, "--metrics") as served:
        file = home.path / "web" / "metrics-token"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        allowed = {"Authorization": f"Bearer {file.read_text().strip()}"}
        answer = served.ask("GET", "/metrics", allowed)
        assert (answer.status, answer.headers["content-type"][:10]) == (200, "text/plain")
        assert "hookd_up 1.0" in answer.body
        assert served.ask("GET", "/metrics").status == 404
        browser = allowed | {"Sec-Fetch-Site": "same-site"}
        assert served.ask("GET", "/metrics", browser).status == 404
        assert served.ask("GET", "/", allowed).status == 404
        assert served.ask("GET", served.root, allowed).status == 403
        assert served.ask("POST", "/metrics", allowed).status == 404
        assert page.ask("GET", "/metrics", allowed).status == 404, "it is off there"


WRONG = {
    "an open folder": (1, ["--socket", "/tmp/hookd-web"], "is open to others"),
    "a file": (1, ["--socket", "{home}/hookd.db"], "is no socket"),
    "a long path": (1, ["--socket", "{home}/" + "x" * 120], "is too long"),
    "both": (2, ["--socket", "x", "--port", "1"], "--socket excludes --port"),
    "an address": (2, ["--port", "0.0.0.0:80"], "not a valid integer"),
    "an origin of a port": (2, ["--origin", "https://x"], "--origin is for --socket"),
    "an origin with a path": (2, ["--socket", "x", "--origin", "https://x/y"], "SCHEME://HOST"),
    "changes without a terminal": (1, ["--allow-changes"], "is for a person at a terminal"),
}


@parametrize_all("case", WRONG)
def test_bad_input_is_named(home: Home, case: str) -> None:
    code, args, sentence = WRONG[case]
    done = home.hookd("web", *(arg.format(home=home.path) for arg in args), check=False)
    assert (done.returncode, sentence in done.stderr) == (code, True), done.stderr


def test_a_port_in_use_is_named(home: Home, page: Web) -> None:
    done = home.hookd("web", "--port", str(page.port), check=False)
    assert (done.returncode, f"Port {page.port} is in use" in done.stderr) == (1, True)


def test_a_client_cannot_start_it(home: Home) -> None:
    done = subprocess.run(
        [HOOKD, "web"],
        env={**home.env, "CLAUDECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        start_new_session=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, b"hookd web is for a person" in done.stderr) == (1, True), done


def test_where_changes_are_allowed_a_link_does_not_open_for_a_client(home: Home) -> None:
    if not Path("/proc/net/tcp").exists():
        pytest.skip("there is no /proc")
    code = "import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).status)"
    with web(home, "--allow-changes") as served:
        asked = subprocess.run(
            [sys.executable, "-c", code, served.link],
            env={"CLAUDECODE": "1"},
            capture_output=True,
            timeout=60,
            check=False,
        )
    assert b"HTTP Error 403" in asked.stderr, asked


def test_ctrl_c_ends_it_with_open_streams(home: Home) -> None:
    with web(home) as served, served.enters().connection() as link:
        stream = served.send(link, "GET", f"{served.root}live?topics=fleet")
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.readline() == b"retry: 1000\n"
        os.kill(served.process.pid, signal.SIGINT)
        stream.read()  # it ends, with its server
        served.drain()


def test_a_denied_call_is_signalled_and_shown(home: Home, page: Web) -> None:
    known = int(re.findall(r"since=(\d+)", page.get("decisions").body)[0])
    with page.connection() as link:
        path = f"{page.root}live?topics=decisions&since={known}"
        stream = page.send(link, "GET", path, {"Sec-Fetch-Site": "same-origin"})
        assert stream.readline() == b"retry: 1000\n"
        number = deny(home, "rm -rf /usr")
        lines = iter(stream.readline, b"")
        signals = (json.loads(line[6:]) for line in lines if line.startswith(b"data: "))
        named = (topics for topics in signals if "decisions" in topics)
        assert any(f'id="event-{number}"' in page.get("decisions").body for _ in named)


def test_a_call_that_was_denied_before_the_stream_began_is_signalled(home: Home) -> None:
    with web(home) as served:
        page = served.enters()
        known = int(re.findall(r"since=(\d+)", page.get("decisions").body)[0])
        deny(home, "rm -rf /usr")
        with page.connection() as link:
            path = f"{page.root}live?topics=decisions&since={known}"
            stream = page.send(link, "GET", path, {"Sec-Fetch-Site": "same-origin"})
            lines = iter(stream.readline, b"")
            assert any(b"decisions" in line for line in lines if line.startswith(b"data: "))


@pytest.mark.gate
def test_guards_that_are_off_are_on_every_page(home: Home, page: Web) -> None:
    soon = datetime.now(UTC) + timedelta(minutes=10)
    home.rpc("daemon.pause", {"until": soon.isoformat()})

    def paused_page() -> str:
        body = page.get("rules").body
        return body if "hookd is paused" in body else ""

    assert "every call runs unchecked" in until(paused_page)
    home.rpc("daemon.resume")
    until(lambda: "hookd is paused" not in page.get("rules").body)
    home.ends()
    assert "hookd is stopped: every call runs unchecked" in page.get("decisions").body
    home.serves()
    until(lambda: 'class="banner' not in page.get("decisions").body.partition("offline")[0])


def test_a_missing_database_is_named(home: Home, page: Web) -> None:
    aside = home.path / "aside"
    home.database.rename(aside)
    try:
        missing = page.get("decisions")
        assert (missing.status, "There is no database" in missing.body) == (503, True)
    finally:
        aside.rename(home.database)
    assert page.get("decisions").status == 200
