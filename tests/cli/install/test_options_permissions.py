"""`hookd install --permissions`: entries for the commands that agents run."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from hookd.cli.install import options
from hookd.cli.policies import profile
from hookd.clients.claude_code.permission_entries import ENTRIES
from hookd.system import ancestry
from hookd.system.ancestry import Caller
from support.installation import done, furnish, hookd, record, refused

pytestmark = pytest.mark.gate

OWN = list(ENTRIES)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = furnish(tmp_path, monkeypatch)
    monkeypatch.chdir(home)
    return home


@pytest.fixture
def file(home: Path) -> Path:
    (home / ".claude").mkdir()
    return home / ".claude" / "settings.json"


def allowed(file: Path) -> Any:
    return json.loads(file.read_text()).get("permissions")


def at_terminal(monkeypatch: pytest.MonkeyPatch, *words: str, answer: str) -> Result:
    with monkeypatch.context() as patched:
        patched.setattr(options, "at_terminal", lambda: True)
        patched.setattr(profile, "at_terminal", lambda: True)
        return hookd("install", *words, input=answer)


def test_the_profile_decides_without_a_terminal(file: Path) -> None:
    out = hookd("install").stdout
    assert "  allow      no entries: Claude Code may ask before `hookd log` and" in out
    assert "to change: hookd install --permissions\n" in out
    assert allowed(file) is None
    facts = done("install", "--profile", "workflow")["permissions"]
    assert (facts["put_in"], facts["command"]) == (OWN, "hookd install --no-permissions")
    assert allowed(file) == {"allow": OWN}


@pytest.mark.parametrize(
    "command", ["log", "handover", "send", "inbox", "wait", "reply", "claim", "release", "work"]
)
def test_what_agents_run_is_allowed_and_what_a_person_decides_is_not(command: str) -> None:
    assert f"Bash(hookd {command}:*)" in OWN
    assert "Bash(hookd mail:*)" not in OWN


def test_a_plain_install_keeps_the_choice_and_a_flag_changes_it(file: Path) -> None:
    done("install", "--permissions")
    assert done("install")["changed"] is False
    assert allowed(file) == {"allow": OWN}
    assert done("install", "--no-permissions")["permissions"]["taken_out"] == OWN
    assert done("install", "--profile", "workflow")["permissions"]["allowed"] == []
    assert allowed(file) is None


def test_a_no_is_kept_though_it_changes_nothing(file: Path) -> None:
    done("install")
    assert done("install", "--no-permissions")["changed"] is False
    assert done("install", "--profile", "workflow")["permissions"]["allowed"] == []
    assert allowed(file) is None


def test_an_entry_that_the_user_took_out_stays_out(file: Path) -> None:
    done("install", "--permissions")
    file.write_text(file.read_text().replace(f',\n      "{OWN[1]}"', ""))
    done("install")
    assert allowed(file) == {"allow": [OWN[0], *OWN[2:]]}
    done("install", "--permissions")
    assert allowed(file) == {"allow": [OWN[0], *OWN[2:], OWN[1]]}


def test_a_person_at_a_terminal_is_asked_once(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = at_terminal(monkeypatch, answer="guards\ny\n").stdout
    assert said.index("Profile") < said.index("without a permission prompt? [y/N]")
    assert allowed(file) == {"allow": OWN}
    assert "permission prompt?" not in at_terminal(monkeypatch, answer="").stdout
    done("uninstall")
    assert "[Y/n]" in at_terminal(monkeypatch, "--profile", "workflow", answer="n\n").stdout
    assert "permission prompt?" not in at_terminal(monkeypatch, answer="").stdout
    assert allowed(file) is None


@pytest.mark.parametrize("touched", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        '{"a":1}',
        '{ "permissions" : { } }',
        '{"permissions": {"allow": [ ]}}',
        '{"permissions": {"deny": ["Read(a)"] , "allow":["Bash(ls:*)",\n "Edit"]}, "b": 1.0e3}',
        f'{{"permissions": {{"allow": ["{OWN[0]}" , "Bash(hookd:*)"]}}}}',
    ],
)
def test_uninstall_takes_out_what_install_put_in(file: Path, text: str, touched: bool) -> None:
    file.write_text(text)
    done("install", "--permissions")
    assert set(OWN) <= set(allowed(file)["allow"])
    done("install")
    if touched:
        file.write_text(file.read_text() + "\n")
    facts = done("uninstall")
    assert facts["restored"] is not touched
    assert facts["permissions"]["taken_out"] == OWN[1 if OWN[0] in text else 0 :]
    assert json.loads(file.read_text()) == json.loads(text)
    if not touched:
        assert file.read_text() == text


def test_the_user_s_own_lines_stay_byte_for_byte(file: Path) -> None:
    own = '{"permissions": {"allow":["Bash(ls:*)",\n "Edit"\n ] , "ask":[  ]}, "b": 1.0e3'
    file.write_text(own + "}")
    done("install", "--permissions")
    head, _, tail = file.read_text().partition("".join(f',\n "{one}"' for one in OWN))
    assert (head + tail).startswith(own)
    done("install", "--no-permissions")
    assert file.read_text().startswith(own)


def test_both_previews_show_the_entries_and_write_nothing(file: Path) -> None:
    preview = hookd("install", "--permissions", "--diff").stdout
    assert f"  allow      {', '.join(OWN)}; to remove them: hookd install --no-p" in preview
    assert f'+      "{OWN[0]}",' in preview
    assert not file.exists()
    done("install", "--permissions")
    assert f'-      "{OWN[1]}"' in hookd("uninstall", "--diff").stdout
    assert f"  allow      removed {', '.join(OWN)}\n" in hookd("uninstall", "--dry-run").stdout


def test_the_command_names_the_settings_that_it_changes(home: Path) -> None:
    assert done("install", "--scope", "local")["permissions"]["command"] == (
        "hookd install --scope local --permissions"
    )
    other = home / "my settings.json"
    assert done("install", "--settings", str(other))["permissions"]["command"] == (
        f"hookd install --settings '{other}' --permissions"
    )


def test_an_agent_adds_no_entries(home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ancestry, "caller_of", lambda _: Caller("claude", 1))
    assert "adds permission entries" in refused("install", "--permissions")
    assert "hookd install --profile is for a person" in refused("install", "--profile", "workflow")
    assert done("install")["permissions"]["allowed"] == []
    assert allowed(file) is None
    assert json.loads(record(home).read_text())[str(file)]["permissions"] is None


@pytest.mark.parametrize("shape", ['{"permissions": []}', '{"permissions": {"allow": "Bash"}}'])
def test_settings_of_another_shape_are_refused(file: Path, shape: str) -> None:
    file.write_text(shape)
    assert "permissions" in refused("install", "--permissions")
    assert file.read_text() == shape
    done("install")
    done("uninstall")
    assert file.read_text() == shape
