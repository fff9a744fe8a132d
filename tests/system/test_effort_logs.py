"""Entries of a log are never lost."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hookd.core.model.effects.after_commit import AppendLog
from hookd.core.model.effects.forget import LogEntry
from hookd.system import effort_logs

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tasks" / "pagination" / "1_IMPLEMENT_LOG.md"


def append(path: Path, entry: str) -> None:
    effort_logs.append(AppendLog(str(path), entry, "implement log", str(path.parents[2])))


def test_the_first_entry_makes_the_file_its_folders_and_its_heading(path: Path) -> None:
    append(path, "## Parser done")
    assert path.read_text() == "# implement log\n\n## Parser done\n"


def test_the_next_entry_goes_to_the_end(path: Path) -> None:
    for entry in ("one", "two\n", "three\nlines\n\n\n"):
        append(path, entry)
    assert path.read_text() == "# implement log\n\none\n\ntwo\n\nthree\nlines\n"


def test_a_log_leads_nowhere_else(path: Path, tmp_path: Path) -> None:
    outside = tmp_path.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "rc").write_text("mine\n")
    path.parent.mkdir(parents=True)
    path.symlink_to(outside / "rc")
    with pytest.raises(OSError, match=r"symbolic|links"):
        append(path, "one")
    path.unlink()
    path.parent.rmdir()
    path.parent.symlink_to(outside)
    with pytest.raises(OSError, match="it leads out of"):
        append(path, "one")
    assert [one.name for one in outside.iterdir()] == ["rc"]
    assert (outside / "rc").read_text() == "mine\n"


def test_what_a_person_wrote_stays(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("my own words")
    append(path, "one")
    assert path.read_text() == "my own words\none\n"


def test_an_empty_file_gets_its_heading(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.touch()
    append(path, "one")
    assert path.read_text() == "# implement log\n\none\n"


def test_no_secret_is_written(path: Path) -> None:
    append(path, f"used {KEY} for it")
    assert KEY not in path.read_text()
    assert "used [redacted:" in path.read_text()


@pytest.mark.parametrize("entry", ["\u00e9\U0001f600", "a lone \ud800 surrogate"])
def test_any_text_can_be_written(entry: str, path: Path) -> None:
    append(path, entry)
    assert entry.replace("\ud800", "?") in path.read_text("utf-8")


def test_no_entry_is_lost_or_torn_among_threads(path: Path) -> None:
    append(path, "first")
    entries = [f"entry {number} " + "x" * 5_000 for number in range(200)]
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda entry: append(path, entry), entries))
    written = Counter(line for line in path.read_text().splitlines() if line)
    assert written == Counter(["# implement log", "first", *entries])


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "file" / "log.md", tmp_path):
        with pytest.raises(OSError, match=r"directory|exists"):
            append(place, "one")


def erased(path: Path, entry: str) -> str:
    return effort_logs.erase(LogEntry(str(path), str(path.parents[2]), entry))


def test_an_entry_is_erased_and_the_others_stay(path: Path) -> None:
    for entry in ("one", f"two {KEY}\n", "two", "three"):
        append(path, entry)
    assert [erased(path, entry) for entry in (f"two {KEY}\n", "one")] == ["", ""]
    assert path.read_text() == "# implement log\n\ntwo\n\nthree\n"
    assert "is not there as hookd wrote it" in erased(path, "one")


def test_nothing_is_erased_elsewhere(path: Path, tmp_path: Path) -> None:
    assert erased(path, "no file") == ""
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "rc")
    (tmp_path / "rc").write_text("mine\n")
    assert erased(path, "mine")
    away = LogEntry(str(tmp_path / "rc"), str(path.parents[1]), "mine")
    assert "leads out of" in effort_logs.erase(away)
    assert (tmp_path / "rc").read_text() == "mine\n"
