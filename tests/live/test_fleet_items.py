"""Live: signed items that come to a daemon; the store that they come from may lie."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from hookd.core.fleet.items import stamp
from support.fleet_items import EPOCH, Fleet
from support.home import Home, Window, place
from support.mail import agent, gets, project

RULES = """\
rules:
- {id: no-main, match: 'Bash(git push * main)', deny: 'Open a pull request.'}
policies: {enabled: [read-throttle]}
"""


@pytest.fixture(scope="module")
def home() -> Iterator[Home]:
    with place() as made:
        yield made.serves()


@pytest.fixture
def fleet(home: Home) -> Iterator[Fleet]:
    """A fleet that the host beta has joined, and accepts everything from."""
    made = Fleet()
    joins(home, made)
    yield made
    home.rpc("fleet.leave", {"drop": True})


def joins(home: Home, fleet: Fleet, *accept: str) -> None:
    """Join as beta."""
    params = {"tenant": "acme", "host": "beta", "epoch": EPOCH, "keys": [fleet.public]}
    home.rpc("fleet.join", params | {"accept": accept or ["mail", "claims", "rules", "pause"]})


def takes(home: Home, fleet: Fleet, *items: dict[str, Any], after: str = "1") -> list[Any]:
    """Let the items come; return the outcome and the reason of each."""
    hosts = {name: fleet.host(name) for name in fleet.hosts}
    found = home.rpc("fleet.received", {"items": items, "hosts": hosts, "after": after})
    return [(one["outcome"], one["reason"]) for one in found["outcomes"]]


def mail(fleet: Fleet, to: str, text: str = "Port 8080.", **more: Any) -> dict[str, Any]:
    """Return a mail of builder on alpha."""
    body = {"to": to, "text": text, "sender": "builder", "sender_kind": "agent"} | more
    return fleet.signed(fleet.item("mail", body, sender="alpha", recipient="beta"))


def test_mail_of_another_host_comes_once_framed_and_can_be_answered(
    home: Home, fleet: Fleet
) -> None:
    ann = agent(home, project(home), "ann")
    one = mail(fleet, "ann")
    assert takes(home, fleet, one, one) == [
        ("accepted", ""),
        ("replayed", "it was accepted before"),
    ]
    assert takes(home, fleet, one)[0][0] == "replayed"
    text = gets(ann)
    assert "from agent builder@alpha (on the host alpha)" in text
    assert "> Port 8080.\n" in text
    assert "Not from the user" in text
    ((number,),) = home.rows("SELECT id FROM agent_mail WHERE text = 'Port 8080.'")
    env = ann.identity | {"CLAUDE_CODE_SESSION_ID": ann.id}
    home.hookd("reply", str(number), "Thanks.", env=env, cwd=ann.project)
    ((kind, body),) = home.rows("SELECT kind, json(body) FROM outbox WHERE kind = 'mail'")
    assert kind == "mail"
    assert '"to":"builder@alpha"' in body
    assert '"sender":"ann"' in body


def test_mail_to_nobody_is_answered_by_hookd(home: Home, fleet: Fleet) -> None:
    assert takes(home, fleet, mail(fleet, "nobody"))[0] == (
        "accepted",
        "there is no recipient nobody",
    )
    ((body,),) = home.rows("SELECT body FROM outbox WHERE kind = 'mail'")
    assert '"to":"builder@alpha"' in body
    assert "Your mail to nobody@beta was not delivered" in body
    assert takes(home, fleet, mail(fleet, "nobody", sender_kind="hookd"))[0][0] == "refused"
    assert len(home.rows("SELECT 1 FROM outbox WHERE kind = 'mail'")) == 1, "no loop"


@pytest.mark.parametrize(
    "case", ["text", "signature", "stranger", "certificate", "recipient", "late"]
)
def test_a_forged_item_is_refused_and_logged(home: Home, fleet: Fleet, case: str) -> None:
    good = fleet.item(
        "mail", {"to": "person", "text": case, "sender": "x"}, sender="alpha", recipient="beta"
    )
    one = fleet.signed(good)
    if case == "text":
        one["item"]["body"]["text"] = "Changed."
    elif case == "signature":
        one = fleet.signed(good, Fleet().key)
    elif case == "stranger":
        one = fleet.signed(replace(good, sender="mallory"))
        del fleet.hosts["mallory"]
    elif case == "certificate":
        other = Fleet(hosts=fleet.hosts)
        found = home.rpc(
            "fleet.received", {"items": [one], "hosts": {"alpha": other.host("alpha")}}
        )
        assert "is not certified" in found["outcomes"][0]["reason"]
        return
    elif case == "recipient":
        one = fleet.signed(replace(good, recipient="gamma"))
    else:
        past = datetime.now(UTC).replace(microsecond=0) - timedelta(hours=2)
        one = fleet.signed(replace(good, created_at=past, expires_at=past + timedelta(hours=1)))
    assert takes(home, fleet, one)[0][0] == "refused"
    row = home.rows("SELECT outcome, reason FROM fleet_items WHERE id = ?", one["item"]["id"])
    assert row[0][0] == "refused"
    about = home.logged("an item of the fleet was refused")
    assert any(row[0][1] in str(entry) for entry in about)
    assert home.rows("SELECT 1 FROM agent_mail WHERE text = ?", case) == []


def test_the_doctor_and_a_list_show_what_was_refused(home: Home, fleet: Fleet) -> None:
    one = mail(fleet, "person")
    one["item"]["body"]["text"] = "Changed."
    takes(home, fleet, one)
    listed = home.hookd("fleet", "items").stdout
    assert "refused" in listed
    assert "its signature is not that of alpha" in listed
    found = json.loads(home.hookd("doctor", "--json", check=False).stdout)
    rows = [row for row in found if row["check"] == "fleet" and "refused" in row["what"]]
    assert "its signature is not that of alpha" in rows[0]["what"]
    assert rows[0]["next"] == "hookd fleet items lists them"


def test_a_host_that_joins_after_a_rotation_ignores_it(home: Home, fleet: Fleet) -> None:
    past = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
    older = Fleet()
    more = {"created_at": past, "expires_at": past + timedelta(days=900)}
    rotation = older.signed(older.item("key", {"key": fleet.public}, **more))
    assert takes(home, fleet, rotation)[0][0] == "ignored"
    later = older.signed(older.item("key", {"key": Fleet().public}))
    assert takes(home, fleet, later)[0][0] == "refused"
    assert home.rows("SELECT keys_json FROM fleet_membership") == [(f'["{fleet.public}"]',)]


def test_what_is_not_accepted_leaves_no_trace(home: Home, fleet: Fleet) -> None:
    joins(home, fleet, "pause")
    assert takes(home, fleet, mail(fleet, "person"))[0] == (
        "ignored",
        "this host does not accept mail",
    )
    assert home.rows("SELECT 1 FROM fleet_items") == []


def rules(fleet: Fleet, version: int, text: str = RULES) -> dict[str, Any]:
    """Return a version of the fleet's rules."""
    return fleet.signed(fleet.item("rules", {"version": version, "text": text}))


def test_rules_apply_with_their_source_until_the_host_leaves(home: Home, fleet: Fleet) -> None:
    window = Window(home, project(home))
    push = "git push origin main"
    assert takes(home, fleet, rules(fleet, 7))[0][0] == "accepted"
    said = window.bash(push)["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "  fleet acme v7\n" in home.hookd("guard", "list").stdout
    refused = home.hookd("guard", "remove", "no-main", check=False)
    assert "is a rule of fleet acme v7, and is removed there" in refused.stderr
    assert window.bash(push)["hookSpecificOutput"]["permissionDecision"] == "deny"
    listed = home.hookd("policy", "list", "--json", cwd=window.project).stdout
    assert "enabled in fleet acme v7" in listed
    assert takes(home, fleet, rules(fleet, 6))[0][0] == "ignored"
    assert takes(home, fleet, rules(fleet, 8, "rules: []\n"))[0][0] == "accepted"
    assert window.bash(push) is None
    assert takes(home, fleet, rules(fleet, 9))[0][0] == "accepted"
    home.rpc("fleet.leave", {"drop": True})
    assert window.bash(push) is None
    assert home.rows("SELECT 1 FROM guards WHERE layer = 'fleet'") == []
    joins(home, fleet)


def test_rules_that_loosen_are_refused_as_a_whole(home: Home, fleet: Fleet) -> None:
    loose = RULES.replace(
        "policies:", "- {id: x, match: 'Bash(rm *)', softens: true, ask: x}\npolicies:"
    )
    outcome, reason = takes(home, fleet, rules(fleet, 7, loose))[0]
    assert outcome == "refused"
    assert "it loosens" in reason
    assert home.rows("SELECT 1 FROM guards WHERE layer = 'fleet'") == []


def test_a_pause_of_the_fleet_is_shown_with_its_source_and_ends(home: Home, fleet: Fleet) -> None:
    until = stamp(datetime.now(UTC) + timedelta(minutes=30))
    pause = fleet.signed(fleet.item("pause", {"until": until, "why": "An incident."}))
    assert takes(home, fleet, pause)[0] == ("accepted", "")
    assert "fleet acme" in home.hookd("status").stdout
    resume = fleet.signed(fleet.item("resume", {}))
    assert takes(home, fleet, resume)[0] == ("accepted", "")
    assert home.rows("SELECT 1 FROM meta WHERE key LIKE 'paused%'") == []
    assert takes(home, fleet, fleet.signed(fleet.item("resume", {})))[0][0] == "ignored"


def test_a_host_that_was_away_during_two_rotations_follows_both(home: Home, fleet: Fleet) -> None:
    second, first_key = fleet.rotated()
    third, second_key = second.rotated()
    late = mail(fleet, "person", "Before the rotation.")
    items = (late, first_key, second_key, rules(third, 3))
    assert [one[0] for one in takes(home, third, *items)] == ["accepted"] * 4
    assert home.rows("SELECT keys_json FROM fleet_membership") == [(f'["{third.public}"]',)]
    assert takes(home, third, rules(fleet, 4))[0][0] == "refused", "the old key is retired"
    forged = fleet.signed(fleet.item("key", {"key": Fleet().public}))
    assert takes(home, third, forged)[0][0] == "refused"


def test_claims_of_other_hosts_are_asked_about_and_end(home: Home, fleet: Fleet) -> None:
    folder = project(home)
    Path(folder, "src").mkdir()
    ann = agent(home, folder, "ann")
    subprocess.run(["git", "init", "-q", folder], check=True)
    body = {"repository": "r", "kind": "glob", "pattern": "src/**", "holder": "builder", "claim": 4}
    one = fleet.signed(fleet.item("claim", body, sender="alpha"))
    params = {"claims": [one], "hosts": {"alpha": fleet.host("alpha")}, "roots": {"r": [folder]}}
    assert home.rpc("fleet.claims", params)["outcomes"][0]["outcome"] == "accepted"
    home.rpc("fleet.claims", params)
    env = ann.identity | {"CLAUDE_CODE_SESSION_ID": ann.id}
    said = home.hookd("claim", "src/a.py", env=env, cwd=folder, check=False)
    assert "claimed by builder@alpha" in said.stderr
    assert "hookd send builder@alpha" in said.stderr
    assert home.rows("SELECT count(*) FROM claims WHERE released_at IS NULL") == [(1,)]
    forged = {
        **one,
        "signature": fleet.signed(fleet.item("claim", body, sender="alpha"))["signature"],
    }
    assert (
        home.rpc("fleet.claims", params | {"claims": [forged]})["outcomes"][0]["outcome"]
        == "refused"
    )
    assert home.rows("SELECT 1 FROM claims WHERE released_at IS NULL") == []


def test_a_claim_that_another_host_has_won_ends_and_its_holder_is_told(
    home: Home, fleet: Fleet
) -> None:
    folder = project(home)
    Path(folder, "src").mkdir()
    ann = agent(home, folder, "ann")
    env = ann.identity | {"CLAUDE_CODE_SESSION_ID": ann.id}
    home.hookd("claim", "src/", env=env, cwd=folder)
    ((number,),) = home.rows("SELECT max(id) FROM claims WHERE released_at IS NULL")
    assert ("claim", number) in home.rows("SELECT kind, row_id FROM outbox")
    lost = {"claims": [], "lost": [{"claim": number, "holder": "builder@alpha"}]}
    assert home.rpc("fleet.claims", lost)["ended"] == [number]
    assert home.rpc("fleet.claims", lost)["ended"] == []
    assert gets(ann).count("builder@alpha claimed it first") == 1
    assert ("release", number) in home.rows("SELECT kind, row_id FROM outbox")


def test_ids_are_those_of_senders(home: Home, fleet: Fleet) -> None:
    """An item that is none is refused, whatever its id is, and stores nothing."""
    odd = {"item": {"v": 1, "id": str(uuid4()), "kind": "approval"}, "signature": ""}
    assert takes(home, fleet, odd)[0][0] == "refused"
    assert home.rows("SELECT 1 FROM fleet_items") == []
