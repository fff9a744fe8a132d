"""Session start: the text for a new session with its effort, the pending handover, and files."""

import posixpath
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from hookd.core.context_window.client_files import given_by_client
from hookd.core.context_window.handover import outline, rebuilt_recovery, recovery_text
from hookd.core.context_window.injections import NewText, give, with_heading
from hookd.core.context_window.preload import Preload, mark_given, preload
from hookd.core.context_window.text_size import text_size
from hookd.core.efforts.lifecycle import file_root, without_flags
from hookd.core.efforts.phases import find_phase
from hookd.core.efforts.skill_lookup import commands, find_skill, templates
from hookd.core.efforts.todos import format_todos
from hookd.core.model.client_names import CLIENTS
from hookd.core.model.effects.messages import ConfirmInjections, MoveInjections
from hookd.core.model.effects.sessions import AddSeen, OfferHandover
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import (
    DirListing,
    FileText,
    HookContexts,
    LastHandover,
    OfferedInjections,
    PendingHandover,
    PromptsOfEffort,
    TodosOfEffort,
)
from hookd.core.model.facts import Effort, Facts, Handover, KnownSkill, Session, iso
from hookd.events.model import SessionStart
from hookd.events.protocol import truncate
from hookd.lazy_dataclass import dataclass

_EMPTY = frozenset({"startup", "clear", "compact"})
"""Sources whose context window starts empty; after resume and fork it has the conversation."""

_STALE = timedelta(days=1)
_PROMPTS = 5
_TODOS = 30
_LOG, _OTHER = 4_000, 1_500
"""Maximum characters of the log's end, and of each other text, in a rebuilt recovery."""
_LISTED = 90


@dataclass(frozen=True, slots=True)
class SessionBriefing:
    """The text for the model, and the effects."""

    text: str
    effects: tuple[Effect, ...]


def pending_handover(source: str, facts: Facts) -> Handover | None:
    """Return the handover for a session with this source that was not delivered yet."""
    if source not in _EMPTY or (facts.client and facts.client not in CLIENTS):
        return None  # an unknown client gets no answer: the handover waits for another
    return facts.require(
        PendingHandover(
            facts.effort.id if facts.effort else None,
            facts.previous.id if facts.previous else None,
            facts.project.id if facts.project else None,
            facts.identity.agent,
            iso(facts.now - _STALE),
            facts.identity.run,
        )
    )


def carry_over(
    event: SessionStart, before: Session | None, facts: Facts
) -> tuple[Facts, tuple[Effect, ...]]:
    """Return the facts of a session that continues a conversation, with the files it was given.

    Queued texts move from the previous session to this one. A text that was sent with an answer is
    delivered if the transcript has it, because the client resumes from the transcript.
    """
    session = facts.session
    if event.source in _EMPTY or before is None or session is None:
        return facts, ()
    files = tuple(dict.fromkeys((*before.preloaded_files, *before.loaded_files)))
    had_it = replace(session, preloaded_files=files, touched_dirs=before.touched_dirs)
    read = _in_transcript(event, before, facts)
    effects: tuple[Effect, ...] = (
        AddSeen(session.id, files, before.touched_dirs),
        *((ConfirmInjections(before.id, read),) if read else ()),
        MoveInjections(before.id, session.id),
    )
    return replace(facts, session=had_it), effects


def _in_transcript(event: SessionStart, before: Session, facts: Facts) -> tuple[int, ...]:
    """Return the ids of the sent texts that are in the conversation's transcript."""
    offered = facts.require(OfferedInjections(before.id)) or ()
    if not offered or not event.transcript_path:
        return ()
    contexts = facts.require(HookContexts(event.transcript_path)) or ()
    texts = ((one.id, with_heading(one.rule_id, one.content, one.path)) for one in offered)
    return tuple(number for number, text in texts if any(text in whole for whole in contexts))


def brief_session(source: str, facts: Facts, line: str) -> SessionBriefing:
    """Return the text for the new session; `facts` already contain it, `line` comes first."""
    effort, handover = facts.effort, facts.handover
    found = find_skill(effort.skill, facts) if effort else None
    known = found.known if found else None
    required = _required(handover, facts) if handover else ()
    directives = effort.directives if effort else ()
    by_client = given_by_client(directives, facts)
    files = (
        *(templates(known, facts) if known else ()),
        *(path for path in directives if path not in by_client),
    )
    recovered = _recovery(source, facts)
    there = preload((*required, *_of_phase(effort, known, facts), *files), facts, known)
    client = facts.client
    room = facts.settings.context.budget - text_size(line, client)
    room -= sum(text_size(one.content, client) + _LISTED for one in recovered)
    chosen, names = _chosen(there, room, client)
    listed = _listing(names, facts.settings.context.budget // 4, client)
    used = "\n\n".join(filter(None, (line, listed)))
    given = give(facts, (*recovered, *chosen), used=used)
    effects = (
        *(found.effects if found else ()),
        *((OfferHandover(handover.session_id),) if handover else ()),
        *(without_flags(effort, "dehydrating") if effort else ()),
        *given.effects,
        *mark_given(facts, chosen),
    )
    text = "\n\n".join(filter(None, (line, given.text, listed)))
    return SessionBriefing(text, effects)


def _of_phase(effort: Effort | None, known: KnownSkill | None, facts: Facts) -> tuple[str, ...]:
    """Return the paths of the command texts of the effort's phase."""
    if effort is None or effort.phase is None or known is None:
        return ()
    phase = find_phase(known.skill.phases, effort.phase)
    return tuple(file.path for file in commands(phase.commands, known, facts)) if phase else ()


def _required(handover: Handover, facts: Facts) -> tuple[str, ...]:
    """Return the files of a handover; a relative path starts at the project's root."""
    root = facts.project.path if facts.project else "/"
    named = handover.payload.get("requiredFiles", ())
    return tuple(posixpath.normpath(posixpath.join(root, str(path))) for path in named)


def _recovery(source: str, facts: Facts) -> tuple[NewText, ...]:
    handover = facts.handover
    if handover is not None:
        text = recovery_text(handover.payload, facts.effort)
        return (NewText("handover", text, handover_of=handover.session_id),)
    if facts.effort is None or source not in _EMPTY:
        return ()
    parts = tuple(_artifacts(facts.effort, facts))
    return (NewText("handover-rebuilt", rebuilt_recovery(facts.effort, parts)),) if parts else ()


def _artifacts(effort: Effort, facts: Facts) -> Iterable[tuple[str, str]]:
    """Yield titled texts about the state of an effort, from its files, todos and prompts."""
    root = file_root(effort, facts)
    texts = (
        ("The log's end", FileText(effort.artifact("log"), root, _LOG, tail=True)),
        ("The plan", FileText(effort.artifact("plan"), root, _OTHER)),
        ("The result so far", FileText(effort.artifact("debrief"), root, _OTHER)),
    )
    names = DirListing(effort.task_dir, root)
    facts.require_all(names, *(want for _, want in texts))
    for title, want in texts:
        file = facts.require(want)
        if file is not None and file.text.strip():
            rest = "" if file.whole else f"\n[the rest is in {file.path}]"
            yield title, file.text.strip() + rest
    before = facts.require(LastHandover(effort.id))
    if before is not None:
        at = before.at[:16].replace("T", " ")
        yield f"Earlier handover, {at}", truncate(outline(before.payload), _OTHER)
    todos = facts.require(TodosOfEffort(effort.id, _TODOS)) or ()
    if todos:
        yield "Open items of the task list", format_todos(todos)
    prompts = facts.require(PromptsOfEffort(effort.id, _PROMPTS)) or ()
    if prompts:
        said = (f"- {one.at[:16].replace('T', ' ')}: {one.text[:300]}" for one in prompts)
        yield "The user's last requests", "\n".join(said)
    there = facts.require(names)
    if there and there.names:
        yield "Files in the task's folder", ", ".join(there.names[:30])


def _chosen(there: Preload, room: int, client: str) -> tuple[tuple[NewText, ...], list[str]]:
    """Return the files whose content fits, and lines that name the others."""
    chosen: list[NewText] = []
    listed = [*(f"{path} (missing)" for path in there.missing), *there.blocked]
    left = room - sum(text_size(line, client) for line in listed) - _LISTED
    for one in there.fresh:
        size = text_size(with_heading(one.rule_id, one.content, one.path), client) + 2
        if size <= left:
            chosen.append(one)
            left -= size
        else:
            listed.append(str(one.path))
            left -= _LISTED
    return tuple(chosen), listed


def _listing(names: list[str], most: int, client: str) -> str:
    """Return a list of names in at most `most` units of a client."""
    if not names:
        return ""
    lines = ["[Files to preload]:"]
    for name in names:
        most -= text_size(name, client) + 5
        if most < 0:
            lines.append(f"  - and {len(names) + 1 - len(lines)} more")
            break
        lines.append(f"  - {name}")
    return "\n".join(lines)
