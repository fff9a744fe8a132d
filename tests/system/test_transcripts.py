"""A transcript is read on where it was left: whole lines, each once, and never much at a time.

Its end is read for itself.
"""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hookd.system.transcripts import LONG, TAIL, Chunk, read_new, tail


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(os.path.realpath(tmp_path)) / "11c8d28b.jsonl"


def read_all(path: Path, offset: int = 0, most: int = 1_000_000) -> tuple[list[bytes], int]:
    """Read to the end; return the lines and where the next time begins."""
    lines: list[bytes] = []
    while True:
        chunk = read_new(str(path), offset, most)
        assert chunk.offset > offset or not chunk.more
        lines += chunk.lines
        offset = chunk.offset
        if not chunk.more:
            return lines, offset


def test_a_file_that_is_not_there_yet_has_no_lines(path: Path) -> None:
    assert read_new(str(path), 0) == Chunk((), 0)
    assert read_new(str(path), 70) == Chunk((), 70)


def test_lines_are_read_once_and_empty_ones_are_none(path: Path) -> None:
    path.write_bytes(b"one\n\ntwo\n")
    assert read_new(str(path), 0) == Chunk((b"one", b"two"), 9)
    assert read_new(str(path), 9) == Chunk((), 9)
    path.write_bytes(b"one\n\ntwo\nthree\n")
    assert read_new(str(path), 9) == Chunk((b"three",), 15)


def test_a_line_that_is_being_written_waits_for_its_end(path: Path) -> None:
    path.write_bytes(b"one\nhal")
    assert read_new(str(path), 0) == Chunk((b"one",), 4)
    assert read_new(str(path), 4) == Chunk((), 4)
    path.write_bytes(b"one\nhalf\n")
    assert read_new(str(path), 4) == Chunk((b"half",), 9)


def test_a_file_that_has_become_shorter_is_read_anew(path: Path) -> None:
    path.write_bytes(b"new\n")
    assert read_new(str(path), 5_000) == Chunk((b"new",), 4)
    path.write_bytes(b"")
    assert read_new(str(path), 4) == Chunk((), 0)


def test_an_offset_inside_of_a_line_passes_over_the_rest_of_it(path: Path) -> None:
    path.write_bytes(b"one\ntwo\nthree\n")
    assert read_new(str(path), 5) == Chunk((b"three",), 14)
    assert read_new(str(path), 4) == Chunk((b"two", b"three"), 14)


def test_much_is_read_in_pieces(path: Path) -> None:
    lines = [b"%06d" % number * 20 for number in range(5_000)]
    path.write_bytes(b"\n".join(lines) + b"\n")
    first = read_new(str(path), 0)
    assert first.more
    assert sum(map(len, first.lines)) <= 65_536
    assert read_all(path) == (lines, path.stat().st_size)


def test_a_line_of_many_pieces_is_read_whole(path: Path) -> None:
    long = b"x" * 900_000
    path.write_bytes(b"one\n" + long + b"\ntwo\n")
    assert read_all(path) == ([b"one", long, b"two"], 900_009)


def test_a_line_too_long_to_be_read_is_passed_over_and_told(path: Path) -> None:
    path.write_bytes(b"one\n" + b"x" * 2_500 + b"\ntwo\n")
    first = read_new(str(path), 4, most=1_000)
    assert first == Chunk((), 1_004, more=True, skipped=1_000)
    second = read_new(str(path), first.offset, most=1_000)
    assert second == Chunk((), 2_004, more=True)
    assert read_new(str(path), second.offset, most=1_000) == Chunk((b"two",), 2_509)


def test_a_line_too_long_is_passed_over_while_it_is_still_being_written(path: Path) -> None:
    path.write_bytes(b"x" * 1_500)
    lines, offset = read_all(path, most=1_000)
    assert (lines, offset) == ([], 1_500)
    path.write_bytes(b"x" * 1_700 + b"\nnext\n")
    assert read_all(path, offset, most=1_000) == ([b"next"], 1_706)


def test_a_long_file_that_is_new_to_us_is_read_from_near_its_end(path: Path) -> None:
    one = b"x" * 999 + b"\n"
    path.write_bytes(one * (LONG // 1_000))
    assert len(read_all(path)[0]) == LONG // 1_000
    path.write_bytes(one * (LONG // 1_000) + b"last\n")
    lines, offset = read_all(path)
    assert offset == LONG + 5
    assert lines[-1] == b"last"
    assert {len(line) for line in lines[:-1]} == {999}
    assert TAIL - 1_000 <= sum(len(line) + 1 for line in lines) <= TAIL
    path.write_bytes(path.read_bytes() + b"more\n")
    assert read_all(path, offset) == ([b"more"], LONG + 10)


def test_what_is_no_transcript_is_not_opened(path: Path) -> None:
    other = path.with_suffix(".txt")
    other.write_bytes(b"secret\n")
    with pytest.raises(OSError, match=r"no \.jsonl file"):
        read_new(str(other), 0)
    with pytest.raises(OSError, match=r"no \.jsonl file"):
        tail(str(other))
    path.symlink_to(other)
    with pytest.raises(OSError, match="symbolic links"):
        tail(str(path))
    with pytest.raises(OSError, match="symbolic links"):
        read_new(str(path), 0)


def test_what_is_no_regular_file_keeps_nobody_waiting(path: Path) -> None:
    path.mkdir()
    with pytest.raises(OSError, match="no regular file"):
        read_new(str(path), 0)
    path.rmdir()
    os.mkfifo(path)
    with pytest.raises(OSError, match="no regular file"):
        read_new(str(path), 0)
    with pytest.raises(OSError, match="no regular file"):
        tail(str(path))
    path.unlink()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        with pytest.raises(OSError, match=r"No such device|not supported"):
            read_new(str(path), 0)


def test_a_file_that_is_not_ours_to_read_is_an_error(path: Path) -> None:
    (path.parent / "file").touch()
    with pytest.raises(NotADirectoryError):
        read_new(str(path.parent / "file" / path.name), 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.binary(min_size=1, max_size=30).map(lambda b: b.replace(b"\n", b"-"))),
    cuts=st.lists(st.integers(0, 900), max_size=6),
    most=st.integers(31, 90),
)
def test_however_it_is_written_every_line_is_read_once(
    path: Path, lines: list[bytes], cuts: list[int], most: int
) -> None:
    whole = b"".join(line + b"\n" for line in lines)
    read: list[bytes] = []
    offset = 0
    for end in [*sorted(cuts), len(whole)]:
        path.write_bytes(whole[:end])
        found, offset = read_all(path, offset, most)
        read += found
    assert read == lines
    assert offset == len(whole)


TAILS = [
    (b"", ()),
    (b"one", ()),
    (b"one\n", (b"one",)),
    (b"one\n\ntwo\n", (b"one", b"two")),
    (b"one\ntwo\nha", (b"one", b"two")),
    (b"0123456789\n", ()),
    (b"0123456789", ()),
    (b"x\n012345678\n", (b"012345678",)),
    (b"xx\n01234567\n8", (b"01234567",)),
    (b"xxx\n45\n6789a\n", (b"45", b"6789a")),
    (b"xxxx5\n6789abc\n", (b"6789abc",)),
    (b"one\n0123456789abcdef", ()),
]


@pytest.mark.parametrize(("whole", "expected"), TAILS, ids=repr)
def test_a_tail_is_the_whole_lines_of_the_last_bytes(
    path: Path, whole: bytes, expected: tuple[bytes, ...]
) -> None:
    path.write_bytes(whole)
    assert tail(str(path), 10) == expected


def test_the_tail_of_a_file_that_is_not_there_is_empty(path: Path) -> None:
    assert tail(str(path)) == ()


def test_the_tail_of_a_long_file_is_as_long_as_was_asked_for(path: Path) -> None:
    lines = [b"%05d" % number for number in range(100_000)]
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert tail(str(path)) == tuple(lines[-262_144 // 6 + 1 :])
    assert tail(str(path), 10_000_000) == tuple(lines)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.binary(min_size=1, max_size=30).map(lambda b: b.replace(b"\n", b"-"))),
    rest=st.binary(max_size=9).map(lambda b: b.replace(b"\n", b"-")),
    limit=st.integers(1, 200),
)
def test_a_tail_is_the_end_of_all_lines(
    path: Path, lines: list[bytes], rest: bytes, limit: int
) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines) + rest)
    found = tail(str(path), limit)
    assert list(found) == lines[len(lines) - len(found) :]
    fits = sum(len(line) + 1 for line in found) + len(rest)
    assert fits <= limit or not found
    if len(found) < len(lines):
        assert fits + len(lines[-len(found) - 1]) + 1 > limit
