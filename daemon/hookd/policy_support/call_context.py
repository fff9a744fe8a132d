"""Build the call context of an event: folders, variables, options of the guards.

All guards get the same context for the same call, so that its risk is assessed once.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from hookd.config.models import PolicyOptions
from hookd.core.model.facts import Facts
from hookd.events.model import ToolInput
from hookd.risk.model import CallContext
from hookd.risk.variable_values import values_in

_GUARDS = ("destructive-guard", "secrets-guard")
_USUAL = CallContext()


def context_of(event: ToolInput, facts: Facts, own: PolicyOptions | None = None) -> CallContext:
    """Return the context of a call, with the options of all guards; `own` are the caller's."""
    said = _said_by(facts.options, own)
    command = event.call.primary if event.tool_name == "Bash" else None
    return CallContext(
        cwd=event.cwd,
        project=project_of(event, facts),
        home=home_of(event, facts),
        scratch=said.scratch,
        owned=facts.session.added_dirs if facts.session else (),
        secret_globs=said.more,
        not_secret_globs=said.less,
        values=values_in(command) if command and not event.call.shell.unreadable else {},
    )


class _Said(NamedTuple):
    """Options of all guards that affect the context: scratch folders, secret globs."""

    scratch: tuple[str, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]


_latest: tuple[Mapping[str, PolicyOptions], PolicyOptions | None, _Said] | None = None


def _said_by(options: Mapping[str, PolicyOptions], own: PolicyOptions | None) -> _Said:
    """Return the merged options; the latest are recognised without a hash of all options."""
    global _latest  # noqa: PLW0603 - nearly all calls have the same options
    guards = [options.get(name) for name in _GUARDS]
    if any(one is own for one in guards):
        own = None
    known = _latest
    if known is None or known[0] is not options or known[1] is not own:
        _latest = known = options, own, _said(*guards, own)
    return known[2]


@lru_cache(maxsize=64)
def _said(*options: PolicyOptions | None) -> _Said:
    """Return the merged options, cached because many calls share them."""
    scratch = (one.rstrip("/") for one in _named("scratch", options))
    more, less = _named("files", options), _named("not_files", options)
    return _Said((*_USUAL.scratch, *scratch), more, less)


def _named(name: str, options: tuple[PolicyOptions | None, ...]) -> tuple[str, ...]:
    """Return the values of the option `name` of all guards that have it, each once."""
    having = [one for one in options if one is not None and name in type(one).model_fields]
    return tuple(dict.fromkeys(each for one in having for each in getattr(one, name)))


def project_of(event: ToolInput, facts: Facts) -> str | None:
    """Return the root of the call's project: the known one, else the client's, else the folder."""
    if facts.project is not None:
        return facts.project.path
    return facts.identity.project_dir or event.cwd


def home_of(event: ToolInput, facts: Facts) -> str:
    """Return the user's home as sent by the client, else derived from the transcript path."""
    home, found, _ = (event.transcript_path or "").partition("/.claude/")
    return facts.home or (home if found else "")
