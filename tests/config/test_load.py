"""Settings that cannot be used are refused with the file, the key and what is wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookd.config import load
from hookd.config.load import LoadedSettings, SettingsError
from hookd.config.models import Policies, Settings
from hookd.daemon.app import configured
from hookd.policies import configure


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_without_a_file_the_defaults_hold(path: Path) -> None:
    assert load.load(path) == LoadedSettings(Settings())


@pytest.mark.parametrize("text", ["{}", " {\n}\n", '{"$schema": "x"}', '{"log": {}}'])
def test_what_is_not_said_is_the_default(text: str, path: Path) -> None:
    path.write_text(text)
    assert load.load(path).settings.model_copy(update={"schema_": None}) == Settings()


def test_every_key_can_be_set(path: Path) -> None:
    given: dict[str, Any] = {
        "$schema": "https://example.org/settings.json",
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]},
        "disabled_hooks": ["Stop-*"],
        "policies": {
            "profile": "workflow",
            "enabled": ["verification"],
            "disabled": ["overflow"],
            "options": {"heartbeat": {"block_after": 50}},
        },
        "identity": {"share_efforts": True},
        "efforts": {
            "auto": False,
            "skills": ["fix"],
            "tasks": "work",
            "finish_on_tasks": True,
            "join": "never",
        },
        "directives": {"when": "always", "files": ["AGENTS.md"], "agents_md": "always"},
        "context": {"budget": 5000, "window": 100_000},
        "precompact": {"action": "block"},
        "sessions": {"idle_minutes": 30},
        "retention": {"days": 7, "max_mb": 500},
        "log": {"level": "debug", "max_bytes": 10_000},
        "limits": {"policy_ms": 500},
        "user_hooks": {
            "max_concurrent": 2,
            "claude_settings": "run",
            "max_consecutive_stop_blocks": 3,
            "max_background": 3,
            "env_passthrough": ["NODE_*"],
            "env_profiles": ["opta"],
            "blocked_paths": ["/etc"],
            "allowed_paths": ["/home"],
            "http_allow": ["https://hooks.example.org/*"],
            "http_env": ["HOOK_TOKEN"],
            "prompt": {
                "endpoint": "https://models.example.org/v1/messages",
                "model": "small",
                "max_tokens": 100,
                "key_file": "~/.config/hookd/key",
                "key_env": "MODEL_KEY",
                "command": ["judge", "--json"],
                "budget_per_day": 5,
                "max_event": 1_000,
            },
        },
        "approvals": {"hold": True, "agents": {"a": False}, "projects": {"/work": True}},
        "rules": {"team": ["~/team/rules.yaml"]},
        "fleet": {"deny_fields": ["prompt"]},
        "mail": {"per_hour_and_pair": 5, "across_projects": True, "tmux_keys": True},
    }
    path.write_text(json.dumps(given))
    loaded = load.load(path).settings
    assert loaded.model_dump(mode="json", by_alias=True) == given


NO_JSON = [
    ("", "line 1, column 1"),
    ("{", "line 1, column 2"),
    ('{\n  "log": {"level": "info",}\n}', "line 2, column 2"),
    ('{\n  "log": {}\n  "identity": {}\n}', "line 3, column 3"),
    ("{} {}", "line 1, column 4"),
    ("// a comment\n{}", "line 1, column 1"),
    ("\ufeff{}", "line 1, column 1"),
]


@pytest.mark.parametrize(("text", "place"), NO_JSON, ids=repr)
def test_what_is_no_json_is_refused_with_the_place(text: str, place: str, path: Path) -> None:
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load.load(path)
    said = str(caught.value)
    assert said.startswith(f"the settings {path} are not JSON: ")
    assert place in said


REFUSED: list[tuple[Any, str]] = [
    ({"identty": {}}, "identty: there is no such setting"),
    ({"identity": {"share_effort": True}}, "identity.share_effort: there is no such setting"),
    ({"log": {"level": "loud"}}, "log.level: "),
    ({"log": {"max_bytes": 1}}, "log.max_bytes: "),
    ({"log": {"max_bytes": "many"}}, "log.max_bytes: "),
    ({"log": None}, "log: "),
    ({"policies": {"disabled": "overflow"}}, "policies.disabled: "),
    ({"policies": {"disabled": ["overflow", 7]}}, "policies.disabled.1: "),
    ({"policies": {"options": {"heartbeat": 7}}}, "policies.options.heartbeat: "),
    ({"user_hooks": {"max_concurrent": 0}}, "user_hooks.max_concurrent: "),
    ({"user_hooks": {"http_allow": ["hooks.example.org/*"]}}, "user_hooks.http_allow: "),
    ({"user_hooks": {"prompt": {"key": "k"}}}, "user_hooks.prompt.key: there is no such setting"),
    ({"commands": {"limit": 0}}, "commands.limit: "),
    ({"commands": {"prompt": {"key": "k"}}}, "commands.prompt.key: there is no such setting"),
    ({"commands": 1}, "commands: "),
    ({"commands": {"limits": 1}}, "commands.limits: there is no such setting"),
    ({"disable": [7]}, "disable.0: "),
    ([], "the whole file: "),
    (7, "the whole file: "),
    (None, "the whole file: "),
]


@pytest.mark.parametrize(("value", "said"), REFUSED, ids=str)
def test_what_does_not_hold_is_refused_with_its_key(value: Any, said: str, path: Path) -> None:
    path.write_text(json.dumps(value))
    with pytest.raises(SettingsError) as caught:
        load.load(path)
    assert str(caught.value).startswith(f"the settings {path} are refused: {said}")


ODD = {
    "nested too deeply": "[" * 100_000 + "]" * 100_000,
    "a number of thousands of digits": '{"log": {"max_bytes": ' + "9" * 5_000 + "}}",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_json_is_refused_and_is_no_fault_of_ours(name: str, path: Path) -> None:
    path.write_text(ODD[name])
    with pytest.raises(SettingsError, match="are refused: "):
        load.load(path)


def test_a_file_that_cannot_be_read_is_told_by_its_name(path: Path) -> None:
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(SettingsError, match="cannot be read: ") as caught:
        load.load(path)
    assert str(path) in str(caught.value)
    path.unlink()
    path.mkdir()
    with pytest.raises(SettingsError, match="cannot be read: "):
        load.load(path)


def test_a_value_is_not_told_since_it_may_be_a_secret(path: Path) -> None:
    path.write_text('{"log": {"level": "hunter2"}, "hunter": "hunter3"}')
    with pytest.raises(SettingsError) as caught:
        load.load(path)
    assert "hunter2" not in str(caught.value)
    assert "hunter3" not in str(caught.value)


CONFIGURED = [
    ({"policies": {"disabled": ["heartbeet"]}}, "unknown policy 'heartbeet'"),
    ({"policies": {"options": {"heartbeat": {"blok_after": 1}}}}, "blok_after"),
    ({"policies": {"options": {"overflow": {"at": 2}}}}, "at: "),
    ({"lgo": {}}, "lgo: there is no such setting"),
]


@pytest.mark.parametrize(("value", "said"), CONFIGURED, ids=str)
def test_settings_that_do_not_hold_leave_the_defaults_and_a_problem(
    value: Any, said: str, path: Path
) -> None:
    path.write_text(json.dumps(value))
    chosen = configured(path)
    assert chosen.settings == Settings()
    assert chosen.options == configure(Policies())
    assert str(path) in chosen.problem
    assert said in chosen.problem


def test_settings_that_hold_leave_no_problem(path: Path) -> None:
    path.write_text('{"policies": {"disabled": ["heartbeat"]}}')
    chosen = configured(path)
    assert chosen.problem == ""
    assert chosen.options["heartbeat"].mode == "off"


def test_deprecated_keys_apply_and_leave_a_notice(path: Path) -> None:
    value = {
        "commands": {"limit": 3},
        "policies": {"options": {"todo-continuation-enforcer": {"countdown": "x", "max": 2}}},
    }
    path.write_text(json.dumps(value))
    chosen = configured(path)
    assert chosen.problem == ""
    assert chosen.settings.user_hooks.max_concurrent == 3
    assert chosen.options["todo-continuation-enforcer"].model_dump()["max"] == 2
    assert chosen.deprecations == (
        f"the settings {path}: commands: deprecated: use user_hooks (limit is now max_concurrent)",
        f"the settings {path}: policies.options.todo-continuation-enforcer.countdown:"
        " deprecated: it has no effect, remove it",
    )
