"""Lines of an explanation: the call, each opinion as a tree, texts for the model, the time."""

from collections.abc import Iterator, Sequence
from typing import Any

from hookd.cli.board.state import project_name
from hookd.cli.board.stream_lines import DECISIONS
from hookd.cli.board.text import Line, Span, safe, safe_lines, wrapped
from hookd.display.amounts import local_time, milliseconds, percent
from hookd.display.event_text import stage_name
from hookd.display.explanation import Explanation, OpinionPart

_MAX_LINES = 200
_VERDICTS = {**DECISIONS, "allowed": ("✓ passed", "good"), "comment": ("+ told", "told")}

Branch = tuple[str, str]
"""A text of the tree, and its style."""


def lines(found: Explanation, width: int) -> list[Line]:
    """Return the lines of an explanation for a width."""
    room = max(width - 2, 20)
    return [(Span(" "), *line) for line in _lines(found, room)]


def _lines(found: Explanation, width: int) -> Iterator[Line]:
    yield from _origin(found, width)
    yield from paragraph(found.title, width, "title")
    yield from _context(found, width)
    if found.call:
        yield ()
        yield from _call(found.call, width)
    for opinion in found.opinions:
        yield ()
        word, style = _VERDICTS.get(opinion.verdict, (opinion.verdict, ""))
        yield (Span(f"{safe(word)}  ", style), Span(safe(opinion.rule), "title"))
        yield from _tree(list(_branches(opinion)), width)
    if found.silence:
        yield ()
        yield from paragraph(found.silence, width, "dim")
    if found.steps:
        yield from _tree([(f"{does}: {command}", "accent") for does, command in found.steps], width)
    yield from _after(found, width)


def _origin(found: Explanation, width: int) -> Iterator[Line]:
    """Yield whose event it is, when it happened, and in which project."""
    project = found.context.get("project")
    facts = (found.who, local_time(found.at), f"project {project_name(project)}" if project else "")
    yield from paragraph("   ".join(filter(None, map(safe, facts))), width)


def _context(found: Explanation, width: int) -> Iterator[Line]:
    known = found.context
    usage = known.get("contextUsage")
    facts = {
        "task": project_name(known.get("task")) if known.get("task") else None,
        "phase": known.get("phase"),
        "context": percent(usage) if isinstance(usage, int | float) else None,
    }
    said = "   ".join(f"{name} {safe(value)}" for name, value in facts.items() if value is not None)
    if said:
        yield from paragraph(said, width, "dim")


def _call(call: Any, width: int) -> Iterator[Line]:
    for name, value in call.items():
        text = value if isinstance(value, str) else repr(value)
        shown = safe_lines(text, _MAX_LINES)
        label = f"{safe(name)}: "
        if len(shown) <= 1 and len(label) + len(text) <= width:
            yield (Span(label, "dim"), Span("".join(shown)))
            continue
        yield (Span(label.rstrip(), "dim"),)
        for one in shown:
            yield from ((Span(f"  {part}"),) for part in wrapped(one, width - 2))


def _branches(opinion: OpinionPart) -> Iterator[Branch]:
    for text in (opinion.reason, opinion.context, opinion.system_message):
        yield from ((line, "") for line in safe_lines(text, _MAX_LINES) if line)
    yield from ((source.text, "dim") for source in opinion.sources)
    if opinion.rule_ids:
        yield (f"found by the rule {', '.join(opinion.rule_ids)}", "dim")
    yield from ((f"{does}: {command}", "accent") for does, command in opinion.steps)


def _tree(branches: Sequence[Branch], width: int) -> Iterator[Line]:
    for place, (text, style) in enumerate(branches):
        last = place == len(branches) - 1
        for number, part in enumerate(wrapped(safe(text), width - 4)):
            mark = ("└─ " if last else "├─ ") if not number else ("   " if last else "│  ")
            yield (Span(f" {mark}", "dim"), Span(part, style))


def _after(found: Explanation, width: int) -> Iterator[Line]:
    """Yield what the answer told, the user hooks that ran, and the time it took."""
    said = {one.reason for one in found.opinions} | {one.context for one in found.opinions}
    for told in found.told:
        if told.text not in said:
            yield ()
            yield (Span(f"told the {told.to}", "told"),)
            yield from _tree([(line, "") for line in safe_lines(told.text, _MAX_LINES)], width)
    if found.hook_runs:
        yield ()
        yield (Span("user hooks", "title"),)
        yield from _tree([(f"{run.hook}: {run.result}", "") for run in found.hook_runs], width)
    if found.duration_us is not None:
        yield ()
        parts = ", ".join(f"{stage_name(name)} {milliseconds(us)}" for name, us in found.stages)
        stages = f"  ({parts} ms)" if parts else ""
        yield from paragraph(f"took {milliseconds(found.duration_us)} ms{stages}", width, "dim")


def paragraph(text: str, width: int, style: str = "") -> Iterator[Line]:
    """Yield a text in lines."""
    yield from ((Span(part, style),) for part in wrapped(safe(text), width))
