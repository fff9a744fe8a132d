"""The home of an event's name where hooks are meant: as Claude Code has it, or another program."""

import click

from hookd.cli.lib import event_args
from hookd.cli.lib.errors import Problem


def known(name: str) -> str:
    """Return Claude Code's name of an event; what other programs call it is taken, as in files."""
    from hookd.core.hook_rules.dialects import ALIASES  # noqa: PLC0415 - it reads matchers

    events = ALIASES.get(name.lower(), ())
    if len(events) > 1:
        raise click.UsageError(f"{name} is {' and '.join(events)}: say which.")
    return events[0] if events else event_args.known(name)


def served(name: str) -> str:
    """Return the same of an event that hooks can run on. Raise Problem where they cannot."""
    from hookd.core.hook_rules.dialects import UNSERVED  # noqa: PLC0415 - it reads matchers

    event = known(name)
    if event in UNSERVED:
        step = "register it in Claude Code's own settings"
        raise Problem(f"{event} is not hookd's: {UNSERVED[event]}.", step)
    return event
