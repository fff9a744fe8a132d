"""Live: a secret of any kind, anywhere in any event, rests in no file of the daemon."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.fuzz_daemon import Watched, watched
from fuzz.odd_values import JSON, changed, places, put
from fuzz.planted import PLANTED, Planted
from hookd.redaction.patterns import PATTERNS
from hookd.redaction.redact import redact
from support.payloads import payload

FEWER = settings(
    max_examples=max(10, settings.default.max_examples // 2),
    print_blob=True,
)
SHOWN = 4_000
"""Characters of an event that are shown from either end."""

SECRETS = st.sampled_from(sorted(PLANTED)).flatmap(PLANTED.__getitem__)
SHAPES = st.sampled_from(["§", "x § y", "line\n§\nline", "\x1b[32m§\x1b[0m", '{"a":"\\n§"}'])

NAMES = ("session_id", "agent_id", "prompt_id", "tool_use_id", "task_id", "teammate_name")
NAMES += ("tool_name", "hook_event_name")
"""What the client calls its own things. They stay as they are where they are no longer than an id:
two must not become one."""

_numbers = count()


@pytest.fixture(scope="module")
def keeper() -> Iterator[Watched]:
    """A daemon that stores what it receives."""
    with watched() as one:
        yield one


def test_there_is_a_secret_of_every_kind() -> None:
    assert {pattern.kind for pattern in PATTERNS} == PLANTED.keys()


@FEWER
@given(SECRETS, SHAPES)
def test_every_planted_secret_is_one_that_redaction_knows(planted: Planted, shape: str) -> None:
    assert planted[1] not in redact(shape.replace("§", planted[2]))


def fresh(planted: Planted) -> Planted:
    """Return a new secret of this kind: stored text is never removed.

    Hypothesis shall not see it, or no example would be the same twice.
    """
    kind, secret, text = planted
    other = secret[:-6] + f"{next(_numbers):06d}"
    return kind, other, text.replace(secret, other)


def kept_in(keeper: Watched) -> bytes:
    """Return all that the daemon has written: its database, its log, what it put aside."""
    files = [path for path in keeper.home.path.rglob("*") if path.is_file()]
    assert {"hookd.db", "hookd.log"} <= {path.name for path in files}
    return b"\0".join(path.read_bytes() for path in files)


@dataclass(frozen=True, repr=False)
class Case:
    """An event with a secret in it; what Hypothesis prints of it stays short, however large it is.

    Hypothesis warns of a long text, and the warning would take the place of what has failed.
    """

    name: str
    event: Any
    planted: Planted

    def __repr__(self) -> str:
        """Return the event shortened; the example's blob reproduces all of it."""
        event = repr(self.event)
        cut = f" ... {len(event)} characters ... " if len(event) > 2 * SHOWN else ""
        event = event[:SHOWN] + cut + event[-SHOWN:] if cut else event
        return f"Case({self.name!r}, {self.planted!r}, {event})"


@st.composite
def planted(draw: st.DrawFn) -> Case:
    """An event with a secret at one place: the value of a field, an item, or the name of one."""
    name, event = draw(changed(most=1))
    secret = draw(SECRETS)
    text = draw(SHAPES).replace("§", secret[2])
    inner = [text, {text: 1}, {"unknown": [text]}, [draw(JSON), {"a": text}], {"env": {"A": text}}]
    ways = [way for way in places(event)[1:] if way[0] not in NAMES]
    made = put(event, draw(st.sampled_from(ways or [()])), draw(st.sampled_from(inner)))
    return Case(name, made, secret)


@FEWER
@given(planted())
def test_no_planted_secret_is_in_what_is_stored(keeper: Watched, case: Case) -> None:
    kind, secret, _ = fresh(case.planted)
    body = json.dumps(case.event).replace(case.planted[1], secret)
    keeper.home.bare(body.encode(), case.name)
    assert secret.encode() not in kept_in(keeper), kind


@FEWER
@given(SECRETS, SHAPES, st.sampled_from(["PreToolUse", "Stop", "Future"]), st.binary(max_size=9))
def test_no_secret_of_what_cannot_be_read_is_in_what_is_stored(
    keeper: Watched, planted: Planted, shape: str, name: str, junk: bytes
) -> None:
    kind, secret, text = fresh(planted)
    body = junk.replace(b"\x1e", b"") + shape.replace("§", text).encode()
    keeper.home.bare(body, name)
    keeper.home.line(body.replace(b"\n", b" "))
    asked = {"jsonrpc": "2.0", "id": 1, "method": text, "params": [text]}
    keeper.home.line(json.dumps(asked).encode())
    assert secret.encode() not in kept_in(keeper), kind


@pytest.mark.parametrize("name", ["PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop"])
@pytest.mark.parametrize("field", ["tool_name", "hook_event_name", "tool_use_id", "prompt_id"])
def test_no_secret_in_a_name_that_is_longer_than_an_id_is_stored(
    keeper: Watched, name: str, field: str
) -> None:
    secret = f"ghp_{name}{'a1B2' * 9}{next(_numbers):06d}"
    event = payload(name, session_id=name) | {field: f"a tool by {secret}"}
    keeper.home.bare(json.dumps(event).encode(), name)
    assert secret.encode() not in kept_in(keeper)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("SessionEnd", "reason"),
        ("SessionStart", "source"),
        ("SessionStart", "model"),
        ("SessionStart", "cwd"),
        ("SessionStart", "transcript_path"),
    ],
)
def test_no_secret_in_what_tells_of_a_window_is_stored_however_short(
    keeper: Watched, name: str, field: str
) -> None:
    window, secret = f"{name}-{field}", f"AKIA{'A1B2' * 2}{next(_numbers):08d}"
    keeper.home.bare(json.dumps(payload("SessionStart", session_id=window)).encode())
    event = payload(name, session_id=window) | {field: f"not/{secret}"}
    keeper.home.bare(json.dumps(event).encode(), name)
    assert secret.encode() not in kept_in(keeper)
