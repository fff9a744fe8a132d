"""Entries of a transcript are redacted, cut, and valid texts."""

from typing import Any

from hookd.events.transcript import (
    INPUT_LIMIT,
    Entry,
    call_entry,
    line_object,
    line_time,
    text_entry,
)
from hookd.redaction.redact import LIMIT
from support.parametrize import parametrize_all

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"
AT = "2026-11-21T06:39:14.123Z"


@parametrize_all(
    ("line", "expected"),
    [(b'{"a": 1}', {"a": 1}), (b"[1]", {}), (b'{"a": ', {}), (b"\xff", {}), (b"[" * 9_999, {})],
    ids=lambda one: repr(one)[:20],
)
def test_a_line_is_an_object_or_empty(line: bytes, expected: Any) -> None:
    assert line_object(line) == expected


def test_a_time_has_our_form_or_is_unknown() -> None:
    assert line_time({"timestamp": AT}) == AT
    assert line_time({"timestamp": 7}) is None
    assert line_time({"timestamp": "now"}) is None


def test_a_text_is_redacted_and_cut() -> None:
    assert text_entry("user", "Go", "r", AT) == Entry("user", "Go", None, "r", AT)
    assert text_entry("user", " ", "r", AT) is None
    assert text_entry("user", 7, "r", AT) is None
    found = text_entry("assistant", f"{KEY} " + "word " * LIMIT, KEY, None)
    assert found is not None
    assert KEY not in repr(found)
    assert len(found.content) <= LIMIT


def test_a_call_has_its_input_as_text() -> None:
    assert call_entry("Bash", {"command": "ls"}, "c1", AT) == Entry(
        "assistant", '{"command":"ls"}', "Bash", "c1", AT
    )
    for malformed in (("", {}, "c"), ("Bash", [], "c"), ("Bash", {}, None)):
        assert call_entry(*malformed, AT) is None
    long = call_entry("Write", {"content": "x" * 99_999}, "c", AT)
    assert long is not None
    assert len(long.content) == INPUT_LIMIT
