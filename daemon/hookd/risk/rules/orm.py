"""The home of statements in a framework's own words: `rails runner 'User.delete_all'`.

Only what takes every row of a table counts: what is chosen before is work like any other.
"""

import re
from collections.abc import Iterator

from hookd.risk.model import CommandCall, Risk
from hookd.risk.subcommands import begins, danger

_EVERY = re.compile(
    r"(?<![\w.)])[A-Z]\w*+(?:::\w++)*+(?:\.(?:unscoped|all)\b)?\.(?:delete_all|destroy_all)\b"
    r"|\.objects\.(?:all\(\)\.)?(?:delete|_raw_delete)\("
    r"|::(?:truncate|query\(\)->(?:delete|forceDelete|truncate))\("
    r"|DB::table\([^()]*\)->(?:delete|truncate)\(|::all\(\)->each->(?:delete|forceDelete)\b"
)
_VERBS = "shell|shell_plus|runner|r|console|c|tinker|artisan"
_INSTEAD = "A count of what is concerned comes first."


def emptied(call: CommandCall) -> Iterator[Risk]:
    """Yield that a program for a framework's shell deletes every row of a table."""
    texts = (*call.command.stdin, *call.command.words[1:])
    if begins(call.items, _VERBS) and any(map(_EVERY.search, texts)):
        yield danger(call, "database", "ask", "deletes every row of a table", _INSTEAD)
