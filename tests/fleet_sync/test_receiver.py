"""The receiver against a real PostgreSQL: no item or claim of another host stops the others."""

import json
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hookd.central.logins import Login
from hookd.core.fleet.item_shapes import Signed
from hookd.core.fleet.repositories import repository_key
from hookd.fleet_sync.outgoing import Signer
from hookd.fleet_sync.receiver import Receiver
from hookd.json_text import dump, parse
from hookd.store.database import open_database
from support.central import EPOCH, Store
from support.database_rows import fill, write
from support.outbox import joined

LIMIT = 16 * 1024 * 1024
"""Bytes that the daemon takes in a call."""


@dataclass
class Beta:
    """A host that accepts everything; `calls` are those of its daemon."""

    central: Store
    tenant: str
    alpha: Login
    receiver: Receiver
    calls: list[tuple[str, Any]] = field(default_factory=list)

    @property
    def items(self) -> list[Any]:
        """The items of all calls."""
        return [
            one
            for method, told in self.calls
            if method == "fleet.received"
            for one in told["items"]
        ]

    def gets(self, body: str, **more: Any) -> str:
        """Let alpha store an item for beta; return its id."""
        number = str(uuid.uuid4())
        row = {"id": number, "recipient": "beta", "signature": "s", "created_at": "now"} | more
        with self.central.login(self.alpha) as alpha:
            alpha.execute(
                "INSERT INTO hookd.items (tenant, id, kind, sender, recipient, body, key_id,"
                " signature, created_at, expires_at)"
                " VALUES (%s, %s, 'mail', 'alpha', %s, %s, 'k', %s, %s, NULL)",
                [self.tenant, number, row["recipient"], body, row["signature"], row["created_at"]],
            )
        return number


@pytest.fixture
def beta(tmp_path: Path, central: Store) -> Iterator[Beta]:
    tenant = f"t{uuid.uuid4().hex[:12]}"
    central.add_tenant(tenant)
    alpha, login = (central.add_host(tenant, name) for name in ("alpha", "beta"))
    key = central.host_keys[tenant, "beta"]
    signer = Signer(tenant, "beta", EPOCH, key)

    async def call(method: str, params: Any) -> Any:
        text = dump({"method": method, "params": params})
        assert len(text) < LIMIT
        told = parse(text)["params"]
        for one in told.get("items", told.get("claims", ())):
            Signed.model_validate(one)
        made.calls.append((method, told))

    with closing(open_database(tmp_path / "hookd.db")) as db:
        fill(db)
        accept = ("mail", "claims")
        write(db, [joined("status", tenant=tenant, host="beta", epoch=EPOCH, accept=accept)])
        address = central.address(login)
        receiver = Receiver(address, login.password, signer, tmp_path / "hookd.db", call)
        made = Beta(central, tenant, alpha, receiver)
        yield made


@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000,
        '{"a":' * 30_000 + "1" + "}" * 30_000,
        '{"n":NaN}',
        '{"n":1e999}',
        '{"n":' + "9" * 10_000 + "}",
        '{"t":"\\ud800"}',
        '{"t":"\\u0000"}',
        "",
        "null",
    ],
    ids=[
        "deep",
        "deep object",
        "NaN",
        "infinite",
        "long number",
        "surrogate",
        "NUL",
        "none",
        "null",
    ],
)
async def test_a_body_that_is_no_json_does_not_stop_the_next_item(beta: Beta, body: str) -> None:
    bad, good = beta.gets(body), beta.gets('{"t":"x"}')
    await beta.receiver.once()
    assert [one["item"]["id"] for one in beta.items] == [bad, good]
    assert beta.items[1]["item"]["body"] == {"t": "x"}


async def test_items_of_one_call_stay_below_its_limit(beta: Beta) -> None:
    """As JSON, 1e15 is four times as long as it was."""
    body = "[" + ",".join(["1e15"] * 52_000) + "]"
    sent = [beta.gets(body) for _ in range(21)]
    await beta.receiver.once()
    assert [one["item"]["id"] for one in beta.items] == sent
    assert beta.calls[0][1]["after"].endswith(beta.calls[0][1]["items"][-1]["item"]["id"])


async def test_a_claim_that_is_no_item_does_not_stop_the_others(beta: Beta, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / ".git" / "config").write_text(
        '[remote "origin"]\n\turl = https://x.example/a/b\n'
    )
    with closing(sqlite3.connect(tmp_path / "hookd.db")) as db:
        db.execute("UPDATE projects SET repository = ?", (str(repository),))
        db.commit()
    key = repository_key("https://x.example/a/b")
    with beta.central.login(beta.alpha) as alpha:
        for number, item in enumerate(("[" * 16_000, "[1]", json.dumps({"v": 1}))):
            alpha.execute(
                "INSERT INTO hookd.claims (tenant, repository, pattern, host, claim, item)"
                " VALUES (%s, %s, %s, 'alpha', %s, %s)",
                [beta.tenant, key, f"path:{number}", number, item],
            )
    await beta.receiver.once()
    (told,) = [told for method, told in beta.calls if method == "fleet.claims"]
    assert [one["item"] for one in told["claims"]] == [{}, {}, {"v": 1}]
