"""Access rules as a table: each refusal, and what is served."""

from typing import Any

import pytest

from hookd.web.access import (
    MAX_HEADERS,
    Entry,
    Metrics,
    Refused,
    Request,
    Rules,
    Served,
    cookie_header,
    decide,
    valid_form,
)

PREFIX = "p" * 32
ORIGIN = "http://127.0.0.1:4711"
PAGES = Rules(ORIGIN, PREFIX)
CHANGES = Rules(ORIGIN, PREFIX, allow_changes=True, metrics_token="m" * 32)
SESSIONS = ("one", "two")
PLAIN = {"host": "127.0.0.1:4711", "cookie": "hookd=one"}
TYPED = {**PLAIN, "sec-fetch-site": "none", "sec-fetch-mode": "navigate"}
OWN = {**PLAIN, "sec-fetch-site": "same-origin"}
FORM = {**OWN, "origin": ORIGIN, "content-type": "application/x-www-form-urlencoded"}
PROGRAM = {"host": "127.0.0.1:4711", "authorization": f"Bearer {'m' * 32}"}
ROOT = f"/{PREFIX}/"


def of(method: str, path: str, headers: dict[str, str], rules: Rules = CHANGES, **more: str) -> Any:
    named = {**headers, **{name.replace("_", "-"): value for name, value in more.items()}}
    pairs = tuple((name, value) for name, value in named.items() if value != "-")
    return decide(Request(method, path, pairs), rules, SESSIONS)


SERVED = {
    "typed": of("GET", ROOT, TYPED),
    "by a link of a page": of("GET", f"{ROOT}events/7", OWN),
    "by a browser without these headers": of("GET", ROOT, PLAIN),
    "HEAD": of("HEAD", ROOT, TYPED),
    "with its own origin": of("GET", ROOT, OWN, origin=ORIGIN),
    "with another cookie beside it": of("GET", ROOT, TYPED, cookie="a=b; hookd=evil; hookd=one"),
    "read-only": of("GET", ROOT, TYPED, PAGES),
}


@pytest.mark.parametrize("decision", SERVED.values(), ids=SERVED)
def test_a_page_is_served_to_its_browser(decision: Any) -> None:
    assert decision == Served("one")


def test_a_change_is_a_form_of_the_page() -> None:
    assert of("POST", f"{ROOT}approvals/1", FORM) == Served("one", change=True)
    utf8 = "application/x-www-form-urlencoded; charset=UTF-8"
    assert of("POST", ROOT, FORM, content_type=utf8) == Served("one", change=True)


HIDDEN = {
    "another path": of("GET", "/", TYPED),
    "the prefix without its slash": of("GET", ROOT[:-1] + "x", TYPED),
    "another prefix": of("GET", f"/{'q' * 32}/", TYPED),
    "a beginning of the prefix": of("GET", f"/{'p' * 31}/", TYPED),
    "a relative path": of("GET", PREFIX, TYPED),
    "a proxy's path": of("GET", f"http://127.0.0.1:4711{ROOT}", TYPED),
    "static files outside": of("GET", "/static/style.css", TYPED),
    "metrics without a token": of("GET", "/metrics", PLAIN),
    "metrics with another token": of("GET", "/metrics", PROGRAM, authorization="Bearer m"),
    "metrics that are off": of("GET", "/metrics", PROGRAM, PAGES, authorization="Bearer "),
    "metrics of another host": of("GET", "/metrics", PROGRAM, host="localhost:4711"),
    "metrics by a browser": of("GET", "/metrics", PROGRAM, sec_fetch_site="cross-site"),
    "metrics for another origin": of("GET", "/metrics", PROGRAM, origin="null"),
    "metrics by POST": of("POST", "/metrics", PROGRAM),
}


@pytest.mark.parametrize("decision", HIDDEN.values(), ids=HIDDEN)
def test_outside_the_prefix_is_nothing(decision: Any) -> None:
    assert decision == Refused(404)


REFUSED = {
    "no cookie": (403, of("GET", ROOT, TYPED, cookie="-")),
    "an empty cookie": (403, of("GET", ROOT, TYPED, cookie="hookd=")),
    "another cookie": (403, of("GET", ROOT, TYPED, cookie="hookd=three")),
    "a cookie of another name": (403, of("GET", ROOT, TYPED, cookie="xhookd=one")),
    "no host": (403, of("GET", ROOT, TYPED, host="-")),
    "another host": (403, of("GET", ROOT, TYPED, host="evil.example:4711")),
    "a name of this machine": (403, of("GET", ROOT, TYPED, host="localhost:4711")),
    "another port": (403, of("GET", ROOT, TYPED, host="127.0.0.1:4712")),
    "no port": (403, of("GET", ROOT, TYPED, host="127.0.0.1")),
    "another origin": (403, of("GET", ROOT, OWN, origin="http://evil.example")),
    "the origin of another port": (403, of("GET", ROOT, OWN, origin="http://127.0.0.1:3000")),
    "the origin of a file": (403, of("GET", ROOT, OWN, origin="null")),
    "a page of another site": (403, of("GET", ROOT, TYPED, sec_fetch_site="cross-site")),
    "a page on another port": (403, of("GET", ROOT, TYPED, sec_fetch_site="same-site")),
    "a word that no browser sends": (403, of("GET", ROOT, TYPED, sec_fetch_site="same-origin2")),
    "a typed address that a script loads": (403, of("GET", ROOT, TYPED, sec_fetch_mode="cors")),
    "events of another site": (403, of("GET", f"{ROOT}live", OWN, sec_fetch_site="cross-site")),
    "events on another port": (403, of("GET", f"{ROOT}live", OWN, sec_fetch_site="same-site")),
    "a change where none is allowed": (403, of("POST", ROOT, FORM, PAGES)),
    "a change without an origin": (403, of("POST", ROOT, FORM, origin="-")),
    "a change by another port": (403, of("POST", ROOT, FORM, origin="http://127.0.0.1:3000")),
    "a change that was typed": (403, of("POST", ROOT, FORM, sec_fetch_site="none")),
    "a change of another site": (403, of("POST", ROOT, FORM, sec_fetch_site="cross-site")),
    "a change without a cookie": (403, of("POST", ROOT, FORM, cookie="-")),
    "a change that is no form": (415, of("POST", ROOT, FORM, content_type="text/plain")),
    "a change of JSON": (415, of("POST", ROOT, FORM, content_type="application/json")),
    "another method": (405, of("PUT", ROOT, OWN)),
    "OPTIONS": (405, of("OPTIONS", ROOT, OWN)),
    "a link by HEAD": (405, of("HEAD", f"{ROOT}open/t", TYPED)),
    "a link by POST": (405, of("POST", f"{ROOT}open/t", FORM)),
    "a link as a part of a page": (403, of("GET", f"{ROOT}open/t", OWN, sec_fetch_mode="no-cors")),
    "a link with another host": (403, of("GET", f"{ROOT}open/t", TYPED, host="evil:4711")),
    "a long header": (431, of("GET", ROOT, TYPED, x="y" * 17_000)),
}


@pytest.mark.parametrize(("status", "decision"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_has_a_status_and_a_sentence(status: int, decision: Any) -> None:
    assert isinstance(decision, Refused)
    assert decision.status == status
    assert decision.sentence


@pytest.mark.parametrize("name", ["host", "origin", "sec-fetch-site", "content-length"])
def test_a_header_that_is_given_twice_is_refused(name: str) -> None:
    once = {**FORM, "content-length": "3"}
    pairs = (*once.items(), (name, once[name]))
    assert decide(Request("POST", ROOT, pairs), CHANGES, SESSIONS) == Refused(
        400, "A header is given twice."
    )


def test_too_many_headers_are_refused() -> None:
    pairs = (*TYPED.items(), *(("a", "b") for _ in range(MAX_HEADERS)))
    refusal = decide(Request("GET", ROOT, pairs), CHANGES, SESSIONS)
    assert refusal == Refused(431, "The headers are too long, or too many.")


def test_a_link_is_opened_from_anywhere() -> None:
    for site in ("none", "cross-site", "-"):
        found = of("GET", f"{ROOT}open/abc", TYPED, cookie="-", sec_fetch_site=site)
        assert found == Entry("abc")


def test_metrics_are_for_a_program_with_the_token() -> None:
    assert of("GET", "/metrics", PROGRAM) == Metrics()


FORMS = {
    "csrf=abc": True,
    "a=b&csrf=abc": True,
    "": False,
    "csrf=": False,
    "csrf=abd": False,
    "csrf=ab": False,
    "csrf=abc&csrf=abc": False,
    "Csrf=abc": False,
    "csrf=abc\xff": False,
    "&".join(["a=b"] * 200): False,
}


@pytest.mark.parametrize(("body", "valid"), FORMS.items())
def test_a_form_has_the_token_once(body: str, valid: bool) -> None:
    assert valid_form(body.encode("latin-1"), "abc") is valid


def test_a_cookie_is_for_this_prefix_and_no_script() -> None:
    assert cookie_header(PAGES, "s") == f"hookd=s; Path={ROOT}; HttpOnly; SameSite=Strict"
    proxied = cookie_header(Rules("https://hookd.example.com", PREFIX), "s")
    assert proxied.endswith("; Secure")
