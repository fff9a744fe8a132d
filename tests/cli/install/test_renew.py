"""The command that renews each kind of registration."""

from pathlib import Path

import pytest

from hookd.cli.install import renew, scope_folder
from support.installation import FOLDERS, done, furnish


@pytest.mark.parametrize(
    ("scope", "settings", "words"),
    [
        ("user", "/home/ana/.claude/settings.json", ["install"]),
        ("user-0123abcd", "/srv/claude/settings.json", ["install"]),
        (
            "local-0123abcd",
            "/src/a b/.claude/settings.local.json",
            ["install", "--scope", "local", "--project-dir", "/src/a b"],
        ),
        (
            "project-0123abcd",
            "/src/x/.claude/settings.json",
            ["install", "--scope", "project", "--project-dir", "/src/x"],
        ),
        ("file-0123abcd", "/etc/some.json", ["install", "--settings", "/etc/some.json"]),
        (
            "plugin-0123abcd",
            "/home/ana/.claude/plugins/installed_plugins.json",
            ["plugin", "setup"],
        ),
        ("codex-user-0123abcd", "/home/ana/.codex/hooks.json", ["install", "--client", "codex"]),
        (
            "codex-user-0123abcd",
            "/srv/codex/hooks.json",
            ["install", "--client", "codex", "--settings", "/srv/codex/hooks.json"],
        ),
        (
            "copilot-project-0123abcd",
            "/src/x/.github/hooks/hookd.json",
            ["install", "--client", "copilot", "--scope", "project", "--project-dir", "/src/x"],
        ),
    ],
)
def test_each_scope_is_renewed_with_its_own_options(
    scope: str, settings: str, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    for variable in FOLDERS:
        monkeypatch.delenv(variable, raising=False)
    assert renew.arguments(scope, settings) == words


def test_only_settings_that_still_name_hookd_are_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(tmp_path, monkeypatch)
    other = tmp_path / "other.json"
    done("install")
    done("install", "--settings", str(other))
    assert len(list(renew.registered())) == 2
    other.write_text("{}")
    assert [folder.name for folder, _ in renew.registered()] == ["user"]
    (tmp_path / ".claude" / "settings.json").unlink()
    assert list(renew.registered()) == []
    assert len(list(scope_folder.every())) == 2
