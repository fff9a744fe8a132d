"""Complete values in a shell: policies, events, sessions, efforts, agents, guard rules.

They are read from files without asking the daemon, and nothing heavy is imported.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hookd import paths
from hookd.cli.lib.output import cell
from hookd.lazy_pattern import lazy_compile

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Completion = Callable[[click.Context, click.Parameter, str], "list[CompletionItem]"]
"""What `shell_complete` of a parameter takes."""

_MAX_ABOUT_CHARS = 60
_PLAIN = lazy_compile(r"[\w.:@%+/-]+")
"""Values that a shell takes as they are: bash neither quotes what it completes nor escapes it."""


def policies(_ctx: click.Context, _param: click.Parameter, typed: str) -> "list[CompletionItem]":
    """Complete the name of a policy, from the names of the modules: each has one policy."""
    import hookd  # noqa: PLC0415 - the package is there, without its parts

    modules = Path(hookd.__file__).with_name("policies").glob("[!_]*.py")
    return items(((path.stem.replace("_", "-"), "") for path in sorted(modules)), typed)


def event_names(_ctx: click.Context, _param: click.Parameter, typed: str) -> "list[CompletionItem]":
    """Complete the name of a hook event."""
    from hookd.events.protocol import EVENTS  # noqa: PLC0415

    return items(((name, "") for name in EVENTS), typed)


def _recent(what: str) -> Completion:
    def complete(
        _ctx: click.Context, _param: click.Parameter, typed: str
    ) -> "list[CompletionItem]":
        from hookd.store.browse.recent import recent  # noqa: PLC0415 - it imports sqlite3

        return items(recent(paths.paths().database, what), typed)

    return complete


events = _recent("events")
decisions = _recent("decisions")
sessions = _recent("sessions")
efforts = _recent("efforts")
agents = _recent("agents")
guards = _recent("guards")
approvals = _recent("approvals")


def items(found: Iterable[tuple[str, str]], typed: str) -> "list[CompletionItem]":
    """Return plain values that begin with what is typed, each with a text about it."""
    from click.shell_completion import CompletionItem  # noqa: PLC0415 - only a shell needs it

    return [
        CompletionItem(value, help=cell(about)[:_MAX_ABOUT_CHARS] or None)
        for value, about in found
        if value.startswith(typed) and _PLAIN.fullmatch(value)
    ]
