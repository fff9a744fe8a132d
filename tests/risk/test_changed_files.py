"""The files that a call changes are found, whichever tool and spelling changes them."""

from hookd.events.tool_pattern import ToolCall
from hookd.risk.changed_files import changed_files
from hookd.risk.model import CallContext
from hookd.risk.variable_values import values_in
from support.parametrize import parametrize_all

ROOT = "/w/shop"

CHANGES = [
    ("echo x > migrations/a", ["migrations/a"]),
    ("echo x >> migrations/a", ["migrations/a"]),
    ("echo x | tee -a migrations/a", ["migrations/a"]),
    ("sed -i s/a/b/ migrations/a", ["migrations/a"]),
    ("perl -pi -e s/a/b/ migrations/a", ["migrations/a"]),
    ("cp b migrations/a", ["migrations/a"]),
    ("mv migrations/a b", ["migrations/a", "b"]),
    ("rm -rf migrations", ["migrations"]),
    ("truncate -s 0 migrations/a", ["migrations/a"]),
    ("cd migrations && rm a", ["migrations/a"]),
    ("git rm migrations/a", ["migrations/a"]),
    ("git mv a migrations/b", ["a", "migrations/b"]),
    ("git checkout -- migrations", ["migrations"]),
    ("git checkout main -- migrations/a", ["migrations/a"]),
    ("git checkout main migrations/a", ["migrations/a"]),
    ("git restore migrations/a", ["migrations/a"]),
    ("git restore --source main migrations/a", ["migrations/a"]),
    ("git stash push -- migrations/a", ["migrations/a"]),
    ("git clean -fd migrations", ["migrations"]),
    ("git -C migrations rm a", ["migrations/a"]),
    ("bash -c 'rm migrations/a'", ["migrations/a"]),
    ("python3 -c \"open('migrations/a', 'w').write('')\"", ["migrations/a"]),
    ("dd if=/dev/zero of=migrations/a", ["migrations/a"]),
    ("cat migrations/a", []),
    ("git restore --staged migrations/a", []),
    ("git clean -n migrations", []),
    ("git diff -- migrations/a", []),
    ("git add migrations/a", []),
    ("ls > /dev/null", []),
]


def changed(call: ToolCall) -> list[str]:
    """Return the files that a call certainly changes, relative to the project."""
    command = call.primary if call.name == "Bash" else ""
    place = CallContext(cwd=ROOT, project=ROOT, home="/home/me", values=values_in(command or ""))
    found = (file for file in changed_files(call, place) if file.how != "may write")
    paths = dict.fromkeys(path for file in found for path in (*file.paths, *file.wild))
    return [path.removeprefix(f"{ROOT}/") for path in paths]


@parametrize_all(("command", "files"), CHANGES)
def test_a_command_changes_these_files(command: str, files: list[str]) -> None:
    assert changed(ToolCall("Bash", {"command": command}, ROOT)) == files


OTHERS = [
    ("Edit", {"file_path": f"{ROOT}/migrations/a"}, ["migrations/a"]),
    ("Write", {"file_path": "migrations/a"}, ["migrations/a"]),
    ("MultiEdit", {"file_path": f"{ROOT}/a"}, ["a"]),
    ("NotebookEdit", {"notebook_path": f"{ROOT}/a.ipynb"}, ["a.ipynb"]),
    ("mcp__fs__write_file", {"path": f"{ROOT}/migrations/a"}, ["migrations/a"]),
    ("mcp__fs__read_file", {"path": f"{ROOT}/migrations/a"}, []),
    ("Read", {"file_path": f"{ROOT}/migrations/a"}, []),
    ("Grep", {"pattern": "x", "path": f"{ROOT}/migrations"}, []),
]


@parametrize_all(("tool", "given", "files"), OTHERS)
def test_another_tool_changes_these_files(
    tool: str, given: dict[str, object], files: list[str]
) -> None:
    assert changed(ToolCall(tool, given, ROOT)) == files


def test_a_tool_with_several_names_changes_files_by_any() -> None:
    call = ToolCall("mcp__fs__x", {"path": f"{ROOT}/a"}, ROOT, readings=("mcp__f__write_x",))
    assert changed(call) == ["a"]


WILD = [
    ("rm migrations/*.sql", ["migrations/*.sql"]),
    ('for f in src/*.py; do sed -i s/a/b/ "$f"; done', ["src/*.py"]),
]


@parametrize_all(("command", "files"), WILD)
def test_wildcards_stay_in_the_path(command: str, files: list[str]) -> None:
    assert changed(ToolCall("Bash", {"command": command}, ROOT)) == files


@parametrize_all("command", ['cp a "$OUT"', "ls | xargs rm", "if ("])
def test_a_file_that_the_text_does_not_name_is_unknown(command: str) -> None:
    place = CallContext(cwd=ROOT, project=ROOT)
    found = list(changed_files(ToolCall("Bash", {"command": command}, ROOT), place))
    assert any(not file.paths and not file.wild for file in found)
