"""The home of where an event's call is made: what its facts say of folders, and of what is in them.

All guards get the same place of the same call, so that it is judged once for all of them.
"""

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
    """Return where a call is made, by what the options of the guards say; `own` are the asker's."""
    said = _said(*map(facts.options.get, _GUARDS), own)
    command = event.call.primary if event.tool_name == "Bash" else None
    return CallContext(
        cwd=event.cwd,
        project=_project(event, facts),
        home=_home(event, facts),
        scratch=said.scratch,
        owned=facts.session.added_dirs if facts.session else (),
        secret_globs=said.more,
        not_secret_globs=said.less,
        values=values_in(command) if command and not event.call.shell.unreadable else {},
    )


class _Said(NamedTuple):
    """What the options of all guards say together of a place."""

    scratch: tuple[str, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]


@lru_cache(maxsize=64)
def _said(*options: PolicyOptions | None) -> _Said:
    """Return what the options say; they are the same for many calls."""
    scratch = (one.rstrip("/") for one in _named("scratch", options))
    more, less = _named("files", options), _named("not_files", options)
    return _Said((*_USUAL.scratch, *scratch), more, less)


def _named(name: str, options: tuple[PolicyOptions | None, ...]) -> tuple[str, ...]:
    """Return what options of this name hold, each once; not every guard has one."""
    having = [one for one in options if one is not None and name in type(one).model_fields]
    return tuple(dict.fromkeys(each for one in having for each in getattr(one, name)))


def _project(event: ToolInput, facts: Facts) -> str | None:
    if facts.project is not None:
        return facts.project.path
    return facts.identity.project_dir or event.cwd


def _home(event: ToolInput, facts: Facts) -> str:
    """Return the user's home: as the client says, else by where it keeps its own files."""
    home, found, _ = (event.transcript_path or "").partition("/.claude/")
    return facts.home or (home if found else "")
