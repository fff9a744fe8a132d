"""Registry of rules: all rules of a program, from every table that has it."""

from collections.abc import Mapping

from hookd.risk.inline import interpreters
from hookd.risk.model import RiskRule
from hookd.risk.rules import (
    cloud,
    containers,
    databases,
    deletion,
    disks,
    output_flags,
    packages,
    permissions,
    processes,
    publishing,
    schema_migrations,
    version_control,
    writes,
)
from hookd.risk.secrets.analyze import SECRET_RULES

_TABLES: tuple[Mapping[str, RiskRule], ...] = (
    deletion.RULES,
    writes.RULES,
    output_flags.RULES,
    disks.RULES,
    permissions.RULES,
    processes.RULES,
    packages.RULES,
    version_control.RULES,
    publishing.RULES,
    cloud.RULES,
    containers.RULES,
    databases.RULES,
    schema_migrations.RULES,
    SECRET_RULES,
    interpreters.RULES,
)


def _joined() -> Mapping[str, tuple[RiskRule, ...]]:
    names = {name for table in _TABLES for name in table}
    return {name: tuple(table[name] for table in _TABLES if name in table) for name in names}


RULES = _joined()
"""The rules of each program, by its name."""


effect_texts = interpreters.effect_texts
"""Return the effects of the inline code of a call, as shell texts."""

possible_effect_texts = interpreters.possible_effect_texts
"""Return its possible effects, by a guess."""
