"""Preload: files whose content a model is given, each once in a session under all its names."""

from collections.abc import Iterable

from hookd.core.context_window.injections import NewText
from hookd.core.efforts.skill_lookup import readable_file
from hookd.core.guard_rules.rule import read_refusal
from hookd.core.model.effects.sessions import AddSeen
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, KnownSkill
from hookd.lazy_dataclass import dataclass
from hookd.redaction.redact import redact


@dataclass(frozen=True, slots=True)
class Preload:
    """The contents that are new to the session; the paths that are missing or blocked."""

    fresh: tuple[NewText, ...] = ()
    missing: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()


def preload(
    paths: Iterable[str], facts: Facts, known: KnownSkill | None, *, rule_id: str = "preload"
) -> Preload:
    """Return the contents of files, in order, without those that the session was given before."""
    wanted = {path: readable_file(path, known, facts) for path in dict.fromkeys(paths)}
    facts.require_all(*wanted.values())
    session = facts.session
    had = {*session.preloaded_files, *session.loaded_files} if session else set()
    fresh: list[NewText] = []
    missing: list[str] = []
    held: list[str] = []
    nodes: set[str] = set()
    for path, want in wanted.items():
        file = facts.require(want)
        if file is None:
            missing.append(path)
        elif why := read_refusal(file.path, facts) or read_refusal(want.path, facts):
            held.append(f"{path} (blocked: {why})")
        elif redact(file.path) not in had and _node(file.stamp) not in nodes:
            nodes.add(_node(file.stamp))
            cut = "" if file.whole else f"\n[the rest is in {file.path}]"
            fresh.append(NewText(rule_id, file.text.rstrip("\n") + cut, file.path))
    return Preload(tuple(fresh), tuple(missing), tuple(held))


def _node(stamp: str) -> str:
    # The size distinguishes files of two disks with the same inode number, nearly always.
    return stamp.split("-", 1)[1]


def mark_given(
    facts: Facts, fresh: Iterable[NewText], dirs: Iterable[str] = ()
) -> tuple[Effect, ...]:
    """Return the effect that records which files and folders the session was given."""
    session = facts.session
    if session is None:
        return ()
    files = tuple(redact(one.path) for one in fresh if one.path)
    folders = tuple(map(redact, dirs))
    if not files and not folders:
        return ()
    return (AddSeen(session.id, files, folders),)
