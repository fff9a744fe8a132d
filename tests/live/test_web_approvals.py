"""Live: permission requests answered on the page, and every form that is refused."""

import os
import re
import signal
import socket
from collections.abc import Iterator

import pytest

from support.approvals import HOLD, answer_of, asking
from support.home import Home, place, until, window_in
from support.web_page import Web, web

CALL = {"tool_name": "Bash", "tool_input": {"command": "touch '<b>x</b>'", "description": "x"}}


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    """A daemon that holds permission requests."""
    with place() as made:
        made.settings(HOLD)
        yield made.serves()


@pytest.fixture(scope="module")
def page(home: Home) -> Iterator[Web]:
    """A server that allows changes, and a browser with an open page: only then requests wait."""
    with web(home, "--allow-changes") as served, served.enters().connection() as link:
        stream = served.send(link, "GET", f"{served.root}live?topics=approvals")
        lines = iter(stream.readline, b"")
        next(line for line in lines if b'"approvals"' in line)  # the daemon has confirmed it
        yield served


def waiting(page: Web) -> tuple[str, str]:
    """Return the path and the token of the form of the request that waits."""

    def look() -> tuple[str, str] | None:
        body = page.get("approvals").body
        form = re.search(r'action="[^"]*/(approvals/\d+)"\s*>\s*<input[^>]*value="(\w+)"', body)
        return (form[1], form[2]) if form else None

    return until(look)


def test_a_request_is_answered_on_the_page(home: Home, page: Web) -> None:
    window = window_in(home, AGENT_ID="worker-1")
    with asking(window, **CALL) as shim:
        form, token = waiting(page)
        shown = page.get("approvals").body
        assert "touch &#39;&lt;b&gt;x&lt;/b&gt;&#39;" in shown
        assert "worker-1" in shown
        answer = page.form(form, f"csrf={token}&answer=allow")
        assert (answer.status, answer.headers["location"]) == (303, f"{page.root}approvals")
        assert answer_of(shim) == {"behavior": "allow"}
    assert page.form(form, f"csrf={token}&answer=deny").status == 409
    assert home.rows("SELECT status, answered_by LIKE '%web%' FROM approvals") == [("allowed", 1)]
    assert 'class="tag allowed"' in page.get("approvals").body


def test_a_denial_has_the_message_of_the_person(home: Home, page: Web) -> None:
    window = window_in(home, AGENT_ID="worker-2")
    with asking(window, **CALL) as shim:
        form, token = waiting(page)
        assert page.form(form, f"csrf={token}&answer=perhaps").status == 409
        page.form(form, f"csrf={token}&answer=deny&message=Not+here.")
        answer = answer_of(shim)
    assert answer["behavior"] == "deny"
    assert "Not here." in answer["message"]


def test_a_token_is_of_one_session(home: Home, page: Web) -> None:
    window = window_in(home, AGENT_ID="worker-3")
    first = page.cookie
    with asking(window, **CALL) as shim:
        form, token = waiting(page)
        page.press_enter()
        page.enters()
        assert page.cookie != first
        assert page.form(form, f"csrf={token}&answer=allow").status == 403
        form, token = waiting(page)
        page.form(form, f"csrf={token}&answer=dialog")
        assert answer_of(shim) is None


def test_a_process_that_is_gone_when_it_is_looked_for_is_refused(home: Home, page: Web) -> None:
    window = window_in(home, AGENT_ID="worker-4")
    with asking(window, **CALL) as shim:
        form, token = waiting(page)
        body = f"csrf={token}&answer=allow"
        head = (
            f"POST {page.root}{form} HTTP/1.1",
            f"Host: {page.host}",
            f"Origin: {page.origin}",
            f"Cookie: {page.cookie}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        )
        # The second request: behind it, the server does not see that the connection has ended.
        text = "\r\n".join((*head, "", body)) + f"GET {page.root} HTTP/1.1\r\n\r\n"
        os.kill(page.process.pid, signal.SIGSTOP)
        with socket.create_connection(("127.0.0.1", page.port)) as gone:
            gone.sendall(text.encode())
        os.kill(page.process.pid, signal.SIGCONT)
        assert page.form(form, f"csrf={token}&answer=deny").status == 303
        assert answer_of(shim)["behavior"] == "deny"


def test_a_blocked_call_is_allowed_and_blocked_again(home: Home, page: Web) -> None:
    window = window_in(home)
    call = {"tool_name": "Bash", "tool_input": {"command": "git push --force"}}
    window.says("PreToolUse", **call)
    number = home.rows("SELECT max(id) FROM events")[0][0]
    path = f"events/{number}/allow"
    token = page.csrf(f"events/{number}")
    assert page.get(path).status == 405
    assert page.form(path, "csrf=x").status == 403
    assert page.form(path, f"csrf={token}").status == 303
    assert home.rows("SELECT count(*) > 0 FROM allowance_overview WHERE until IS NOT NULL") == [
        (1,)
    ]
    assert "git push --force" in page.get("rules").body
    assert page.form(f"events/{number}/block", f"csrf={token}").status == 303
    assert home.rows("SELECT id FROM allowance_overview") == []
    assert page.form("events/999999999/allow", f"csrf={token}").status == 409


REFUSED = {
    "no token": (403, "answer=allow", {}),
    "an empty token": (403, "csrf=&answer=allow", {}),
    "another token": (403, f"csrf={'0' * 64}&answer=allow", {}),
    "a long form": (413, f"csrf=x&message={'x' * 20_000}", {}),
    "no origin": (403, "csrf=x", {"Origin": ""}),
    "another port": (403, "csrf=x", {"Origin": "http://127.0.0.1:3000"}),
    "a page of a file": (403, "csrf=x", {"Origin": "null"}),
    "another site": (403, "csrf=x", {"Sec-Fetch-Site": "same-site"}),
    "JSON": (415, "{}", {"Content-Type": "application/json"}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_form_of_another_page_is_refused(page: Web, case: str) -> None:
    status, body, headers = REFUSED[case]
    assert page.form("approvals/1", body, **headers).status == status


def test_a_change_is_no_link(page: Web) -> None:
    assert page.get("approvals/1").status == 405
