"""Take signed items that came from the central store: mail, rules, pause, resume, key.

The daemon verifies each: its signature by the keys that this host pinned, its recipient, its time,
and that it comes for the first time. What the host does not accept leaves no trace. The sync
process calls this, and cannot forge an item.
"""

from pydantic import Field

from hookd.core.fleet.incoming import incoming
from hookd.core.fleet.item_shapes import Key, Outcome, Signed, envelopes, keys, outcomes
from hookd.core.model.effects.after_commit import ReloadHooks
from hookd.core.model.effects.fleet_items import MoveCursor, SetFleetRules
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.identity import daemon_only
from hookd.core.model.method import Change, ChangeMethod, Example, Wire
from hookd.policies import POLICIES


class Params(Wire):
    """`hosts` are the keys of senders by host; `after` is how far the items were read."""

    items: list[Signed] = Field(max_length=500)
    hosts: dict[str, Key] = Field(default_factory=dict, max_length=10_000)
    after: str | None = Field(None, max_length=200)


class Result(Wire):
    """What became of each item."""

    outcomes: list[Outcome]


def decide(params: Params, facts: Facts) -> Change:
    """Take them. NOT_JOINED."""
    policies = frozenset(one.name for one in POLICIES)
    found = incoming(envelopes(params.items), keys(params.hosts), facts, policies)
    effects: list[Effect] = list(found.effects)
    if params.after is not None:
        effects.append(MoveCursor(params.after))
    if any(isinstance(one, SetFleetRules) for one in effects):
        effects.append(ReloadHooks(None, every=True))
    return Change(Result(outcomes=outcomes(found.results)), tuple(effects))


METHOD = ChangeMethod(
    "fleet.received",
    Params,
    Result,
    daemon_only,
    decide,
    (Example({"items": []}, says="NOT_JOINED"),),
    person=True,
)
