"""Programs of clients tell their version in words of their own."""

from pathlib import Path

import pytest

from hookd.cli.lib.client_program import Program, parse, read
from support.parametrize import parametrize_all


@parametrize_all(
    ("text", "version"),
    [
        ("codex-cli 0.169.0\n", (0, 169, 0)),
        ("0.61.0\n", (0, 61, 0)),
        ("GitHub Copilot CLI 1.0.102.\nCommit: abc", (1, 0, 102)),
        ("v1.18.33", (1, 18, 33)),
        ("2.1.330 (Claude Code)", (2, 1, 330)),
        ("usage: codex [OPTIONS]", None),
        ("1.2", None),
        ("", None),
    ],
)
def test_the_first_version_counts(text: str, version: tuple[int, ...] | None) -> None:
    assert parse(text) == version


def test_a_program_is_asked_once_it_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert read("codex") == Program("")
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\necho codex-cli 0.169.0\n")
    program.chmod(0o755)
    assert read("codex") == Program(str(program), (0, 169, 0))
    assert read("codex").text == "0.169.0"
    program.write_text("#!/bin/sh\necho none\n")
    assert read("codex") == Program(str(program))
    assert read("codex").text == ""


def test_a_program_of_a_package_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, program = tmp_path / "@google/gemini-cli", tmp_path / "bin/gemini"
    (folder / "bundle").mkdir(parents=True)
    program.parent.mkdir()
    (folder / "package.json").write_text('{"name": "@google/gemini-cli", "version": "0.61.0"}')
    (folder / "bundle/gemini.js").write_text(f"#!/bin/sh\necho 9.9.9 | tee {tmp_path}/ran\n")
    (folder / "bundle/gemini.js").chmod(0o755)
    program.symlink_to(folder / "bundle/gemini.js")
    monkeypatch.setenv("PATH", str(program.parent))
    assert read("gemini") == Program(str(program), (0, 61, 0))
    assert not (tmp_path / "ran").exists()
