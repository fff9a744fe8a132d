"""Stop marker: written by `hookd stop`, cleared by `hookd start`, whatever is in its place."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hookd.system import stop_marker
from support.home import Home, serving


def test_a_marker_says_when_and_is_the_user_s_alone(tmp_path: Path) -> None:
    place = tmp_path / "run" / "hookd.stopped"
    stop_marker.write(place)
    stop = stop_marker.read(place)
    assert stop is not None
    assert stop.at is not None
    assert abs(datetime.now(UTC) - stop.at) < timedelta(minutes=1)
    assert place.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in place.parent.iterdir()] == ["hookd.stopped"]


@pytest.mark.parametrize("rest", ["", "\n", "\nyesterday\n", "\n\xff\n"])
def test_without_a_valid_time_it_is_a_stop_all_the_same(tmp_path: Path, rest: str) -> None:
    place = tmp_path / "hookd.stopped"
    place.write_bytes(b"hookd-stopped" + rest.encode("latin-1"))
    assert stop_marker.read(place) == stop_marker.Stop(None)


def test_a_folder_that_holds_files_is_moved_and_never_over_another(tmp_path: Path) -> None:
    place = tmp_path / "hookd.stopped"
    for number in (1, 2):
        (place / ".git").mkdir(parents=True)
        aside = tmp_path / f"hookd.stopped.aside-{number}"
        assert stop_marker.clear(place) == aside
        assert (aside / ".git").is_dir()
    assert not place.exists()


def test_a_start_repairs_what_is_in_the_marker_s_place(home: Home) -> None:
    with serving(home):
        (home.stopped / ".git").mkdir(parents=True)
        done = home.hookd("start")
        assert f"{home.stopped} was not written by hookd stop: moved to " in done.stderr
        assert not os.path.lexists(home.stopped)


def test_a_stop_takes_the_place_of_what_is_there(home: Home) -> None:
    with serving(home):
        home.stopped.mkdir()
        home.hookd("stop", "--yes")
        assert stop_marker.read(home.stopped)
