"""`make fleet-demo` as a whole: what it prints, its exit code, and that nothing of it stays."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT, TESTS
from support.postgres import MissingError, programs


@pytest.mark.gate
def test_the_demo_shows_each_chapter_and_leaves_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "fleet_demo.fleet_demo"],
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(TESTS)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    said = done.stdout
    assert (done.returncode, done.stderr) == (0, ""), said
    assert max(map(len, said.split("\n"))) <= 80
    for name in ("alpha", "beta"):
        assert f"{name} has joined the fleet acme: mode decisions, accepts" in said
        assert re.search(rf"^  {name} +here +1 ", said, re.MULTILINE), "the list of hosts"
    assert said.count("20 calls pass; rm -rf ~: deny: destructive-guard") == 2
    assert "  | > Which port has the database?\n" in said
    assert "  | > 5432.\n" in said
    winners = re.findall(r"winner: (\w+); the agent on (\w+) receives:", said)
    assert [sorted(one) for one in winners] == [["alpha", "beta"]]
    assert "ben on beta: git push origin main: passes\n" in said
    assert "deny: guard no-main (fleet acme v1): Open a" in said
    assert "names its source: fleet acme v1\n" in said
    assert "  beta: paused by fleet acme\n" in said
    assert "The guards of both hosts are on again." in said
    assert re.search(r"^  alpha +ann +orders +claude-code +\w+ +\d+$", said, re.MULTILINE)
    assert int(re.findall(r"^rows shipped +(\d+)$", said, re.MULTILINE)[0]) > 2 * 22
    assert said.endswith("All is stopped, and its folders are removed.\n")
    (folder,) = re.findall(r"^PostgreSQL .* runs in (\S+)\.$", said, re.MULTILINE)
    assert not Path(folder).exists()


def test_a_machine_without_postgresql_is_told_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="next: sudo apt-get install postgresql"):
        programs(tmp_path)
    newest = tmp_path / "16" / "bin"
    for version in ("9", "16", "15"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "initdb").touch()
    assert programs(tmp_path) == newest
