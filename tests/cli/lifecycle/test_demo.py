"""The end of `make run` recommends commands that exist on this machine."""

from pathlib import Path

import pytest

from hookd.cli.lifecycle import demo
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
