"""The home of the name of an event as a person types it."""

from difflib import get_close_matches

import click

from hookd.events.protocol import EVENTS


def known(name: str) -> str:
    """Return Claude Code's name of an event, however it is cased; else a usage error."""
    by_lower = {one.lower(): one for one in EVENTS}
    if name.lower() in by_lower:
        return by_lower[name.lower()]
    near = [by_lower[one] for one in get_close_matches(name.lower(), by_lower)]
    hint = (
        f" Did you mean {' or '.join(near)}?" if near else " docs/reference/events.md lists them."
    )
    raise click.UsageError(f"There is no event {name!r}.{hint}")
