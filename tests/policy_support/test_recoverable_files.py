"""Files that git has a copy of, or that do not exist, are not lost; the guard looks at the disk."""

import os
import subprocess
from pathlib import Path

import pytest

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.fact_requests import ExistingPaths, FactRequest, GitCopy, MissingFacts
from hookd.core.model.facts import Facts, FactValue, Project, Session
from hookd.core.model.identity import Identity
from hookd.core.model.policy import opinion_kind
from hookd.events.model import PreToolUse
from hookd.policies.destructive_guard import POLICY
from hookd.policy_support.call_explanation import commands
from hookd.policy_support.foreseen_files import foreseen_files
from hookd.policy_support.recoverable_files import without_recoverable
from hookd.risk.model import Risk
from hookd.system.file_lookup import look
from support.parametrize import parametrize_all

SHOP = "/home/me/shop"
HERE = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}


def call(command: str, cwd: str = SHOP) -> PreToolUse:
    given = {"command": command}
    return PreToolUse(hook_event_name="PreToolUse", tool_name="Bash", tool_input=given, cwd=cwd)


def facts_of(cwd: str = SHOP) -> Facts:
    return Facts(
        identity=Identity(cwd=cwd, project_dir=cwd, home="/home/me"),
        project=Project(1, cwd),
        session=Session(1, "s"),
        daemon=DaemonState(claude="/home/me/.claude"),
    )


def verdict(command: str, state: str | None) -> str:
    """Return the verdict if a look at each file brings this."""
    facts, event = facts_of(), call(command)
    try:
        (one,) = ask_policies([POLICY], event, facts, lambda: 0.0)
    except MissingFacts as lack:
        assert {type(want) for want in lack.requests} == {GitCopy}
        facts = facts.with_facts(dict.fromkeys(lack.requests, state))
        (one,) = ask_policies([POLICY], event, facts, lambda: 0.0)
    assert one.fault is None
    return opinion_kind(one.opinion)


DELETED = [
    *("rm app.db", "rm -f .env", "rm -rf dev.sqlite3", "> data.db", "cp /dev/null app.db"),
    *("sort f > f", "truncate -s 0 src/a.py", "sed -i d src/a.py", "dd if=/dev/zero of=src/a.py"),
]
REPLACED = ["cp .env.example .env", "mv .env.example .env", ": > src/a.py", "echo A=1 > .env"]
ANYWAY = ["rm -rf src", "rm *.db", "sed -i d src/*", "rm -rf /tmp", "shred app.db", "rm $X/app.db"]


@parametrize_all("text", [*DELETED, *REPLACED])
def test_content_that_git_has_is_not_lost(text: str) -> None:
    assert [verdict(text, state) for state in ("same", "none", None)] == ["", "ask", "ask"]


@parametrize_all(("text", "asked"), [(one, "ask") for one in DELETED] + [(t, "") for t in REPLACED])
def test_a_file_that_does_not_exist_is_not_replaced(text: str, asked: str) -> None:
    assert verdict(text, "absent") == asked


@parametrize_all("text", ANYWAY)
def test_what_the_text_does_not_name_is_asked_about(text: str) -> None:
    assert verdict(text, "same") == "ask"


TESTED = [
    *("[ -f .env ] || cp .env.example .env", "test -e .env || cp .env.example .env"),
    *("[ ! -f .env ] && cp .env.example .env", "[[ -s './.env' ]] || cp .env.example .env"),
    "if [ ! -e .env ]; then cp .env.example .env; fi",
]
PRESENT = [
    *("[ -f .env ] && cp .env.example .env", "[ ! -f .env ] || cp .env.example .env"),
    *("[ -f .env.local ] || cp .env.example .env", "if [ -f .env ]; then cp x .env; fi"),
    "[ -f app.db ] || rm app.db",
]


@parametrize_all(
    ("text", "expected"), [(one, "") for one in TESTED] + [(one, "ask") for one in PRESENT]
)
def test_a_file_that_the_text_tests_for_is_not_replaced(text: str, expected: str) -> None:
    assert verdict(text, "none") == expected


def test_one_file_without_a_copy_is_enough() -> None:
    shown = {GitCopy(f"{SHOP}/a.db"): "same", GitCopy(f"{SHOP}/b.db"): "none"}
    (one,) = ask_policies([POLICY], call("rm a.db b.db"), facts_of().with_facts(shown), lambda: 0.0)
    assert one.opinion is not None
    assert "`rm a.db b.db` deletes b.db (" in one.opinion.reason
    assert "a.db (" not in one.opinion.reason


def test_an_explanation_lists_what_is_not_known_to_remain() -> None:
    kept, lost = GitCopy(f"{SHOP}/a.db"), GitCopy(f"{SHOP}/b.db")
    for facts, listed in (
        (facts_of(), ["rm a.db b.db"] * 2),
        (facts_of().with_facts({kept: "same", lost: "none"}), ["rm a.db b.db"]),
        (facts_of().with_facts({kept: "same", lost: "same"}), []),
    ):
        assert [
            one["command"] for one in commands(call("rm a.db b.db"), facts)["effects"]
        ] == listed


def test_too_many_files_are_not_looked_at() -> None:
    risks = tuple(Risk("deletes", "ask", "x", files=(f"{SHOP}/{n}.db",)) for n in range(33))
    assert without_recoverable(risks, facts_of()) == risks
    with pytest.raises(MissingFacts):
        without_recoverable(risks[:32], facts_of())


OUTSIDE = [
    *["echo x > /opt/shop/config", "cp a /data/a", "tee /workspace/x < a", "tar czf ~/x.tgz src"],
    *["curl -o /srv/x https://example.com", "ln -s a /mnt/x", "echo x > ../other/new.txt"],
    *["echo x > ~/.jupyter/config.py", "echo x > /data/.last_run", "D=/data; read x; cp a $D/a"],
    *["cd /opt/shop && echo x > y", "D=/data; echo x > $D/y", "echo x > /var/data/x", "cp a ~/x"],
]
PROGRAMS = [
    *["echo x > ~/.bashrc", "echo x >> ~/.bashrc", "cp a /usr/local/bin/", "cp a ~/bin/x"],
    *["echo x > /opt/shop/.git/hooks/pre-commit", "cp a ~/.config/autostart/x", "mv src ~/old"],
    *["echo x > /etc/nginx/x.conf", "echo x > /opt/x/$NAME", "rm /opt/x/a.txt"],
    *["cp a ~/Library/LaunchAgents/x.plist", "cp a /opt/homebrew/bin/x", "cp x /workspace/.env"],
]


@parametrize_all("text", OUTSIDE)
def test_a_new_file_outside_of_the_project_replaces_nothing(text: str) -> None:
    assert outside(text, existing=False) == ""
    assert outside(text, existing=True) == "ask"


@parametrize_all("text", PROGRAMS)
def test_settings_and_programs_outside_are_asked_about_even_if_they_are_new(text: str) -> None:
    assert outside(text, existing=False) == "ask"


@parametrize_all(
    "text",
    [
        *[
            "pg_dump x > /srv/backups/shop-$(date +%F).sql",
            "tar czf /data/logs_$(date +%s).tgz src",
        ],
        *["mv /config/a.tmp /config/a", "mkdir -p /etc/shop/x", "mkdir -p /opt/x"],
    ],
)
def test_a_name_made_anew_or_a_rename_outside_replaces_nothing(text: str) -> None:
    assert outside(text, existing=False) == ""


@parametrize_all("text", ["echo x >> /opt/a.log", "date | tee -a /data/x", "echo x &>> ~/a.log"])
def test_adding_to_a_file_outside_replaces_nothing(text: str) -> None:
    assert outside(text, existing=True) == ""


@parametrize_all("text", ["sed -i s/a/b/ /usr/lib64/x", "echo x > /etc/hosts", "cp a /usr/bin/x"])
def test_files_of_the_system_are_denied_even_if_they_are_new(text: str) -> None:
    assert outside(text, existing=False) == "deny"


@parametrize_all(
    "text",
    [
        "sed -i s/a/b/ /usr/local/lib/python3.13/site-packages/x/y.py",
        "cp a ~/other/node_modules/x/index.js",
    ],
)
def test_an_installed_package_can_be_installed_again(text: str) -> None:
    assert outside(text, existing=True) == ""


def outside(command: str, *, existing: bool) -> str:
    """Return the verdict if the files of a call exist, and no git has them; or if none exists."""
    facts, event = facts_of(), call(command)
    try:
        (one,) = ask_policies([POLICY], event, facts, lambda: 0.0)
    except MissingFacts as lack:
        known: dict[FactRequest, FactValue | None] = {}
        for want in lack.requests:
            if isinstance(want, ExistingPaths):
                known[want] = want.paths if existing else ()
            else:
                known[want] = "none" if existing else "absent"
        (one,) = ask_policies([POLICY], event, facts.with_facts(known), lambda: 0.0)
    return opinion_kind(one.opinion)


@pytest.mark.parametrize("command", ["rm app.db", "cp .env.example .env", "mv x ./app.db; > .env"])
def test_the_looks_are_foreseen(command: str) -> None:
    facts, event = facts_of(), call(command)
    found = dict.fromkeys(foreseen_files(event, facts), "none")
    (one,) = ask_policies([POLICY], event, facts.with_facts(found), lambda: 0.0)
    assert opinion_kind(one.opinion) == "ask"


@pytest.mark.parametrize(
    "command", ["git status", "cp a.py b.py", "npm test > out.txt", "rm a.py", "rm -rf dist"]
)
def test_everyday_commands_look_at_no_copy(command: str) -> None:
    facts, event = facts_of(), call(command)
    assert not any(isinstance(want, GitCopy) for want in foreseen_files(event, facts))
    (one,) = ask_policies([POLICY], event, facts, lambda: 0.0)
    assert one.opinion is None


def test_a_real_repository(tmp_path: Path) -> None:
    for name in ("kept.db", "new.db"):
        (tmp_path / name).write_text(name)
    for args in (("init", "-q"), ("add", "kept.db")):
        subprocess.run(["git", "-C", str(tmp_path), *args], env=HERE, check=True)
    said = []
    for name in ("kept.db", "new.db"):
        event, facts = call(f"rm {name}", str(tmp_path)), facts_of(str(tmp_path))
        facts = facts.with_facts(look(foreseen_files(event, facts)))
        (one,) = ask_policies([POLICY], event, facts, lambda: 0.0)
        said.append(opinion_kind(one.opinion))
    assert said == ["", "ask"]
