"""What the end of Claude Code's transcript says of the tokens in the window."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code.transcript_usage import last_usage
from hookd.events.context_usage import Usage
from support.parametrize import parametrize_all

AT = "2026-11-21T06:39:14.123Z"
OPUS = "claude-opus-4-5-20251101"
USED = {
    "input_tokens": 1,
    "cache_creation_input_tokens": 187,
    "cache_read_input_tokens": 19_024,
    "output_tokens": 25,
}


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
    assert last_usage(lines, own=True) == GOOD


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
    lines: list[bytes], own: bool
) -> None:
    found = last_usage(lines, own=own)
    assert found is None or found.tokens is None or 0 <= found.tokens <= 300_000_000


@given(st.lists(st.binary(max_size=60), max_size=5), st.lists(st.binary(max_size=60), max_size=5))
def test_garbage_around_a_good_line_changes_nothing(
    before: list[bytes], after: list[bytes]
) -> None:
    assert last_usage([*before, line(), *after]) == GOOD
