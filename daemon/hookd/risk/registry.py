"""The home of the joined table: which rules judge a program, of all the tables that know it."""

from collections.abc import Mapping

from hookd.risk import secrets
from hookd.risk.inline import interpreters
from hookd.risk.model import Rule
from hookd.risk.rules import cloud, containers, databases, disks, permissions, processes, publishing
from hookd.risk.rules import deletion as files
from hookd.risk.rules import output_flags as outputs
from hookd.risk.rules import packages as installed
from hookd.risk.rules import schema_migrations as migrations
from hookd.risk.rules import version_control as git
from hookd.risk.rules import writes as transfers

_TABLES: tuple[Mapping[str, Rule], ...] = (
    files.RULES,
    transfers.RULES,
    outputs.RULES,
    disks.RULES,
    permissions.RULES,
    processes.RULES,
    installed.RULES,
    git.RULES,
    publishing.RULES,
    cloud.RULES,
    containers.RULES,
    databases.RULES,
    migrations.RULES,
    secrets.RULES,
    interpreters.RULES,
)


def _joined() -> Mapping[str, tuple[Rule, ...]]:
    names = {name for table in _TABLES for name in table}
    return {name: tuple(table[name] for table in _TABLES if name in table) for name in names}


RULES = _joined()
"""The rules by the name of a program."""


texts = interpreters.texts
"""What the programs that a call is given do, as texts for a shell."""

may_mean = interpreters.may_mean
"""What they may do as well, by a guess."""
