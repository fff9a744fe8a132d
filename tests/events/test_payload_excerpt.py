"""A long payload is kept as a readable beginning, and whole beside it."""

import json
from hashlib import sha256
from typing import Any

import pytest

from hookd.events.payload_excerpt import MAX_EXCERPT_CHARS, excerpt_record, restore_text
from hookd.redaction.redact import record

LONG: dict[str, Any] = {
    "a text": {"tool_name": "Read", "tool_response": "line\n" * 6_000, "tool_use_id": "t"},
    "a nested text": {"tool_name": "Read", "a": [{"b": {"c": "x" * 20_000}}], "tool_use_id": "t"},
    "many members": {"tool_name": "Read", "tool_use_id": "t", **{f"k{n}": n for n in range(5_000)}},
    "a long list": {"tool_name": "Read", "tool_use_id": "t", "a": [{"b": "y" * 30}] * 1_000},
    "escapes": {"tool_name": "Read", "tool_use_id": "t", "a": '"\\\n\u0001é' * 5_000},
}


@pytest.mark.parametrize("name", LONG)
def test_the_beginning_is_json_of_the_same_shape_and_the_body_has_all(name: str) -> None:
    payload, raw = LONG[name], json.dumps(LONG[name]).encode()
    whole = record(payload, whole=raw)
    kept = excerpt_record(whole, raw)
    assert len(kept.text) <= MAX_EXCERPT_CHARS
    head = json.loads(kept.text)
    assert (head["tool_name"], head["tool_use_id"]) == ("Read", "t")
    assert "[cut by hookd: " in kept.text
    assert (restore_text(kept.body), kept.size) == (whole.text, len(whole.text))
    assert kept.sha256 == sha256(raw).hexdigest()
    assert len(kept.body) < kept.size / 2


def test_what_fits_is_kept_as_it_is() -> None:
    whole = record({"tool_name": "Bash", "x": "y" * 8_000})
    assert excerpt_record(whole) is whole


def test_what_has_a_single_long_key_says_only_how_long_it_was() -> None:
    kept = excerpt_record(record({"k" * 9_000: 1}))
    assert json.loads(kept.text) == {"cut": "[cut by hookd: 9006 characters in all]"}


def test_a_body_that_somebody_broke_is_told_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="the body cannot be read"):
        restore_text(b"no body")
