"""Diffs of file tools' calls: from their input alone, bounded, without secrets."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.policy_support.call_diff import _CUT, diff_of
from support.patches import add, patch

EDIT = {"file_path": "/p/a.py", "old_string": "a = 1\nb = 2\n", "new_string": "a = 1\nb = 3\n"}


def test_an_edit_is_compared_line_by_line() -> None:
    assert diff_of("Edit", EDIT) == (
        "--- /p/a.py\n+++ /p/a.py\n@@ -1,2 +1,2 @@\n a = 1\n-b = 2\n+b = 3"
    )


@pytest.mark.parametrize(
    ("tool", "tool_input", "line"),
    [
        ("Write", {"file_path": "/p/a", "content": "one\ntwo"}, "+two"),
        ("MultiEdit", {"file_path": "/p/a", "edits": [EDIT, 3, {"old_string": "x"}]}, "-x"),
        ("NotebookEdit", {"notebook_path": "/p/n", "new_source": "print()"}, "+print()"),
        ("ApplyPatch", {"command": patch(add("a", "two"))}, "+two"),
        ("ApplyPatch", {"command": patch(add("a", *("x" * 99 for _ in range(300))))}, _CUT),
    ],
)
def test_every_file_tool_has_one(tool: str, tool_input: dict[str, Any], line: str) -> None:
    found = diff_of(tool, tool_input)
    assert found is not None
    assert line in found.splitlines()


def test_other_tools_have_none() -> None:
    assert diff_of("Bash", {"command": "ls"}) is None
    assert diff_of("ApplyPatch", {"file_path": "a"}) is None


def test_secrets_are_removed() -> None:
    secret = "AKIA" + "Q3EGRIWNXQMTVZ2P"
    found = diff_of("Write", {"file_path": "/p/a", "content": f"key = '{secret}'"})
    assert found is not None
    assert secret not in found
    found = diff_of("Write", {"file_path": "/p/.env", "content": "TOKEN=anything"})
    assert found is not None
    assert "anything" not in found
    found = diff_of("ApplyPatch", {"command": patch(add("b/.env", "TOKEN=anything"))})
    assert found is not None
    assert "b/.env" in found
    assert "anything" not in found


def test_a_secret_across_the_end_of_a_long_text_is_removed() -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    old = "\n".join("x" * 999 for _ in range(100))[:-20]
    text = f"{old} {secret}\n{'y' * 9_000}\n"
    found = diff_of("Edit", {"file_path": "/p/a", "old_string": old, "new_string": text})
    assert found is not None
    assert "ghp_" not in found


def test_a_long_one_is_cut() -> None:
    lines = "\n".join(f"line {number}" for number in range(50_000))
    found = diff_of("Edit", {"file_path": "/p/a", "old_string": lines, "new_string": ""})
    assert found is not None
    assert len(found) < 21_000
    assert found.endswith("... the diff is cut here")


@given(st.sampled_from(["Edit", "Write", "MultiEdit", "NotebookEdit"]), st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.dictionaries(
        st.sampled_from(["file_path", "old_string", "new_string", "content", "edits"]), inner)
    | st.lists(inner)))  # fmt: skip
def test_any_input_is_read(tool: str, value: object) -> None:
    tool_input = value if isinstance(value, dict) else {"edits": value, "content": value}
    found = diff_of(tool, tool_input)
    assert found is None or len(found) < 21_000
