"""The client that runs a hook, read from real processes under a real terminal."""

import sys
from pathlib import Path

import pytest

from hookd.system.running_client import in_shared_server, running_client
from system.test_prompt_author import hook

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only /proc tells it")


def test_the_client_above_a_hook_has_its_terminal_and_its_variables(tmp_path: Path) -> None:
    with hook(tmp_path, client="gemini", of_client={"CI": "true"}) as pid:
        found = running_client(pid)
    assert found is not None
    assert found.args[0] == "gemini"
    assert b"CI=true" in found.variables
    assert found.stdin.startswith("/dev/pts/")
    assert found.stdout == found.stdin


def test_a_process_without_a_client_above_it_is_unknown() -> None:
    assert running_client(1) is None
    assert running_client(2**22 + 1) is None


@pytest.mark.parametrize(
    ("client", "shares"),
    [("codex app-server", True), ("codex exec", False), ("gemini app-server", False)],
)
def test_a_server_of_several_windows_is_known_by_its_subcommand(
    tmp_path: Path, client: str, shares: bool
) -> None:
    with hook(tmp_path, client=client) as pid:
        assert in_shared_server(pid) is shares


def test_a_process_that_has_ended_is_no_server() -> None:
    assert not in_shared_server(2**22 + 1)
