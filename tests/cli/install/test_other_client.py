"""`hookd install --client` on real files: each client's own file, and no other is touched."""

import json
from pathlib import Path
from typing import Any

import pytest

from hookd.cli.install import clients
from hookd.cli.install.clients import OTHER_CLIENTS
from hookd.core.model.shim_config import EventRule
from support.codex_trust import trust_all
from support.installation import (
    FOREIGN,
    config,
    done,
    furnish,
    hookd,
    mode,
    program,
    refused,
    shims,
)

FILES = {
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
    "copilot": ".copilot/hooks/hookd.json",
    "opencode": ".config/opencode/plugins/hookd.js",
}
PLUGIN = 'const CONFIG = "";\nexport const Hookd = async () => ({});\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with hookd's program and its packaged shims, and a plugin for opencode."""
    (tmp_path / "plugin.js").write_text(PLUGIN)
    monkeypatch.setattr(clients, "_PLUGIN", tmp_path / "plugin.js")
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path, monkeypatch)


def files(home: Path) -> dict[str, bytes]:
    """Return every file of the home's clients."""
    places = (home / name for name in (".codex", ".gemini", ".qwen", ".copilot", ".config"))
    found = (file for place in places for file in place.rglob("*") if file.is_file())
    return {str(file.relative_to(home)): file.read_bytes() for file in found}


@pytest.mark.parametrize("client", OTHER_CLIENTS)
def test_a_client_gets_its_own_file_and_loses_it_again(client: str, home: Path) -> None:
    facts = done("install", "--client", client)
    assert (facts["client"], facts["changed"], facts["scope"]) == (client, True, "user")
    assert list(files(home)) == [FILES[client]]
    file = home / FILES[client]
    assert facts["settings"] == str(file)
    assert mode(file) == 0o600
    folder = Path(facts["shims"])
    assert folder.name.startswith(f"{client}-user-")
    made = config(home, folder.name)
    assert (made.client, made.settings) == (client, str(file))
    assert set(made.events) == set(facts["events"])
    assert all((folder / event).is_symlink() for event in facts["events"])
    assert done("install", "--client", client)["changed"] is False
    gone = done("uninstall", "--client", client)
    assert (gone["client"], gone["restored"], gone["shims"]) == (client, True, "removed")
    assert files(home) == {}
    assert not (home / FILES[client]).parent.exists()
    assert not shims(home).exists()


@pytest.mark.parametrize("client", ["codex", "gemini", "qwen", "copilot"])
def test_what_stood_in_the_file_comes_back_byte_for_byte(client: str, home: Path) -> None:
    file = home / FILES[client]
    file.parent.mkdir(parents=True)
    mine: dict[str, Any] = {"hooks": {"Stop": [{"hooks": [FOREIGN]}], "preToolUse": []}}
    file.write_text(json.dumps(mine, indent=3) + "\n\n")
    before = file.read_bytes()
    done("install", "--client", client)
    assert file.read_bytes() != before
    done("install", "--client", client, "--events", "PreToolUse")
    assert done("uninstall", "--client", client)["restored"] is True
    assert file.read_bytes() == before


def test_a_preview_writes_nothing(home: Path) -> None:
    facts = done("install", "--client", "codex", "--dry-run")
    assert facts["changes"]["put_in"] == facts["events"]
    assert files(home) == {}
    assert not shims(home).exists()
    shown = hookd("install", "--client", "codex,copilot", "--diff").stdout
    assert "hookd would be registered with Codex; nothing is written." in shown
    assert shown.count("+++ ") == 4  # each client's file, and the configuration of its shims
    assert files(home) == {}


def test_several_clients_are_one_command_and_one_json_object(home: Path) -> None:
    facts = done("install", "--client", "codex,claude-code", "--client", "gemini")
    assert [one["client"] for one in facts["clients"]] == ["claude-code", "codex", "gemini"]
    assert set(files(home)) == {FILES["codex"], FILES["gemini"]}
    gone = done("uninstall", "--all")["clients"]
    assert sorted(one["client"] for one in gone) == ["claude-code", "codex", "gemini"]
    assert gone[-1]["shims"] == "removed"
    assert files(home) == {}


def test_if_one_file_cannot_be_read_none_is_changed(home: Path) -> None:
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text('{\n  "a": 1,\n}\n')
    said = refused("install", "--client", "codex,gemini")
    assert f"{home}/.gemini/settings.json is not valid JSON: line 3" in said
    assert FILES["codex"] not in files(home)
    assert not shims(home).exists()


def test_all_means_what_is_on_this_machine(home: Path) -> None:
    (home / "bin" / "claude").unlink()
    assert refused("install", "--all") == "hookd: No client is on this machine."
    (home / ".qwen").mkdir()
    program(home, "codex", "#!/bin/sh\n")
    facts = done("install", "--all")
    assert [one["client"] for one in facts["clients"]] == ["codex", "qwen"]


def test_an_install_names_the_other_clients_on_this_machine(home: Path) -> None:
    assert done("install")["notes"] == []
    program(home, "codex", "#!/bin/sh\n")
    (home / ".gemini").mkdir()
    (note,) = done("install")["notes"]
    assert note.endswith("to register hookd there: hookd install --client codex,gemini")
    done("install", "--client", "codex,gemini")
    assert done("install")["notes"] == []


def test_settings_with_comments_keep_them(home: Path) -> None:
    file = home / FILES["gemini"]
    file.parent.mkdir()
    text = '// mine\n{\n  "ui": {}, // colours\n  /* hooks: none */\n  "x": [1 /* one */]\n}\n'
    file.write_text(text)
    done("install", "--client", "gemini")
    there = file.read_text()
    assert all(one in there for one in ("// mine", "// colours", "/* hooks: none */", "/* one */"))
    file.write_text(there + "// more\n")
    assert done("uninstall", "--client", "gemini")["restored"] is False
    assert file.read_text() == text + "// more\n"


def test_comments_are_an_error_where_the_client_takes_none(home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "hooks.json").write_text("// mine\n{}\n")
    assert "hooks.json is not valid JSON: line 1" in refused("install", "--client", "codex")


# what fails closed


def test_what_fails_closed_is_told_to_the_shim_in_the_client_s_words(home: Path) -> None:
    facts = done("install", "--client", "codex", "--fail-closed")
    made = config(home, Path(facts["shims"]).name)
    assert facts["fail_closed"] == ["PreToolUse", "PermissionRequest"]
    assert made.closed == ("PreToolUse", "PermissionRequest")
    assert '"permissionDecision":"deny"' in made.denials["PreToolUse"]
    assert "if the shim itself is missing, Codex runs these calls" in facts["notes"]
    assert done("install", "--client", "codex")["fail_closed"] == facts["fail_closed"]
    assert done("install", "--client", "codex", "--fail-open")["fail_closed"] == []


def test_what_a_client_cannot_deny_cannot_fail_closed() -> None:
    said = refused("install", "--client", "codex", "--fail-closed", "TaskCreated")
    assert said == "hookd: TaskCreated cannot fail closed with Codex: it is not registered."


def test_a_client_that_denies_without_the_program_is_told_of(home: Path) -> None:
    program(home, "copilot", "#!/bin/sh\n")
    (note,) = done("install", "--client", "copilot")["notes"]
    assert "if hookd's program is missing, it denies every tool call" in note
    program(home, "qwen", "#!/bin/sh\n")
    assert done("install", "--client", "qwen")["notes"] == []


def test_a_client_that_is_not_installed_is_registered_for_later(home: Path) -> None:
    (note,) = done("install", "--client", "codex")["notes"]
    assert note == "codex is not on the PATH: Codex runs hookd's hooks once it is installed"
    program(home, "codex", "#!/bin/sh\n")
    assert done("install", "--client", "codex")["notes"] == []


@pytest.mark.parametrize("client", ["codex", "qwen"])
def test_a_read_only_file_is_not_replaced(client: str, home: Path) -> None:
    done("install", "--client", client, "--events", "PreToolUse")
    file, folder = home / FILES[client], shims(home)
    file.chmod(0o444)
    before = {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    before[file] = file.read_bytes()
    for words in (["install", "--client", f"{client},gemini"], ["uninstall", "--client", client]):
        more = ["--events", "default"] if words[0] == "install" else []
        said = hookd(*words, *more)
        assert (said.exit_code, said.stdout) == (1, "")
        assert f"{file} is read-only. Nothing was changed." in said.stderr
        assert f"next: chmod u+w {file}, then run the command again" in said.stderr
        assert {one: one.read_bytes() for one in before} == before
    assert mode(file) == 0o444
    assert not (home / FILES["gemini"]).exists()
    same = done("install", "--client", client, "--events", "PreToolUse")
    assert same["changed"] is False


def test_all_takes_nothing_from_nowhere(home: Path) -> None:
    said = hookd("uninstall", "--all")
    assert said.exit_code == 0
    assert said.stdout == "Nothing changed: hookd is registered with no client.\n"
    assert done("uninstall", "--all")["changed"] is False


# options


def test_events_are_named_as_hookd_names_them(home: Path) -> None:
    facts = done("install", "--client", "gemini", "--events", "PreToolUse,Stop")
    assert facts["events"] == ["PreToolUse", "Stop"]
    hooks = json.loads((home / FILES["gemini"]).read_text())["hooks"]
    assert list(hooks) == ["BeforeTool", "AfterAgent"]
    made = config(home, Path(facts["shims"]).name)
    assert made.events["PreToolUse"] == EventRule(13, False)
    assert done("install", "--client", "gemini")["events"] == ["PreToolUse", "Stop"]
    every = done("install", "--client", "gemini", "--events", "default")["events"]
    assert every == list(OTHER_CLIENTS["gemini"].registration.NAMES)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--client", "gemini", "--events", "TaskCreated"], "Gemini CLI has no event for Task"),
        (["--client", "gemini", "--events", "BeforeTool"], '"BeforeTool" is not an event'),
        (["--client", "gemeni"], '"gemeni" is not a client of hookd. Did you mean gemini?'),
        (["--client", "codex", "--scope", "local"], "Codex has no settings of a project that"),
    ],
)
def test_a_wrong_option_is_an_error_with_a_step(words: list[str], said: str, home: Path) -> None:
    assert said in refused("install", *words)
    assert files(home) == {}


@pytest.mark.parametrize(
    "words",
    [
        ["install", "--client", "codex", "--statusline"],
        ["install", "--client", "codex", "--all"],
        ["install", "--client", "codex,qwen", "--settings", "x.json"],
        ["uninstall", "--all", "--scope", "project"],
    ],
)
def test_options_that_contradict_each_other_are_misuse(words: list[str]) -> None:
    assert hookd(*words).exit_code == 2


def test_a_project_s_file_is_shared_and_the_warning_says_what_others_lose(home: Path) -> None:
    project = home / "work"
    (project / ".git").mkdir(parents=True)
    where = ("--scope", "project", "--project-dir", str(project))
    result = hookd("install", "--client", "copilot", *where, "--json")
    facts = json.loads(result.stdout)
    assert facts["settings"] == str(project / ".github" / "hooks" / "hookd.json")
    assert "without them, Copilot CLI denies every tool call" in result.stderr
    assert done("uninstall", "--client", "copilot", *where)["restored"] is True
    assert not (project / ".github").exists()


def test_a_plugin_of_another_is_not_replaced(home: Path) -> None:
    file = home / FILES["opencode"]
    file.parent.mkdir(parents=True)
    file.write_text("export const Mine = 1;\n")
    assert "does not begin as hookd's plugin does" in refused("install", "--client", "opencode")
    assert done("uninstall", "--client", "opencode")["changed"] is False
    assert file.read_text() == "export const Mine = 1;\n"


def test_the_plugin_of_opencode_finds_its_configuration(home: Path) -> None:
    facts = done("install", "--client", "opencode")
    place = Path(facts["shims"]) / "hookd.json"
    first = (home / FILES["opencode"]).read_text().partition("\n")[0]
    assert first == f'const CONFIG = "{place}";'
    told = json.loads(place.read_text())
    assert told["client"] == "opencode"
    assert told["socket"].endswith("hookd.sock")
    assert told["deadlines"]["PreToolUse"] == 13


# Codex


def test_codex_is_told_where_its_own_configuration_is_in_the_way(home: Path) -> None:
    folder = home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text('x = "a"\ny = \n')
    said = refused("install", "--client", "codex")
    assert "config.toml is not valid TOML" in said
    assert "line 2" in said
    (folder / "config.toml").write_text(
        '[features]\nhooks = false\n[[hooks.Stop]]\nhooks = [{ type = "command" }]\n'
    )
    program(home, "codex", "#!/bin/sh\n")
    notes = done("install", "--client", "codex")["notes"]
    assert [note.partition(" ")[0] for note in notes] == [
        "features.hooks",
        str(folder / "config.toml"),
    ]
    assert "Trust all and continue" in hookd("install", "--client", "codex").stdout


def test_codex_is_opened_for_trust_only_where_trust_is_missing(home: Path) -> None:
    assert 'choose "Trust all' in hookd("install", "--client", "codex").stdout
    trust_all(home)
    assert "Trust all" not in hookd("install", "--client", "codex").stdout
    changed = hookd("install", "--client", "codex", "--events", "PreToolUse").stdout
    assert "Trust all" not in changed
    assert "start Codex again" in changed
    more = hookd("install", "--client", "codex", "--events", "PreToolUse,Stop,SubagentStop")
    assert "Trust all" not in more.stdout
    config = home / ".codex" / "config.toml"
    config.write_text(config.read_text().replace("sha256:", "sha256:0", 1))
    assert "Trust all" in hookd("install", "--client", "codex", "--events", "default").stdout


def test_a_longer_deadline_is_told_with_the_command_and_no_file_is_changed(home: Path) -> None:
    """A changed entry loses a person's trust in Codex, so only a person changes it."""
    done("install", "--client", "codex")
    before = files(home)
    script = home / "slow.sh"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    result = hookd("hook", "add", "PreToolUse", str(script), "--timeout", "60")
    assert result.exit_code == 0, result.output
    step = f"hookd install --client codex --settings {home}/.codex/hooks.json"
    assert f"PreToolUse: the shim waits 13 s, and a hook needs 62 s. Next: {step}" in result.stderr
    assert files(home) == before
    done("install", "--client", "codex")
    hooks = json.loads((home / FILES["codex"]).read_text())["hooks"]
    assert hooks["PreToolUse"][0]["hooks"][0]["timeout"] == 64
