"""Long texts that were kept go when they are old; what cannot be deleted hinders nothing."""

import os
from datetime import UTC, datetime
from pathlib import Path

from hookd.system import spill

LATER = datetime(2026, 1, 31, tzinfo=UTC)


def test_old_texts_go_and_what_cannot_go_stays(tmp_path: Path) -> None:
    for name, day in (("1.txt", 30), ("2.txt", 31)):
        spill.keep(str(tmp_path / name), "x" * 10)
        at = datetime(2026, 1, day, tzinfo=UTC).timestamp()
        os.utime(tmp_path / name, (at, at))
    (tmp_path / "3.txt").symlink_to("nowhere")
    (tmp_path / "4.txt").mkdir()
    os.utime(tmp_path / "4.txt", (0, 0))
    assert spill.forget(str(tmp_path), LATER) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.txt", "3.txt", "4.txt"]


def test_texts_of_events_are_removed(tmp_path: Path) -> None:
    for number in (1, 2):
        spill.keep(str(tmp_path / f"{number}.txt"), "x")
    (tmp_path / "3.txt").mkdir()
    (left,) = spill.remove(str(tmp_path), (1, 3, 4))
    assert left.startswith(f"{tmp_path}/3.txt: ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2.txt", "3.txt"]
