"""Copying the shims: an upgrade that is cut short leaves no mix of old and new ones."""

import subprocess
from pathlib import Path

import pytest

from hookd.cli.install import shims as installed_shims
from hookd.core.model.shim_paths import FORMER
from support.installation import done, furnish, shims
from support.native_shim import SHIMS


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch)


OLDER = {
    "hookd-hook": """#!/bin/bash -p
fail() { . "${0%/*}/hookd-start"; note; echo deny; }
fail
""",
    "hookd-start": "#!/bin/bash -p\nnote() { echo noted; }\n",
}
"""Stand-ins for shims of an older release: the first one sources the other."""


def test_an_upgrade_that_is_cut_short_leaves_the_older_shims_working(home: Path) -> None:
    folder = shims(home)
    folder.mkdir(parents=True)
    for name, text in OLDER.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    (home / "packaged" / "hookd-cold").write_text("fail() { return 1; }\n")
    *others, hook = installed_shims.shipped()
    (home / "packaged" / "hookd-hook").unlink()
    with pytest.raises(FileNotFoundError):
        installed_shims.copy([*others, hook])
    assert (folder / "hookd-cold").exists()
    run = subprocess.run([folder / "hookd-hook"], capture_output=True, check=True, timeout=60)
    assert (run.stdout, run.stderr) == (b"noted\ndeny\n", b"")


def test_what_only_older_shims_read_is_removed_once_they_are_replaced(home: Path) -> None:
    shims(home).mkdir(parents=True)
    (shims(home) / "hookd-start").write_text(OLDER["hookd-start"])
    done("install")
    assert not (shims(home) / "hookd-start").exists()
    assert not {path.name for path in SHIMS.iterdir()} & set(FORMER)
