"""Shared options: --scope, --project-dir, and former names that print one line of deprecation."""

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from hookd.cli.lib.options import former_option, project_dir_option, scope_option


@click.command()
@scope_option(former=("--to", "--project", "--local"))
@project_dir_option(former="--folder")
@click.option("--forward-env", "names", multiple=True)
@former_option("--send", "--forward-env", "names", multiple=True)
def command(**options: Any) -> None:
    click.echo(repr({name: value for name, value in sorted(options.items()) if value}))


@pytest.mark.parametrize(
    ("words", "options", "deprecated"),
    [
        ([], {"scope": "user"}, ""),
        (["--scope", "local"], {"scope": "local"}, ""),
        (["--to", "local"], {"scope": "local"}, "--to is deprecated; use --scope"),
        (
            ["--project"],
            {"scope": "project"},
            "--project is deprecated; use --scope project",
        ),
        (["--project-dir", "/"], {"project_dir": Path("/"), "scope": "user"}, ""),
        (
            ["--folder", "/"],
            {"project_dir": Path("/"), "scope": "user"},
            "--folder is deprecated; use --project-dir",
        ),
        (
            ["--send", "A", "--send", "B"],
            {"names": ("A", "B"), "scope": "user"},
            "--send is deprecated; use --forward-env",
        ),
    ],
)
def test_a_former_name_is_accepted_with_one_line_of_deprecation(
    words: list[str], options: dict[str, Any], deprecated: str
) -> None:
    result = CliRunner().invoke(command, words)
    assert (result.exit_code, result.stdout) == (0, f"{options}\n")
    assert result.stderr == (f"hookd: {deprecated}\n" if deprecated else "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--project", "--local"], "--project and --local exclude each other."),
        (["--scope", "user", "--local"], "--local and --scope exclude each other."),
        (["--forward-env", "A", "--send", "B"], "--send and --forward-env exclude each other."),
    ],
)
def test_an_option_and_its_former_name_exclude_each_other(words: list[str], sentence: str) -> None:
    result = CliRunner().invoke(command, words)
    assert result.exit_code == 2
    assert "exclude each other." in result.stderr
    assert all(word in result.stderr for word in sentence.split())


def test_former_names_are_hidden() -> None:
    text = CliRunner().invoke(command, ["--help"]).stdout
    assert "--scope [user|project|local]" in text
    assert "--project-dir DIR" in text
    assert not [name for name in ("--to", "--local", "--folder", "--send") if name in text]
