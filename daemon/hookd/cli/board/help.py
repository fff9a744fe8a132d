"""The board's help: its keys, signs and filter."""

from collections.abc import Iterator

from hookd.cli.board.filter import EXAMPLE
from hookd.cli.board.fleet_lines import SIGNS
from hookd.cli.board.stream_lines import DECISIONS
from hookd.cli.board.text import Line, Span

KEYS = (
    (
        "move",
        (
            ("tab, 1 2 3", "next pane; sessions, events, details"),
            ("↑ ↓ j k", "one row; page up, page down, home, end"),
            ("enter", "details of the selected row"),
            ("esc", "back; clear the filter"),
        ),
    ),
    (
        "look",
        (
            ("w", "why: explain the decision on an event"),
            ("t", "only the texts that the model of a session received"),
            ("f", f"filter: {EXAMPLE}"),
            ("/ n N", "search the pane; next match, match before"),
            ("s", "only events that were denied or asked about"),
            ("z", "show idle sessions, too"),
            ("o", "go to the session's tmux pane, or open its folder"),
        ),
    ),
    (
        "decide",
        (
            ("v", "answer requests: y allows, n denies, d leaves it to the dialog"),
            ("a", "allow the call of an event from now on"),
            ("p", "pause all guards; end a pause"),
        ),
    ),
    ("leave", (("?", "this help"), ("q", "quit"))),
)
"""The keys by subject, and what each does."""


def lines() -> list[Line]:
    """Return the lines of the help."""
    return list(_lines())


def _lines() -> Iterator[Line]:
    for title, keys in KEYS:
        yield (Span(title, "title"),)
        for key, does in keys:
            yield (Span(f"  {key:<12}", "key"), Span(does))
    yield (Span("signs", "title"),)
    signs = [Span(f"  {sign} {word}", style) for word, (sign, style) in SIGNS.items()]
    yield tuple(signs)
    words = dict(DECISIONS.values())
    yield tuple(Span(f"  {word}", style) for word, style in words.items())
