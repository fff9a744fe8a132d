"""Codex's patch format: what is read of it, and that nothing that Codex applies is overlooked."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.events.patch import Kind, PatchedFile, file_names, looks_like_patch, parse_patch
from support.payloads import payload

FRAME = "*** Begin Patch\n{}\n*** End Patch\n"
ADD, UPDATE = "*** Add File: a.py\n+one\n+two", "*** Update File: b.py\n@@ def f():\n x\n-y\n+z"
DELETE, MOVE = "*** Delete File: c.py", "*** Update File: d.py\n*** Move to: e/d.py\n@@\n-y\n+z"

Files = list[tuple[str, str, str]]


def files(text: str) -> Files:
    return [(one.kind, one.path, one.target) for one in parse_patch(text).files]


READ: list[tuple[str, Files]] = [
    (FRAME.format(ADD), [("add", "a.py", "")]),
    (FRAME.format(UPDATE), [("update", "b.py", "")]),
    (FRAME.format(DELETE), [("delete", "c.py", "")]),
    (FRAME.format(MOVE), [("move", "d.py", "e/d.py")]),
    (
        FRAME.format("\n".join((ADD, UPDATE, DELETE, MOVE))),
        [("add", "a.py", ""), ("update", "b.py", ""), ("delete", "c.py", ""),
         ("move", "d.py", "e/d.py")],
    ),
    (f"\n\n  {FRAME.format(ADD)}\n\n", [("add", "a.py", "")]),
    (f"<<'EOF'\n{FRAME.format(DELETE)}EOF\n", [("delete", "c.py", "")]),
    (f"cat <<'EOF'\n{FRAME.format(DELETE)}EOF\n", [("delete", "c.py", "")]),
    (f"<<EOF\n{FRAME.format(DELETE)}EOF", [("delete", "c.py", "")]),
    (f'<<"EOF"\n{FRAME.format(DELETE)}EOF', [("delete", "c.py", "")]),
    (FRAME.format(f"*** Environment ID: remote\n{DELETE}"), [("delete", "c.py", "")]),
    (FRAME.format(ADD).replace("\n", "\r\n"), [("add", "a.py", "")]),
    (" *** Begin Patch \n  *** Delete File: c.py  \n *** End Patch ", [("delete", "c.py", "")]),
    (FRAME.format("*** Update File: b.py\n x\n+y\n*** End of File"), [("update", "b.py", "")]),
    (FRAME.format("*** Update File: b.py\n@@\n-x\n\n+y"), [("update", "b.py", "")]),
    (FRAME.format("*** Delete File: a file, with blanks"), [("delete", "a file, with blanks", "")]),
    (FRAME.format("*** Delete File:  c.py"), [("delete", " c.py", "")]),
    (FRAME.format("*** Delete File: \u200bc.py"), [("delete", "\u200bc.py", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), READ)
def test_what_codex_accepts_is_read_whole(text: str, expected: Files) -> None:
    assert files(text) == expected
    assert parse_patch(text).problem == ""
    assert looks_like_patch(text)


UNREADABLE: list[tuple[str, Files, str]] = [
    ("", [], "*** End Patch"),
    ("ls", [], "before *** Begin Patch"),
    ("*** Begin Patch\n*** End Patch", [], "names no file"),
    (f"*** Begin Patch\n{DELETE}", [("delete", "c.py", "")], "*** End Patch"),
    (f"{DELETE}\n*** End Patch", [("delete", "c.py", "")], "outside of"),
    (FRAME.format(f"{ADD}\n*** Oops"), [("add", "a.py", "")], "none of the signs"),
    (FRAME.format(f"{DELETE}\nx"), [("delete", "c.py", "")], "none of the signs"),
    (FRAME.format(f"x\n{DELETE}"), [("delete", "c.py", "")], "belongs to no file"),
    (FRAME.format("*** Delete File:"), [("delete", "", "")], "has no name"),
    (FRAME.format(f"{ADD}\n*** Move to: b.py"), [("add", "a.py", "")], "none of the signs"),
    (f"{FRAME.format(ADD)}{FRAME.format(DELETE)}", [("add", "a.py", ""), ("delete", "c.py", "")],
     "two lines"),
    (f"--- a/x\n+++ b/x\n{FRAME.format(DELETE)}", [("delete", "c.py", "")], "before"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected", "problem"), UNREADABLE)
def test_what_cannot_be_read_has_a_problem_and_its_files(
    text: str, expected: Files, problem: str
) -> None:
    assert files(text) == expected
    assert problem in parse_patch(text).problem


def test_old_and_new_text_have_the_context() -> None:
    update = parse_patch(FRAME.format(UPDATE)).files[0]
    assert (update.old, update.new) == ("x\ny\n", "x\nz\n")
    add = parse_patch(FRAME.format(ADD)).files[0]
    assert (add.old, add.new) == ("", "one\ntwo\n")


def test_a_header_with_a_blank_before_it_is_a_file_as_well_as_context() -> None:
    """One version of Codex takes it for context, another for a file."""
    patch = parse_patch(FRAME.format("*** Update File: doc.md\n@@\n *** Delete File: c.py\n+more"))
    assert [one.path for one in patch.files] == ["doc.md", "c.py"]
    assert "more" in patch.files[0].new


def test_a_second_move_is_a_file_of_its_own() -> None:
    text = FRAME.format("*** Update File: a\n*** Move to: b\n*** Move to: c\n@@\n+x")
    assert set(file_names(parse_patch(text))) == {"a", "b", "c"}


def test_the_captured_payload() -> None:
    text = payload("codex/PreToolUse.apply_patch")["tool_input"]["command"]
    assert files(text) == [("add", "new.txt", ""), ("update", "README.md", "")]


NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs", "Z"]), min_size=1, max_size=12)
LINES = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])), max_size=4)


@st.composite
def patched(draw: st.DrawFn) -> PatchedFile:
    kind: Kind = draw(st.sampled_from(["add", "update", "delete", "move"]))
    target = draw(NAMES) if kind == "move" else ""
    old = draw(LINES) if kind in ("update", "move") else []
    new = [] if kind == "delete" else draw(LINES)
    return PatchedFile(kind, draw(NAMES), target, _lines(old), _lines(new))


def _lines(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def written(file: PatchedFile) -> Iterator[str]:
    word = {"add": "Add", "delete": "Delete"}.get(file.kind, "Update")
    yield f"*** {word} File: {file.path}"
    if file.target:
        yield f"*** Move to: {file.target}"
    if word == "Update":
        yield "@@"
    yield from (f"-{line}" for line in file.old.split("\n")[:-1])
    yield from (f"+{line}" for line in file.new.split("\n")[:-1])


@given(st.lists(patched(), min_size=1, max_size=5))
def test_what_is_written_is_read_again(made: list[PatchedFile]) -> None:
    text = FRAME.format("\n".join(line for file in made for line in written(file)))
    assert parse_patch(text).files == tuple(made)
    assert parse_patch(text).problem == ""


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    patch = parse_patch(text)
    assert patch.files or patch.problem


LINES_OF_PATCHES = """\
*** Begin Patch
*** End Patch
 *** End Patch
*** Add File: a
+x
-x
 x
  *** Add File: b
*** Update File: c
\t*** Update File: d
 *** Update File: e
*** Delete File: f
 *** Delete File: g
*** Move to: h
 *** Move to: i

@@
@@ x
 @@ y
*** End of File
 *** End of File
*** Environment ID: z
+*** Delete File: k
-*** Add File: l
\r
\xa0*** Delete File: m
<<'EOF'
EOF"""
PIECES = st.sampled_from(LINES_OF_PATCHES.split("\n"))


def accepted(text: str, *, padded: bool) -> set[str] | None:
    """Return the names of a patch as Codex reads it, None if it refuses it.

    `padded`: the version that takes a header with blanks before it for a file in an update, too.
    """
    lines = [line.rstrip("\r") for line in text.strip().split("\n")]
    if len(lines) >= 4 and lines[0] == "<<'EOF'" and lines[-1].endswith("EOF"):
        lines = lines[1:-1]
    if lines[0].strip() != "*** Begin Patch" or lines[-1].strip() != "*** End Patch":
        return None
    found: set[str] = set()
    kind, fresh = "", False
    for line in lines[1:-1]:
        bare = line.strip() if padded or kind != "update" else line.rstrip()
        if bare == "*** End Patch":
            return found if padded else None
        head = next(
            (one for one in ("Add", "Update", "Delete") if bare.startswith(f"*** {one} File: ")), ""
        )
        if head:
            found.add(bare.split(": ", 1)[1])
            kind, fresh = head.lower(), True
        elif kind == "update" and fresh and bare.startswith("*** Move to: "):
            found.add(bare.split(": ", 1)[1])
        elif kind == "update" and (bare[:2] == "@@" or line[:1] in ("", " ", "+", "-")):
            fresh = False
        elif not (
            (kind == "add" and line[:1] == "+")
            or (kind == "update" and bare == "*** End of File")
            or (not kind and bare.startswith("*** Environment ID:"))
        ):
            return None
    return found


@given(st.lists(PIECES, max_size=12), st.booleans(), st.booleans())
def test_no_file_that_codex_would_change_is_overlooked(
    pieces: list[str], framed: bool, padded: bool
) -> None:
    text = "\n".join(pieces)
    text = FRAME.format(text) if framed else text
    names = accepted(text, padded=padded)
    if names is not None:
        assert names <= set(file_names(parse_patch(text)))
