"""Real payloads that were damaged, sent to a real daemon: each is answered as its event allows.

At the end the daemon lives, its log has no fault of its own, and its database is whole.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from fuzz.answer_shape import line, wrong
from fuzz.fuzz_daemon import Watched, watched
from fuzz.odd_values import damaged
from hookd.events.protocol import EVENTS

FEWER = settings(
    max_examples=max(10, settings.default.max_examples // 2),
)


@pytest.fixture(scope="module")
def guarded() -> Iterator[Watched]:
    """A daemon with a guard, so that what cannot be judged is asked about, and every policy on."""
    with watched(guard=True) as one:
        yield one


def meant(name: str, body: bytes) -> set[str]:
    """Return the events that this may be one of: the client's word, or one in the payload."""
    return {name} | {one for one in EVENTS if b'"' + one.encode() + b'"' in body}


def refused(name: str, body: bytes, answer: Any) -> str:
    """Return what is wrong with an answer, by each event that it may be one to."""
    found = {one: wrong(one, answer) for one in meant(name, body)}
    return "" if "" in found.values() else str(found)


@FEWER
@given(damaged())
def test_a_damaged_payload_has_an_answer_that_its_event_takes(
    guarded: Watched, case: tuple[str, bytes]
) -> None:
    name, body = case
    before, _, after = body.partition(b"\x1e")
    answer = guarded.home.bare(before, name)  # text after the end mark is ignored
    assert refused(name, before, answer.get("result")) == ""
    if "error" in answer:
        assert answer["error"].get("data", {}).get("code") == "UNREADABLE", answer
        assert name not in ("PreToolUse", "PermissionRequest")
    assert guarded.lives(), after


@FEWER
@given(damaged())
def test_the_shim_brings_a_damaged_payload_and_prints_one_answer_or_nothing(
    guarded: Watched, case: tuple[str, bytes]
) -> None:
    name, body = case
    done = guarded.home.hook(body, "--event", name)
    assert done.returncode == 0
    faults = {one: line(one, done.stdout) for one in meant(name, body)}
    assert "" in faults.values(), (faults, done.stdout)
    if name in ("PreToolUse", "PermissionRequest"):
        assert done.stderr == b""
    assert guarded.lives()
