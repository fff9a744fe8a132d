"""HTTP policy: which URLs and addresses http and prompt hooks may call, and their headers.

A URL is checked before its name is resolved, and each of its addresses afterwards, so that no
spelling of a name reaches a cloud's metadata. Variables in headers are secrets: they are redacted
in an answer that repeats them.
"""

import ipaddress
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hookd.core.hook_rules.model import Hook
from hookd.lazy_dataclass import dataclass
from hookd.lazy_pattern import lazy_compile

if TYPE_CHECKING:
    from hookd.config.models import PromptOptions, UserHookOptions


Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_PORTS = {"http": 80, "https": 443}
_HOST = lazy_compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|[0-9a-f:.]+")

# Metadata services of clouds outside of the link-local networks: Azure, Oracle, Alibaba; Amazon,
# Google and Scaleway over IPv6.
_METADATA = frozenset(
    ipaddress.ip_address(text)
    for text in (
        "168.63.129.16",
        "192.0.0.192",
        "100.100.100.200",
        "fd00:ec2::254",
        "fd20:ce::254",
        "fd00:42::42",
    )
)

_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of a URL: `host` is in lower case, without brackets; `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The host header: an IPv6 address in brackets, the port unless it is the default."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The normalized URL, which is matched against the allow-list."""
        return f"{self.scheme}://{self.authority}{self.path}"


def parse_url(url: str) -> Target:
    """Return the parts of a URL. Raise ValueError with the reason, without the URL.

    The URL may contain a secret.
    """
    if not url.isascii() or any(mark <= " " or mark in "\\\x7f" for mark in url):
        raise ValueError("the URL holds characters that a URL cannot hold")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise ValueError("the URL cannot be read") from error
    if parts.scheme not in _PORTS:
        raise ValueError("the URL is neither http nor https")
    if "@" in parts.netloc:
        raise ValueError("the URL holds credentials: put them into a header")
    host = parts.hostname or ""
    if not _HOST.fullmatch(host):
        raise ValueError("the URL names no host")
    if any(step in (".", "..") for step in re.split(r"[/\\]", unquote(parts.path))):
        raise ValueError("the URL's path holds `.` or `..`")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, _PORTS[parts.scheme] if port is None else port, path)


def url_allowed(target: Target, globs: Sequence[str]) -> bool:
    """Return whether one of the globs matches the whole URL. In a host, `*` matches no `/`."""
    return any(_pattern(glob).fullmatch(target.url) for glob in globs)


def _pattern(glob: str) -> re.Pattern[str]:
    if glob == "*":
        return re.compile(".*")
    scheme, mark, rest = glob.partition("://")
    host, slash, path = rest.partition("/")
    # If `*` matched a slash or a `?`, `https://*.example.com/*` would allow any host that has
    # `.example.com/` in its path or query.
    host = host.lower().removesuffix(f":{_PORTS.get(scheme.lower())}")
    told = _glob_regex(scheme.lower(), "[a-z]*") + mark + _glob_regex(host, "[^/?#@]*")
    return re.compile(told + (_glob_regex(slash + path, ".*") if slash else "/"))


def _glob_regex(glob: str, any_: str) -> str:
    head, *rest = map(re.escape, re.sub(r"\*+", "*", glob).split("*"))
    if not rest:
        return head
    *middle, tail = rest
    # Atomic groups: the text between two stars is searched for once, so many stars stay linear.
    return head + "".join(f"(?>{any_}?{part})" for part in middle) + any_ + tail


def address_refusal(address: Address) -> str:
    """Return why hooks may not call an address, "" if they may. Loopback is allowed."""
    true = _embedded_ipv4(address)
    if true.is_link_local or true in _METADATA:
        return "link-local or a cloud's metadata"
    if true.is_loopback:
        return ""
    if true.is_unspecified or true.is_multicast or true.is_reserved:
        return "no address of one machine"
    if isinstance(true, ipaddress.IPv4Address) and true in ipaddress.IPv4Network("0.0.0.0/8"):
        return "no address of one machine"
    return ""


def _embedded_ipv4(address: Address) -> Address:
    """Return the IPv4 address embedded in an IPv6 address, else the address."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    address = ipaddress.IPv6Address(int(address))  # without its zone, with which it equals nothing
    inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
    if inner is None and address in _TRANSLATED:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if inner is None and address in _COMPATIBLE and int(address) > 1:
        inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return inner or address


_VARIABLE = lazy_compile(r"\$(?:\{([A-Z_][A-Z0-9_]*)\}|([A-Z_][A-Z0-9_]*))")
_NAME = lazy_compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_VALUE = lazy_compile(r"[\t\x20-\x7e]*")

_RESERVED = frozenset(
    ("host", "connection", "content-length", "content-type", "transfer-encoding", "expect")
)

_MIN_SECRET_CHARS = 8
"""Values with fewer characters are not redacted in an answer."""


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers to send, the inserted values (never shown), and notes for the log."""

    values: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    notes: tuple[str, ...] = ()


def interpolate(
    written: Collection[tuple[str, str]], allowed: Collection[str], env: Mapping[str, str]
) -> Headers:
    """Insert the allowed variables into headers; other variables become empty, with a note.

    Raise ValueError for an invalid header; it names the header, never its value.
    """
    values: dict[str, str] = {}
    secrets: list[str] = []
    notes: list[str] = []

    def put(found: re.Match[str]) -> str:
        variable = found[1] or found[2]
        value = env.get(variable, "") if variable in allowed else ""
        if value:
            secrets.append(value)
        else:
            why = "not set" if variable in allowed else "not allowed"
            notes.append(f"the header {name} lacks ${variable}: it is {why}")
        return value

    for name, text in written:
        if not _NAME.fullmatch(name):
            raise ValueError("there is a header whose name is none")
        if name.lower() in _RESERVED:
            raise ValueError(f"the header {name} is not the hook's to set")
        values[name] = _VARIABLE.sub(put, text)
        if not _VALUE.fullmatch(values[name]):
            raise ValueError(f"the header {name} holds characters that a header cannot hold")
    return Headers(values, tuple(secrets), tuple(notes))


def remove_secrets(text: str, secrets: Collection[str]) -> str:
    """Return a text with the secrets in it redacted."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _MIN_SECRET_CHARS:
            text = text.replace(secret, "[redacted]")
    return text


def inactive_reason(hook: Hook, options: "UserHookOptions") -> str:
    """Return why the settings keep a hook from running, "" if they do not."""
    if hook.type == "http":
        return _http_problem(hook, options.http_allow)
    return _prompt_problem(hook, options.prompt) if hook.type == "prompt" else ""


def _http_problem(hook: Hook, allowed: tuple[str, ...]) -> str:
    try:
        target = parse_url(hook.url)
    except ValueError as error:
        return str(error)
    if url_allowed(target, allowed):
        return ""
    return (
        "user_hooks.http_allow lists no such URL" if allowed else "user_hooks.http_allow is not set"
    )


def _prompt_problem(hook: Hook, options: "PromptOptions") -> str:
    if options.command:
        return ""
    if options.endpoint is None:
        return "neither user_hooks.prompt.endpoint nor user_hooks.prompt.command is set"
    return "" if hook.model or options.model else "user_hooks.prompt.model is not set"
