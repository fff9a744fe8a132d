"""The version of a client is that of the package that its process runs."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hookd.system import ancestry
from hookd.system.client_package import client_version, program_version

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@contextmanager
def running(*command: str | Path, cwd: Path | None = None) -> Iterator[str]:
    """Run a command that waits for its input to end; yield the process as PID:START."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd) as one:
        assert one.stdout is not None
        one.stdout.readline()
        process = ancestry.read(one.pid)
        assert process is not None
        yield process.id
        one.communicate()


def script(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("import sys; print(1, flush=True); sys.stdin.read()")
    return path


def package(folder: Path, name: str, version: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"name": name, "version": version}))


@pytest.mark.parametrize(
    ("name", "told", "version"),
    [
        ("@openai/codex", "0.169.0", "0.169.0"),
        ("@openai/codex", "0.169.0-linux-x64", "0.169.0"),
        ("@google/gemini-cli", "0.62.0-preview.1", "0.62.0-preview.1"),
        ("@qwen-code/qwen-code", "0.24.4", "0.24.4"),
        ("@github/copilot-linux-x64", "1.0.102", "1.0.102"),
        ("opencode-ai", "1.18.33", "1.18.33"),
        ("yargs", "17.0.0", None),
        ("@openai/codex", "\x1b[31mlatest", None),
        ("@openai/codex", 169, None),
    ],
)
def test_a_script_belongs_to_the_package_above_it(
    tmp_path: Path, name: str, told: object, version: str | None
) -> None:
    folder = tmp_path / "node_modules" / name
    package(folder, name, told)
    main = script(folder / "dist" / "index.js")
    (folder / "dist" / "package.json").write_text('{"type": "module"}')
    link = tmp_path / "bin" / "client"
    link.parent.mkdir()
    link.symlink_to(main)
    with running(sys.executable, "bin/client", cwd=tmp_path) as process:
        assert client_version(process) == version


def test_a_compiled_program_belongs_to_the_package_above_it(tmp_path: Path) -> None:
    folder = tmp_path / "node_modules/@openai/codex"
    package(folder, "@openai/codex", "0.169.0")
    program = folder / "vendor/x86_64-unknown-linux-musl/codex/codex"
    program.parent.mkdir(parents=True)
    shutil.copy(shutil.which("sh") or "/bin/sh", program)
    with running(program, "-c", "echo 1; read x") as process:
        assert client_version(process) == "0.169.0"


def test_homebrew_names_the_version_in_the_path(tmp_path: Path) -> None:
    program = tmp_path / "Cellar/codex/0.169.0/bin/codex"
    program.parent.mkdir(parents=True)
    shutil.copy(shutil.which("sh") or "/bin/sh", program)
    with running(program, "-c", "echo 1; read x") as process:
        assert client_version(process) == "0.169.0"


def test_codex_names_the_version_in_the_path_of_its_own_releases(tmp_path: Path) -> None:
    folder = tmp_path / "app-server-daemon/releases/0.169.0-x86_64-unknown-linux-musl/bin"
    program = folder / "codex"
    program.parent.mkdir(parents=True)
    shutil.copy(shutil.which("sh") or "/bin/sh", program)
    with running(program, "-c", "echo 1; read x") as process:
        assert client_version(process) == "0.169.0"
    assert program_version(folder / "other") is None
    assert program_version(tmp_path / "releases/latest/bin/codex") is None


@pytest.mark.parametrize("broken", ["{", "[]", '{"name": 1}', "[" * 100_000])
def test_a_package_that_cannot_be_read_has_no_version(tmp_path: Path, broken: str) -> None:
    folder = tmp_path / "node_modules/@openai/codex"
    main = script(folder / "index.js")
    (folder / "package.json").write_text(broken)
    with running(sys.executable, main) as process:
        assert client_version(process) is None


def test_another_process_with_the_same_id_is_not_asked(tmp_path: Path) -> None:
    folder = tmp_path / "node_modules/@openai/codex"
    package(folder, "@openai/codex", "0.169.0")
    with running(sys.executable, script(folder / "index.js")) as process:
        pid, _, start = process.partition(":")
        assert client_version(f"{pid}:{int(start) + 1}") is None
    assert client_version("") is client_version("x:1") is client_version("-1:1") is None
