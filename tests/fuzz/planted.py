"""Secrets of every kind with new bodies, and the texts around them.

They are put together from pieces, so that no scanner of secrets barks at this file.
"""

import base64

from hypothesis import strategies as st

Planted = tuple[str, str, str]
"""A kind, a secret, and a text that holds it."""

_UPPER, _DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_LETTERS = _UPPER + _UPPER.lower()
_HEX = _DIGITS + "abcdef"


def _run(signs: str, length: int) -> st.SearchStrategy[str]:
    """Signs by chance, with a letter, a figure and a letter in front: a word is no secret."""
    return st.text(signs, min_size=length, max_size=length + 9)


_BODY = _run(_LETTERS + _DIGITS, 40).map(lambda body: "a1B" + body)
_X = _run(_HEX, 61).map(lambda body: "a1b" + body)
_SHAPES = {
    "anthropic-key": ("sk-ant-", "api03-", ""),
    "openai-key": ("sk-proj-", "", ""),
    "github-token": ("ghp_", "", ""),
    "gitlab-token": ("glpat-", "", ""),
    "slack-token": ("xoxb-", "1234567890-", ""),
    "stripe-key": ("sk_live_", "", ""),
    "google-token": ("ya29.", "a0", ""),
    "google-key": ("AIza", "Sy", ""),
    "google-secret": ("GOCSPX-", "", ""),
    "npm-token": ("npm_", "", ""),
    "pypi-token": ("pypi-", "AgE", ""),
    "huggingface-token": ("hf_", "", ""),
    "sendgrid-key": ("SG.", "a1B2c3D4e5F6g7H8i9J0kL.", ""),
    "heroku-key": ("HRKU-", "", ""),
    "vault-token": ("hvs.", "", ""),
    "atlassian-token": ("ATATT3", "xFf", "=1B2"),
    "api-key": ("gsk_", "", ""),
    "jwt": ("eyJ", "hbGciOiJI.eyJzdWIiOiIx.", ""),
}
_BEFORE = {
    "telegram-token": ("123456789:", "AA"),
    "discord-token": (f"bot M{'Tg1M' * 5}Tgx.", "Cl2FMQ."),
    "webhook": ("https://hooks.slack.com/services/", "T0A1B2C3D/B0A1B2C3D/"),
    "signature": ("https://x.blob.core.windows.net/y?sv=1&sig=", ""),
    "azure-secret": ("abc8", "Q~"),
    "header": ("Authorization: Bearer ", ""),
    "bearer": ("sent as bearer ", ""),
    "flag": ("curl https://example.com -u ada:", ""),
    "value": ("DB_PASSWORD=", ""),
    "cookie": ("Cookie: sid=", ""),
}


def _vendor(kind: str) -> st.SearchStrategy[Planted]:
    first, then, last = _SHAPES[kind]
    return _BODY.map(lambda body: (kind, (one := f"{first}{then}{body}{last}"), one))


def _behind(kind: str) -> st.SearchStrategy[Planted]:
    before, start = _BEFORE[kind]
    return _BODY.map(lambda body: (kind, start + body, before + start + body))


def _framed(kind: str, before: str, after: str) -> st.SearchStrategy[Planted]:
    return _BODY.map(lambda body: (kind, body, before + body + after))


def _basic(body: str) -> Planted:
    pair = base64.b64encode(f"ada:{body}".encode()).decode()
    return "basic", pair.rstrip("="), f"basic {pair}"


_KEY = "PRIVATE" + " KEY-----"

PLANTED: dict[str, st.SearchStrategy[Planted]] = {
    **{kind: _vendor(kind) for kind in _SHAPES},
    **{kind: _behind(kind) for kind in _BEFORE},
    "url-password": _framed("url-password", "psql postgres://app:", "@db.example.com/orders"),
    "login": _framed("login", "machine example.com login ada password ", ""),
    "private-key": _framed("private-key", f"-----BEGIN {_KEY}\n", f"\n-----END {_KEY}"),
    "basic": _BODY.map(_basic),
    "aws-secret": _run(_LETTERS + _DIGITS, 40).map(
        lambda body: ("aws-secret", "a1B" + body[:37], f"secret_access_key a1B{body[:37]}")
    ),
    "aws-key-id": _run(_UPPER + _DIGITS, 16).map(
        lambda body: ("aws-key-id", (one := "AKIA" + body[:16]), one)
    ),
    "digitalocean-token": _X.map(lambda body: ("", (one := "dop_v1_" + body[:64]), one)),
    "databricks-token": _X.map(lambda body: ("", (one := "dapi" + body[:32]), one)),
    "twilio-key": _X.map(lambda body: ("", (one := "SK" + body[:32]), one)),
}
"""A secret of each kind that redaction knows."""
