"""How full a window is: its size by its model, and what the end of a transcript says of it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.config.models import PolicyOptions
from hookd.events.context_usage import (
    LEVELS,
    Levels,
    Reading,
    Usage,
    Window,
    is_own,
    last_usage,
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
USED = {
    "input_tokens": 1,
    "cache_creation_input_tokens": 187,
    "cache_read_input_tokens": 19_024,
    "output_tokens": 25,
}
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


def line(
    usage: Any = None, model: Any = OPUS, message: dict[str, Any] | None = None, **more: Any
) -> bytes:
    said = {"model": model, "role": "assistant", "content": [], "usage": usage or USED}
    whole = {"type": "assistant", "isSidechain": False, "timestamp": AT, "message": said}
    return json.dumps(whole | {"message": said | (message or {})} | more).encode()


def boundary(metadata: Any = None, **more: Any) -> bytes:
    whole = {"type": "system", "subtype": "compact_boundary", "timestamp": AT}
    return json.dumps(whole | {"compactMetadata": metadata or {}} | more).encode()


def tokens(number: int) -> bytes:
    return line({"input_tokens": number})


GOOD = Usage(19_212, OPUS, AT)
GONE = Usage(None, None, AT, compacted=True)
LEFT = Usage(2_000, OPUS, AT, compacted=True)

LAST = [
    ("nothing", [], None),
    ("one answer", [line()], GOOD),
    ("several lines of one answer, which are not summed", [line()] * 3, GOOD),
    ("the last answer", [tokens(5), line()], GOOD),
    ("a prompt behind it", [line(), b'{"type":"user","message":{"content":"usage"}}'], GOOD),
    ("an answer of the client itself", [line(), line(model="<synthetic>")], GOOD),
    ("an error of the API", [line(), line(isApiErrorMessage=True)], GOOD),
    ("a subagent's answer", [line(), line({"input_tokens": 5}, isSidechain=True)], GOOD),
    ("an answer without numbers", [line(), line(message={"usage": None})], GOOD),
    ("an answer of nothing", [line(), line({"input_tokens": 0, "output_tokens": 7})], GOOD),
    (
        "steps of the server",
        [line({"input_tokens": 0, "iterations": [{"input_tokens": 5}, USED]})],
        GOOD,
    ),
    ("steps, and the whole counts too", [line(USED | {"iterations": [{"input_tokens": 5}]})], GOOD),
    ("no steps", [line(), line({"input_tokens": 0, "iterations": []})], GOOD),
    ("strange steps", [line(), line({"input_tokens": 0, "iterations": [7]})], GOOD),
    ("a negative number", [line(USED | {"input_tokens": -5})], Usage(19_211, OPUS, AT)),
    ("true is no number", [line(USED | {"input_tokens": True})], Usage(19_211, OPUS, AT)),
    ("a huge number", [line(USED | {"input_tokens": 10**30})], Usage(19_211, OPUS, AT)),
    ("a text is no number", [line(), line({"input_tokens": "5"})], GOOD),
    ("a model that is no text", [line(model=7)], Usage(19_212, None, AT)),
    ("a time that is none", [line(timestamp="now")], Usage(19_212, OPUS, None)),
    ("a compaction behind it", [line(), boundary()], Usage(None, OPUS, AT, compacted=True)),
    (
        "a compaction that says what is left",
        [line(), boundary({"trigger": "auto", "preTokens": 19_212, "postTokens": 3_000})],
        Usage(3_000, OPUS, AT, compacted=True),
    ),
    (
        "the later of two compactions",
        [line(), boundary({"postTokens": 3_000}), boundary({"postTokens": 2_000})],
        LEFT,
    ),
    ("a compaction alone", [boundary()], GONE),
    ("a compaction and no number", [boundary({"postTokens": -1})], GONE),
    ("a strange compaction", [boundary([7])], GONE),
    ("a compaction of a subagent", [line(), boundary(isSidechain=True)], GOOD),
    ("an answer after a compaction", [tokens(5), boundary({"postTokens": 3}), line()], GOOD),
    ("another line of the system", [line(), boundary(subtype="usage")], GOOD),
]  # fmt: skip


@parametrize_all(("lines", "expected"), [one[1:] for one in LAST], ids=[one[0] for one in LAST])
def test_the_last_answer_counts(lines: list[bytes], expected: Usage | None) -> None:
    assert last_usage(lines) == expected


def test_in_a_file_of_its_own_a_subagent_s_lines_count() -> None:
    lines = [line(isSidechain=True), b"{}"]
    assert last_usage(lines) is None
    assert last_usage(lines, sidechains=True) == GOOD


GARBAGE = [
    b"",
    b"\xff\xfe usage",
    b"usage",
    b'{"usage": 1',
    b'["usage"]',
    b'"usage"',
    b'{"type":"assistant","message":"usage"}',
    b'{"type":"assistant","message":{"usage":[1,2]}}',
    b'{"type":"assistant","message":{"usage":{"input_tokens":NaN}}}',
    b'{"type":"assistant","message":{"usage":{"input_tokens":' + b"9" * 5_000 + b"}}}",
    b'{"usage":' + b"[" * 100_000,
    b"null",
]


@parametrize_all("garbage", GARBAGE, ids=lambda one: repr(one[:40]))
def test_a_line_that_is_broken_is_passed_over(garbage: bytes) -> None:
    assert last_usage([garbage, line(), garbage]) == GOOD
    assert last_usage([garbage]) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = {
    "type": st.sampled_from(["assistant", "system", "user"]) | JSON,
    "subtype": st.just("compact_boundary") | JSON,
    "isSidechain": JSON,
    "timestamp": st.just(AT) | JSON,
    "compactMetadata": st.fixed_dictionaries({"postTokens": JSON}) | JSON,
    "message": JSON
    | st.fixed_dictionaries(
        {
            "model": JSON,
            "usage": JSON | st.fixed_dictionaries({"input_tokens": JSON, "iterations": JSON}),
        }
    ),
}
ODD = st.binary(max_size=60) | st.fixed_dictionaries({}, optional=KEYS).map(
    lambda value: json.dumps(value).encode()
)


@given(st.lists(ODD, max_size=6), st.booleans())
def test_whatever_stands_in_a_file_it_is_read_without_a_fault(
    lines: list[bytes], sidechains: bool
) -> None:
    found = last_usage(lines, sidechains=sidechains)
    assert found is None or found.tokens is None or 0 <= found.tokens <= 300_000_000


@given(st.lists(st.binary(max_size=60), max_size=5), st.lists(st.binary(max_size=60), max_size=5))
def test_garbage_around_a_good_line_changes_nothing(
    before: list[bytes], after: list[bytes]
) -> None:
    assert last_usage([*before, line(), *after]) == GOOD


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
