"""`hookd doctor --report`: one private file with everything an issue needs and no secret."""

from collections.abc import Iterator

import pytest

from support.doctor_home import Scene, guarded
from support.home import Home

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
    assert scene.doctor("--report", "report.md")[0] != 0, "a file that exists is not replaced"
    assert path.read_text() == text


def test_a_report_is_written_while_no_daemon_runs(scene: Scene) -> None:
    scene.home.ends()
    scene.doctor("--report")
    text = (scene.project / "hookd-report.md").read_text()
    assert "no daemon answers" in text
