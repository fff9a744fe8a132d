"""What Qwen Code gets: a name, and never so many seconds that it reads them as milliseconds."""

from hookd.clients.hook_groups import Shim
from hookd.clients.qwen.registration import MORE, NAMES, entry, notes, register
from hookd.events.protocol import EVENTS

SHIM = Shim("/data/shims/qwen-user-0123abcd")


def test_an_entry_has_a_name_and_its_timeout_in_seconds() -> None:
    assert entry(EVENTS["Stop"], SHIM) == {
        "type": "command",
        "name": "hookd",
        "command": "/data/shims/qwen-user-0123abcd/Stop",
        "timeout": 30,
    }


def test_no_timeout_is_long_enough_to_be_read_as_milliseconds() -> None:
    long = Shim(SHIM.folder, deadlines=dict.fromkeys(NAMES, 5_000))
    assert {entry(EVENTS[name], long)["timeout"] for name in NAMES} == {999}


def test_what_comes_many_times_a_second_is_not_registered() -> None:
    assert not set(MORE) & set(register({}, SHIM, NAMES)["hooks"])


def test_a_switch_that_turns_all_hooks_off_is_told() -> None:
    value = register({"disableAllHooks": True}, SHIM, NAMES)
    assert notes(value) == ["disableAllHooks is true: Qwen Code runs no hooks"]
    assert notes(value | {"disableAllHooks": False}) == []
