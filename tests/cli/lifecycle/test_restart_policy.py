"""Restart policy of `hookd run`: the decision after the client ended, and the new command."""

from typing import Any

import hypothesis
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.lifecycle.restart_policy import (
    LONGEST_PROMPT,
    RESTART_DELAYS_S,
    Again,
    Ended,
    Over,
    Request,
    decide,
    parse,
    restart_command,
    with_prompt,
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


PROMPTED = {
    "claude": "claude|P",
    "claude first": "claude first|P",
    "claude --add-dir lib": "claude --add-dir lib|--|P",
    "claude -p": "claude -p|--|P",
    "claude --model opus -- first": "claude --model opus -- first|P",
    "mise exec -- claude": "mise exec -- claude|P",
    "mise exec -- claude --tools Read": "mise exec -- claude --tools Read|--|P",
}


@parametrize_all("command", PROMPTED)
def test_a_prompt_is_the_last_argument_and_no_value_of_an_option(command: str) -> None:
    before, *rest = PROMPTED[command].split("|")
    assert with_prompt(command.split(), "P") == [*before.split(), *rest]


@parametrize_all(
    ("command", "whole"),
    [
        ("claude", "claude -- -P"),
        ("claude -- a", "claude -- a -P"),
        ("claude -d", "claude -d -- -P"),
    ],
)
def test_a_prompt_that_begins_with_a_dash_is_no_option(command: str, whole: str) -> None:
    assert with_prompt(command.split(), "-P") == whole.split()


UNBOUND = {
    "-c": "",
    "--continue": "",
    "-cp": "-p",
    "-pc": "-p",
    "-p -c": "-p",
    "-c first": "first",
    "-r": "",
    "-r 8f2c": "",
    "-r8f2c": "",
    "--resume": "",
    "--resume 8f2c": "",
    "--resume=8f2c": "",
    "--resume --model opus": "--model opus",
    "--resume -- first": "-- first",
    "--resume=8f2c first": "first",
    "--session-id 8f2c": "",
    "--session-id=8f2c": "",
    "--session-id= first": "first",
    "--session-id": "",
    "--resume 8f2c --fork-session --session-id 9a": "",
    "--resume 8f2c --resume-session-at 77 -p": "-p",
    "--from-pr": "",
    "--from-pr 12": "",
    "--from-pr=12 --model opus": "--model opus",
    "--teleport 8f2c --verbose": "--verbose",
    "--model opus --continue --add-dir a b": "--model opus --add-dir a b",
    "--resumed --continued --session-idle x": "--resumed --continued --session-idle x",
    "-p - first": "-p - first",
    "--permission-mode plan": "--permission-mode plan",
}


@parametrize_all("arguments", UNBOUND)
def test_a_new_start_does_not_bring_the_old_conversation_back(arguments: str) -> None:
    wanted = with_prompt(["claude", *UNBOUND[arguments].split()], "P")
    assert restart_command(["claude", *arguments.split()], "P") == wanted


def test_the_program_itself_is_no_option() -> None:
    assert restart_command(["claude", "claude", "-c"], "P") == ["claude", "claude", "P"]


WORDS = [*" ".join(UNBOUND).split(), "-", "a b", "", "=", "ü"]


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=8)), st.text(min_size=1, max_size=20))
@hypothesis.example(["--resume"], "--resume")
def test_a_new_start_ends_with_its_prompt_and_invents_nothing(
    arguments: list[str], prompt: str
) -> None:
    *rest, last = restart_command(["claude", *arguments], prompt)
    assert last == prompt
    assert rest[0] == "claude"
    kept = rest[1:-1] if rest[-1] == "--" else rest[1:]
    split = [word.replace("c", "") if set(word) <= set("-cp") else word for word in arguments]
    assert set(kept) <= {*arguments, *split}
    assert len(kept) <= len(arguments)


BEHIND = {
    "bash -c claude": "bash -c claude|--|P",
    "sh -c x /bin/claude -c": "sh -c x /bin/claude|--|P",
    "ssh -rt host claude --resume 8f2c -p": "ssh -rt host claude -p|--|P",
    "mise exec -r -- claude --continue": "mise exec -r -- claude|P",
    "my-client --continue": "my-client --continue|--|P",
}


@parametrize_all("command", BEHIND)
def test_what_starts_the_client_keeps_its_own_options(command: str) -> None:
    before, *rest = BEHIND[command].split("|")
    assert restart_command(command.split(), "P") == [*before.split(), *rest]
