"""`make run`: a transcript of 80 columns, and commands at its end that exist on this machine."""

import re
from pathlib import Path

import pytest

from hookd.cli.lifecycle import demo
from support.home import Home
from support.installation import furnish, program


@pytest.mark.parametrize("there", [True, False])
def test_the_end_of_the_demo_recommends_what_is_installed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    there: bool,
) -> None:
    furnish(tmp_path, monkeypatch)
    if there:
        program(tmp_path, "sqlite3", "#!/bin/sh\n")
    carrier = "nc:/usr/bin/nc" if there else "python3:/usr/bin/python3"
    demo._tell(demo.Stage(tmp_path / ".demo", carrier))
    said = capsys.readouterr().out
    assert ("  sqlite3 -box " in said) == there
    assert ("query 'SELECT type, name FROM sqlite_schema'" in said) == (not there)
    assert ("Without nc, socat and perl" in said) == (not there)


@pytest.mark.slow
def test_the_transcript_fits_eighty_columns_and_ends_with_the_board(home: Home) -> None:
    place = home.path / "demo"
    try:
        lines = home.hookd("demo", "--home", str(place)).stdout.splitlines()
    finally:
        home.hookd("demo", "--home", str(place), "--end")
    assert max(map(len, lines[: lines.index("")])) <= 80
    numbers = [line[:2].strip() for line in lines if re.match(r"[ \d]\d [A-Z]", line)]
    assert numbers == [str(number + 1) for number in range(len(numbers))]
    told = [line for line in lines if re.match(r"   (deny|ask|context) ", line)]
    assert "   deny             guard no-rm-rf: Move it to the trash instead. (hookd #10)" in told
    picture = lines[lines.index("The board, as hookd board shows it:") :]
    assert any("orders" in line for line in picture)
    assert re.search(r"\d+ hooks took \d+\.\d ms in the median", "\n".join(lines))
