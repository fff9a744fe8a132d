"""Check of the MCP server: whether what a client starts is there, and answers with tools."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

from hookd import paths
from hookd.cli.doctor.checks.result import Finding, ok, warn
from hookd.cli.install import mcp_server
from hookd.cli.install.mcp_server import Server

CHECK = "mcp"

_SECONDS = 15.0
"""Time in which a server has to list its tools."""

_VERSION = "2025-06-18"
_QUESTIONS = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": _VERSION,
            "capabilities": {},
            "clientInfo": {"name": "hookd doctor", "version": "0"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list", "params": {}},
)


def check_mcp_servers(project: Path) -> Iterator[Finding]:
    """Report each registered MCP server of hookd; nothing if there is none."""
    for server in mcp_server.registered(project):
        yield _finding(server)


def _finding(server: Server) -> Finding:
    place = f"The MCP server in {server.file}"
    again = f"hookd install --mcp{server.options}"
    if server.is_strange:
        return warn(CHECK, f"{place} is another program than hookd: {server.command}.", again)
    program = shutil.which(server.command, path=paths.search_path())
    if program is None:
        return warn(CHECK, f"{place} is not there: {server.command}.", again)
    try:
        count = len(_tools(program, server))
    except _SilentError as error:
        step = error.step or f"run it: {server.command} mcp; then {again}"
        return warn(CHECK, f"{place} does not answer: {error}", step)
    if count == 0:
        return warn(CHECK, f"{place} offers no tool.", again)
    return ok(CHECK, f"{place} answers with {count} tools.")


class _SilentError(Exception):
    """A server that did not answer, and the next step that it printed."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.step = step


def _tools(program: str, server: Server) -> list[Any]:
    """Return the tools that a server lists. Raise _SilentError."""
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in _QUESTIONS)
    env = paths.whole_environment() | dict({} if server.shared else server.environment)
    pipe = subprocess.PIPE
    try:
        with subprocess.Popen(
            [program, *server.arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=env, bufsize=0
        ) as process:
            end = Timer(_SECONDS, process.kill)
            end.start()
            try:
                return _listed(process, lines)
            finally:
                end.cancel()
                process.kill()
    except OSError as error:
        raise _SilentError(f"{error.strerror or error}.") from None


def _listed(process: "subprocess.Popen[bytes]", lines: str) -> list[Any]:
    assert process.stdin is not None  # noqa: S101 - they are pipes
    assert process.stdout is not None  # noqa: S101
    assert process.stderr is not None  # noqa: S101
    with suppress(BrokenPipeError):
        process.stdin.write(lines.encode())
    for line in process.stdout:
        with suppress(ValueError, AttributeError):
            answer = json.loads(line)
            if answer.get("id") == 2:
                tools = answer.get("result", {}).get("tools", [])
                return tools if isinstance(tools, list) else []
    said = process.stderr.read().decode("utf-8", "replace").splitlines()
    words = [one.strip() for one in said if one.strip()]
    step = next((one.removeprefix("next: ") for one in words if one.startswith("next: ")), "")
    why = next((one for one in words if not one.startswith("next: ")), "it ended in silence.")
    raise _SilentError(why.removeprefix("hookd: "), step)
