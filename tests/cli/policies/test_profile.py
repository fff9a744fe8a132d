"""`hookd policy profile` and `install --profile`: which policies are on, and after an upgrade."""

import json
import os
import pty
import sqlite3
from contextlib import closing
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest

from hookd.cli.policies.profile import NAMES
from hookd.config.models import Policies
from hookd.policies import configure
from support.home import HOOKD, Home, until
from support.paths import TESTS


def modes(home: Home) -> dict[str, str]:
    listed = json.loads(home.hookd("policy", "list", "--json", cwd=home.path).stdout)
    return {row["policy"]: row["mode"] for row in listed}


def own(home: Home) -> Any:
    return json.loads((home.path / "settings.json").read_text())


def usual(profile: Any) -> dict[str, str]:
    chosen = Policies(profile=profile)
    return {name: one.mode for name, one in configure(chosen).items()}


def test_the_profile_is_shown_chosen_and_takes_over_what_was_enabled_by_name(home: Home) -> None:
    assert modes(home) == usual("guards")
    home.hookd("policy", "enable", "keyword-detector", cwd=home.path)
    home.hookd("policy", "enable", "verification", cwd=home.path)
    said = home.hookd("policy", "profile", "workflow", cwd=home.path).stdout
    assert said.startswith("The profile is workflow; 13 policies changed here.")
    assert own(home)["policies"] == {"enabled": ["verification"], "profile": "workflow"}
    assert modes(home) == usual("workflow") | {"verification": "enforce"}
    rows = json.loads(home.hookd("policy", "profile", "--json", cwd=home.path).stdout)
    (row,) = (one for one in rows if one["policy"] == "ralph-loop")
    assert (row["guards"], row["workflow"], row["here"]) == ("off", "on", "enforce")


def test_install_takes_guards_unless_told_otherwise_and_keeps_the_choice(home: Home) -> None:
    facts = json.loads(home.hookd("install", "--json").stdout)
    assert facts["profile"] == "guards"
    assert not (home.path / "settings.json").exists()
    facts = json.loads(home.hookd("install", "--profile", "workflow", "--json").stdout)
    assert (facts["profile"], own(home)) == ("workflow", {"policies": {"profile": "workflow"}})
    assert json.loads(home.hookd("install", "--json").stdout)["profile"] == "workflow"


@pytest.mark.gate
def test_install_asks_a_person_at_a_terminal(home: Home) -> None:
    master, slave = pty.openpty()
    seen = bytearray()

    def shows(word: bytes) -> bool:
        seen.extend(os.read(master, 65_536))
        return word in seen

    with Popen([HOOKD, "install"], env=home.env, stdin=slave, stdout=slave, stderr=slave) as one:
        os.close(slave)
        until(lambda: shows(b"Profile"))
        os.write(master, b"workflow\n")
        until(lambda: shows(b"permission prompt"))
        os.write(master, b"y\n")
        until(lambda: shows(b"hookd start"))
    assert one.returncode == 0
    assert own(home)["policies"]["profile"] == "workflow"


@pytest.mark.gate
def test_an_upgrade_keeps_what_was_on_and_names_the_commands(home: Home) -> None:
    home.settings({"policies": {"disabled": ["ralph-loop"], "enabled": ["verification"]}})
    _database(home.database)
    told = home.hookd("start").stderr
    for name in NAMES:
        assert f"hookd policy profile {name}" in told
    before = usual("workflow") | {
        "todo-continuation-enforcer": "off",
        "ralph-loop": "off",
        "verification": "enforce",
    }
    assert modes(home) == before
    assert own(home)["efforts"] == {"join": "latest"}
    home.restarts()
    assert modes(home) == before
    home.hookd("policy", "profile", "guards", cwd=home.path)
    assert modes(home) == usual("guards") | {"verification": "enforce"}
    assert "efforts" not in own(home)
    home.ends()


def test_an_upgrade_from_a_hookd_with_profiles_keeps_which_effort_is_joined(home: Home) -> None:
    home.settings({"efforts": {"auto": False}})
    with closing(sqlite3.connect(home.database)) as db:
        db.execute("PRAGMA user_version = 13")
    said = json.loads(home.hookd("install", "--json").stdout)
    assert "hookd policy profile guards" in " ".join(said["notes"])
    assert own(home) == {"efforts": {"auto": False, "join": "latest"}}
    home.hookd("policy", "profile", "guards", cwd=home.path)
    assert own(home) == {"efforts": {"auto": False}, "policies": {"profile": "guards"}}


def _database(path: Path) -> None:
    """Make a database as the first hookd left it."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript((TESTS / "store" / "baseline_v1.sql").read_text())
        db.execute("PRAGMA user_version = 1")
