"""Transcripts that clients wrote, and lines that one could have."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from hookd.clients.contract import Transcript
from hookd.redaction.redact import LIMIT
from support.paths import TESTS


def transcript_file(client: str) -> Path:
    """Return the transcript of a session of a client; its last request had 4,321 tokens."""
    (path, *_) = sorted((TESTS / "payloads" / client / "transcripts").iterdir())
    return path


def said_in(form: Transcript, lines: list[bytes]) -> list[tuple[str, str | None, str]]:
    """Return what was said and called in the lines: role, tool, text."""
    entries = (entry for line in lines for entry in form.parse_line(line))
    return [(one.role, one.tool_name, one.content) for one in entries]


def odd_lines(client: str) -> st.SearchStrategy[bytes]:
    """Return lines of a client with a value in another place, cut lines, and bytes."""
    lines = [json.loads(line) for line in transcript_file(client).read_bytes().splitlines()]
    junk = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda one: (
            st.lists(one, max_size=2) | st.dictionaries(st.text(max_size=3), one, max_size=2)
        ),
        max_leaves=4,
    )

    @st.composite
    def changed(draw: st.DrawFn) -> bytes:
        value = json.loads(json.dumps(draw(st.sampled_from(lines))))
        owner, key = draw(st.sampled_from(list(_places(value))))
        owner[key] = draw(junk)
        text = json.dumps(value).encode()
        return text[: draw(st.integers(0, len(text)))] if draw(st.booleans()) else text

    return changed() | st.binary(max_size=60) | junk.map(lambda one: json.dumps(one).encode())


def hold(form: Transcript, lines: list[bytes]) -> None:
    """Assert that whatever the lines have in them can be stored, or is left out."""
    for line in lines:
        assert all(isinstance(number, str) for number in form.results(line))
        for entry in form.parse_line(line):
            assert entry.role in ("assistant", "user")
            assert len(entry.content) <= LIMIT
            for text in (entry.content, entry.ref, entry.tool_name or ""):
                text.encode("utf-8")
    for own in (False, True):
        usage = form.last_usage(lines, own=own)
        assert usage is None or usage.tokens is None or usage.tokens >= 0
    assert form.turn_error(lines) is None


def _places(value: Any) -> Any:
    """Yield each object or list in a value, with each of its keys."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from _places(value[key])
