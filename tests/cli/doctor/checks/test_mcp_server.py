"""What doctor finds of the registered MCP server: it is started and asked for its tools."""

import json
from pathlib import Path

import pytest

from hookd.cli.mcp.tools import TOOLS
from support.doctor_home import Scene, scene_in
from support.home import HOOKD, Home


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Scene:
    return scene_in(home, monkeypatch)


def register(scene: Scene, command: object, *, shared: bool = False) -> Path:
    folder = scene.project if shared else scene.home.path
    file = folder / (".mcp.json" if shared else ".claude.json")
    entry = {"type": "stdio", "command": str(command), "args": ["mcp"]}
    file.write_text(json.dumps({"mcpServers": {"hookd": entry}}))
    return file


def program(scene: Scene, text: str) -> Path:
    file = scene.home.path / "server"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_without_a_registration_there_is_no_finding(scene: Scene) -> None:
    assert scene.found("mcp") == []


def test_a_server_that_answers_is_fine_without_a_daemon(scene: Scene) -> None:
    file = register(scene, HOOKD)
    says = f"The MCP server in {file} answers with {len(TOOLS)} tools."
    assert scene.found("mcp") == [("ok", says)]


@pytest.mark.parametrize(
    ("text", "what", "step"),
    [
        ("exit 1", "it ended in silence.", "run it: "),
        (
            "echo 'hookd: It needs mcp.' >&2; echo '  next: pip install mcp' >&2",
            "It needs mcp.",
            "pip install mcp",
        ),
        ("read a; echo no JSON; read b; read c", "it ended in silence.", "run it: "),
    ],
)
def test_a_server_that_fails_has_its_reason_and_step(
    text: str, what: str, step: str, scene: Scene
) -> None:
    file = register(scene, program(scene, text))
    (finding,) = scene.findings("mcp")
    assert finding.what == f"The MCP server in {file} does not answer: {what}"
    assert (finding.next or "").startswith(step)


def test_a_server_without_tools_or_that_is_gone_is_named(scene: Scene) -> None:
    answer = '{"jsonrpc": "2.0", "id": 2, "result": {"tools": []}}'
    file = register(scene, program(scene, f"echo '{answer}'"))
    (finding,) = scene.findings("mcp")
    assert finding.what == f"The MCP server in {file} offers no tool."
    register(scene, "/gone/hookd")
    (finding,) = scene.findings("mcp")
    assert finding.what == f"The MCP server in {file} is not there: /gone/hookd."
    assert finding.next == "hookd install --mcp"


def test_a_project_s_file_cannot_have_doctor_run_a_program(scene: Scene) -> None:
    ran = scene.home.path / "ran"
    file = register(scene, program(scene, f"touch {ran}"), shared=True)
    (finding,) = scene.findings("mcp")
    assert f"The MCP server in {file} is another program than hookd" in finding.what
    assert finding.next == "hookd install --mcp --scope project"
    assert not ran.exists()
