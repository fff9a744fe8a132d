"""`hookd doctor --report`: one private file with everything an issue needs and no secret."""

from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from hookd.cli import main
from support.doctor_home import Scene, guarded
from support.home import Home

pytestmark = pytest.mark.gate

KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def scene(home: Home, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    with guarded(home, monkeypatch) as scene:
        yield scene


def test_a_report_holds_what_an_issue_needs_and_no_secret(scene: Scene) -> None:
    scene.home.settings({"notify": {"command": f"curl -H 'Authorization: Bearer {KEY}'"}})
    scene.write("local", {"env": {"TICKET": "plain-words"}, "model": KEY})
    _, out = scene.doctor("--report", "report.md")
    path = scene.project / "report.md"
    text = path.read_text()
    assert out.splitlines()[-1] == "Report: report.md. Read it before you share it."
    assert path.stat().st_mode & 0o777 == 0o600
    for title in ("Versions", "Findings of hookd doctor", "Daemon", "Settings ~", "Timings"):
        assert f"\n## {title}" in text
    assert "Claude Code 2.1.329" in text
    assert "daemon.status, 20 calls: median" in text
    assert '"TICKET": "[left out]"' in text
    assert KEY not in text
    assert "plain-words" not in text
    assert str(scene.home.path) not in text


def test_a_report_is_written_while_no_daemon_runs(scene: Scene) -> None:
    scene.home.ends()
    scene.doctor("--report")
    text = (scene.project / "hookd-report.md").read_text()
    assert "no daemon answers" in text


def test_a_report_replaces_an_earlier_report_and_no_other_file(scene: Scene) -> None:
    path = scene.project / "hookd-report.md"
    path.write_text("# hookd report\nThe former text.\n")
    path.chmod(0o644)
    scene.doctor("--report")
    assert "The former text." not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    other = scene.project / "other.md"
    other.write_text("# My notes\n")
    ran = CliRunner().invoke(main, ["doctor", "--report", "other.md"])
    assert ran.exit_code == 1
    assert ran.stderr == (
        "hookd: other.md exists already, and is not a report of hookd.\n"
        "  next: hookd doctor --report other-other.md, or rm other.md\n"
    )
    assert other.read_text() == "# My notes\n"
    link = scene.project / "link.md"
    link.symlink_to(path)
    assert scene.doctor("--report", "link.md")[0] != 0
