"""Flaws in a transcript of any client: broken lines, and calls without a result.

The client is the one whose lines the file has.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from hookd.clients.adapters import ADAPTERS, CLAUDE_CODE
from hookd.clients.claude_code.transcript_check import Checked, Flaw, check_transcript
from hookd.clients.contract import Adapter, Transcript
from hookd.events.transcript import line_object

_HEAD = 200
"""Lines by which a client is recognised."""


def transcript_flaws(lines: Iterable[bytes | None]) -> Checked:
    """Check the lines of a transcript, in their order; None is a line too long to be read."""
    left: Iterator[bytes | None] = iter(lines)
    head = tuple(islice(left, _HEAD))
    form = client_of_lines(head).transcript
    whole = chain(head, left)
    if form is None or form is CLAUDE_CODE.transcript:
        return check_transcript(whole)
    return _checked(whole, form)


def client_of_lines(head: Sequence[bytes | None]) -> Adapter:
    """Return the client whose messages the first lines have, Claude Code if they have none."""
    for adapter in ADAPTERS.values():
        form = adapter.transcript
        if form is not None and any(form.parse_line(line) for line in head if line):
            return adapter
    return CLAUDE_CODE


def _checked(lines: Iterable[bytes | None], form: Transcript) -> Checked:
    checked = Checked()
    calls: dict[str, tuple[int, str]] = {}
    for line in lines:
        checked.lines += 1
        if line is None or (not line_object(line) and line.strip() != b"{}"):
            why = "it is too long to be read" if line is None else "it is no JSON object"
            checked.flaws.append(Flaw(checked.lines, "fail", "broken line", why))
            continue
        for entry in form.parse_line(line):
            checked.messages += entry.role == "assistant"
            if entry.tool_name is not None:
                calls.setdefault(entry.ref, (checked.lines, entry.tool_name))
        for number in form.results(line):
            calls.pop(number, None)
    # Whether such a client continues without the result is not known.
    for number, (place, tool) in calls.items():
        checked.flaws.append(Flaw(place, "warn", "call without result", f"{tool} {number}"))
    checked.flaws.sort(key=lambda flaw: flaw.line)
    return checked
