"""The home of where an event's call is made: what its facts say of folders, and of what is in them.

All guards get the same place of the same call, so that it is judged once for all of them.
"""

from collections.abc import Iterable

from hookd.core.danger.entry import Place
from hookd.core.danger.values import values_in
from hookd.core.events import ToolInput
from hookd.core.facts import Facts
from hookd.core.options import PolicyOptions

_GUARDS = ("destructive-guard", "secrets-guard")
_USUAL = Place()


def place_of(event: ToolInput, facts: Facts, own: PolicyOptions | None = None) -> Place:
    """Return where a call is made, by what the options of the guards say; `own` are the asker's."""
    held = (*(facts.options.get(name) for name in _GUARDS), own)
    options = {id(one): one for one in held if one is not None}.values()
    command = event.call.primary if event.tool_name == "Bash" else None
    return Place(
        cwd=event.cwd,
        project=_project(event, facts),
        home=_home(event, facts),
        scratch=(*_USUAL.scratch, *(one.rstrip("/") for one in _said(options, "scratch"))),
        owned=facts.session.added_dirs if facts.session else (),
        more=_said(options, "files"),
        less=_said(options, "not_files"),
        values=values_in(command) if command and not event.call.shell.unreadable else {},
    )


def _said(options: Iterable[PolicyOptions], name: str) -> tuple[str, ...]:
    """Return what options of this name hold, each once; not every guard has one."""
    said: dict[str, None] = {}
    for one in options:
        if name in type(one).model_fields:
            said |= dict.fromkeys(getattr(one, name))
    return tuple(said)


def _project(event: ToolInput, facts: Facts) -> str | None:
    if facts.project is not None:
        return facts.project.path
    return facts.identity.project_dir or event.cwd


def _home(event: ToolInput, facts: Facts) -> str:
    """Return the user's home: as the client says, else by where it keeps its own files."""
    if facts.identity.home:
        return facts.identity.home
    for path in (f"{facts.daemon.claude}/", event.transcript_path or ""):
        home, found, _ = path.partition("/.claude/")
        if found:
            return home
    return ""
