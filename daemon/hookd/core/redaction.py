"""The home of redaction: no secret rests on disk.

Every text that is stored or logged goes through `redact`, every payload through `record`. A secret
becomes `[redacted:<kind>]`; what stands around it stays, so that the text is still readable.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pydantic_core import to_json

LIMIT = 65_536
"""Characters of a payload that are kept."""

_MARGIN = 8_192  # read past the cut, so that a secret astride it is never half visible
_MEMBERS = 10_000


@dataclass(frozen=True, slots=True)
class Pattern:
    """One form of secret. The group `secret` is replaced; `hints` are lower-case and one occurs."""

    kind: str
    regex: re.Pattern[str]
    hints: tuple[str, ...]


def _pattern(kind: str, regex: str, *hints: str) -> Pattern:
    return Pattern(kind, re.compile(regex), hints)


# A name that says that its value is a secret; counters such as max_tokens are no such names.
_NAME = (
    r"(?:[A-Za-z0-9_.-]{0,64}[_.-])?(?i:password|passwd|passphrase|secret|token|api[_-]?key|apikey|"
    r"access[_-]?key|private[_-]?key|client[_-]?secret|auth[_-]?token|credentials?)"
    r"(?:[_-](?i:key|value|id))?"
)
_WORD = r"(?!\[redacted:)(?![$<{(])[^\s\"'`,;&|<>\\)\]}]{3,}"

PATTERNS = (
    # PEM, OpenSSH and PGP blocks; one without an end is a secret to the end of the text.
    _pattern(
        "private-key",
        r"(?P<secret>-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?!-----END)[\s\S])*(?:-----END [A-Z0-9 ]{0,40}-----)?)",
        "private key",
    ),
    _pattern("anthropic-key", r"(?P<secret>\bsk-ant-[A-Za-z0-9_-]{16,})", "sk-ant-"),
    _pattern("openai-key", r"(?P<secret>\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,})", "sk-"),
    _pattern("aws-key-id", r"(?P<secret>\b(?:AKIA|ASIA)[A-Z0-9]{16}\b)", "akia", "asia"),
    _pattern(
        "github-token",
        r"(?P<secret>\bgh[pousr]_[A-Za-z0-9]{20,})",
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
    ),
    _pattern("github-token", r"(?P<secret>\bgithub_pat_[A-Za-z0-9_]{20,})", "github_pat_"),
    _pattern("gitlab-token", r"(?P<secret>\bglpat-[A-Za-z0-9_-]{16,})", "glpat-"),
    _pattern("slack-token", r"(?P<secret>\bxox[abeoprs]-[A-Za-z0-9-]{10,})", "xox"),
    _pattern(
        "slack-webhook",
        r"hooks\.slack\.com/(?P<secret>services/[A-Za-z0-9/_-]{10,})",
        "hooks.slack.com",
    ),
    _pattern(
        "stripe-key", r"(?P<secret>\b[srp]k_(?:live|test)_[A-Za-z0-9]{10,})", "k_live_", "k_test_"
    ),
    _pattern("google-key", r"(?P<secret>\bAIza[A-Za-z0-9_-]{30,})", "aiza"),
    _pattern("google-token", r"(?P<secret>\bya29\.[A-Za-z0-9_-]{20,})", "ya29."),
    _pattern("npm-token", r"(?P<secret>\bnpm_[A-Za-z0-9]{30,})", "npm_"),
    _pattern("pypi-token", r"(?P<secret>\bpypi-[A-Za-z0-9_-]{30,})", "pypi-"),
    _pattern("sendgrid-key", r"(?P<secret>\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,})", "sg."),
    _pattern("huggingface-token", r"(?P<secret>\bhf_[A-Za-z0-9]{30,})", "hf_"),
    _pattern("digitalocean-token", r"(?P<secret>\bdo[opr]_v1_[a-f0-9]{40,})", "_v1_"),
    _pattern("databricks-token", r"(?P<secret>\bdapi[a-f0-9]{32}\b)", "dapi"),
    _pattern("shopify-token", r"(?P<secret>\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32})", "shp"),
    _pattern("vault-token", r"(?P<secret>\bhv[sb]\.[A-Za-z0-9_-]{20,})", "hvs.", "hvb."),
    _pattern("groq-key", r"(?P<secret>\bgsk_[A-Za-z0-9]{20,})", "gsk_"),
    _pattern("xai-key", r"(?P<secret>\bxai-[A-Za-z0-9]{20,})", "xai-"),
    _pattern("linear-key", r"(?P<secret>\blin_api_[A-Za-z0-9]{20,})", "lin_api_"),
    _pattern("notion-token", r"(?P<secret>\bntn_[A-Za-z0-9]{20,})", "ntn_"),
    _pattern(
        "azure-key",
        r"(?i:AccountKey|SharedAccessKey|\bsig)=(?P<secret>[A-Za-z0-9+/%]{20,}={0,2})",
        "accountkey",
        "sharedaccesskey",
        "sig=",
    ),
    # JSON web tokens: two base64url JSON objects begin with eyJ.
    _pattern(
        "jwt",
        r"(?P<secret>\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?)",
        "eyj",
    ),
    _pattern(
        "url-password",
        r"(?i:[a-z][a-z0-9+.-]{1,20})://[^\s/:@\"']{0,100}:(?P<secret>(?!\[redacted:)[^\s/@\"']{1,256})@",
        "://",
    ),
    _pattern(
        "header",
        r"(?i:authorization|proxy-authorization)[\"']?\s{0,8}[:=]\s{0,8}[\"']?(?i:(?:bearer|basic|token|digest)\s{1,8})?(?P<secret>(?!\[redacted:)[^\s\"',;]{4,})",
        "authorization",
    ),
    _pattern(
        "header",
        r"(?i:x-api-key|x-auth-token|private-token|set-cookie|cookie):\s{0,8}(?P<secret>(?!\[redacted:)[^\r\n\"']{4,2000})",
        "x-api-key",
        "x-auth-token",
        "private-token",
        "cookie:",
    ),
    _pattern(
        "bearer", r"\b[Bb]earer\s{1,8}(?P<secret>(?!\[redacted:)[A-Za-z0-9._~+/-]{12,}=*)", "bearer"
    ),
    _pattern(
        "flag",
        r"--(?i:password|passwd|token|secret|api-key|apikey|access-token|auth-token|client-secret|passphrase)(?:=|\s{1,8})[\"']?(?P<secret>"
        + _WORD
        + ")",
        "--",
    ),
    _pattern(
        "flag",
        r"\bcurl\b[^\n|;&]{0,400}?\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,100}:(?P<secret>(?!\[redacted:)[^\s\"']+)",
        "curl",
    ),
    _pattern(
        "flag",
        r"\b(?:sshpass\s{1,8}-p\s{0,8}|mysql\b[^\n|;&]{0,200}?\s-p)[\"']?(?P<secret>" + _WORD + ")",
        "sshpass",
        "mysql",
    ),
    _pattern(
        "assignment",
        r"(?<![A-Za-z0-9_])[\"']?"
        + _NAME
        + r"[\"']?\s{0,4}(?:=|:)\s{0,4}(?:[\"'](?P<secret>(?!\[redacted:)[^\"'\n$]{3,})[\"']|(?P<bare>"
        + _WORD
        + "))",
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "api",
        "_key",
        "-key",
        "credential",
    ),
)
"""Every form of secret that is known, the most particular first."""

_HINTS = tuple(dict.fromkeys(hint for pattern in PATTERNS for hint in pattern.hints))
_SECRET_KEY = re.compile(
    r"(?i)^(?:.*[_.-])?(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?token|"
    r"private[_-]?key|client[_-]?secret|authorization|cookie|credentials?)$"
    r"|^(?:apiKey|accessToken|authToken|privateKey|clientSecret|refreshToken|refresh_token)$"
)
_ENV_FILE = re.compile(
    r"(?:^|[\s/\"'=<>])\.env(?!\.(?:example|sample|template))(?:\.[\w-]+)?(?![\w.])"
)
_ENV_LINE = re.compile(
    r"(?m)^((?:[ +-]|\s*\d+[\t→])?\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]*=)(?!\[redacted:)(.+)$"
)


def redact(text: str, *, env_file: bool = False) -> str:
    """Return `text` without its secrets. With `env_file` every `NAME=value` loses its value."""
    if env_file:
        text = _ENV_LINE.sub(r"\1[redacted:env]", text)
    low = text.lower()
    for pattern in PATTERNS:
        if any(hint in low for hint in pattern.hints):
            text = pattern.regex.sub(lambda found, kind=pattern.kind: _mark(found, kind), text)
    return text


def _mark(found: re.Match[str], kind: str) -> str:
    groups = found.groupdict()
    name = "secret" if groups.get("secret") is not None else "bare"
    if name == "bare" and found[name].replace(".", "").isdigit():
        return found[0]  # a count, not a key: `tokens: 1240`
    start, end = found.span(name)
    before, after = found.string[found.start() : start], found.string[end : found.end()]
    return f"{before}[redacted:{kind}]{after}"


@dataclass(frozen=True, slots=True)
class Record:
    """A payload fit to be kept: `text` is JSON; `sha256` is of the whole, where it was cut."""

    text: str
    sha256: str | None = None


def record(payload: Any, *, whole: bytes | None = None) -> Record:
    """Return `payload` redacted and cut to about LIMIT characters; `whole` is what it was read from."""
    text = to_json(payload, inf_nan_mode="null").decode()
    low = text.lower()
    if len(text) <= LIMIT and ".env" not in low and not any(hint in low for hint in _HINTS):
        return Record(text)
    walk = _Walk(env_file=bool(_ENV_FILE.search(text)))
    kept = to_json(walk.value(payload), inf_nan_mode="null").decode()
    digest = sha256(whole if whole is not None else text.encode()).hexdigest()
    return Record(kept, digest if walk.cut else None)


class _Walk:
    """One pass over a payload; `room` is how many characters may still be kept."""

    def __init__(self, *, env_file: bool) -> None:
        self.env_file = env_file
        self.room = LIMIT
        self.cut = False

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, Mapping):
            return dict(self._members(value))
        if isinstance(value, list):
            return [self.value(one) for one in self._some(value)]
        self.room -= 8
        return value

    def _members(self, members: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for key in self._some(list(members)):
            value = members[key]
            if isinstance(value, str) and value and _SECRET_KEY.match(key):
                value = "[redacted:value]"
            yield self._text(key), self.value(value)

    def _some(self, members: list[Any]) -> Iterator[Any]:
        for at, one in enumerate(members):
            if self.room <= 0 or at >= _MEMBERS:
                self.cut = True
                return
            yield one

    def _text(self, text: str) -> str:
        room = max(self.room, 0)
        kept = redact(text[: room + _MARGIN], env_file=self.env_file)
        self.room -= len(text) + 4
        if len(text) <= room:
            return kept
        self.cut = True
        return f"{kept[:room]}[cut by hookd: {len(text) - room} characters more]"
