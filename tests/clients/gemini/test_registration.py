"""What Gemini CLI gets: a name, milliseconds, and no process at each request to a model."""

from typing import Any

from hookd.clients.gemini.registration import MORE, NAMES, entry, notes, register, switched_off
from hookd.clients.hook_groups import Shim
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all

SHIM = Shim("/data/shims/gemini-user-0123abcd")


def test_an_entry_has_a_name_and_its_timeout_in_milliseconds() -> None:
    assert entry(EVENTS["PreToolUse"], SHIM) == {
        "type": "command",
        "name": "hookd",
        "command": "/data/shims/gemini-user-0123abcd/PreToolUse",
        "timeout": 15_000,
    }


def test_what_comes_at_each_request_to_a_model_is_not_registered() -> None:
    hooks = register({}, SHIM, NAMES)["hooks"]
    assert not set(MORE) & set(hooks)
    assert {name: group["matcher"] for name, (group,) in hooks.items() if "matcher" in group} == {
        "PreCompress": "manual"
    }


@parametrize_all(
    ("config", "named"),
    [
        ({"enabled": False}, "hooksConfig.enabled"),
        ({"disabled": ["lint", "hookd"]}, "hooksConfig.disabled"),
        ({"disabled": ["lint"], "enabled": True}, ""),
        ("?", ""),
    ],
)
def test_a_switch_that_keeps_our_entries_from_running_is_told(config: Any, named: str) -> None:
    value = register({"hooksConfig": config}, SHIM, NAMES)
    assert switched_off(value).startswith(named)
    assert len(notes(value)) == bool(named)
