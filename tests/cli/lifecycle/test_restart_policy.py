"""Restart policy of `hookd run`: the decision after the client ended."""

from typing import Any

from hookd.cli.lifecycle.restart_policy import (
    LONGEST_PROMPT,
    RESTART_DELAYS_S,
    Again,
    Ended,
    Over,
    Request,
    decide,
    parse,
)
from support.parametrize import parametrize_all

RUN = "7d1f"

LIVES = {
    "well": (Ended(0, 500.0), 0, Over(0)),
    "well, at once": (Ended(0, 0.1, first=True), 0, Over(0)),
    "well, after crashes": (Ended(0, 1.0), 4, Over(0)),
    "wrong arguments": (Ended(2, 9.9, first=True), 0, Over(2)),
    "killed at its first start": (Ended(137, 1.0, first=True), 0, Over(137)),
    "a crash of the first one, later": (Ended(1, 10.0, first=True), 0, Again(1.0, 1)),
    "a crash after a restart": (Ended(1, 0.2), 0, Again(1.0, 1)),
    "the second in a row": (Ended(139, 59.9), 1, Again(2.0, 2)),
    "the fifth in a row": (Ended(1, 3.0), 4, Again(16.0, 5)),
    "the fifth restart was in vain, too": (Ended(137, 3.0), 5, Over(137, gave_up=True)),
    "a crash after a steady run": (Ended(1, 60.0), 5, Again(1.0, 1)),
    "Ctrl-C": (Ended(130, 700.0), 0, Over(130)),
    "Ctrl-\\": (Ended(131, 700.0), 3, Over(131)),
    "asked for": (Ended(143, 700.0, asked=True), 0, Again(0.0, 0)),
    "asked for soon, and it ended well": (Ended(0, 20.0, asked=True), 0, Again(0.0, 1)),
    "asked for at its first start": (Ended(143, 1.0, first=True, asked=True), 0, Again(0.0, 1)),
    "asked for again and again": (Ended(143, 5.0, asked=True), 4, Again(8.0, 5)),
    "asked for without an end": (Ended(137, 5.0, asked=True), 5, Over(137, gave_up=True)),
    "asked for after a steady run": (Ended(143, 90.0, asked=True), 5, Again(0.0, 0)),
    "told to end": (Ended(143, 90.0, told=15), 0, Over(143)),
    "told to end, and it ended well": (Ended(0, 90.0, told=1), 0, Over(129)),
    "told to end while it was asked for": (Ended(143, 90.0, asked=True, told=15), 0, Over(143)),
}


@parametrize_all("name", LIVES)
def test_after_an_end(name: str) -> None:
    ended, crashes, then = LIVES[name]
    assert decide(ended, crashes) == then


def test_a_client_that_always_crashes_is_given_up_after_all_pauses() -> None:
    then, paused, crashes = decide(Ended(1, 30.0, first=True), 0), [], 0
    while isinstance(then, Again):
        paused.append(then.pause)
        crashes = then.crashes
        then = decide(Ended(1, 0.5), crashes)
    assert (tuple(paused), then) == (RESTART_DELAYS_S, Over(1, gave_up=True))


ASKED: dict[str, tuple[Any, Request | None]] = {
    "whole": ({"runId": RUN, "prompt": "Go on.", "reason": "full"}, Request("Go on.", "full")),
    "without a reason": ({"runId": RUN, "prompt": "a"}, Request("a", "the daemon asks for it")),
    "another run's": ({"runId": "x", "prompt": "a", "reason": "b"}, None),
    "without a prompt": ({"runId": RUN, "reason": "b"}, None),
    "no object": ([RUN, "a", "b"], None),
    "nothing": (None, None),
    "no text for an argument": (
        {"runId": RUN, "prompt": "a\0b\ud800c", "reason": "d"},
        Request("ab?c", "d"),
    ),
}


@parametrize_all("name", ASKED)
def test_what_a_notification_asks_for(name: str) -> None:
    params, request = ASKED[name]
    assert parse(params, RUN) == request


def test_a_prompt_is_cut_to_what_an_argument_holds() -> None:
    request = parse({"runId": RUN, "prompt": "\U0001f600" * 100_000}, RUN)
    assert request is not None
    assert len(request.prompt) == LONGEST_PROMPT
    assert len(request.prompt.encode()) < 128 * 1024
