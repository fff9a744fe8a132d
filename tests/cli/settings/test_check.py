"""Problems of settings are listed by file, line and key; one schema covers all settings."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.home import Home


def check(home: Home, *args: str) -> tuple[int, list[str]]:
    done = home.hookd("settings", "check", *args, check=False, cwd=home.path)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def test_settings_that_are_well_are_said_to_be(home: Home) -> None:
    assert check(home) == (0, ["There are no settings."])
    home.settings({"log": {"level": "debug"}, "hooks": {}})
    assert check(home) == (0, ["Nothing is wrong with ~/settings.json."])


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"log": {', '"level": "loud"}}'], "2: error: log.level: "),
        (['{"log": 1,', '"lgo": {}}'], "2: error: lgo: there is no such setting"),
        (
            ['{"user_hooks": {"http_allow":', '["odd"]}}'],
            "1: error: user_hooks.http_allow: each must be",
        ),
        (['{"policies": {"options": {', '"heartbeet": {}}}}'], "2: error: policies.options.heart"),
        (
            ['{"policies": {"options": {"heartbeat": {', '"block_after": "x"}}}}'],
            "2: error: policies.options.heartbeat.block_after: ",
        ),
        (['{"hooks": {', '"Stopp": []}}'], "2: error: hooks.'Stopp': there is no such event"),
        (['{"hooks": {"Stop": [', '{"hooks": [{}]}]}}'], "2: error: hooks.Stop[0].hooks[0].type"),
        (["{", '"log": }'], "2: error: it is no JSON"),
        (['{"hook": {}}'], "1: error: hook: there is no such setting; did you mean `hooks`?"),
        (
            ['{"user_hooks": {', '"http_alow": []}}'],
            "2: error: user_hooks.http_alow: there is no such setting; did you mean `http_allow`?",
        ),
    ],
)
def test_an_error_names_its_line_and_key(home: Home, lines: list[str], said: str) -> None:
    home.settings("\n".join(lines))
    code, told = check(home)
    assert code == 1
    assert any(line.startswith(f"~/settings.json:{said}") for line in told), told


def test_every_problem_is_said_and_not_the_first_alone(home: Home) -> None:
    home.settings({"log": {"level": "loud", "max_bytes": 1}, "hooks": {"Stopp": []}})
    code, told = check(home)
    assert (code, len(told)) == (1, 3)


def test_a_note_is_no_failure(home: Home) -> None:
    entry = {"type": "command", "command": "a", "timeout": 30000}
    home.settings({"hooks": {"Stop": [{"hooks": [entry]}]}})
    code, told = check(home)
    assert code == 0
    assert "note: hooks.Stop[0].hooks[0].timeout: looks like milliseconds" in told[0]


def test_a_deprecated_key_is_a_note_with_its_current_name(home: Home) -> None:
    home.settings(
        """{"disable": ["x*"],
"commands": {"limit": 3},
"policies": {"options": {"todo-continuation-enforcer": {
"countdown": 3}}},
"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true", "id": "x1"}]}]}}"""
    )
    code, told = check(home)
    assert code == 0
    assert told[:3] == [
        "~/settings.json:1: note: disable: deprecated: use disabled_hooks",
        "~/settings.json:2: note: commands: deprecated: use user_hooks"
        " (limit is now max_concurrent)",
        "~/settings.json:4: note: policies.options.todo-continuation-enforcer.countdown:"
        " deprecated: it has no effect, remove it",
    ]


def test_an_error_in_a_deprecated_section_names_the_key_in_the_file(home: Home) -> None:
    home.settings('{"commands": {\n"limit": 0}}')
    code, told = check(home)
    assert code == 1
    assert any(line.startswith("~/settings.json:2: error: commands.limit: ") for line in told), told


def test_a_projects_file_holds_hooks_alone(home: Home) -> None:
    path = home.path / "p" / ".hookd" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"log": {"level": "loud"}}')
    code, told = check(home, str(path))
    assert code == 0
    assert "note: log: is read in your own settings alone" in told[0]
    assert check(home, "--project-dir", str(home.path / "p")) == (code, told)


def test_problems_come_as_json_too(home: Home) -> None:
    home.settings('{"log": {\n"level": "loud"}}')
    done = home.hookd("settings", "check", "--json", check=False)
    (one,) = json.loads(done.stdout)
    assert (one["line"], one["key"], one["fatal"]) == (2, "log.level", True)


def resolved(schema: Any, whole: Any) -> Any:
    return whole["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def test_the_schema_is_of_every_key_of_the_settings(home: Home) -> None:
    whole = json.loads(home.hookd("settings", "schema").stdout)
    assert {"hooks", "disable", "log", "policies", "user_hooks"} <= set(whole["properties"])
    assert whole["additionalProperties"] is False
    group = whole["properties"]["hooks"]["properties"]["Stop"]["items"]
    assert "group" in json.dumps(group)
    text = json.dumps(whole)
    for name in {part.partition('"')[0] for part in text.split("#/$defs/")[1:]}:
        assert name in whole["$defs"], name
    policies = resolved(whole["properties"]["policies"], whole)
    beat = policies["properties"]["options"]["properties"]["heartbeat"]
    assert "block_after" in beat["properties"]


def test_a_file_that_is_not_there_is_a_question_of_use(home: Home) -> None:
    done = home.hookd("settings", "check", str(Path("/nowhere.json")), check=False)
    assert done.returncode == 2


def test_an_id_that_is_taken_is_told_of(home: Home) -> None:
    entries = [{"type": "command", "command": text, "id": "one"} for text in ("a", "b")]
    home.settings(json.dumps({"hooks": {"Stop": [{"hooks": entries}]}}, indent=1))
    code, told = check(home)
    assert code == 0
    assert told[0].startswith("~/settings.json:14: note: hooks.Stop[0].hooks[1].id: the id 'one'")
    assert check(home, str(home.path / "settings.json")) == (code, told)


def test_a_setting_that_a_project_can_have_none_of_is_told_from_no_setting(home: Home) -> None:
    path = home.path / "p" / ".hookd" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"hook": {}, "user_hooks": {}, "commands": {}}')
    _, told = check(home, str(path))
    assert told[0].endswith("note: hook: there is no such setting; did you mean `hooks`?")
    assert "note: user_hooks: is read in your own settings alone" in told[1]
    assert "note: commands: is read in your own settings alone" in told[2]


def test_files_that_the_daemon_was_started_with_are_checked(home: Home) -> None:
    bad = home.path / "bad.json"
    bad.write_text("{\n")
    home.hookd("start", "--settings", str(bad))
    code, told = check(home)
    assert code == 1
    assert told[0].startswith("~/bad.json:2: error: it is no JSON")
