"""The version in use last: written by the first install, and by each upgrade."""

from pathlib import Path

import pytest

from hookd import __version__
from hookd.cli.install import used_version
from support.installation import done, furnish, hookd


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return furnish(tmp_path, monkeypatch) / "hookd-home" / "version"


def test_the_first_install_records_its_version_and_a_later_one_keeps_it(place: Path) -> None:
    assert used_version.read() is None
    done("install")
    assert place.read_text() == f"{__version__}\n"
    place.write_text("0.0.9\n")
    done("install")
    assert used_version.read() == "0.0.9"
    used_version.write()
    assert used_version.read() == __version__


@pytest.mark.parametrize("damaged", [b"", b"\xff\xfe", b"\x1b[31m", b"new\n", b"9" * 100_000])
def test_a_damaged_record_is_none_or_short(place: Path, damaged: bytes) -> None:
    place.parent.mkdir()
    place.write_bytes(damaged)
    found = used_version.read()
    assert found is None or found == "9" * 64


def test_the_last_uninstall_removes_it(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    done("install")
    done("install", "--settings", str(other))
    hookd("uninstall", "--settings", str(other))
    assert place.exists()
    hookd("uninstall")
    assert not place.exists()


def test_a_purge_removes_it(place: Path) -> None:
    done("install")
    hookd("uninstall", "--purge", "--yes")
    assert not place.exists()
