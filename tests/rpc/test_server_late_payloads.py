"""Payloads that do not arrive: a late one is left to the judge, a cut one to the fail policy."""

import asyncio
import json

import pytest

from hookd.rpc import bounded_reader

HEADER = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "hooks.dispatch",
    "params": {"body": True, "event": "PreToolUse", "sender": {}, "env": {}},
}


@pytest.mark.parametrize(("ends", "code"), [(False, "FAILED"), (True, "UNREADABLE")])
async def test_the_error_says_whether_the_rest_may_still_come(
    path: str, monkeypatch: pytest.MonkeyPatch, ends: bool, code: str
) -> None:
    monkeypatch.setattr(bounded_reader, "_STALL_TIMEOUT_S", 0 if not ends else 60)
    monkeypatch.setattr(bounded_reader, "_CHECK_INTERVAL_S", 0.01)
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(json.dumps(HEADER).encode() + b'\n{"tool_input": {"command": "rm -rf ~')
    if ends:
        writer.write_eof()
    assert b"hooks.accepted" in await reader.readline()
    assert json.loads(await reader.readline())["error"]["data"]["code"] == code
    writer.close()
    await writer.wait_closed()
