"""The plugin's setup program, run by a real bash with stand-ins for uv, Python and hookd."""

import json
import os
import pty
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

import hookd

SETUP = Path(__file__).parents[2] / "plugin/bin/hookd-plugin-setup"
VENV = f"data/hookd-{hookd.__version__}"
UV = """
echo "$*" >> "$HOME/uv.log"
case $1 in
  venv) mkdir -p "${@: -1}/bin" ;;
  pip) hookd=${5%/python}/hookd
    printf '#!/bin/bash\\necho "$*" >> "$HOME/hookd.log"\\necho connected\\n' > "$hookd"
    chmod +x "$hookd" ;;
esac
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home in which only the system's programs are on the PATH."""
    return tmp_path


def program(home: Path, name: str, text: str) -> Path:
    folder = home / "bin"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/bash\n{text}\n")
    (folder / name).chmod(0o755)
    return folder / name


def setup(home: Path, *args: str) -> tuple[int, str]:
    """Run it as /hookd:setup does; return the exit code and stdout."""
    done = subprocess.run(
        [SETUP, "--data", str(home / "data"), *args],
        env={"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def failed(home: Path) -> str:
    return (home / "data/setup.failed").read_text()


def log(home: Path, name: str) -> list[str]:
    return (home / f"{name}.log").read_text().splitlines()


def test_uv_installs_exact_versions_and_the_package_of_the_plugin(home: Path) -> None:
    program(home, "uv", UV)
    code, said = setup(home)
    assert (code, said.splitlines()[0]) == (0, "connected")
    venv = str(home / VENV)
    made, locked, own = log(home, "uv")
    assert made == f"venv --quiet --clear --python >=3.11 {venv}"
    assert f"--require-hashes -r {SETUP.parents[1]}/package/requirements/plugin.txt" in locked
    assert own.endswith(f"--no-deps --no-build-isolation {SETUP.parents[1]}/package")
    assert log(home, "hookd") == [f"plugin setup --data {home}/data"]
    assert "for your terminal: ln -s" in said
    assert (home / "data/hookd").resolve() == (home / VENV / "bin/hookd")
    assert not (home / "data/setup.failed").exists()
    assert setup(home, "--statusline")[0] == 0
    assert len(log(home, "uv")) == 3, "it was installed again"
    assert log(home, "hookd")[1].endswith("--statusline")


@pytest.mark.parametrize(("answer", "code"), [("n", 1), ("", 1), ("y", 0)])
def test_it_asks_at_a_terminal(home: Path, answer: str, code: int) -> None:
    program(home, "uv", UV)
    child, master = pty.fork()
    if not child:
        env = {"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin"}
        os.execve(SETUP, [str(SETUP), "--data", str(home / "data")], env)
    os.write(master, f"{answer}\n".encode())
    said = b""
    with suppress(OSError):  # Linux: the terminal's other end has been closed
        while part := os.read(master, 4096):
            said += part
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(master)
    assert (status, (home / "uv.log").exists()) == (code, not code), said
    assert b"and its dependencies into" in said


def test_the_environment_of_an_older_version_is_removed_by_the_next_setup(home: Path) -> None:
    program(home, "uv", UV)
    old = home / "data/hookd-0.0.1"
    old.mkdir(parents=True)
    (old / "ready").touch()
    assert setup(home)[0] == 0
    assert old.exists(), "the daemon may still run from it"
    assert setup(home)[0] == 0
    assert not old.exists()


def test_a_hookd_of_the_user_s_own_is_used(home: Path) -> None:
    program(home, "uv", UV)
    program(home, "hookd", 'echo "$*" >> "$HOME/hookd.log"; echo connected')
    assert setup(home) == (0, "connected\n")
    assert log(home, "hookd") == [f"plugin setup --data {home}/data"]
    assert not (home / "uv.log").exists()


def test_a_failed_installation_leaves_its_reason_and_can_be_repeated(home: Path) -> None:
    program(home, "uv", 'echo "error: no network" >&2; exit 1')
    code, said = setup(home)
    assert code == 1
    assert said.startswith("hookd is not set up: error: no network; see ")
    assert "next: install uv" in said
    assert failed(home).startswith("error: no network; see ")
    program(home, "uv", UV)
    assert setup(home)[0] == 0
    assert not (home / "data/setup.failed").exists()


def test_a_setup_that_was_killed_leaves_a_reason(home: Path) -> None:
    program(home, "uv", 'kill -9 "$PPID"')
    assert setup(home)[0] == -9
    assert failed(home).startswith("setup was interrupted; see ")
    program(home, "uv", UV)
    assert setup(home)[0] == 0, "the lock of a process that has ended holds"


def test_one_setup_runs_at_a_time(home: Path) -> None:
    (home / "data/setup.lock").mkdir(parents=True)
    (home / "data/setup.lock/pid").write_text(f"{os.getpid()}\n")
    code, said = setup(home)
    assert (code, said.splitlines()[0]) == (1, f"another setup runs (process {os.getpid()})")


def test_a_hookd_that_is_too_old_is_named(home: Path) -> None:
    own = program(home, "hookd", "echo \"Error: No such command 'plugin'.\" >&2; exit 2")
    code, said = setup(home)
    assert (code, said.splitlines()[0]) == (
        1,
        f"hookd is not set up: {own} is older than the plugin",
    )
    assert failed(home) == f"{own} is older than the plugin\n"


@pytest.mark.parametrize("option", ["--fast", "x y", "$(touch ran)"])
def test_an_unknown_option_changes_nothing(home: Path, option: str) -> None:
    code, said = setup(home, option)
    assert code == 2
    assert said.startswith("hookd-plugin-setup does not know ")
    assert not (home / "data").exists()


def test_it_finds_the_data_folder_of_the_plugin_without_an_option(home: Path) -> None:
    own = home / ".claude/plugins/data/hookd-market"
    own.mkdir(parents=True)
    program(home, "hookd", 'echo "$*"')
    env = {"HOME": str(home), "PATH": f"{home}/bin:/usr/bin:/bin"}
    done = subprocess.run([SETUP], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == f"plugin setup --data {own}\n"


def test_the_command_passes_on_what_was_typed() -> None:
    text = (SETUP.parents[1] / "commands/setup.md").read_text()
    assert '!`hookd-plugin-setup --yes --data "${CLAUDE_PLUGIN_DATA}" $ARGUMENTS || true`' in text
    manifest = json.loads((SETUP.parents[1] / ".claude-plugin/plugin.json").read_text())
    assert manifest["version"] == hookd.__version__
