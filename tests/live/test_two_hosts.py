"""Live: two homes as two hosts of a fleet on a real PostgreSQL: mail, claims, rules, rotation."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from hookd.central.connection import connect_async
from hookd.central.items import SignedItem, fetch, publish, rotate
from hookd.central.shipping import open_store, ship
from hookd.core.fleet import signing
from hookd.core.fleet.items import canonical, stamp, to_wire
from hookd.fleet_sync.outgoing import Signer, signed_lines
from hookd.fleet_sync.receiver import Receiver, follow
from hookd.store.outbox import Outbox
from support.central import Store, store
from support.fleet_items import Fleet
from support.home import Home, Window, place, until
from support.mail import agent, gets
from support.postgres import Cluster

pytestmark = pytest.mark.gate

HOUR = timedelta(hours=1)
RULES = "rules:\n- {id: no-main, match: 'Bash(git push * main)', deny: 'Open a pull request.'}\n"


@dataclass
class Host:
    """A home that is a host of the fleet `acme`."""

    home: Home
    central: Store
    login: Any
    name: str
    key: str
    epoch: str = field(default_factory=lambda: str(uuid4()))

    @property
    def signer(self) -> Signer:
        return Signer("acme", self.name, self.epoch, self.key)

    @property
    def receiver(self) -> Receiver:
        async def call(method: str, params: dict[str, Any]) -> Any:
            return await asyncio.to_thread(self.home.rpc, method, params)

        address = self.central.address(self.login)
        return Receiver(address, self.login.password, self.signer, self.home.database, call)

    def joins(self, *accept: str) -> None:
        """Join with what is accepted, by default everything."""
        wanted = accept or ("mail", "claims", "rules", "pause")
        keys = [signing.public_key(self.central.fleet_key)]
        params = {"tenant": "acme", "host": self.name, "epoch": self.epoch, "keys": keys}
        self.home.rpc("fleet.join", params | {"accept": wanted})

    def sends(self) -> None:
        """Send the outbox, as the sync process does."""
        asyncio.run(self._send())

    async def _send(self) -> None:
        outbox = Outbox(self.home.database)
        batch = outbox.batch("changes", 0, 10_000)
        outbox.close()
        if batch is None:
            return
        async with await connect_async(
            self.central.address(self.login), self.login.password
        ) as link:
            await open_store(link)
            lines = signed_lines(batch.lines + b"\n", self.signer)
            last = await ship(link, self.epoch, "changes", lines)
        self.home.rpc("fleet.shipped", {"through": last, "epoch": self.epoch})

    def receives(self) -> None:
        """Fetch what waits, and exchange claims once."""
        asyncio.run(self.receiver.once())


@dataclass
class World:
    """Two hosts and their store."""

    central: Store
    alpha: Host
    beta: Host

    @property
    def fleet(self) -> Fleet:
        return Fleet("acme", self.central.fleet_key)

    def publishes(self, kind: Any, body: dict[str, Any]) -> None:
        """Publish an item of the fleet."""
        publish(self.central.admin, signed(self.fleet, kind, body))


def signed(fleet: Fleet, kind: Any, body: dict[str, Any]) -> SignedItem:
    """Return an item of the fleet as it is published."""
    item = fleet.item(kind, body)
    wire = to_wire(item)
    key = signing.key_id(fleet.public)
    return SignedItem(wire, canonical(body).decode(), key, signing.sign_item(fleet.key, wire))


@pytest.fixture(scope="module")
def homes() -> Iterator[tuple[Home, Home]]:
    with place() as one, place() as other:
        yield one.serves(), other.serves()


@pytest.fixture
def world(postgres: Cluster, homes: tuple[Home, Home]) -> Iterator[World]:
    """Two hosts that have joined, with nothing from tests before."""
    with ExitStack() as stack:
        central = stack.enter_context(store(postgres))
        central.add_tenant("acme")
        made = [
            Host(
                home, central, central.add_host("acme", name), name, central.host_keys["acme", name]
            )
            for name, home in zip(("alpha", "beta"), homes, strict=True)
        ]
        for one in made:
            one.joins()
            stack.callback(one.home.rpc, "fleet.leave", {"drop": True})
        yield World(central, *made)


def repository(home: Home, remote: str = "git@example.com:acme/shop.git") -> str:
    """Make a clone of the team's repository; return its folder."""
    folder = home.path / f"clone-{uuid4().hex[:8]}"
    (folder / "src").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", folder], check=True)
    subprocess.run(["git", "-C", folder, "remote", "add", "origin", remote], check=True)
    return str(folder)


def cli(window: Window, *args: str, check: bool = True) -> "subprocess.CompletedProcess[str]":
    """Run hookd as a command of an agent."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    return window.home.hookd(*args, env=env, cwd=window.project, check=check)


def test_mail_crosses_once_and_its_answer_comes_back(world: World) -> None:
    name = uuid4().hex[:8]
    ann = agent(world.alpha.home, repository(world.alpha.home), f"ann-{name}")
    ben = agent(world.beta.home, repository(world.beta.home), f"ben-{name}")
    cli(ann, "send", f"ben-{name}@beta", 'Is \\ the port "8080"?\nAnn ü')
    for _ in range(2):
        world.alpha.sends()
        world.beta.receives()
    text = gets(ben)
    assert f"from agent ann-{name}@alpha (on the host alpha)" in text
    assert '> Is \\ the port "8080"?\n> Ann ü\n' in text
    assert "ann" not in (gets(ben) or ""), "it comes once"
    number = text.split("[hookd:mail] Message ")[1].split()[0]
    cli(ben, "reply", number, "Yes.")
    world.beta.sends()
    world.alpha.receives()
    assert "> Yes.\n" in gets(ann)
    cli(ann, "send", "nobody@beta", "Hello?")
    world.alpha.sends()
    world.beta.receives()
    world.beta.sends()
    world.alpha.receives()
    assert "Your mail to nobody@beta was not delivered" in gets(ann)


def test_a_host_that_accepts_nothing_stores_nothing(world: World) -> None:
    world.beta.joins("pause")
    world.publishes("rules", {"version": 1, "text": RULES})
    cli(agent(world.alpha.home, repository(world.alpha.home), "zoe"), "send", "x@beta", "Hi.")
    world.alpha.sends()
    world.beta.receives()
    assert world.beta.home.rows("SELECT 1 FROM fleet_items") == []
    world.beta.joins()
    world.beta.receives()
    kinds = world.beta.home.rows("SELECT kind FROM fleet_items ORDER BY kind")
    assert kinds == [("mail",), ("rules",)], "what it accepts later, it gets later"


def test_of_two_claims_exactly_one_wins_and_the_loser_is_told(world: World) -> None:
    name = uuid4().hex[:8]
    remote = f"https://example.com/acme/{name}.git"
    ann = agent(world.alpha.home, repository(world.alpha.home, remote), f"ann-{name}")
    ben = agent(world.beta.home, repository(world.beta.home, remote), f"ben-{name}")
    cli(ann, "claim", "src/")
    cli(ben, "claim", "src/**")
    world.alpha.receives()
    world.beta.receives()
    assert f"ann-{name}@alpha claimed it first" in gets(ben)
    assert cli(ben, "claim", "src/x.py", check=False).stderr.count(f"ann-{name}@alpha") >= 1
    edit = ben.calls("Write", file_path=f"{ben.project}/src/x.py", content="new")
    assert edit["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert f"ann-{name}@alpha" in edit["hookSpecificOutput"]["permissionDecisionReason"]
    cli(ann, "release", "--all")
    world.alpha.receives()
    world.beta.receives()
    cli(ben, "claim", "src/x.py")


def test_many_hosts_that_claim_at_once_get_one_winner(world: World, tmp_path: Path) -> None:
    """Overlapping patterns, no two equal: the lock decides, not the index."""
    from hookd.central.claims import decide, read
    from hookd.core.fleet.claim_conflicts import FleetClaim

    names = [f"h{number}" for number in range(12)]
    logins = {name: world.central.add_host("acme", name) for name in names}

    async def claims(name: str) -> dict[int, FleetClaim]:
        from hookd.central.claims import SignedClaim

        own = FleetClaim(name, 1, "r", "glob", f"src/*{name}*", "ann")
        login = logins[name]
        async with await connect_async(world.central.address(login), login.password) as link:
            decided = await decide(
                link, name, "r", {1: own}, lambda one: SignedClaim(one, HOUR, "{}", "s")
            )
            assert set(await read(link, ["r"])) == {"r"}
        return decided.lost

    with ThreadPoolExecutor(len(names)) as pool:
        lost = list(pool.map(lambda name: asyncio.run(claims(name)), names))
    winners = [name for name, gone in zip(names, lost, strict=True) if not gone]
    assert len(winners) == 1
    stored = world.central.rows("SELECT host FROM hookd.claims WHERE repository = 'r'")
    assert stored == [(winners[0],)]
    assert {gone[1].host for gone in lost if gone} == {winners[0]}


def test_rules_and_a_pause_come_and_the_rotation_of_the_key_is_followed(world: World) -> None:
    window = Window(world.beta.home, repository(world.beta.home))
    push = "git push origin main"
    world.publishes("rules", {"version": 1, "text": RULES})
    world.beta.receives()
    assert window.bash(push)["hookSpecificOutput"]["permissionDecision"] == "deny"
    end = stamp(datetime.now(UTC) + timedelta(minutes=20))
    world.publishes("pause", {"until": end, "why": "an incident"})
    world.beta.receives()
    assert window.bash(push) is None
    world.publishes("resume", {})
    world.beta.receives()
    assert window.bash(push)["hookSpecificOutput"]["permissionDecision"] == "deny"

    # beta is away now: the key changes, then rules of the new key come.
    old, fresh = world.fleet, Fleet("acme")
    item = signed(old, "key", {"key": fresh.public})
    certs = {
        name: signing.certificate(
            fresh.key, tenant="acme", host=name, host_key=signing.public_key(key)
        )
        for (_, name), key in world.central.host_keys.items()
    }
    rotate(world.central.admin, "acme", (old.public, fresh.public), certs, [item])
    world.central.fleet_key = fresh.key
    world.publishes("rules", {"version": 2, "text": "rules: []\n"})
    ann = agent(world.alpha.home, repository(world.alpha.home), f"ann-{uuid4().hex[:8]}")
    cli(ann, "send", "person@beta", "After the rotation.")
    world.alpha.sends()
    world.beta.receives()
    assert window.bash(push) is None
    kinds = "SELECT kind, outcome FROM fleet_items WHERE kind IN ('key', 'mail') ORDER BY kind"
    assert world.beta.home.rows(kinds) == [("key", "accepted"), ("mail", "accepted")]
    with pytest.raises(Exception, match="is not the key of the fleet"):
        rotate(world.central.admin, "acme", (old.public, fresh.public), certs, [])


def test_without_the_network_a_claim_is_local_and_says_so(world: World) -> None:
    ann = agent(world.alpha.home, repository(world.alpha.home), f"ann-{uuid4().hex[:8]}")
    world.alpha.home.rpc("fleet.synced", {"contact": False, "problem": "no answer"})
    said = cli(ann, "claim", "src/").stdout
    assert "Other hosts do not know of it yet" in said
    assert "on this host only" in cli(ann, "claim", "list").stdout
    world.alpha.sends()
    world.alpha.receives()
    world.alpha.home.rpc("fleet.synced", {"contact": True})
    assert "on this host only" not in cli(ann, "claim", "list").stdout
    assert "do not know" not in cli(ann, "claim", "src/").stdout


def test_the_processes_of_two_hosts_carry_mail_and_rules(postgres: Cluster) -> None:
    """By the commands alone: init-db, host add, join, send, publish; each host's own processes."""
    with ExitStack() as stack:
        name = stack.enter_context(postgres.database())
        one, other = (stack.enter_context(place()).serves() for _ in range(2))
        one.hookd("fleet", "init-db", postgres.url(name), "--tenant", "acme")
        for home, host in ((one, "alpha"), (other, "beta")):
            file = str(one.path / f"{host}.json")
            one.hookd(
                "fleet", "host", "add", host, "--out", file, "--address", postgres.tcp_url(name)
            )
            home.hookd("fleet", "join", file, "--accept", "mail,claims,rules,pause")
            stack.callback(home.hookd, "stop", "--yes", check=False)
        ann = agent(one, repository(one), "ann")
        ben = agent(other, repository(other), "ben")
        cli(ann, "send", "ben@beta", "Hello.")
        until(lambda: other.rows("SELECT 1 FROM agent_mail"))
        assert "> Hello.\n" in gets(ben)
        cli(ann, "send", "ben@gamma", "Hello?")
        until(lambda: one.rows("SELECT 1 FROM agent_mail WHERE sender = 'hookd'"))
        assert "was not sent: there is no host gamma in the fleet" in gets(ann)
        cli(ann, "claim", "src/")
        until(lambda: other.rows("SELECT 1 FROM claims WHERE agent = 'ann@alpha'"))
        (one.path / "team.yaml").write_text(RULES)
        one.hookd("fleet", "publish", "rules", str(one.path / "team.yaml"))
        until(lambda: other.rows("SELECT 1 FROM guards WHERE layer = 'fleet'"))
        ben.bash("git push origin main")
        ((number,),) = other.rows("SELECT max(id) FROM events")
        assert "fleet acme v1" in other.hookd("why", str(number)).stdout
        one.hookd("fleet", "rotate-key")
        until(lambda: other.rows("SELECT 1 FROM fleet_items WHERE kind = 'key'"))
        (one.path / "team.yaml").write_text("rules: []\n")
        one.hookd("fleet", "publish", "rules", str(one.path / "team.yaml"))
        until(lambda: not other.rows("SELECT 1 FROM guards WHERE layer = 'fleet'"))
        assert other.rows("SELECT reason FROM fleet_items WHERE outcome = 'refused'") == []


@pytest.mark.parametrize("listens", [True, False])
def test_a_receiver_follows_by_notification_and_by_polling(world: World, listens: bool) -> None:
    poll = (3_600.0, 3_600.0) if listens else (0.1, 0.2)
    receiver = replace(world.beta.receiver, listens=listens, poll_s=poll)
    got = "SELECT count(*) FROM fleet_items WHERE kind = 'rules'"

    async def both() -> None:
        running = asyncio.create_task(follow(lambda: receiver))
        for version in (1, 2):
            await asyncio.to_thread(world.publishes, "rules", {"version": version, "text": RULES})
            has = lambda n=version: world.beta.home.rows(got) == [(n,)]  # noqa: E731
            await asyncio.to_thread(until, has)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    asyncio.run(both())


def test_items_are_read_in_the_order_of_commits(world: World) -> None:
    """A transaction that began first and commits last hides no item, and is not skipped."""

    async def seen(after: str | None) -> list[Any]:
        login = world.beta.login
        async with await connect_async(world.central.address(login), login.password) as link:
            return [
                (one.cursor, one.item["body"])
                for one in await fetch(link, "acme", after, ["pause"], 10)
            ]

    from hookd.central.connection import connect

    with (
        connect(
            world.central.cluster.url(world.central.name)
            and {
                "host": str(world.central.cluster.folder),
                "port": str(world.central.cluster.port),
                "dbname": world.central.name,
                "user": "postgres",
            }
        ) as slow,
        slow.transaction(),
    ):
        slow.execute("SELECT pg_current_xact_id()")
        world.publishes("pause", {"n": 2})
        assert asyncio.run(seen(None)) == [], "a lower number may still come"
        publish(slow, signed(world.fleet, "pause", {"n": 1}))
    found = asyncio.run(seen(None))
    assert [body["n"] for _, body in found] == [1, 2]
    assert asyncio.run(seen(found[0][0])) == found[1:]
    assert json.dumps(found)
