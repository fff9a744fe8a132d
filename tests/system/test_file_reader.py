"""What decisions see of files: bounded, within a root, links followed, and as they are now."""

import asyncio
import os
import subprocess
import sys
import threading
import tracemalloc
import weakref
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from hookd.core.model.fact_requests import (
    CanaryCount,
    DirListing,
    FactRequest,
    File,
    FileText,
    Folder,
    RealPath,
    TaskByDir,
)
from hookd.store.database import open_database
from hookd.system import file_lookup, file_reader
from hookd.system.file_lookup import Found, look
from hookd.system.file_reader import FileReader


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a project with a file in it, beside a folder that is none of its business."""
    (tmp_path / "project").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "project" / "a.md").write_text("inside")
    (tmp_path / "outside" / "a.md").write_text("outside")
    return tmp_path / "project"


def see(want: FactRequest) -> File | Folder | str | None:
    return look([want])[want]


def text(path: Path | str, root: Path | str, **more: int | bool) -> str | None:
    file = see(FileText(str(path), str(root), **more))  # type: ignore[arg-type]
    assert not isinstance(file, Folder | str)
    return file.text if file else None


def names(folder: Path | str, root: Path | str) -> tuple[str, ...] | None:
    there = see(DirListing(str(folder), str(root)))
    assert not isinstance(there, File | str)
    return there.names if there else None


def test_a_file_is_seen_by_its_real_path_with_its_text(root: Path) -> None:
    file = see(FileText(str(root / "a.md"), str(root)))
    assert isinstance(file, File)
    assert (file.path, file.text, file.whole) == (os.path.realpath(root / "a.md"), "inside", True)


def test_only_files_and_folders_are_looked_at(root: Path) -> None:
    wanted: Iterable[FactRequest] = (
        FileText(str(root / "a.md"), str(root)),
        TaskByDir(str(root)),
        CanaryCount(),
    )
    assert [type(want) for want in look(wanted)] == [FileText]


OUTSIDE = [
    "../outside/a.md",
    "b/../../outside/a.md",
    "./../outside/a.md",
    "out.md",
    "out/a.md",
    "chain.md",
    "nothing.md",
    "a.md/b",
    "loop",
    "",
    "a\0b",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_is_read_outside_of_the_root(path: str, root: Path) -> None:
    (root / "out.md").symlink_to(root.parent / "outside" / "a.md")
    (root / "out").symlink_to("../outside")
    (root / "chain.md").symlink_to("out/a.md")
    (root / "loop").symlink_to("loop")
    assert text(f"{root}/{path}", root) is None


def test_a_path_that_is_not_whole_is_in_no_project(root: Path) -> None:
    assert text("a.md", root) is None
    assert text("/etc/hostname", root) is None


def test_a_folder_beside_whose_name_begins_alike_is_outside(root: Path) -> None:
    beside = root.with_name("project-old")
    beside.mkdir()
    (beside / "a.md").write_text("beside")
    assert text(beside / "a.md", root) is None
    assert names(beside, root) is None


INSIDE = ["a.md", "./a.md", "b/../a.md", "link.md", "b/link.md", "b/up/a.md"]


@pytest.mark.parametrize("path", INSIDE)
def test_links_within_the_root_are_followed(path: str, root: Path) -> None:
    (root / "b").mkdir()
    (root / "link.md").symlink_to("a.md")
    (root / "b" / "link.md").symlink_to(root / "link.md")
    (root / "b" / "up").symlink_to("..")
    file = see(FileText(f"{root}/{path}", str(root)))
    assert isinstance(file, File)
    assert (file.path, file.text) == (os.path.realpath(root / "a.md"), "inside")


def test_a_root_that_is_a_link_is_the_folder_it_leads_to(root: Path) -> None:
    link = root.with_name("link")
    link.symlink_to(root)
    for path, at in ((link / "a.md", link), (link / "a.md", root), (root / "a.md", link)):
        assert text(path, at) == "inside"
    assert names(link, root) == names(root, link) == ("a.md",)


def test_with_the_whole_disk_as_its_root_everything_is_inside(root: Path) -> None:
    (root / "out.md").symlink_to(root.parent / "outside" / "a.md")
    assert text(root / "out.md", "/") == "outside"
    assert names(root, "/") == ("a.md", "out.md")


def test_a_pipe_a_device_a_socket_and_a_folder_are_no_files(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "null").symlink_to("/dev/zero")
    (root / "folder").mkdir()
    for name in ("pipe", "null", "folder"):
        assert text(root / name, "/") is None
    assert names(root / "a.md", root) is None
    assert names(root / "pipe", root) is None


OTHER = """
import sqlite3, sys
from contextlib import closing
with closing(sqlite3.connect(sys.argv[1])) as db:
    db.execute("SELECT count(*) FROM meta").fetchone()
"""


@pytest.mark.parametrize("name", ["hookd.db", "hookd.db-shm", "link"])
def test_a_look_at_the_database_lets_nobody_else_delete_its_log(name: str, root: Path) -> None:
    (root / "link").symlink_to("hookd.db")
    with closing(open_database(root / "hookd.db")) as db:
        db.execute("INSERT INTO meta VALUES ('a', '')")
        seen = see(FileText(str(root / name), str(root)))
        assert isinstance(seen, File)
        assert (seen.text, seen.path) == ("", str(root / name.replace("link", "hookd.db")))
        subprocess.run([sys.executable, "-c", OTHER, str(root / "hookd.db")], check=True)
        assert (root / "hookd.db-wal").exists()


def test_what_cannot_be_read_is_not_there(root: Path) -> None:
    (root / "a.md").chmod(0)
    may = os.access(root / "a.md", os.R_OK)  # the superuser may
    assert text(root / "a.md", root) == ("inside" if may else None)
    assert text("/proc/self/mem", "/") is None  # a regular file, whose first page is unreadable
    assert names(root, root) == ("a.md",)


def test_the_beginning_or_the_end_of_a_long_file_is_read_and_no_more(root: Path) -> None:
    path = root / "long.md"
    with path.open("wb") as file:
        file.write(b"begin" + b"x" * 10_000_000 + b"end")
    tracemalloc.start()
    head = see(FileText(str(path), str(root), 1_000))
    tail = see(FileText(str(path), str(root), 1_000, tail=True))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(head, File)
    assert isinstance(tail, File)
    assert head.text == "begin" + "x" * 995
    assert tail.text == "x" * 997 + "end"
    assert not head.whole
    assert not tail.whole
    assert most < 200_000


LENGTHS = [
    ("abc", 3, True),
    ("abcd", 3, False),
    ("ééé", 3, True),
    ("😀😀😀", 3, True),
    ("", 3, True),
]


@pytest.mark.parametrize("tail", [False, True])
@pytest.mark.parametrize(("said", "most", "whole"), LENGTHS)
def test_characters_are_counted_not_bytes(
    said: str, most: int, whole: bool, tail: bool, root: Path
) -> None:
    (root / "b.md").write_text(said)
    file = see(FileText(str(root / "b.md"), str(root), most, tail=tail))
    assert isinstance(file, File)
    assert file.text == (said[-most:] if tail else said[:most])
    assert file.whole is whole


@pytest.mark.parametrize("short", range(5))
def test_no_character_is_cut_where_a_text_of_long_ones_is(short: int, root: Path) -> None:
    path = root / "b.md"
    for said in ("x" * short + "😀" * 300, "😀" * 300 + "x" * short):
        path.write_text(said)
        assert text(path, root, max_chars=100) == said[:100]
        assert text(path, root, max_chars=100, tail=True) == said[-100:]


def test_what_is_no_utf_8_is_read_with_marks(root: Path) -> None:
    (root / "b.md").write_bytes(b"a\xff\xfe\x80b\0c")
    assert text(root / "b.md", root) == "a\ufffd\ufffd\ufffdb\0c"


def test_a_file_that_has_changed_is_read_anew(root: Path) -> None:
    path, stamps = root / "a.md", set()
    for number, said in enumerate(("one", "two", "three")):
        path.write_text(said)
        os.utime(path, ns=(0, number))
        file = see(FileText(str(path), str(root)))
        assert isinstance(file, File)
        assert file.text == said
        stamps.add(file.stamp)
    assert len(stamps) == 3


def test_another_file_in_its_place_is_read_anew_though_it_is_as_old_and_as_long(root: Path) -> None:
    path = root / "a.md"
    os.utime(path, ns=(0, 0))
    assert text(path, root) == "inside"
    (root / "new").write_text("INSIDE")
    os.utime(root / "new", ns=(0, 0))
    (root / "new").replace(path)
    assert text(path, root) == "INSIDE"


def test_a_file_that_has_gone_is_not_remembered(root: Path) -> None:
    assert text(root / "a.md", root) == "inside"
    (root / "a.md").unlink()
    assert text(root / "a.md", root) is None


def test_a_file_that_has_become_a_link_outside_is_not_remembered(root: Path) -> None:
    assert text(root / "a.md", root) == "inside"
    (root / "a.md").unlink()
    (root / "a.md").symlink_to(root.parent / "outside" / "a.md")
    assert text(root / "a.md", root) is None


def test_of_a_folder_the_files_are_seen_sorted_and_nothing_else(root: Path) -> None:
    (root / "folder").mkdir()
    (root / "b.md").write_text("b")
    (root / "Z.md").symlink_to("a.md")
    (root / "to-folder").symlink_to("folder")
    (root / "broken").symlink_to("nowhere")
    os.mkfifo(root / "pipe")
    folder = see(DirListing(str(root / "folder" / ".."), str(root)))
    assert folder == Folder(os.path.realpath(root), ("Z.md", "a.md", "b.md"))


def test_a_link_to_itself_hides_none_of_the_others(root: Path) -> None:
    (root / "loop").symlink_to("loop")
    assert names(root, root) == ("a.md",)


def test_a_large_folder_is_seen_whole_and_of_a_very_large_one_a_part(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "many").mkdir()
    for number in range(3_000):
        (root / "many" / f"{number}").touch()
    assert len(names(root / "many", root) or ()) == 3_000
    monkeypatch.setattr(file_lookup, "_MOST_NAMES", 100)
    assert len(names(root / "many", root) or ()) == 100


def test_a_folder_that_is_not_there_or_outside_is_none(root: Path) -> None:
    assert names(root / "nowhere", root) is None
    assert names(root / "..", root) is None
    (root / "out").symlink_to("../outside")
    assert names(root / "out", root) is None


async def test_what_is_not_seen_in_time_counts_as_not_there_and_the_next_is_seen(
    root: Path,
) -> None:
    want = FileText(str(root / "a.md"), str(root))
    impatient = FileReader(patience=0)
    assert await impatient.read([want]) == {want: None}
    found = await FileReader().read([want])
    assert found[want] == look([want])[want] is not None


async def test_while_too_many_looks_are_out_nothing_more_is_looked_at(root: Path) -> None:
    want = FileText(str(root / "a.md"), str(root))
    assert await FileReader(most=0).read([want]) == {want: None}


async def test_a_look_that_came_back_makes_room_for_the_next(root: Path) -> None:
    want = FileText(str(root / "a.md"), str(root))
    one_at_a_time = FileReader(most=1)
    for _ in range(3):
        assert (await one_at_a_time.read([want]))[want] is not None


async def test_looks_wait_for_their_turn_while_others_are_out(root: Path) -> None:
    wanted = [RealPath(f"{root}/{n}.md") for n in range(40)]
    sight = FileReader(patience=20, most=2)
    found = await asyncio.gather(*(sight.read([want]) for want in wanted))
    assert found == [look([want]) for want in wanted]


def test_where_a_path_leads_is_told_as_far_as_there_is_anything(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "outside")
    outside = str(root.parent / "outside")
    assert see(RealPath(f"{root}/link/a.md")) == f"{outside}/a.md"
    assert see(RealPath(f"{root}/link/new/b")) == f"{outside}/new/b"
    assert see(RealPath("/a\0b")) is None


async def test_on_a_slow_disk_sixteen_calls_at_once_are_all_seen(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = [RealPath(f"{root}/{n}.md") for n in range(16)]
    answers = Event()

    def look_slowly(files: Iterable[FactRequest]) -> dict[FactRequest, Found | None]:
        answers.wait(20)
        return look(files)

    monkeypatch.setattr(file_reader, "look", look_slowly)
    sight = FileReader(patience=20)
    glances = await asyncio.gather(*(sight.glance([want]) for want in wanted))
    assert glances == [{}] * 16, "no decision waits for what it may not need"
    reads = asyncio.gather(*(sight.read([want]) for want in wanted))
    await asyncio.sleep(0)
    answers.set()
    assert await reads == [look([want]) for want in wanted]


async def test_where_no_thread_can_be_started_the_places_are_given_back(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_reader, "_THREADS", file_reader._Threads())
    want, reader = RealPath(f"{root}/a.md"), FileReader(patience=20, most=2)
    before = threading.stack_size(1 << 47)  # more than there is: no thread starts
    try:
        assert await reader.glance([want]) == {}
        assert [await reader.read([want]) for _ in range(3)] == [{want: None}] * 3
    finally:
        threading.stack_size(before)
    assert await reader.read([want]) == await reader.glance([want]) == look([want])


async def test_a_glance_sees_what_is_there(root: Path) -> None:
    want = RealPath(f"{root}/a.md")
    assert await FileReader().glance([want]) == look([want])


def test_a_thread_that_waits_keeps_nothing_of_its_last_look() -> None:
    released = Event()

    def look_once() -> None:
        def deliver(_found: object) -> None:
            pass

        weakref.finalize(deliver, released.set)
        file_reader._Threads().run((RealPath("/"),), deliver)

    look_once()
    assert released.wait(10)
