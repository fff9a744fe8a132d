"""The man page: every command, in roff that the formatters accept, the same on each run."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli import COMMANDS, main
from support.paths import ROOT

PAGE = ROOT / "docs" / "man" / "hookd.1"
TEXT = PAGE.read_text("utf-8")


def module() -> Any:
    """Return docs/man_page.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("man_page", ROOT / "docs" / "man_page.py")
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


ESCAPED = module().escaped


def formatted(text: str) -> str:
    """Return what groff prints of a text, on one long line."""
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", "-rLL=900n"],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr == ""
    return re.sub(r"\x1b\[\d*m|.\x08", "", done.stdout)


def test_every_command_has_its_usage_and_its_sentence() -> None:
    top = click.Context(main, info_name="hookd")
    for name, (group, _, sentence) in COMMANDS.items():
        assert (f".B {name}\n" in TEXT) is bool(group)
        command = main.get_command(top, name)  # type: ignore[attr-defined]
        for below in getattr(command, "commands", {}):
            assert ESCAPED(f"hookd {name} {below}") in TEXT
        assert ESCAPED(sentence) in TEXT


def test_the_page_is_ascii_and_no_line_of_text_is_a_request() -> None:
    assert TEXT.isascii()
    known = {".TH", ".SH", ".SS", ".TP", ".B", ".PP", ".RS", ".RE", ".nf", ".fi", '.\\"'}
    assert {line.split()[0] for line in TEXT.splitlines() if line.startswith(".")} <= known
    assert not [line for line in TEXT.splitlines() if line.startswith("'")]


@pytest.mark.skipif(not shutil.which("groff"), reason="there is no groff")
def test_groff_accepts_the_page_without_a_warning() -> None:
    text = formatted(TEXT)
    assert "hookd guard add [OPTIONS] NAME [PATTERN]..." in text
    assert "hookd guard add no-force 'Bash(git push --force *)'" in text


@pytest.mark.skipif(not shutil.which("mandoc"), reason="there is no mandoc")
def test_mandoc_accepts_the_page_without_a_warning() -> None:
    done = subprocess.run(
        ["mandoc", "-Tlint", "-Wwarning", str(PAGE)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_page_depends_on_no_terminal_place_or_time() -> None:
    code = (
        "import sys; sys.path.insert(0, 'docs'); import generate; print('\\n'.join(generate.man()))"
    )
    env = {"PATH": os.environ["PATH"], "HOME": "/nowhere", "COLUMNS": "40", "TZ": "Asia/Tokyo"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == TEXT


@pytest.mark.skipif(not shutil.which("groff"), reason="there is no groff")
def test_any_line_is_printed_as_it_is() -> None:
    lines = [".hookd", "'quoted'", "\\n \\fB", '`a` "b" ~ ^ -n', "..", '.\\" x', "%$#@!{}[]|"]
    text = "\n".join((".TH X 1", ".SH A", ".nf", *map(ESCAPED, lines)))
    printed = [line.strip() for line in formatted(text).splitlines()]
    assert [line for line in printed if line in lines] == lines


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_any_text_becomes_ascii_without_requests(text: str) -> None:
    made = ESCAPED(text)
    assert made.isascii()
    assert not made.startswith((".", "'"))
