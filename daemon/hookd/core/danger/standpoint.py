"""The home of where an event's call is made: what its facts say of folders."""

from dataclasses import replace

from hookd.core.danger.entry import Place
from hookd.core.danger.values import values_in
from hookd.core.events import ToolInput
from hookd.core.facts import Facts


def place_of(event: ToolInput, facts: Facts, scratch: tuple[str, ...] = ()) -> Place:
    """Return where a call is made; `scratch` are further folders that nobody will miss."""
    usual = Place(cwd=event.cwd, project=_project(event, facts), home=_home(event, facts))
    added = facts.session.added_dirs if facts.session else ()
    command = event.call.primary if event.tool_name == "Bash" else None
    return replace(
        usual,
        scratch=(*usual.scratch, *(folder.rstrip("/") for folder in scratch)),
        owned=added,
        values=values_in(command) if command else {},
    )


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
