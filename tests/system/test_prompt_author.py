"""Who typed a prompt: read from real processes under a real terminal."""

import os
import pty
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hookd.system.ancestry import read
from hookd.system.prompt_author import terminal_device, why_not_typed

ATTENDED = {"CLAUDE_CODE_SESSION_ATTENDED": "1"}
HOOK = "#!/bin/bash\necho $$ >&3\nread -r _ <&4\n"
CLIENT = "read -r line\nenv {variables} {shim}\n:\n"


@contextmanager
def hook(
    folder: Path,
    variables: Mapping[str, str] = ATTENDED,
    client: str = "claude",
    of_client: Mapping[str, str] | None = None,
    terminal: bool = True,
) -> Iterator[int]:
    """Run a client in a terminal, which runs a shim after a key; yield the shim's process.

    Words behind the client's name are its arguments.
    """
    client, *words = client.split()
    shim = folder / "shims/user/UserPromptExpansion"
    shim.parent.mkdir(parents=True, exist_ok=True)
    shim.write_text(HOOK)
    shim.chmod(0o755)
    (folder / client).unlink(missing_ok=True)
    (folder / client).symlink_to("/bin/bash")
    told, hold = os.pipe(), os.pipe()
    given = " ".join(f"{name}={value}" for name, value in variables.items())
    script = folder / "session.sh"
    script.write_text(CLIENT.format(variables=given, shim=shim))
    child, master = pty.fork() if terminal else fork_without_terminal()
    if not child:
        os.dup2(told[1], 3)
        os.dup2(hold[0], 4)
        environment = {"PATH": os.environ["PATH"], **(of_client or {})}
        os.execve(folder / client, [client, str(script), *words], environment)
    try:
        os.write(master, b"typed\n")
        yield int(os.read(told[0], 32))
    finally:
        os.close(hold[1])
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for number in (master, told[0], told[1], hold[0]):
            os.close(number)


def fork_without_terminal() -> tuple[int, int]:
    """Fork as pty.fork does, but with a pipe as standard input."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if not child:
        os.setsid()
        os.dup2(read_end, 0)
    return child, write_end


def now() -> datetime:
    return datetime.now(UTC)


def test_a_prompt_that_a_person_has_just_typed(tmp_path: Path) -> None:
    with hook(tmp_path) as pid:
        assert why_not_typed(pid, now()) == ""


def test_a_scheduled_prompt_comes_without_a_key(tmp_path: Path) -> None:
    with hook(tmp_path) as pid:
        why = why_not_typed(pid, now() + timedelta(seconds=60))
    assert why.startswith("nothing was typed into its terminal for ")


@pytest.mark.parametrize("attended", [{}, {"CLAUDE_CODE_SESSION_ATTENDED": "0"}])
def test_a_session_that_nobody_attends(tmp_path: Path, attended: dict[str, str]) -> None:
    with hook(tmp_path, attended) as pid:
        assert "does not say that a person attends" in why_not_typed(pid, now())


def test_a_program_that_is_no_client(tmp_path: Path) -> None:
    with hook(tmp_path, client="editor") as pid:
        assert "not a hook of a client" in why_not_typed(pid, now())
    assert "not a hook of a client" in why_not_typed(os.getpid(), now())


def test_a_client_without_a_terminal(tmp_path: Path) -> None:
    with hook(tmp_path, terminal=False) as pid:
        assert why_not_typed(pid, now()) == "the client has no terminal of its own"


def test_a_client_that_a_coding_agent_started(tmp_path: Path) -> None:
    with hook(tmp_path, of_client={"CLAUDECODE": "1"}) as pid:
        assert why_not_typed(pid, now()) == "the client was started by a coding agent"
    own = read(os.getpid())
    assert own is not None
    with hook(tmp_path) as pid:
        assert "started by a coding agent" in why_not_typed(pid, now(), {own.key})


def test_a_terminal_is_known_by_its_device(tmp_path: Path) -> None:
    with hook(tmp_path) as pid:
        assert terminal_device(pid)
    assert terminal_device(2**22 + 1) is None
