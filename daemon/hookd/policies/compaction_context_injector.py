"""Restore context after a compaction: requests, tasks, files and prohibitions.

When a conversation continues after a compaction, automatic or by `/compact`, the model is given up
to six sections: the first request, later ones, completed task list items, open items, the files
read last, and sentences in which the user ruled something out ("never ...", "do not ..."),
verbatim. Empty sections are omitted, and the whole has at most 3,000 characters.

All of this comes from the database, so nothing extra is stored, and the messages right before the
compaction are included. If the window is given a handover or a summary of its effort, which include
the requests and tasks, only the other sections are added.
"""

import re
from collections.abc import Iterable

from hookd.config.models import PolicyOptions
from hookd.core.context_window.injections import has_tag, without_tag
from hookd.core.context_window.prompt_text import prose, sentences
from hookd.core.model.fact_requests import PromptsOfSession, TodosOfSession
from hookd.core.model.facts import Effort, Facts, Prompt, Session, Todo
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import SessionStart
from hookd.events.protocol import utf16_length
from hookd.lazy_pattern import lazy_compile

_NAME = "compaction-context-injector"
_MAX_PROMPTS = 40
"""Last prompts that are searched."""
_MAX_FILES = 12
_MAX_FIRST_CHARS, _MAX_REQUEST_CHARS, _MAX_ITEM_CHARS = 500, 300, 150
"""Maximum characters of the first request, of another one, and of an item or path."""
_SECTION_CHARS = {
    "The first request": 520,
    "Later requests, the last one first": 700,
    "Done": 300,
    "Remaining": 400,
    "Files read last": 360,
    "Ruled out by the user": 420,
}
"""Characters of each section; with their titles they stay below 3,000."""
_COVERED_BY_EFFORT = frozenset(
    {"The first request", "Later requests, the last one first", "Done", "Remaining"}
)
"""Sections that a handover or the summary of an effort already covers."""

_RULES_OUT = lazy_compile(
    r"(?:\A|[,;:(–—-]\s?|\b(?:please|and|but|so|then|just|also)\s)(?:do not|don['’]?t)\b"
    r"|\b(?:never|must not|mustn['’]t|may not|shall not|should not|shouldn['’]t|avoid|no longer)\b"
    r"|\b(?:niemals|auf keinen fall|darf nicht|dürfen nicht|bitte nicht|nunca|jamais)\b"
    r"|不要|请勿|禁止|别[再去把用改]|ないで|するな|してはいけない|하지 ?마|금지",
    re.IGNORECASE,
)


class Options(PolicyOptions):
    """No options besides the mode."""


def opine(event: SessionStart, facts: Facts, _options: Options) -> Opinion | None:
    """Give the model the sections that are not empty."""
    before = facts.previous
    if event.source != "compact" or before is None or before.claude_session_id != event.session_id:
        return None
    facts.require_all(PromptsOfSession(before.id, _MAX_PROMPTS), TodosOfSession(before.id))
    said = [
        one.text
        for one in facts.require(PromptsOfSession(before.id, _MAX_PROMPTS)) or ()
        if _wish(one)
    ]
    todos = facts.require(TodosOfSession(before.id)) or ()
    found = {
        "The first request": [_cut(one, _MAX_FIRST_CHARS) for one in said[:1]],
        "Later requests, the last one first": _last(said[1:], _MAX_REQUEST_CHARS),
        "Done": _last([one.subject for one in todos if one.status == "completed"], _MAX_ITEM_CHARS),
        "Remaining": [_cut(one, _MAX_ITEM_CHARS) for one in _open(todos)],
        "Files read last": _last(before.loaded_files[-_MAX_FILES:], _MAX_ITEM_CHARS),
        "Ruled out by the user": _last(_ruled_out(said), _MAX_REQUEST_CHARS),
    }
    told = facts.effort is not None or facts.handover is not None
    parts = [
        _section(title, lines)
        for title, lines in found.items()
        if lines and not (told and title in _COVERED_BY_EFFORT)
    ]
    head = f"[hookd:{_NAME}] The conversation was compacted. From before:"
    return Opinion(context="\n\n".join((head, *parts))) if parts else None


def _wish(prompt: Prompt) -> bool:
    return bool(prompt.text.strip()) and not has_tag(prompt.text) and prompt.text[:8] != "/compact"


def _open(todos: Iterable[Todo]) -> list[str]:
    marks = {"in_progress": "in progress: ", "pending": ""}
    return [marks[one.status] + one.subject for one in todos if one.status in marks]


def _ruled_out(said: Iterable[str]) -> list[str]:
    """Return the sentences that rule something out, each once, at its last position."""
    found = (one for text in said for one in sentences(prose(text)) if _RULES_OUT.search(one))
    return [*dict.fromkeys(reversed(list(found)))][::-1]


def _last(texts: Iterable[str], most: int) -> list[str]:
    """Return texts, none longer than `most`, the last one first: it is the first to find room."""
    return [_cut(text, most) for text in texts][::-1]


def _cut(text: str, most: int) -> str:
    text = without_tag(text.strip())
    if utf16_length(text) <= most:
        return text
    kept = text.encode("utf-16-le", "replace")[: (most - 2) * 2]
    return kept.decode("utf-16-le", "ignore") + " …"


def _section(title: str, texts: list[str]) -> str:
    lines, room = [f"## {title}"], _SECTION_CHARS[title]
    for text in texts:
        line = "- " + text.replace("\n", "\n  ")
        room -= utf16_length(line) + 1
        if room < 0 and len(lines) > 1:
            break
        lines.append(line if room >= 0 else _cut(line, _SECTION_CHARS[title]))
    return "\n".join(lines)


def _start(source: str) -> SessionStart:
    return SessionStart(hook_event_name="SessionStart", session_id="s", source=source)


def _facts(*said: str, **more: object) -> Facts:
    prompts = tuple(Prompt("2026-01-31T08:00:00.000Z", text) for text in said)
    items = (Todo("Cut the pages"), Todo("Find the orders", "completed")) if said else ()
    given: dict[str, object] = {
        "session": Session(2, "s", source="compact"),
        "previous": Session(1, "s"),
        "resolved": {PromptsOfSession(1, _MAX_PROMPTS): prompts, TodosOfSession(1): items},
    }
    return Facts(**(given | more))  # type: ignore[arg-type]


def _examples() -> tuple[PolicyExample, ...]:
    return (
        PolicyExample(_start("compact"), _facts("Add pages. Never touch v1."), says="context"),
        PolicyExample(
            _start("compact"),
            _facts("Never touch v1.", effort=Effort(1, "/work/demo", "implement")),
            says="context",
        ),
        PolicyExample(_start("compact"), _facts(), says=""),
        PolicyExample(_start("compact"), _facts("Add pages", previous=None), says=""),
        PolicyExample(_start("resume"), _facts("Add pages"), says=""),
    )


POLICY = Policy(
    name=_NAME,
    priority=180,
    events=frozenset({"SessionStart"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
