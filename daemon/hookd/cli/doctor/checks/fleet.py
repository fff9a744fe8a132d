"""Fleet check: whether a host in a fleet of many hosts sends, and what was refused or dropped."""

from collections.abc import Iterator

from hookd import paths
from hookd.cli.doctor.checks.result import Finding, ok, warn
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.fleet.membership import fleet_sentence, membership_facts
from hookd.cli.lib.errors import Problem

_CHECK = "fleet"


def check_fleet() -> Iterator[Finding]:
    """Report the membership; nothing in no fleet, and without a daemon that answers."""
    try:
        facts = membership_facts(paths.paths(), ask)
    except Problem:
        return  # check_versions has reported it
    sentence = fleet_sentence(facts)
    if facts["problem"]:
        yield warn(_CHECK, sentence, facts["next"] or "hookd fleet outbox")
    elif sentence:
        yield ok(_CHECK, f"{sentence}.")
