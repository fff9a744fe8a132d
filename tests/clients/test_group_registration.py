"""What each client with groups of hooks gets, and which of its entries are ours."""

import json
from types import ModuleType
from typing import Any

from hookd.clients.adapters import adapter_of
from hookd.clients.codex import registration as codex
from hookd.clients.gemini import registration as gemini
from hookd.clients.group_registration import shell_program
from hookd.clients.hook_groups import Shim
from hookd.clients.qwen import registration as qwen
from hookd.core.model.shim_paths import link_event
from hookd.events.protocol import EVENTS
from support.parametrize import parametrize_all
from support.payloads import PAYLOADS, payload

FOREIGN: dict[str, Any] = {"type": "command", "command": "/home/ana/bin/lint"}
MODULES: dict[str, ModuleType] = {"codex": codex, "gemini": gemini, "qwen": qwen}
DOCUMENTED = {
    "qwen": {
        *("UserPromptExpansion", "PermissionDenied", "StopFailure", "PreCompact", "PostCompact"),
        *("TodoCreated", "TodoCompleted", "SessionDelete"),
    }
}
"""Events of a client by its documentation alone, for which no payload was captured."""


def shim(client: str) -> Shim:
    return Shim(f"/my data/shims/{client}-user-0123abcd")


@parametrize_all("client", MODULES)
def test_every_event_runs_the_link_that_hookd_s_name_gives(client: str) -> None:
    module = MODULES[client]
    assert set(module.NAMES) <= set(EVENTS)
    value = module.register({}, shim(client), module.NAMES)
    assert list(value["hooks"]) == list(module.NAMES.values())
    links = {theirs: link_event(path) for theirs, path in module.programs(value)}
    assert links == {theirs: name for name, theirs in module.NAMES.items()}
    assert module.registered(value) == list(module.NAMES)


@parametrize_all("client", MODULES)
def test_the_names_of_events_are_those_in_the_payloads_of_the_client(client: str) -> None:
    module, decode = MODULES[client], adapter_of(client).decode
    captured = [payload(f"{client}/{path.stem}") for path in (PAYLOADS / client).glob("*.json")]
    sent = [one for one in captured if "hook_event_name" in one]
    documented = DOCUMENTED.get(client, set())
    own = {one["hook_event_name"] for one in sent}
    assert {*module.NAMES.values(), *module.MORE} == own | documented
    read = {(decode.normalize(one, "")["hook_event_name"], one["hook_event_name"]) for one in sent}
    assert module.NAMES.items() <= read | {(name, name) for name in documented}


@parametrize_all("client", MODULES)
def test_a_second_registration_changes_nothing(client: str) -> None:
    module = MODULES[client]
    foreign = {"hooks": {"PreToolUse": [{"matcher": "x", "hooks": [FOREIGN]}], "_why": "mine"}}
    once = module.register(foreign, shim(client), module.NAMES)
    assert json.dumps(module.register(once, shim(client), module.NAMES)) == json.dumps(once)
    assert module.unregister(once) == foreign


@parametrize_all("client", MODULES)
def test_a_person_s_matcher_is_told_and_hookd_s_own_is_not(client: str) -> None:
    module = MODULES[client]
    value = module.register({}, shim(client), module.NAMES)
    assert module.notes(value) == []
    theirs = module.NAMES["PreToolUse"]
    value["hooks"][theirs][0]["matcher"] = "Bash"
    assert [note.split(":")[0] for note in module.notes(value)] == [theirs]


@parametrize_all(
    ("hook", "path"),
    [
        ({"type": "command", "command": "/x/shims/codex-user/Stop"}, "/x/shims/codex-user/Stop"),
        ({"type": "command", "command": "'/x y/shims/user/Stop'"}, "/x y/shims/user/Stop"),
        ({"type": "command", "command": "/x/shims/codex-user/Stop 2>&1"}, None),
        ({"type": "command", "command": "true; /x/shims/codex-user/Stop"}, None),
        ({"type": "command", "command": '"/x/shims/codex-user/Stop"'}, None),
        ({"type": "command", "command": "'/x/shims/codex-user/Stop"}, None),
        ({"type": "command", "command": "/x/shims/cursor-user/Stop"}, None),
        ({"type": "command", "command": "/x/shims/codex-user/BeforeTool"}, None),
        ({"type": "command", "command": ["/x/shims/codex-user/Stop"]}, None),
        ({"type": "http", "command": "/x/shims/codex-user/Stop"}, None),
        ({}, None),
    ],
)
def test_only_a_command_that_is_a_link_alone_is_ours(
    hook: dict[str, Any], path: str | None
) -> None:
    assert shell_program(hook) == path
