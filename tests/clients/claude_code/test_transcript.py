"""Only dialogue of a transcript is kept, redacted and cut; no line is an error."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code.transcript import parse_line
from hookd.events.transcript import INPUT_LIMIT, Entry
from hookd.redaction.redact import LIMIT
from support.parametrize import parametrize_all

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
AT = "2026-11-21T06:39:14.123Z"
TEXT = {"type": "text", "text": "The parser is done."}
CALL = {"type": "tool_use", "id": "toolu_01", "name": "Read", "input": {"file_path": "/w/a.py"}}
THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_01", "content": "def orders(): ..."}


def line(role: str, content: Any, *, message: dict[str, Any] | None = None, **more: Any) -> bytes:
    whole = {
        "parentUuid": None,
        "isSidechain": False,
        "type": role,
        "uuid": "8f2a",
        "timestamp": AT,
        "sessionId": "11c8d28b",
        "message": {"role": role, "content": content} | (message or {}),
    }
    return json.dumps(whole | more).encode()


def says(role: str, content: str, ref: str = "8f2a/0", tool_name: str | None = None) -> Entry:
    return Entry(role, content, tool_name, ref, AT)


SAID = [
    ("a prompt", line("user", "Add pagination"), [says("user", "Add pagination")]),
    (
        "a prompt with a picture",
        line("user", [{"type": "image", "source": {}}, {"type": "text", "text": "Like this"}]),
        [says("user", "Like this", "8f2a/1")],
    ),
    ("an answer", line("assistant", [TEXT]), [says("assistant", "The parser is done.")]),
    (
        "a tool call",
        line("assistant", [CALL], message={"model": "claude-opus-5", "usage": {"input_tokens": 1}}),
        [says("assistant", '{"file_path":"/w/a.py"}', "toolu_01", "Read")],
    ),
    (
        "all of it in one line",
        line("assistant", [THINKING, TEXT, CALL, RESULT, 7, None, {"type": "new"}]),
        [
            says("assistant", "The parser is done.", "8f2a/1"),
            says("assistant", '{"file_path":"/w/a.py"}', "toolu_01", "Read"),
        ],
    ),
    (
        "what an editor adds before a prompt",
        line("user", "<ide_opened_file>orders.py</ide_opened_file>\nAdd pages"),
        [says("user", "<ide_opened_file>orders.py</ide_opened_file>\nAdd pages")],
    ),
    (
        "a prompt that begins with a tag of its own",
        line("user", "<commander> is the class"),
        [says("user", "<commander> is the class")],
    ),
    (
        "half a character, where the client cut a text",
        line("assistant", "cut \ud83d"),
        [says("assistant", "cut ?")],
    ),
]


@parametrize_all(("text", "expected"), [one[1:] for one in SAID], ids=[s[0] for s in SAID])
def test_what_was_said_is_kept(text: bytes, expected: list[Entry]) -> None:
    assert list(parse_line(text)) == expected


NOT_SAID = [
    line("user", [RESULT]),
    line("user", [CALL]),
    line("user", ""),
    line("user", " \n"),
    line("user", "Caveat: made by the client", isMeta=True),
    line("user", "This session is being continued", isCompactSummary=True),
    line("user", "<command-name>/clear</command-name>"),
    line("user", "<local-command-stdout>done</local-command-stdout>"),
    line("user", "<bash-stdout>a.py</bash-stdout>"),
    line("user", "\n<system-reminder>\nThe file changed.\n</system-reminder>"),
    line("user", "<task-notification>\n<task-id>b1</task-id>\n</task-notification>"),
    line("user", '<agent-message from="docs">done</agent-message>'),
    line("user", '<cross-session-message from="uds:/s">done</cross-session-message>'),
    line("user", 'Another Claude session sent a message:\n<cross-session-message from="uds:/s">x'),
    line("user", '<teammate-message teammate_id="ann">done</teammate-message>'),
    line("user", "[Cross-session delivery notice] Your message was held (recipient: @ann)."),
    line("user", [{"type": "text", "text": "<ide_selection>x = 1</ide_selection>"}]),
    line("assistant", [THINKING]),
    line("assistant", [TEXT], isSidechain=True),
    line("assistant", [TEXT], isApiErrorMessage=True),
    line("assistant", [TEXT], message={"model": "<synthetic>"}),
    line("assistant", [CALL | {"id": None}]),
    line("assistant", [CALL | {"name": ""}]),
    line("assistant", [CALL | {"input": "ls"}]),
    line("assistant", [{"type": "text"}]),
    line("assistant", {"type": "text", "text": "no list"}),
    line("assistant", [TEXT], uuid=None),
    line("assistant", [TEXT], message=None, type="system"),
    b'{"type":"system","subtype":"compact_boundary","uuid":"8f2a","content":"Compacted"}',
    b'{"type":"summary","summary":"Pages","leafUuid":"8f2a"}',
    b'{"type":["user"],"uuid":"8f2a","message":{"content":"x"}}',
    b'{"type":"user","uuid":"8f2a","message":"x"}',
    b"",
    b"[]",
    b"7",
    b"\xff\xfe{}",
    line("user", "cut in the mid")[:-9],
    b"[" * 200_000,
    b'{"type":"user","uuid":"8f2a","message":{"content":' + b"9" * 5_000 + b"}}",
]


@parametrize_all("text", NOT_SAID, ids=lambda text: text[-60:].decode("ascii", "replace"))
def test_what_nobody_said_is_left_out(text: bytes) -> None:
    assert parse_line(text) == ()


@parametrize_all(
    ("given", "expected"),
    [(AT, AT), (None, None), (7, None), ("yesterday", None), ("2026-11-21 06:39", None)],
)
def test_a_time_is_one_of_ours_or_none(given: Any, expected: str | None) -> None:
    (entry,) = parse_line(line("user", "Add pages", timestamp=given))
    assert entry.at == expected


def test_a_text_is_cut() -> None:
    (entry,) = parse_line(line("assistant", "word " * LIMIT))
    assert len(entry.content) == LIMIT
    assert set(entry.content.split()) <= {"word", "w"}


def test_the_input_of_a_call_is_cut() -> None:
    (entry,) = parse_line(line("assistant", [CALL | {"input": {"content": "x" * 100_000}}]))
    assert len(entry.content) == INPUT_LIMIT
    assert entry.content.startswith('{"content":"xxx')


@parametrize_all(
    "content",
    [
        [{"type": "text", "text": f"used {KEY} for it"}],
        [CALL | {"input": {"command": f"curl -H 'x-api-key: {KEY}'"}}],
        [CALL | {"input": {"api_key": KEY}}],
        [CALL | {"id": KEY}],
        [CALL | {"name": KEY}],
    ],
)
def test_no_secret_is_kept(content: Any) -> None:
    (entry,) = parse_line(line("assistant", content))
    assert KEY not in repr(entry)
    assert "[redacted:" in repr(entry)


@parametrize_all("before", range(LIMIT - 60, LIMIT + 2, 3))
def test_no_secret_astride_the_cut_is_half_visible(before: int) -> None:
    text = "a " * (before // 2) + KEY + " b" * LIMIT
    (entry,) = parse_line(line("assistant", text))
    assert "sk-ant" not in entry.content
    assert len(entry.content) <= LIMIT


@parametrize_all("before", range(0, 50, 3))
def test_no_secret_astride_the_end_of_what_is_looked_at_is_half_visible(before: int) -> None:
    (entry,) = parse_line(line("assistant", "x" * before + f" {KEY}" * 3_000))
    assert "sk-" not in entry.content
    assert entry.content.count("[redacted:") > 1_000


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
BLOCK = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["text", "tool_use", "tool_result", "thinking"]) | JSON,
        "text": st.text() | JSON,
        "id": st.text() | JSON,
        "name": st.text() | JSON,
        "input": st.dictionaries(st.text(), JSON, max_size=4) | JSON,
    },
)
LINE = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["assistant", "user"]) | JSON,
        "uuid": st.text(min_size=1) | JSON,
        "message": st.fixed_dictionaries({"content": st.lists(BLOCK | JSON, max_size=4) | JSON})
        | JSON,
    },
    optional={"timestamp": JSON, "isSidechain": JSON},
)


@given(LINE | JSON)
def test_whatever_a_line_holds_it_can_be_kept_or_is_left_out(value: Any) -> None:
    for entry in parse_line(json.dumps(value).encode()):
        assert entry.role in ("assistant", "user")
        assert len(entry.content) <= LIMIT
        for text in (entry.content, entry.ref, entry.tool_name or ""):
            text.encode("utf-8")


@given(st.binary())
def test_what_is_no_json_says_nothing(junk: bytes) -> None:
    assert parse_line(b"\xff" + junk) == ()


@given(st.integers(0, 400))
def test_a_line_that_is_not_whole_says_nothing(end: int) -> None:
    whole = line("assistant", [TEXT, CALL])
    assert parse_line(whole[: min(end, len(whole) - 1)]) == ()
