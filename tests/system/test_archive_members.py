"""Archives, patches and folders are listed as they are, within bounds, and never unpacked."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hookd.core.model.fact_requests import ArchiveMembers, ExistingPaths
from hookd.system import archive_members
from hookd.system.file_lookup import look
from support.parametrize import parametrize_all

NAMES = ("a.txt", ".claude/settings.json", "x/.claude/settings.json")


def tarred(*names: str, links: tuple[tuple[str, str], ...] = ()) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name in names:
            one = tarfile.TarInfo(name)
            one.type = tarfile.DIRTYPE if name.endswith("/") else tarfile.REGTYPE
            archive.addfile(one)
        for name, target in links:
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, target
            archive.addfile(link)
    return made.getvalue()


def zipped(*names: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return made.getvalue()


def seen(path: Path, kind: str = "archive", telling: str = "settings|claude") -> object:
    want = ArchiveMembers(str(path), kind, telling)  # type: ignore[arg-type]
    return look([want])[want]


def split(data: bytes) -> bytes:
    """Return a gzip of two members, as parallel packers write it."""
    return gzip.compress(data[:700]) + gzip.compress(data[700:])


PACKED: list[Callable[[bytes], bytes]] = [
    *(bytes, gzip.compress, bz2.compress, lzma.compress, split),
    lambda data: lzma.compress(data, lzma.FORMAT_ALONE),
]


def test_the_telling_names_of_a_tar_are_listed_however_it_is_packed(tmp_path: Path) -> None:
    for packed in PACKED:
        path = tmp_path / "x.tar"
        path.write_bytes(packed(tarred(*NAMES)))
        assert seen(path) == NAMES[1:], packed


def test_the_names_of_a_zip_are_listed_whatever_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    path.write_bytes(zipped(*NAMES))
    assert seen(path) == NAMES[1:]


def test_a_folder_ends_in_a_slash_and_a_link_tells_where_it_leads(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    path.write_bytes(tarred(".claude/", links=(("notes", "/home/me/.claude"), (".claude", "x"))))
    assert seen(path) == (".claude/", "/home/me/.claude", ".claude")


def test_the_header_lines_of_a_patch_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "x.patch"
    path.write_text(
        "--- a/x\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-.claude\n context .claude\n"
    )
    assert seen(path, "patch") == ("+++ b/.claude/settings.json", "-.claude")


# The last one asks for a version of zip that no reader knows.
DAMAGED = [
    b"",
    b"no archive at all",
    gzip.compress(tarred(*NAMES))[:-40],
    bz2.compress(tarred(*NAMES))[:90],
    gzip.compress(b"no archive"),
    zipped(*NAMES)[:-30],
    b"PK\x05\x06" + b"\xff" * 18,
    zipped(*NAMES).replace(b"PK\x01\x02\x14\x03\x14", b"PK\x01\x02\x14\x03\x63"),
]


@parametrize_all("data", DAMAGED, ids=lambda data: data[:8].hex())
def test_what_is_damaged_is_not_listed(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    path.write_bytes(data)
    assert seen(path) is None


def test_only_files_are_opened_and_never_the_database(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "hookd.db").write_bytes(tarred(*NAMES))
    (tmp_path / "link.tar").symlink_to("hookd.db")
    for name in ("pipe", "nothing", "", "hookd.db", "link.tar"):
        assert seen(tmp_path / name) is None, name


def test_a_bomb_is_given_up_within_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_members, "_MOST_BYTES", 1_000_000)
    one = tarfile.TarInfo("zeros")
    one.size = 5_000_000
    for packed in PACKED:
        path = tmp_path / "x.tar"
        path.write_bytes(packed(one.tobuf() + bytes(one.size) + tarred(*NAMES)))
        assert seen(path) is None, packed
    monkeypatch.setattr(archive_members, "_MOST_NAMES", 2)
    for data in (tarred(*NAMES), zipped(*NAMES)):
        path.write_bytes(data)
        assert seen(path) is None
    monkeypatch.setattr(archive_members, "_DIRECTORY", 10)
    path.write_bytes(zipped("a"))
    assert seen(path) is None


def test_which_paths_a_folder_holds(tmp_path: Path) -> None:
    (tmp_path / "x" / ".claude").mkdir(parents=True)
    (tmp_path / "x" / ".claude" / "settings.json").write_text("{}")
    (tmp_path / "x" / "dead").symlink_to("nowhere")
    (tmp_path / "y").symlink_to("x")
    wanted = (".claude/settings.json", ".hookd/settings.json", "dead")
    for name in ("x", "y"):
        want = ExistingPaths(str(tmp_path / name), wanted)
        assert look([want])[want] == (".claude/settings.json", "dead")
    for name in ("z", "x/.claude/settings.json"):
        want = ExistingPaths(str(tmp_path / name), wanted)
        assert look([want])[want] is None
