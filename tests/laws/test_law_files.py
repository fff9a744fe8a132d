"""Laws of files: each is short, has a docstring, and names no machine."""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

import hookd
from hookd.store.database import MIGRATIONS, SCHEMA
from support.parametrize import parametrize_all

PACKAGE = Path(hookd.__file__).parent
ROOT = PACKAGE.parent.parent
SHIMS = sorted(path for path in (PACKAGE / "shims").iterdir() if path.is_file())
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
OURS = [".ci", "bench", "daemon", "docs", "examples", "packaging", "tests"]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def texts() -> list[Path]:
    """Return every file of the project that people read, made things left out."""
    found = [path for path in ROOT.iterdir() if path.is_file()]
    for top in OURS:
        for folder, folders, files in os.walk(ROOT / top):
            folders[:] = [one for one in folders if one != "__pycache__"]
            found += [Path(folder, file) for file in files]
    return sorted(found)


@parametrize_all("path", [*MODULES, *SHIMS], ids=name)
def test_no_file_of_the_package_is_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 500


POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\{?[0-9]*,?[0-9]*\}\}?)\+")


@parametrize_all("path", MODULES, ids=name)
def test_no_pattern_repeats_a_group_possessively(path: Path) -> None:
    # Python before 3.11.5 matches it wrongly (CPython issue 106052): write (?>(?:...)*).
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    assert [at for at, line in lines if POSSESSIVE_GROUP.search(line)] == []


LONG_FUNCTIONS = {
    "daemon/hookd/store/facts/requested.py:_row": "one match over all requests of rows",
    "daemon/hookd/store/writes/sessions.py:statements": "one match over all effects on sessions",
}
"""Functions of more than 50 lines, and why each is read best in one piece."""


def functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield each function of a module with its lines, those within others included."""
    waiting: list[ast.AST] = [ast.parse(source)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or 0) - node.lineno + 1
        # Expressions have no functions with a name, and are most of a module.
        waiting += (one for one in ast.iter_child_nodes(node) if not isinstance(one, ast.expr))


def test_functions_within_others_are_measured() -> None:
    source = "class A:\n def a(self):\n  if a:\n   def b():\n    pass\n  return 1\n"
    assert set(functions(source)) == {("a", 5), ("b", 2)}


def test_no_function_is_long() -> None:
    lengths = {
        f"{name(path)}:{function}": lines
        for path in MODULES
        for function, lines in functions(path.read_text("utf-8"))
    }
    assert {key for key, lines in lengths.items() if lines > 50} == LONG_FUNCTIONS.keys()


@parametrize_all("path", MODULES, ids=name)
def test_every_module_begins_with_its_subject(path: Path) -> None:
    said = re.match(r'r?"""(\S[\s\S]*?)"""\n', path.read_text("utf-8"))
    assert said, "there is no docstring"
    first = said[1].partition("\n\n")[0]
    assert first[-1] in ".:", first
    assert first[0].isupper() or not first[0].isalpha(), first


@parametrize_all("path", TESTS, ids=name)
def test_every_file_of_tests_has_a_docstring(path: Path) -> None:
    assert re.match(r'r?"""\S', path.read_text("utf-8")), "there is no docstring"


FOREIGN = [
    "shared" + "/design",
    "shared" + "/protocol",
    "/" + "root/",
    "issue" + " #",
    "Co-" + "Authored",
]


def test_no_text_names_a_machine_or_how_it_was_made() -> None:
    told = []
    for path in texts():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        told += [f"{name(path)}: {word}" for word in FOREIGN if word in text]
    assert told == []


def test_no_file_has_conflict_markers() -> None:
    marker = re.compile(rb"^(?:<{7}|>{7}|\|{7}) ", re.MULTILINE)
    assert [name(path) for path in texts() if marker.search(path.read_bytes())] == []


def test_the_schema_and_the_shims_are_seen_at_the_top() -> None:
    assert (ROOT / "schema.sql").resolve() == PACKAGE / "store" / "schema.sql"
    assert (ROOT / "shims").resolve() == PACKAGE / "shims"


def test_migrations_are_numbered_one_by_one() -> None:
    steps = sorted(path.name[:4] for path in (PACKAGE / "store" / "migrations").iterdir())
    assert steps == [f"{number:04}" for number in range(2, 2 + len(steps))]


def test_migrations_have_numbers_of_their_own_and_the_schema_has_the_last() -> None:
    steps = sorted(MIGRATIONS.glob("*.sql"))
    numbers = [int(step.name[:4]) for step in steps]
    assert numbers == list(range(2, 2 + len(steps)))
    (said,) = re.findall(r"PRAGMA user_version = (\d+);", SCHEMA.read_text("utf-8"))
    assert int(said) == max(numbers, default=1)
