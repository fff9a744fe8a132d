"""Laws of events: each is known, reachable, recorded and registered."""

import json
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hookd.clients.claude_code.registration import register
from hookd.clients.hook_groups import Shim
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.after_commit import ReadTranscript
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.events.model import HookInput, ToolInput
from hookd.events.protocol import EVENTS, EventSpec
from hookd.methods import HOOKS
from hookd.pipeline.evaluation import PolicyEngine
from hookd.rpc.jsonrpc import Request
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher

PAYLOADS = sorted((Path(__file__).parent.parent / "payloads").glob("*.json"))
PAYLOAD = pytest.mark.parametrize("path", PAYLOADS, ids=lambda path: path.stem)
EVENT = pytest.mark.parametrize("spec", EVENTS.values(), ids=EVENTS)
SHIM = Shim("/home/user/shims/user")
NOT_REGISTERED = {"MessageDisplay", "WorktreeCreate", "WorktreeRemove"}
MOST = 600
"""Seconds that the client gives a command at most where it is not told."""


async def late(effect: AfterCommitEffect) -> None:
    assert isinstance(effect, ReadTranscript), "nothing else of an event waits for the commit"


@pytest.fixture
async def dispatcher(tmp_path: Path) -> AsyncIterator[QuietDispatcher]:
    path = tmp_path / "hookd.db"
    with closing(WriterThread(open_database(path))) as writer:
        reader = Reader(path)
        yield make_dispatcher(writer, reader, PolicyEngine(RuntimeConfig()), after_commit=late)
        await reader.close()


async def rows(dispatcher: QuietDispatcher, sql: str) -> list[Any]:
    return await dispatcher.writer.run(lambda db: db.execute(sql).fetchall())


def sent(path: Path) -> bytes:
    """Return a payload as the client sends it: one line."""
    return json.dumps(read(path)).encode() + b"\n"


def read(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return value


@EVENT
async def test_every_event_is_reached_by_dispatch_and_recorded(
    spec: EventSpec, dispatcher: QuietDispatcher
) -> None:
    payload = {"hook_event_name": spec.name, "session_id": "s", "cwd": "/work/orders"}
    if issubclass(HOOKS[spec.name].params if spec.name in HOOKS else HookInput, ToolInput):
        payload |= {"tool_name": "Bash", "tool_input": {"command": "ls"}}  # type: ignore[dict-item]
    asked = Request("hooks.dispatch", {"event": payload}, 1, notification=False)
    assert await dispatcher.call(asked) == b"null"
    answered = await dispatcher.event(spec.name, {}, json.dumps(payload).encode())
    assert answered.answer == b"null"
    kept = await rows(dispatcher, "SELECT event, decision, answer FROM events")
    assert {row[0] for row in kept} == {spec.name}
    assert {row[1:] for row in kept} == {(None, None)}


@PAYLOAD
async def test_what_the_real_client_sends_is_read_and_recorded(
    path: Path, dispatcher: QuietDispatcher
) -> None:
    payload = read(path)
    name = payload["hook_event_name"]
    answer = (await dispatcher.event(name, {}, sent(path))).answer
    assert answer == b"null"
    assert await rows(dispatcher, "SELECT event, claude_session_id, decision FROM events") == [
        (name, payload["session_id"], None)
    ]


@PAYLOAD
def test_what_the_real_client_sends_fits_the_models(path: Path) -> None:
    payload = read(path)
    name = payload["hook_event_name"]
    event = (HOOKS[name].params if name in HOOKS else HookInput).model_validate(payload)
    assert event.model_dump(exclude_unset=True) == payload


def test_of_every_event_there_is_something_that_the_real_client_sent() -> None:
    assert {read(path)["hook_event_name"] for path in PAYLOADS} == set(EVENTS)


@PAYLOAD
def test_a_matcher_is_tested_against_a_field_that_the_event_has(path: Path) -> None:
    payload = read(path)
    field = EVENTS[payload["hook_event_name"]].match
    assert field is None or field in payload


def test_every_event_but_three_is_registered() -> None:
    assert {spec.name for spec in EVENTS.values() if not spec.registered} == NOT_REGISTERED


def test_what_is_registered_is_what_the_table_says() -> None:
    chosen = [spec.name for spec in EVENTS.values() if spec.registered]
    hooks = register({}, SHIM, chosen)["hooks"]
    assert set(hooks) == set(EVENTS) - NOT_REGISTERED
    for name, groups in hooks.items():
        ((entry,),) = (group["hooks"] for group in groups)
        assert entry["timeout"] == EVENTS[name].timeout
        assert (entry["command"], entry["args"]) == (f"/home/user/shims/user/{name}", [])


@EVENT
def test_the_shim_gives_up_before_the_client_does(spec: EventSpec) -> None:
    assert 0 < spec.deadline < spec.timeout <= MOST


@EVENT
def test_a_method_is_called_by_its_event(spec: EventSpec) -> None:
    assert spec.method.startswith("hooks.")
    assert spec.method[6].islower()


def test_the_events_that_have_methods_are_events() -> None:
    assert HOOKS.keys() <= EVENTS.keys()
