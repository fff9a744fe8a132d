"""All programs of the catalogue, and the sets, flags and rules that are derived from them."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from hookd.programs import (
    agents,
    archives,
    aws,
    build_tools,
    clouds,
    clusters,
    code_hosts,
    containers,
    databases,
    deletion,
    disks,
    editors,
    files,
    general,
    infrastructure,
    interpreters,
    language_packages,
    migrations,
    network,
    node_packages,
    platforms,
    python_packages,
    secret_stores,
    shells,
    storage,
    system,
    system_packages,
    text,
    version_control,
    wrappers,
)
from hookd.programs.model import Check, Program, RiskKind, Rule

T = TypeVar("T")

PROGRAMS: tuple[Program, ...] = (
    *agents.PROGRAMS,
    *archives.PROGRAMS,
    *aws.PROGRAMS,
    *build_tools.PROGRAMS,
    *clouds.PROGRAMS,
    *clusters.PROGRAMS,
    *code_hosts.PROGRAMS,
    *containers.PROGRAMS,
    *databases.PROGRAMS,
    *deletion.PROGRAMS,
    *disks.PROGRAMS,
    *editors.PROGRAMS,
    *files.PROGRAMS,
    *infrastructure.PROGRAMS,
    *interpreters.PROGRAMS,
    *language_packages.PROGRAMS,
    *migrations.PROGRAMS,
    *network.PROGRAMS,
    *node_packages.PROGRAMS,
    *platforms.PROGRAMS,
    *python_packages.PROGRAMS,
    *secret_stores.PROGRAMS,
    *shells.PROGRAMS,
    *storage.PROGRAMS,
    *system.PROGRAMS,
    *system_packages.PROGRAMS,
    *text.PROGRAMS,
    *version_control.PROGRAMS,
    *wrappers.PROGRAMS,
)


def _by_trait() -> Mapping[str, frozenset[str]]:
    found: dict[str, list[str]] = {}
    for program in PROGRAMS:
        for trait in program.traits.split():
            found.setdefault(trait, []).extend(program.names.split())
    return {trait: frozenset(names) for trait, names in found.items()}


_BY_TRAIT = _by_trait()


def with_trait(*traits: str) -> frozenset[str]:
    """Return the names of the programs that have one of these traits."""
    return frozenset().union(*(_BY_TRAIT[trait] for trait in traits))


def by_program(field: Callable[[Program], T | None]) -> dict[str, T]:
    """Return a field of `Program` by the names of programs, where it is not empty."""
    return {
        name: value
        for program in PROGRAMS
        if (value := field(program))
        for name in program.names.split()
    }


def flags_of(field: Callable[[Program], str]) -> dict[str, tuple[str, ...]]:
    """Return the flags in a field of `Program` by the names of programs."""
    return {name: tuple(flags.split()) for name, flags in by_program(field).items()}


def rules() -> Iterator[tuple[str, RiskKind, Rule | Check]]:
    """Yield the names of programs, the kind, and the rule itself; programs may share rules."""
    for program in PROGRAMS:
        for table in program.tables:
            yield from ((program.names, rule.kind or table.kind, rule) for rule in table.rules)
        yield from ((program.names, check.kind, check) for check in program.checks)
    yield from (("", check.kind, check) for check in general.CHECKS)


RULE_KINDS: Mapping[str, RiskKind] = {rule.id: kind for _, kind, rule in rules()}
"""The kind of risk of each rule, by its id."""


def _only_checks() -> Mapping[tuple[str, RiskKind], str]:
    found: dict[tuple[str, RiskKind], str] = {}
    for program in PROGRAMS:
        for check in program.checks:
            for name in program.names.split():
                found.setdefault((name, check.kind), check.id)
    return found


CHECKS = _only_checks()
"""The id of the first check of each kind, by the name of a program and the kind."""
