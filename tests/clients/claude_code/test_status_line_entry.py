"""hookd's status line in the settings: around the user's own command, and out again, exactly."""

import copy
import json
import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.clients.claude_code.status_line_entry import LineShim, notes, parse, unwrap, wrap
from hookd.clients.hook_groups import ShapeError
from support.parametrize import parametrize_all

SHIM = LineShim("/data/shims/user/hookd-statusline")
NEWER = LineShim("/new home/hookd-statusline")
OURS = "/data/shims/user/hookd-statusline"
OLDER = "/data/shims/hookd-statusline --socket /run/hookd.sock --transport nc:/usr/bin/nc"


def line(command: Any, **more: Any) -> dict[str, Any]:
    return {"statusLine": {"type": "command", "command": command} | more}


def ordered(value: object) -> str:
    return json.dumps(value)


def own(value: dict[str, Any]) -> str | None:
    found = parse(value)
    assert found is not None
    return found.own


def test_without_a_status_line_ours_is_the_last_key() -> None:
    assert ordered(wrap({"a": 1}, SHIM)) == ordered({"a": 1} | line(OURS))


def test_the_user_s_own_command_becomes_one_argument_and_everything_else_stays() -> None:
    before = {"a": 1, "statusLine": {"padding": 2, "command": "jq -r '.x' | tr a b", "type": "c"}}
    before["statusLine"]["type"] = "command"  # type: ignore[index]
    there = wrap(before, SHIM)
    assert list(there["statusLine"]) == ["padding", "command", "type"]
    assert shlex.split(there["statusLine"]["command"])[-2:] == ["--own", "jq -r '.x' | tr a b"]
    assert ordered(unwrap(there)) == ordered(before)


def test_a_status_line_without_an_own_command_goes_whole() -> None:
    assert unwrap(wrap({"a": 1}, SHIM) | {"b": 2}) == {"a": 1, "b": 2}


def test_an_empty_command_is_a_command() -> None:
    assert wrap(line(""), SHIM)["statusLine"]["command"] == f"{OURS} --own ''"
    assert unwrap(wrap(line(""), SHIM)) == line("")


def test_what_a_person_added_to_ours_stays_when_it_is_renewed() -> None:
    there = wrap(line("mine"), SHIM)
    there["statusLine"]["refreshInterval"] = 5
    renewed = wrap(there, NEWER)
    assert renewed["statusLine"]["refreshInterval"] == 5
    assert (own(renewed), unwrap(renewed)) == ("mine", line("mine", refreshInterval=5))


OTHERS = [
    "",
    "true",
    "it's unclosed",
    f"{OURS} | sed s/a/b/",
    f"{OURS} --own a|b",
    f"{OURS} --own a; rm x",
    f'{OURS} --own "a b"',
    f"{OURS} --own $HOME",
    f"{OURS}  --own a",
    f"{OURS} --own",
    f"{OURS} a b",
    f"sh {OURS}",
    "/x/hookd-statusline-old --own a",
    "/x/hookd-hook --own a",
]


@parametrize_all("command", OTHERS)
def test_what_a_shell_may_read_otherwise_is_not_ours(command: str) -> None:
    assert parse(line(command)) is None
    assert unwrap(line(command)) == line(command)


@parametrize_all(
    "value",
    [
        {},
        {"statusLine": None},
        {"statusLine": OURS},
        {"statusLine": [OURS]},
        {"statusLine": {"command": OURS}},
        {"statusLine": {"type": "text", "command": OURS}},
        line([OURS]),
        line(None),
    ],
)
def test_what_is_no_command_is_not_ours_and_is_never_taken_out(value: dict[str, Any]) -> None:
    assert parse(value) is None
    assert unwrap(value) == value


@parametrize_all(
    "command", ["/x/hookd-statusline", OLDER, f"{OLDER} --own mine", f"{OURS} --later x --own mine"]
)
def test_ours_is_known_by_its_name_with_the_options_of_any_version(command: str) -> None:
    found = parse(line(command))
    assert found is not None
    assert found.own == ("mine" if "--own" in command else None)


@parametrize_all(
    ("value", "message"),
    [
        ({"statusLine": None}, "statusLine must be an object"),
        ({"statusLine": "mine"}, "statusLine must be an object"),
        ({"statusLine": {}}, 'statusLine.type must be "command"'),
        ({"statusLine": {"type": "text", "text": "x"}}, 'statusLine.type must be "command"'),
        ({"statusLine": {"type": "command"}}, "statusLine.command must be text"),
        (line(["a"]), "statusLine.command must be text"),
        *[
            (line(command), "names hookd-statusline within another command line")
            for command in (OTHERS[3], OTHERS[6], OTHERS[11], "sh -c 'x/hookd-statusline'")
        ],
    ],
)
def test_what_ours_could_not_run_is_named_and_nothing_is_changed(
    value: dict[str, Any], message: str
) -> None:
    before = copy.deepcopy(value)
    with pytest.raises(ShapeError) as refused:
        wrap(value, SHIM)
    assert str(refused.value).endswith(message)
    assert value == before


def test_a_note_tells_that_a_switch_turns_it_off() -> None:
    off = {"disableAllHooks": True}
    assert [note.split()[0] for note in notes(wrap(off, SHIM))] == ["disableAllHooks"]
    assert notes(off) == notes(wrap({"disableAllHooks": False}, SHIM)) == []


# Below: any command whatever.

pieces = st.sampled_from([*"'\"\\$`;|&<>()*?#~! \t\n\r=-", "--own ", "é", "\x85", "a"])
commands = st.lists(pieces, max_size=12).map("".join) | st.text(max_size=20)
keys = st.dictionaries(st.sampled_from(["padding", "x", "own"]), st.integers(), max_size=2)
documents = st.builds(
    lambda before, first, command, last, after: (
        before
        | {"statusLine": first | {"type": "command", "command": command} | last}
        | {f"after {key}": value for key, value in after.items()}
    ),
    keys,
    keys,
    commands,
    keys,
    keys,
)
shims = st.builds(LineShim, commands.map(lambda text: f"/{text}/hookd-statusline"))


@given(documents, st.lists(shims, min_size=1, max_size=3))
def test_wrapped_as_often_as_you_like_any_command_comes_back_once(
    before: dict[str, Any], several: list[LineShim]
) -> None:
    there, original = before, copy.deepcopy(before)
    for shim in several:
        there = wrap(there, shim)
        assert own(there) == before["statusLine"]["command"]
        assert wrap(there, shim) == there
    assert ordered(unwrap(there)) == ordered(before) == ordered(original)


@given(keys, shims)
def test_without_an_own_one_the_settings_come_back(before: dict[str, Any], shim: LineShim) -> None:
    assert ordered(unwrap(wrap(before, shim))) == ordered(before)
