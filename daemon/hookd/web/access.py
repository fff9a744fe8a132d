"""Access rules of the page: decide on a request from its method, path and headers.

Pure. Cookies and SameSite do not know ports, so a page on another port of this machine is of the
same site: every rule here assumes that such a page is hostile. `middleware.py` applies the rules.
"""

import hmac
from collections.abc import Collection, Sequence
from urllib.parse import parse_qs

from hookd.lazy_dataclass import dataclass

COOKIE = "hookd"
"""Name of the session's cookie."""

ENTRY = "open/"
"""Path below the prefix of a link for one use; its token follows."""

CSRF_FIELD = "csrf"
"""Field of each form with the token that is bound to the session."""

MAX_HEADERS = 64
MAX_HEADER_BYTES = 16_384
MAX_BODY_BYTES = 16_384

_SINGLE = ("host", "origin", "sec-fetch-site", "sec-fetch-mode", "content-length", "authorization")
"""Headers that a request has at most once."""

_FORM = "application/x-www-form-urlencoded"

HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
        " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Headers of every response."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one server.

    `origin` is that of the page, such as http://127.0.0.1:4711. `prefix` is the random first part
    of all paths. `metrics_token` opens /metrics; "" if it is not served.
    """

    origin: str
    prefix: str
    allow_changes: bool = False
    metrics_token: str = ""

    @property
    def root(self) -> str:
        """Path of the first page, with the slash at its end."""
        return f"/{self.prefix}/"

    @property
    def host(self) -> str:
        """Value of the Host header, with its port."""
        return self.origin.partition("://")[2]


@dataclass(frozen=True, slots=True)
class Request:
    """A request without its body. `path` is decoded; names of headers are in lower case."""

    method: str
    path: str
    headers: Sequence[tuple[str, str]] = ()

    def header(self, name: str) -> str | None:
        """Return the value of a header, None if it is missing."""
        return next((value for key, value in self.headers if key == name), None)


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer without content. `sentence` is for a person who has the prefix, else ""."""

    status: int
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A link for one use: redeem its token."""

    token: str


@dataclass(frozen=True, slots=True)
class Served:
    """A request of this session. A `change` is served if its form has the session's token."""

    session: str
    change: bool = False


@dataclass(frozen=True, slots=True)
class Metrics:
    """A request for /metrics by a program that has its token."""


Decision = Refused | Entry | Served | Metrics

_HIDDEN = Refused(404)


def decide(request: Request, rules: Rules, sessions: Collection[str]) -> Decision:
    """Return what becomes of a request. `sessions` are the values of valid cookies."""
    if request.path == "/metrics":
        return _metrics(request, rules)
    first, _, below = request.path.removeprefix("/").partition("/")
    if not request.path.startswith("/") or not same(first, rules.prefix):
        return _HIDDEN
    if refusal := _refusal(request, rules):
        return refusal
    if below.startswith(ENTRY):
        return _entry(request, below.removeprefix(ENTRY))
    session = _session(request, sessions)
    if refusal := _refusal_of_page(request, session) or _refusal_of_change(request, rules):
        return refusal
    return Served(session or "", change=request.method == "POST")


def _refusal(request: Request, rules: Rules) -> Refused | None:
    """Return why a request below the prefix is refused, whatever it asks for; None if it is not."""
    return _first(
        (
            not _within_limits(request.headers),
            Refused(431, "The headers are too long, or too many."),
        ),
        (
            any(_count(request.headers, name) > 1 for name in _SINGLE),
            Refused(400, "A header is given twice."),
        ),
        (
            request.header("host") != rules.host,
            Refused(403, "The Host header names another server."),
        ),
        (
            request.header("origin") not in (None, rules.origin),
            Refused(403, "The request is from a page of another origin."),
        ),
        (
            request.method not in ("GET", "HEAD", "POST"),
            Refused(405, "The method is not allowed."),
        ),
    )


def _refusal_of_page(request: Request, session: str | None) -> Refused | None:
    return _first(
        (
            not _from_own_page(request),
            Refused(403, "The request is from another site. Type the address instead."),
        ),
        (
            session is None,
            Refused(403, "This browser has no valid session. Open a new link of hookd web."),
        ),
    )


def _refusal_of_change(request: Request, rules: Rules) -> Refused | None:
    if request.method != "POST":
        return None
    kind = (request.header("content-type") or "").partition(";")[0].strip().lower()
    return _first(
        (
            not rules.allow_changes,
            Refused(403, "This page is read-only. Start hookd web --allow-changes."),
        ),
        (request.header("origin") is None, Refused(403, "The request names no origin.")),
        (kind != _FORM, Refused(415, "The request is no form.")),
    )


def _first(*checks: tuple[bool, Refused]) -> Refused | None:
    """Return the refusal of the first check that applies."""
    return next((refusal for applies, refusal in checks if applies), None)


def valid_form(body: bytes, csrf: str) -> bool:
    """Return whether a form has the session's token, exactly once."""
    try:
        fields = parse_qs(body.decode("ascii"), max_num_fields=100)
    except ValueError:
        return False
    given = fields.get(CSRF_FIELD, [])
    return len(given) == 1 and same(given[0], csrf)


def same(one: str, other: str) -> bool:
    """Compare two texts in a time that does not depend on their content."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def cookie_header(rules: Rules, session: str) -> str:
    """Return the Set-Cookie header of a session; it ends with the browser or the server."""
    secure = "; Secure" if rules.origin.startswith("https:") else ""
    return f"{COOKIE}={session}; Path={rules.root}; HttpOnly; SameSite=Strict{secure}"


def _within_limits(headers: Sequence[tuple[str, str]]) -> bool:
    size = sum(len(name) + len(value) for name, value in headers)
    return len(headers) <= MAX_HEADERS and size <= MAX_HEADER_BYTES


def _metrics(request: Request, rules: Rules) -> Decision:
    """Decide on /metrics: a program with the token, no browser that was led here by a page."""
    given = request.header("authorization") or ""
    allowed = (
        bool(rules.metrics_token)
        and same(given, f"Bearer {rules.metrics_token}")
        and not any(_count(request.headers, name) > 1 for name in _SINGLE)
        and request.header("host") == rules.host
        and request.header("origin") is None
        and request.header("sec-fetch-site") is None
        and request.method in ("GET", "HEAD")
    )
    return Metrics() if allowed else _HIDDEN


def _entry(request: Request, token: str) -> Decision:
    """Decide on a link for one use: a person opens it, so it is a navigation if a browser says so.

    The file of `--open` is another site, so the site may differ here.
    """
    if request.method != "GET":
        return Refused(405, "The method is not allowed.")
    if request.header("sec-fetch-mode") not in (None, "navigate"):
        return Refused(403, "The link has to be opened, not loaded by a page.")
    return Entry(token)


def _from_own_page(request: Request) -> bool:
    """Return whether a request is from a page of this server, or was typed.

    A browser without these headers is served: the cookie, its path and SameSite remain, and a
    change needs Origin and the session's token.
    """
    site, mode = request.header("sec-fetch-site"), request.header("sec-fetch-mode")
    if site == "none":
        return mode in (None, "navigate") and request.method != "POST"
    return site in (None, "same-origin")


def _session(request: Request, sessions: Collection[str]) -> str | None:
    """Return the session of the cookies; a page on another port can have set others beside it."""
    found = None
    for name, value in request.headers:
        if name != "cookie":
            continue
        for pair in value.split(";"):
            key, _, given = pair.strip().partition("=")
            if key == COOKIE:
                for session in sessions:  # all of them: the time must not tell which
                    found = session if same(given, session) else found
    return found


def _count(headers: Sequence[tuple[str, str]], name: str) -> int:
    return sum(key == name for key, _ in headers)
