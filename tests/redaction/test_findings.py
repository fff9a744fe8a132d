"""Where secrets are found: the places are those that redaction replaces."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.redaction.findings import Finding, findings
from hookd.redaction.patterns import MARK
from hookd.redaction.redact import redact
from support.parametrize import parametrize_all

pytestmark = pytest.mark.usefixtures("engine")

KEY = "sk-ant-" + "api03-" + "Q7w" * 12
GITHUB = "ghp_" + "a1B2" * 9
SECRETS = [
    KEY,
    GITHUB,
    "postgres://app:hunter2horse@db/orders",
    "Authorization: Bearer abcdefsecret123456",
    "--password=correct-battery-9",
    "API_TOKEN='zXcVbNm 12\\'3456'",
    "password: hunter2horse99",
    "-----BEGIN " + "PRIVATE KEY-----\nabc\n-----END " + "PRIVATE KEY-----",
    "curl -u me:hunter2horse https://x",
]
PLAIN = st.text(st.characters(codec="utf-8", exclude_characters='{["'), max_size=30)
TEXTS = st.lists(st.sampled_from(SECRETS) | PLAIN, max_size=8).map(" ".join)


def marked(text: str, found: list[Finding]) -> str:
    """Return the text with a mark in each of the places."""
    for one in reversed(found):
        text = f"{text[: one.start]}{MARK}{one.kind}]{text[one.end :]}"
    return text


def said(text: str, **more: bool) -> list[tuple[str, str]]:
    return [(one.kind, text[one.start : one.end]) for one in findings(text, **more)]


@parametrize_all(
    ("text", "kinds"),
    [
        ("nothing here", []),
        (f"a {KEY} b {GITHUB}", [("anthropic-key", KEY), ("github-token", GITHUB)]),
        ("psql postgres://app:hunter2horse@db/o", [("url-password", "hunter2horse")]),
        ("x --password=correct-battery-9 y", [("value", "correct-battery-9")]),
        (f"{MARK}jwt] stays", []),
        (f'{{"a": 1, "b": ["{KEY}"]}}', [("anthropic-key", KEY)]),
        (
            '{"password": "abc", "n": {"client_secret": 12345678}}',
            [("value", "abc"), ("value", "12345678")],
        ),
        ('["deploy", "--password", "abc"]', [("value", "abc")]),
        (f'{{"{KEY}": 1}}', [("anthropic-key", KEY)]),
        ('{"token": "https://u:hunter2horse@h"}', [("value", "https://u:hunter2horse@h")]),
        (f'{{"t": "\\ud83d\\ude00\\n{KEY}\\t!"}}', [("anthropic-key", KEY)]),
        (f'{{"no JSON": {KEY}', [("anthropic-key", KEY)]),
    ],
)
def test_each_secret_is_found_where_it_stands(text: str, kinds: list[tuple[str, str]]) -> None:
    assert said(text) == kinds


def test_of_an_env_file_every_value_is_one() -> None:
    text = "HOST=internal-host-77\n# note\nexport COLOUR='ultra violet'\n"
    assert said(text, env_file=True) == [("env", "internal-host-77"), ("env", "'ultra violet'")]
    assert said(text) == []


@parametrize_all(
    ("text", "place"),
    [(KEY, (1, 1)), (f"\n{KEY}", (2, 1)), (f"one\ntwo {KEY}\n", (2, 5)), (f"é{KEY}", (1, 2))],
)
def test_a_place_is_a_line_and_a_column(text: str, place: tuple[int, int]) -> None:
    (one,) = findings(text)
    assert one.place(text) == place


@given(TEXTS)
def test_marks_in_these_places_are_what_redaction_leaves(text: str) -> None:
    found = findings(text)
    assert marked(text, found) == redact(text)
    assert all(one.end <= two.start for one, two in pairwise(found))


@given(TEXTS)
def test_so_they_are_with_the_lines_of_an_env_file(text: str) -> None:
    assert marked(text, findings(text, env_file=True)) == redact(text, env_file=True)


JSON = st.recursive(
    TEXTS | st.integers() | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["a", "password", "client_secret", "name"]), inner, max_size=4
        )
    ),
    max_leaves=12,
).filter(lambda value: isinstance(value, list | dict))


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_of_json_every_mark_has_its_place(
    value: object, indent: int | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = findings(text)
    marks = re.findall(rf"{re.escape(MARK)}([^\]]+)\]", redact(text))
    assert sorted(one.kind for one in found) == sorted(marks)
    rest = marked(text, found)
    assert not any(secret in rest for secret in ("hunter2horse", KEY, GITHUB, "correct-battery"))
