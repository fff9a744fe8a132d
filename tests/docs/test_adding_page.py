"""The examples of docs/adding.md work: pasted into a copy of the tree, they pass the laws."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

PAGE = (ROOT / "docs" / "adding.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"(?s)\n`([\w/]+\.py)`;.*?```python\n(.*?)```", PAGE))


TABLES = [
    ("policies/__init__.py", "from hookd.policies import (\n", "    friday_evening,\n"),
    ("policies/__init__.py", "POLICIES: tuple[Policy, ...] = (\n", "    friday_evening.POLICY,\n"),
    ("methods/__init__.py", "_NAMES = (\n", '    "skill.names",\n'),
    (
        "cli/__init__.py",
        "COMMANDS = {\n",
        '    "names": ("Work", "work.names", "Print the names of all skills."),\n',
    ),
]
"""Lines that the page says to add to tables: file, the text before it, the line."""

LAWS = (
    "tests/laws/test_law_policies.py",
    "tests/laws/test_law_methods.py",
    "tests/laws/test_law_terminal.py",
    "tests/policies/test_policies_examples.py",
    "tests/methods/test_methods_examples.py",
)
NEW = "friday or skill.names or (terminal and names) or every_file"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the tree to which the page's policy, method and command were added."""
    copy = tmp_path_factory.mktemp("adding")
    for name in ("daemon", "tests", "docs"):
        shutil.copytree(ROOT / name, copy / name)  # with compiled modules, which stay valid
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, copy)
    for path, code in EXAMPLES.items():
        (copy / "daemon/hookd" / path).write_text(code)
    return copy


def add_lines(tree: Path) -> None:
    """Add the lines to the tables."""
    for name, mark, line in TABLES:
        path = tree / "daemon/hookd" / name
        text = path.read_text("utf-8")
        before, found, after = text.partition(mark)
        assert found, mark
        path.write_text(before + found + line + after)


def run(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program in the copy."""
    env = os.environ | {"PYTHONPATH": str(tree / "daemon"), "HOME": str(tree)}
    return subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_page_has_a_policy_a_method_and_a_command() -> None:
    assert list(EXAMPLES) == [
        "policies/friday_evening.py",
        "methods/skill/names.py",
        "cli/work/names.py",
    ]


@pytest.mark.slow
def test_without_their_lines_in_the_tables_a_law_fails_and_with_them_all_pass(tree: Path) -> None:
    laws = ("-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-x", "-k", NEW, *LAWS)
    missing = run(tree, *laws)
    assert missing.returncode == 1
    assert "test_the_table_holds_every_file" in missing.stdout
    add_lines(tree)
    done = run(tree, *laws)
    assert done.returncode == 0, done.stdout[-3_000:]
    assert "friday-evening" in run(tree, "-m", "hookd", "policies", "list", "--json").stdout
    assert "hookd names --json" in run(tree, "-m", "hookd", "names", "--help").stdout
    assert '"skill.names"' in run(tree, "-c", CATALOGUE).stdout


CATALOGUE = "import json; from hookd.methods import METHODS; print(json.dumps(list(METHODS)))"
