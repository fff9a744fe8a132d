"""`hookd fleet publish rules`, `pause`, `resume`, `rotate-key`: signed, and refused with a step."""

import json
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from hookd.core.fleet import signing
from hookd.core.fleet.items import from_wire
from support.home import Home
from support.postgres import Cluster

RULES = "rules:\n- {id: no-main, match: 'Bash(git push * main)', deny: 'Open a pull request.'}\n"


@pytest.fixture
def ready(home: Home, postgres: Cluster) -> Iterator[tuple[Home, psycopg.Connection[Any]]]:
    """A home that administers a new store, and the superuser's connection to that."""
    with postgres.database() as name:
        home.hookd("fleet", "init-db", postgres.url(name))
        home.hookd("fleet", "host", "add", "alpha", "--out", str(home.path / "alpha.json"))
        with postgres.admin(name) as admin:
            yield home, admin


def key_of(home: Home) -> str:
    """Return the fleet's private key; its file is for the user only."""
    path = home.path / "fleet" / "admin-team.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    return str(json.loads(path.read_text())["fleet_key"])


def stored(admin: psycopg.Connection[Any], public: str) -> list[tuple[str, Any]]:
    """Return the kinds and bodies of items whose signature is by a key, in order."""
    rows = admin.execute(
        "SELECT id::text, kind, tenant, sender, recipient, created_at, expires_at, body, signature"
        " FROM hookd.items ORDER BY xid, kind"
    ).fetchall()
    names = ("id", "kind", "tenant", "sender", "recipient", "created_at", "expires_at")
    found = []
    for *values, body, signature in rows:
        item = dict(zip(names, values, strict=True)) | {"v": 1, "body": json.loads(body)}
        from_wire(item)
        if signing.verify_item(public, item, signature):
            found.append((str(item["kind"]), item["body"]))
    return found


def file(home: Home, text: str) -> str:
    """Write a rules file; return its path."""
    path = home.path / "team.yaml"
    path.write_text(text)
    return str(path)


def test_rules_are_published_as_the_next_version(
    ready: tuple[Home, psycopg.Connection[Any]],
) -> None:
    home, admin = ready
    said = home.hookd("fleet", "publish", "rules", file(home, RULES)).stdout
    assert "Published rules v1 to team: 1 rule." in said
    found = json.loads(home.hookd("fleet", "publish", "rules", file(home, RULES), "--json").stdout)
    assert (found["version"], found["rules"]) == (2, 1)
    items = stored(admin, signing.public_key(key_of(home)))
    assert [(kind, body["version"]) for kind, body in items] == [("rules", 1), ("rules", 2)]
    assert items[0][1]["text"] == RULES


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            RULES + "- {id: b, match: 'Bash(rm *)', softens: true, ask: x}\n",
            "team.yaml:3:3: b: it loosens",
        ),
        ("policies: {disabled: [path-guard]}\n", "it loosens: a fleet may turn a policy on"),
        ("policies: {enabled: [no-such]}\n", "there is no policy 'no-such'"),
        ("rules: 7\n", "expected a list of rules"),
    ],
)
def test_rules_that_loosen_are_not_published(
    ready: tuple[Home, psycopg.Connection[Any]], text: str, why: str
) -> None:
    home, admin = ready
    said = home.hookd("fleet", "publish", "rules", file(home, text), check=False)
    assert said.returncode == 1
    assert why in said.stderr
    assert "Traceback" not in said.stderr
    assert stored(admin, signing.public_key(key_of(home))) == []


def test_a_pause_ends_and_has_a_limit(ready: tuple[Home, psycopg.Connection[Any]]) -> None:
    home, admin = ready
    assert "pause until" in home.hookd("fleet", "pause", "--for", "1h", "--why", "Moving.").stdout
    home.hookd("fleet", "resume")
    for length in ("9h", "soon", "0m"):
        said = home.hookd("fleet", "pause", "--for", length, "--why", "x", check=False)
        assert said.returncode == 1
        assert "hookd fleet pause --for 1h" in said.stderr
    kinds = [kind for kind, _ in stored(admin, signing.public_key(key_of(home)))]
    assert kinds == ["pause", "resume"]


def test_the_key_is_rotated_with_all_certificates(
    ready: tuple[Home, psycopg.Connection[Any]],
) -> None:
    home, admin = ready
    home.hookd("fleet", "publish", "rules", file(home, RULES))
    home.hookd("fleet", "pause", "--for", "1h", "--why", "Moving.")
    old = signing.public_key(key_of(home))
    said = home.hookd("fleet", "rotate-key")
    new = signing.public_key(key_of(home))
    assert new != old
    assert key_of(home) not in said.stdout + said.stderr
    assert admin.execute("SELECT fleet_keys FROM hookd.tenants").fetchone() == ([new],)
    assert stored(admin, old) == [("key", {"key": new})]
    assert sorted(kind for kind, _ in stored(admin, new)) == ["pause", "rules"]
    ((host, mark),) = admin.execute("SELECT public_key, certificate FROM hookd.hosts").fetchall()
    assert signing.verify_certificate([new], mark, tenant="team", host="alpha", host_key=host)
    assert list((home.path / "fleet").glob("*.next")) == []


@contextmanager
def as_before(path: Path) -> Iterator[None]:
    """Leave a file as it was before the block."""
    text = path.read_text()
    yield
    path.write_text(text)


def test_a_rotation_that_was_interrupted_is_completed(
    ready: tuple[Home, psycopg.Connection[Any]],
) -> None:
    """The store has the new key, and the file not yet: the next call finishes, no key is lost."""
    home, admin = ready
    path = home.path / "fleet" / "admin-team.json"
    with as_before(path):
        home.hookd("fleet", "rotate-key")
        new = key_of(home)
    path.with_suffix(".next").write_text(json.dumps({"fleet_key": new}))
    home.hookd("fleet", "rotate-key")
    assert key_of(home) == new
    assert admin.execute("SELECT fleet_keys FROM hookd.tenants").fetchone() == (
        [signing.public_key(new)],
    )
    home.hookd("fleet", "publish", "rules", file(home, RULES))
    assert stored(admin, signing.public_key(new))[-1][0] == "rules"


def test_an_old_copy_of_the_key_file_changes_nothing(
    ready: tuple[Home, psycopg.Connection[Any]],
) -> None:
    home, admin = ready
    path = home.path / "fleet" / "admin-team.json"
    with as_before(path):
        home.hookd("fleet", "rotate-key")
    before = admin.execute("SELECT fleet_keys FROM hookd.tenants").fetchone()
    said = home.hookd("fleet", "rotate-key", check=False)
    assert said.returncode == 1
    assert "is not the key of the fleet team" in said.stderr
    assert admin.execute("SELECT fleet_keys FROM hookd.tenants").fetchone() == before
    said = home.hookd("fleet", "resume", check=False)
    assert "was replaced on another machine" in said.stderr


def test_without_a_fleet_each_command_names_the_next_step(home: Home) -> None:
    for words in (
        ("resume",),
        ("rotate-key",),
        ("publish", "rules", "x"),
        ("pause", "--for", "1h", "--why", "x"),
    ):
        said = home.hookd("fleet", *words, check=False)
        assert said.returncode == 1
        assert "hookd fleet init-db" in said.stderr
