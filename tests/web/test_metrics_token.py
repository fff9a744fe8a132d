"""The token of /metrics: kept in a private file."""

import stat
from pathlib import Path

import pytest

from hookd.web.metrics_token import token_of


def test_the_token_is_kept_in_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "web" / "metrics-token"
    token = token_of(path)
    assert len(token) == 43
    assert path.read_text() == f"{token}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert token_of(path) == token


def test_a_file_without_a_token_gets_one_and_its_mode_is_narrowed(tmp_path: Path) -> None:
    path = tmp_path / "metrics-token"
    path.write_text("short")
    path.chmod(0o644)
    token = token_of(path)
    assert path.read_text() == f"{token}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "metrics-token").symlink_to(tmp_path / "other")
    with pytest.raises(OSError):
        token_of(tmp_path / "metrics-token")
