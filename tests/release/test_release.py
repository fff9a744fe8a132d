"""A tag is released if the code and the changelog are of its version; the notes are the entries."""

import subprocess
import sys
from pathlib import Path

import pytest

from hookd import __version__
from support.paths import ROOT

SCRIPT = ROOT / "packaging" / "release.py"
TAG = f"v{__version__}"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "packaging").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "packaging" / SCRIPT.name).write_bytes(SCRIPT.read_bytes())
    return tmp_path


def release(tree: Path, heading: str, act: str, tag: str) -> subprocess.CompletedProcess[str]:
    older = "## 0.0.1 (2026-01-31)\n\n- Old.\n"
    text = f"# Changelog\n\n{heading}\n\n- One,\n  and more.\n- Two.\n\n{older}"
    (tree / "docs" / "changelog.md").write_text(text, "utf-8")
    command = [sys.executable, tree / "packaging" / SCRIPT.name, act, tag]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_dated_section_of_the_version_is_released(tree: Path) -> None:
    heading = f"## {__version__} (2026-12-01)"
    done = release(tree, heading, "check", TAG)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{TAG} can be released: 2 entries of {heading[3:]}\n"
    assert release(tree, heading, "notes", TAG).stdout == "- One, and more.\n- Two.\n"


@pytest.mark.parametrize(
    ("heading", "tag", "said"),
    [
        (f"## {__version__} (not released)", TAG, "The changelog begins with "),
        ("## Unreleased", TAG, "The changelog begins with Unreleased"),
        ("## 99.0.0 (2026-12-01)", TAG, "The changelog begins with 99.0.0"),
        (f"## {__version__} (2026-12-01)", "v99.0.0", "The tag is v99.0.0, but the code is "),
    ],
)
def test_what_does_not_agree_is_said_with_the_next_step(
    tree: Path, heading: str, tag: str, said: str
) -> None:
    for act in ("check", "notes"):
        done = release(tree, heading, act, tag)
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr
        assert "  next: " in done.stderr
