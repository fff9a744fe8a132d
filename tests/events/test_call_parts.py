"""The parts of a patch as calls of their own, and where their files are."""

import json
import posixpath

import pytest

from hookd.events.call_parts import parts_of_patch, patch_text, patched_names
from support.patches import add, delete, patch, update
from support.paths import TESTS

APPLIED = json.loads((TESTS / "events" / "applied_patches.json").read_text("utf-8"))
"""Patches of random lines that the program of Codex was given, and the files that it changed."""

PARTS = [
    (add("a.py"), [("Write", "/w/a.py")]),
    (update("a.py"), [("Edit", "/w/a.py")]),
    (delete("a.py"), [("Edit", "/w/a.py"), ("Bash", "rm -- /w/a.py")]),
    (
        update("a.py", "b/c.py"),
        [("Edit", "/w/a.py"), ("Bash", "mv -- /w/a.py /w/b/c.py"), ("Write", "/w/b/c.py")],
    ),
    (add("/etc/hosts"), [("Write", "/etc/hosts")]),
    (add("//etc/hosts"), [("Write", "/etc/hosts")]),
    (add("./a.py"), [("Write", "/w/a.py")]),
    (add("../x/a.py"), [("Write", "/x/a.py")]),
    (add("link/../a.py"), [("Write", "/w/a.py"), ("Write", "/w/link/../a.py")]),
    (add("~/a.py"), [("Write", "~/a.py"), ("Write", "/w/~/a.py")]),
    (delete("a b'c"), [("Edit", "/w/a b'c"), ("Bash", "rm -- '/w/a b'\"'\"'c'")]),
    (delete("~/a b"), [
        *(("Edit", "~/a b"), ("Bash", "rm -- ~/'a b'")),
        *(("Edit", "/w/~/a b"), ("Bash", "rm -- '/w/~/a b'")),
    ]),
    (add(" a.py"), [("Write", "/w/ a.py"), ("Write", "/w/a.py")]),
    (add("\ufeffa.py"), [("Write", "/w/\ufeffa.py"), ("Write", "/w/a.py")]),
    (delete("-rf"), [("Edit", "/w/-rf"), ("Bash", "rm -- /w/-rf")]),
]  # fmt: skip


@pytest.mark.parametrize(("section", "expected"), PARTS)
def test_a_file_is_a_call_of_its_own(section: str, expected: list[tuple[str, str]]) -> None:
    found = parts_of_patch(patch(section), "/w")
    assert [
        (one.tool, one.input.get("file_path", one.input.get("command"))) for one in found
    ] == expected


def test_the_parts_have_the_texts() -> None:
    one, two = parts_of_patch(patch(add("a", "x", "y"), update("b")), "/w")
    assert one.input["content"] == "x\ny\n"
    assert (two.input["old_string"], two.input["new_string"]) == ("old\n", "new\n")


def test_without_a_folder_paths_stay_relative() -> None:
    assert parts_of_patch(patch(add("a")), "")[0].input["file_path"] == "a"


@pytest.mark.parametrize("text", [None, "", "ls", "*** Begin Patch", patch()])
def test_what_cannot_be_read_is_an_edit_of_no_file(text: str | None) -> None:
    last = parts_of_patch(text, "/w")[-1]
    assert (last.tool, last.input) == ("Edit", {})
    assert last.file.startswith("the patch cannot be read: ")


def test_too_many_files_are_one_part() -> None:
    found = parts_of_patch(patch(*(add(str(one)) for one in range(101))), "/w")
    assert [one.file for one in found] == ["the patch has more than 100 files"]


def test_the_text_is_in_the_field_that_a_client_gives() -> None:
    assert patch_text({"command": "a"}) == patch_text({"input": "a"}) == "a"
    assert patch_text({"command": 1}) is None
    assert patch_text({"command": "a", "input": "b"}) is None, "which one is applied is unknown"
    assert patched_names({"command": patch(add("a"), update("b", "c"))}) == ("a", "b", "c")


def test_every_file_that_codex_has_changed_is_a_part() -> None:
    """A patch that Codex applied in part counts, too; one folder up is the folder of all."""
    for text, changed in APPLIED["patches"]:
        found = [one.input.get("file_path", "") for one in parts_of_patch(text, "/all/w")]
        paths = {path if path[:2] == "~/" else posixpath.normpath(path) for path in found}
        for name in changed:
            path = name if name[:2] == "~/" else posixpath.normpath(posixpath.join("/all/w", name))
            assert path in paths, (text, name)
