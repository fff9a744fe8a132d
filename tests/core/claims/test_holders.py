"""Words about claims: who holds what, and how to ask for it."""

from dataclasses import replace

import pytest

from hookd.core.claims.holders import described, how_to_ask, named, short
from hookd.core.model.claim import Claim
from hookd.core.model.facts import Facts

NOW = Facts().now
CLAIM = Claim(
    4, "/r", "glob", "src/**", "c", 7, "ann", "codex", "a rewrite", False,
    "2026-01-31T07:57:00.000Z", "2026-01-31T08:27:00.000Z",
)  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "text", "step"),
    [
        (
            CLAIM,
            "src/** is claimed by ann (codex, session 7) since 3 minutes ago, for 27 minutes more,"
            ' "a rewrite"',
            "hookd send ann 'TEXT'",
        ),
        (
            replace(CLAIM, agent=None, why=None, expires_at=None),
            "src/** is claimed by session 7 (codex) since 3 minutes ago, until its session ends",
            "hookd send 'session 7' 'TEXT'",
        ),
        (
            replace(CLAIM, conversation="", session_id=None, agent=None, client=None, why=None),
            "src/** is claimed by the user since 3 minutes ago, for 27 minutes more",
            "ask the user",
        ),
        (
            replace(CLAIM, agent="it's me", created_at="2026-01-31T07:59:50.000Z"),
            "src/** is claimed by it's me (codex, session 7) since less than a minute ago, for 27"
            ' minutes more, "a rewrite"',
            "hookd send 'it'\\''s me' 'TEXT'",
        ),
    ],
)
def test_a_claim_is_described_with_its_holder_and_the_way_to_ask(
    claim: Claim, text: str, step: str
) -> None:
    assert described(claim, NOW) == text
    assert step in how_to_ask(claim)


def test_a_resource_is_named_as_it_is_claimed() -> None:
    assert named(replace(CLAIM, kind="resource", pattern="staging")) == "resource:staging"
    assert named(replace(CLAIM, pattern="")) == "."


def test_a_file_outside_of_a_repository_is_named_by_its_absolute_path() -> None:
    assert named(replace(CLAIM, root="/")) == "/src/**"
    resource = replace(CLAIM, root="/", kind="resource", pattern="staging")
    assert named(resource) == "resource:staging"


def test_a_text_of_another_agent_is_one_short_line_without_secrets() -> None:
    text = short("a\nb\x1b[31m\u202e ghp_" + "a1B2" * 9 + " then" * 90)
    assert "\n" not in text
    assert "\x1b" not in text
    assert "ghp_a1B2" not in text
    assert len(text) == 200
