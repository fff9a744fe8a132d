"""The home of programs that interpreters start: `python -m twine`, `php artisan`.

Only what a table knows is looked for; what they run of their own is told elsewhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import joined
from hookd.shell import Command
from hookd.shell.quoting import names

LAUNCHERS = names(
    "python python2 python3 py pypy pypy3 php ruby node deno"
    " python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 php8.1 php8.2"
    " php8.3 php8.4 nodejs"
)


_VERBS = names("run x exec tool")


def launched(table: Mapping[str, RiskRule]) -> RiskRule:
    """Return the rule of an launcher that starts one of the programs of the table."""

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
    starts = launched(table)
    both = {name: joined(table[name], starts) for name in LAUNCHERS if name in table}
    return {**dict.fromkeys(LAUNCHERS, starts), **table, **both}


def _from(call: CommandCall, place: int, program: str) -> CommandCall:
    """Return the call whose program stands at this place among the words of the launcher."""
    command = call.command
    inner = Command(
        (program, *command.words[place + 1 :]),
        command.exact,
        tuple(replace(hole, at=hole.at - place) for hole in command.holes if hole.at > place),
        stdin=command.stdin,
        piped_input=command.piped_input,
    )
    return replace(call, command=inner)
