"""The plugin's command `hookd`: it runs the connected hookd with the command's own stdin."""

import subprocess
from pathlib import Path

import pytest
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client

COMMAND = Path(__file__).parents[2] / "plugin/bin/hookd"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The plugin's data folder, connected with a program that prints its words and its stdin."""
    program, scope, data = (tmp_path / name for name in ("real", "shims/plugin-1", "data"))
    program.write_text('#!/bin/bash\necho "$@"\n[[ -e /dev/fd/3 ]] && echo open\nexec cat\n')
    program.chmod(0o755)
    scope.mkdir(parents=True)
    data.mkdir()
    (scope / "config").write_text(f"socket /s\nhookd {program}\npython /p\n")
    (data / "scope").write_text(f"{scope}\n")
    return data


def run(data: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": "/usr/bin:/bin", "HOME": str(data), "CLAUDE_PLUGIN_DATA": str(data)}
    return subprocess.run(
        [COMMAND, *words], env=env, input="one\ntwo\n", capture_output=True, text=True, check=False
    )


def test_the_program_gets_the_words_and_the_standard_input(data: Path) -> None:
    done = run(data, "log", "-")
    assert (done.returncode, done.stdout) == (0, "log -\none\ntwo\n")


def test_without_a_connected_hookd_it_names_the_setup(data: Path) -> None:
    (data / "scope").unlink()
    done = run(data, "log", "-")
    assert (done.returncode, done.stdout) == (1, "")
    assert "Next: type /hookd:setup" in done.stderr


@pytest.mark.gate
async def test_without_a_connected_hookd_the_server_says_what_to_do(data: Path) -> None:
    (data / "scope").unlink()
    env = {"PATH": "/usr/bin:/bin", "HOME": str(data), "CLAUDE_PLUGIN_DATA": str(data)}
    server = StdioServerParameters(command=str(COMMAND), args=["mcp"], env=env)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        begun = await session.initialize()
        (tool,) = (await session.list_tools()).tools
        told = await session.call_tool(tool.name, {})
    step = "hookd is not set up. Next: type /hookd:setup, then /mcp and reconnect hookd"
    assert (begun.server_info.name, begun.instructions) == ("hookd", step)
    assert (told.is_error, told.content[0].text) == (True, step)


def test_a_server_that_starts_before_the_setup_ends_waits_for_it(data: Path) -> None:
    scope = (data / "scope").read_text()
    (data / "scope").unlink()
    env = {"PATH": "/usr/bin:/bin", "HOME": str(data), "CLAUDE_PLUGIN_DATA": str(data)}
    pipe = subprocess.PIPE
    with subprocess.Popen([COMMAND, "mcp"], env=env, stdin=pipe, stdout=pipe, text=True) as server:
        (data / "scope").write_text(scope)
        out, _ = server.communicate("one\n", timeout=30)
    assert (server.returncode, out) == (0, "mcp\none\n")
