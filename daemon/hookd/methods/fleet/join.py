"""Join a fleet of many hosts: what changes from now on waits for its central store.

`hookd fleet join FILE` calls it after it has stored the credential. The same fleet again changes
the mode and what is accepted.
"""

from uuid import UUID

from pydantic import Field

from hookd.core.fleet.membership import join
from hookd.core.model.effects.fleet import JoinFleet
from hookd.core.model.facts import Facts
from hookd.core.model.fleet_requests import FleetMembership
from hookd.core.model.identity import daemon_only
from hookd.core.model.membership import Acceptable, FleetMode
from hookd.core.model.method import Change, ChangeMethod, Example, Wire


class Params(Wire):
    """The tenant, this host's name, what goes up and comes down, and the fleet's public keys.

    Without `mode` or `accept`, a membership keeps its own; a new one has status, and nothing.
    `epoch` names the sequence of the outbox; a membership that exists keeps its own.
    """

    tenant: str = Field(min_length=1, max_length=63)
    host: str = Field(min_length=1, max_length=63)
    mode: FleetMode | None = None
    accept: tuple[Acceptable, ...] | None = None
    epoch: UUID
    keys: tuple[str, ...] = ()


class Result(Wire):
    """The membership."""

    tenant: str
    host: str
    mode: str
    accept: tuple[str, ...]


def decide(params: Params, facts: Facts) -> Change:
    """Join, or change the membership. JOINED_ALREADY."""
    known = facts.require(FleetMembership())
    accept = params.accept if params.accept is not None else known.accept if known else ()
    wanted = JoinFleet(
        params.tenant,
        params.host,
        params.mode or (known.mode if known else "status"),
        tuple(sorted(set(accept))),
        str(params.epoch),
        params.keys,
    )
    effect = join(wanted, facts)
    result = Result(tenant=effect.tenant, host=effect.host, mode=effect.mode, accept=effect.accept)
    return Change(result, (effect,))


METHOD = ChangeMethod(
    "fleet.join",
    Params,
    Result,
    daemon_only,
    decide,
    (
        Example(
            {
                "tenant": "acme",
                "host": "ann-laptop",
                "mode": "decisions",
                "epoch": "0190c2a4-5f3e-7cc1-9a57-3d1f0e2b4a55",
            },
            says="the membership",
        ),
    ),
    person=True,
)
