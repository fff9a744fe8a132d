"""Programs that start another one by its name: `python -m twine`, `php artisan`, `npx`.

A rule of the started program applies to its launcher, too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.programs.catalogue import with_trait
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import joined_rule
from hookd.shell.commands import Command
from hookd.shell.quoting import names

LAUNCHERS = with_trait("starts-programs")


_VERBS = names("run x exec tool")


def launcher_rule(table: Mapping[str, RiskRule]) -> RiskRule:
    """Return the rule of a launcher that starts one of the programs of the table."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        for item in call.items:
            program = item.text.rpartition("/")[2].lower()
            if not item.unknown and program in table:
                yield from table[program](_from(call, item.place, program))
                return
            if not item.optional and item.text not in _VERBS:
                return

    return rule


def with_launchers(table: Mapping[str, RiskRule]) -> dict[str, RiskRule]:
    """Return the table, and the launchers that start its programs."""
    starts = launcher_rule(table)
    both = {name: joined_rule(table[name], starts) for name in LAUNCHERS if name in table}
    return {**dict.fromkeys(LAUNCHERS, starts), **table, **both}


def _from(call: CommandCall, place: int, program: str) -> CommandCall:
    """Return the call of the program at this place among the words of the launcher."""
    command = call.command
    inner = Command(
        (program, *command.words[place + 1 :]),
        command.exact,
        tuple(replace(hole, at=hole.at - place) for hole in command.holes if hole.at > place),
        stdin=command.stdin,
        piped_input=command.piped_input,
    )
    return replace(call, command=inner)
