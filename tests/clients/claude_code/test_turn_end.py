"""How a turn ended, by the last lines of a transcript."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code.turn_end import turn_error
from support.parametrize import parametrize_all


def line(kind: str, text: str = "", **more: Any) -> bytes:
    message = {"role": kind, "content": [{"type": "text", "text": text}]}
    return json.dumps({"type": kind, "message": message} | more).encode()


def refused(text: str, **more: Any) -> bytes:
    return line("assistant", text, isApiErrorMessage=True, **more)


ENDS: list[tuple[list[bytes], str | None]] = [
    ([], None),
    ([line("user", "hi"), line("assistant", "You hit your limit of pages.")], None),
    ([refused("You've hit your limit · resets 3pm")], "rate_limit"),
    ([refused("API Error: 429", error="rate_limit")], "rate_limit"),
    ([refused("API Error: 529 Overloaded")], "overloaded"),
    ([refused("Prompt is too long")], "context_exhausted"),
    ([refused("API Error: context_length_exceeded")], "context_exhausted"),
    ([refused("API Error: 500")], "unknown"),
    ([line("rate_limit")], "rate_limit"),
    ([line("overloaded")], "overloaded"),
    ([refused("Overloaded"), line("assistant", "It worked.")], None),
    ([refused("Overloaded"), line("user", "again")], None),
    ([refused("Overloaded"), line("system", "a note")], "overloaded"),
    ([refused("Overloaded"), line("assistant", "x", isSidechain=True)], "overloaded"),
    ([refused("Overloaded", isSidechain=True)], None),
    ([refused("Overloaded"), b"{broken", b"[]", b"\xff"], "overloaded"),
]


@parametrize_all(("lines", "error"), ENDS, ids=lambda value: str(value)[:60])
def test_the_last_thing_said_tells(lines: list[bytes], error: str | None) -> None:
    assert turn_error(lines) == error


@given(st.lists(st.binary(max_size=60)))
def test_any_bytes_are_read(lines: list[bytes]) -> None:
    turn_error(lines)
