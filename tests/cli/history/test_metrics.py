"""`hookd metrics` prints the metrics, and says what is missing."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from hookd.cli import main
from hookd.cli.lib import extras
from support.home import Home, window_in


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOKD_HOME", str(tmp_path))


def test_the_metrics_of_a_real_daemon_as_text_and_as_json(daemon: Home) -> None:
    window_in(daemon).bash("ls")
    text = daemon.hookd("metrics").stdout
    assert "hookd_up 1.0\n" in text
    assert 'hookd_recent_stage_duration_seconds_gcount{stage="total"} 1.0\n' in text
    told = {one["name"]: one for one in json.loads(daemon.hookd("metrics", "--json").stdout)}
    assert told["hookd_up"] == {
        "name": "hookd_up",
        "type": "gauge",
        "help": "1 if the daemon answers, else 0.",
        "samples": [{"name": "hookd_up", "labels": {}, "value": 1.0}],
    }


@pytest.mark.usefixtures("nowhere")
def test_without_a_database_the_rest_is_printed_and_the_step_is_named() -> None:
    ran = CliRunner().invoke(main, ["metrics"])
    assert ran.exit_code == 1
    assert "hookd_up 0.0\n" in ran.stdout
    assert "hookd_database_readable 0.0\n" in ran.stdout
    assert "Metrics of the database are missing: there is no database" in ran.stderr
    assert "next: hookd start" in ran.stderr


def test_without_the_extra_the_line_that_installs_it_is_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extras, "find_spec", lambda name: None if "prom" in name else object())
    ran = CliRunner().invoke(main, ["metrics"])
    assert ran.exit_code == 1
    assert "needs packages that are not installed: prometheus-client." in ran.stderr
    assert "install prometheus-client>=" in ran.stderr.replace("'", "")
