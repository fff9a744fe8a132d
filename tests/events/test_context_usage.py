"""How full a window is: its size by its model, and what the end of a transcript says of it."""

from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.events.context_usage import (
    LEVELS,
    Levels,
    Reading,
    Usage,
    Window,
    is_own,
    levels,
    read_usage,
    share,
    token_count,
    window_size,
)
from hookd.policies import overflow
from support.parametrize import parametrize_all

AT = "2026-11-21T06:39:14.123Z"
LATER = "2026-11-21T07:00:00.000Z"
OPUS = "claude-opus-4-5-20251101"
SMALL, LARGE = 200_000, 1_000_000

MODELS = [
    ("claude-opus-4-5-20251101", SMALL),
    ("claude-opus-4-20250514", SMALL),
    ("claude-opus-4-1", SMALL),
    ("claude-opus-4-6", SMALL),
    ("claude-opus-4-6[1m]", LARGE),
    ("claude-opus-4-7", LARGE),
    ("claude-opus-4-8-20270101", LARGE),
    ("claude-opus-5", LARGE),
    ("claude-opus-5-5", LARGE),
    ("claude-sonnet-4-20250514", SMALL),
    ("claude-sonnet-4-5-20250929", SMALL),
    ("claude-sonnet-4-5-20250929[1m]", LARGE),
    ("claude-sonnet-4-6[1M]", LARGE),
    ("claude-sonnet-5", LARGE),
    ("claude-sonnet-5-5", LARGE),
    ("claude-haiku-4-5-20251001", SMALL),
    ("claude-haiku-5-5", LARGE),
    ("claude-fable-5", LARGE),
    ("claude-fable-5-2", LARGE),
    ("claude-mythos-5-1-20270101", LARGE),
    ("us.anthropic.claude-opus-4-5-20251101-v1:0", SMALL),
    ("eu.anthropic.claude-sonnet-5-5-20270101-v1:0", LARGE),
    ("anthropic.claude-sonnet-4-6-v1:0[1m]", LARGE),
    ("claude-opus-4-5@20251101", SMALL),
    ("claude-opus-5@20270101", LARGE),
    ("sonnet[1m]", LARGE),
    ("sonnet", SMALL),
    ("claude-3-5-sonnet-20241022", SMALL),
    ("claude-3-opus-20240229", SMALL),
    ("another-model-9-9", SMALL),
    ("claude-other-9-9", SMALL),
    ("", SMALL),
    (None, SMALL),
]


@parametrize_all(("model", "expected"), MODELS)
def test_a_window_is_as_large_as_its_model_s(model: str | None, expected: int) -> None:
    assert window_size(model) == expected


def test_what_was_chosen_goes_before_what_was_told_and_that_before_the_model() -> None:
    assert window_size("claude-opus-5", told=300_000, chosen=100_000, used=250_000) == 100_000
    assert window_size("claude-opus-5", told=300_000, used=400_000) == 300_000
    assert window_size("claude-opus-5") == LARGE


def test_a_window_that_holds_more_than_its_model_s_is_a_large_one() -> None:
    assert window_size(OPUS, used=SMALL) == SMALL
    assert window_size(OPUS, used=SMALL + 1) == LARGE
    assert share(SMALL, OPUS) == 1.0
    assert share(250_000, OPUS) == 0.25
    assert share(2_000_000, OPUS) == 1.0


GOOD = Usage(19_212, OPUS, AT)
GONE = Usage(None, None, AT, compacted=True)
LEFT = Usage(2_000, OPUS, AT, compacted=True)


@parametrize_all(
    ("value", "expected"),
    [(0, 0), (7, 7), (-1, None), (True, None), (1.0, None), ("7", None), (10**9, None)],
)
def test_a_number_of_tokens_is_one_that_can_be(value: object, expected: int | None) -> None:
    assert token_count(value) == expected


def test_a_subagent_s_own_file_is_known_by_its_name() -> None:
    path = "/home/user/.claude/projects/-work/11c8d28b/subagents/agent-a3f8.jsonl"
    assert is_own(path, "a3f8")
    assert not is_own(path, "b")
    assert not is_own(path, None)
    assert not is_own("/home/user/.claude/projects/-work/11c8d28b.jsonl", "a3f8")


def window(**more: Any) -> Window:
    return Window(begun=AT, source="startup", **more)


READ = [
    ("nothing was known", window(), GOOD, 0.09606),
    ("a transcript said less", window(usage=0.05, told_by="transcript"), GOOD, 0.09606),
    ("an event said more", window(usage=0.5, told_by="event"), GOOD, 0.09606),
    ("the size was told", window(tokens=20_000), GOOD, 0.9606),
    ("its model is a large one", window(model=f"{OPUS}[1m]"), GOOD, 0.019212),
    ("its model's short name is", window(model="opus[1m]"), GOOD, 0.019212),
    ("another model has answered", window(model="claude-sonnet-4-6[1m]"), GOOD, 0.09606),
    ("another model was set", window(model="claude-opus-5"), GOOD, 0.09606),
    ("no model has answered", window(model="claude-opus-5"), Usage(19_212), 0.019212),
    ("it began later, and is resumed", Window(LATER, "resume"), GOOD, 0.09606),
    ("what is left was told", Window(LATER, "compact"), LEFT, 0.01),
    ("it was compacted", window(usage=0.9, told_by="transcript"), Usage(None, OPUS, AT), None),
]  # fmt: skip


@parametrize_all(
    ("known", "usage", "expected"), [one[1:] for one in READ], ids=[one[0] for one in READ]
)
def test_a_transcript_says_how_full_a_window_is(
    known: Window, usage: Usage, expected: float | None
) -> None:
    reading = read_usage(known, usage, None)
    assert reading is not None
    assert reading.usage == (None if expected is None else pytest.approx(expected))


STAYS = [
    ("a status line told it", window(usage=0.5, told_by="statusline"), GOOD),
    ("somebody told it", window(usage=0.5, told_by="rpc"), GOOD),
    ("it is the same", window(usage=19_212 / SMALL, told_by="transcript"), GOOD),
    ("it was counted before the compaction", Window(LATER, "compact"), GOOD),
    ("the event that began it told", Window(LATER, "resume", usage=0.5, told_by="event"), GOOD),
    ("nothing is known, and nothing is new", window(), GONE),
]  # fmt: skip


@parametrize_all(("known", "usage"), [one[1:] for one in STAYS], ids=[one[0] for one in STAYS])
def test_what_is_known_better_stays(known: Window, usage: Usage) -> None:
    assert read_usage(known, usage, None) is None


def test_the_window_that_was_chosen_counts_whatever_was_told() -> None:
    known = window(model="claude-opus-5", tokens=LARGE)
    assert read_usage(known, GOOD, 38_424) == Reading(0.5)


def test_the_levels_are_those_of_the_policy() -> None:
    assert tuple(Levels.__dataclass_fields__) == LEVELS
    assert overflow.Options().levels == Levels()
    chosen = overflow.Options(notice=0.1, warn=0.2, at=0.3, critical=0.4, mode="off")
    assert levels({"overflow": chosen}) == Levels(0.1, 0.2, 0.3, 0.4)
    assert [Levels(0.1, 0.2, 0.3, 0.4).at(level) for level in LEVELS] == [0.1, 0.2, 0.3, 0.4]
    assert levels({}) == levels({"overflow": PolicyOptions()}) == Levels()
