"""Patches that a command line applies: where they are read from, and in which folders."""

import pytest

from hookd.risk.model import CallContext
from hookd.risk.patch_commands import applied_patches
from hookd.risk.variable_values import values_in
from hookd.shell.commands import read
from support.patches import add, patch

TEXT = patch(add("a.py"))
HERE = f"<<'EOF'\n{TEXT}\nEOF\n"


def found(command: str) -> list[tuple[bool, tuple[str | None, ...], bool]]:
    """Return for each patch whether its text is known, its folders, and whether all is known."""
    place = CallContext(cwd="/w", project="/w", home="/home/me", values=values_in(command))
    patches = applied_patches(read(command), place)
    return [(one.text.strip() == TEXT, one.folders, not one.problem) for one in patches]


WHOLE = [
    f"apply_patch {HERE}",
    f"applypatch {HERE}",
    f"apply_patch <<EOF\n{TEXT}\nEOF",
    f"apply_patch '{TEXT}'",
    f"apply_patch <<< '{TEXT}'",
    f'bash -lc "apply_patch {HERE}"',
    f"cat {HERE[:7]} | apply_patch{HERE[7:]}",
    f"printf '%s' '{TEXT}' | apply_patch",
    f"p='{TEXT}'; apply_patch \"$p\"",
    f'apply_patch "$(cat {HERE})"',
    f"env A=1 apply_patch {HERE}",
    f"Apply_Patch {HERE}",
    f"/tmp/arg0/apply_patch {HERE}",
    f"x=apply_patch; $x {HERE}",
    f'apply""_patch {HERE}',
    f"codex --codex-run-as-apply-patch '{TEXT}'",
    f"if true; then apply_patch {HERE}fi",
    f"eval \"apply_patch '{TEXT}'\"",
    f"$UNKNOWN '{TEXT}'",
    f"f() {{ apply_patch {HERE}}}; f",
    f"python3 -c \"import subprocess; subprocess.run(['apply_patch', '''{TEXT}'''])\"",
]


@pytest.mark.parametrize("command", WHOLE)
def test_a_patch_is_known(command: str) -> None:
    assert found(command) == [(True, ("/w",), True)]


FOLDERS: list[tuple[str, tuple[str | None, ...]]] = [
    (f"cd sub && apply_patch {HERE}", ("/w/sub",)),
    (f"cd ~/x && apply_patch {HERE}", ("/home/me/x",)),
    (f"cd sub; apply_patch {HERE}", ("/w/sub", "/w")),
    (f'cd "$DIR" && apply_patch {HERE}', (None,)),
    (f'bash -lc "cd sub && apply_patch {HERE}"', ("/w", "/w/sub")),
]


@pytest.mark.parametrize(("command", "folders"), FOLDERS)
def test_a_patch_is_in_the_folder_behind_cd(command: str, folders: tuple[str | None, ...]) -> None:
    assert found(command) == [(True, folders, True)]


UNKNOWN = [
    "apply_patch < changes.patch",
    "apply_patch",
    "cat changes.patch | apply_patch",
    'apply_patch "$PATCH"',
    "apply_patch <(cat x)",
    "xargs -0 apply_patch < list",
    f"sed s/a/b/ {HERE[:7]} | apply_patch{HERE[7:]}",
    "apply_patch <<EOF\n*** Begin Patch\n*** Delete File: $X\n*** End Patch\nEOF",
    "python3 -c \"import subprocess; subprocess.run(['apply_patch', open('x').read()])\"",
]


@pytest.mark.parametrize("command", UNKNOWN)
def test_a_patch_that_is_not_in_the_text_is_unknown(command: str) -> None:
    assert found(command)
    assert all(not known for _, _, known in found(command))


NONE = [
    "git apply changes.patch",
    "grep apply_patch src",
    "apply_patch --help",
    f"cat {HERE}",
    f"cat > changes.patch {HERE}",
    f"ssh host apply_patch {HERE}",
    "echo patch",
]


@pytest.mark.parametrize("command", NONE)
def test_other_commands_apply_no_patch(command: str) -> None:
    assert found(command) == []
