"""A settings or skill file has changed: reload it; nothing is blocked or reported.

If it is a skill's (`source` is `skills`), the project's skills are read again. If it is hookd's own
settings file, the daemon reloads it, and it applies from the next event; if it cannot be used, the
last good settings apply, and `hookd status` says why.
"""

from hookd.core.context_window.touched_paths import path_aliases
from hookd.core.model.effects.after_commit import ReloadSettings
from hookd.core.model.effects.efforts import DropSkills
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.method import Example, HookResult
from hookd.events.model import ConfigChange
from hookd.methods.hook_event import effects_event


class Result(HookResult):
    """Whether hookd's settings are read again, and whether skills are."""

    reloaded: bool = False
    skills_dropped: bool = False


def effects(event: ConfigChange, facts: Facts) -> tuple[Effect, ...]:
    """Invalidate what is stored of the file."""
    reload: tuple[Effect, ...] = (ReloadSettings(),) if _ours(event, facts) else ()
    return (*_dropped(event, facts), *reload)


def _dropped(event: ConfigChange, facts: Facts) -> tuple[Effect, ...]:
    if event.source != "skills":
        return ()
    own = (DropSkills(facts.project.id),) if facts.project else ()
    named = path_aliases(event.file_path, facts) if event.file_path else ()
    return (*own, *(DropSkills(None, name) for name in named))


def _ours(event: ConfigChange, facts: Facts) -> bool:
    """Return whether it is hookd's own settings file, by any of its names."""
    settings = facts.daemon.settings
    if not settings or not event.file_path:
        return False
    return not {*path_aliases(event.file_path, facts)}.isdisjoint(path_aliases(settings, facts))


def report(event: ConfigChange, facts: Facts) -> Result:
    """Report what is reloaded."""
    skills = event.source == "skills" and bool(facts.project or event.file_path)
    return Result(reloaded=_ours(event, facts), skills_dropped=skills)


METHOD = effects_event(
    "ConfigChange",
    ConfigChange,
    effects,
    report,
    Result,
    Example(
        {
            "session_id": "11c8d28b",
            "hook_event_name": "ConfigChange",
            "source": "skills",
            "file_path": "/work/orders/.claude/skills/implement/SKILL.md",
        },
        says="the project's skills are read again",
    ),
)
