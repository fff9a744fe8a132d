"""Rendering: hostile texts are visible and harmless, times and amounts are readable."""

import pytest
from jinja2 import UndefinedError

from hookd.web import rendering
from support.parametrize import parametrize_all

HOSTILE = {
    "<script>alert(1)</script>": "&lt;script&gt;alert(1)&lt;/script&gt;",
    "\x1b[31mred": "\\x1b[31mred",
    "a\u202eb": "a\\u202eb",
    "a\x00b\x9bc": "a\\x00b\\x9bc",
    "a\r\nb\tc\r": "a\nb   c\\r",
    "\"'&": "&#34;&#39;&amp;",
    "grün 猫": "grün 猫",
}


@parametrize_all("text", HOSTILE)
def test_every_value_is_escaped(text: str) -> None:
    made = rendering.environment().from_string("{{ text }}").render(text=text)
    assert made == HOSTILE[text]


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        rendering.environment().from_string("{{ row.nothing }}").render(row={})


def test_values_for_people() -> None:
    at = "2026-01-31T08:00:00.000Z"
    assert rendering.local(at) == "2026-01-31 09:00:00+01:00"
    assert rendering.recent(at) == "2026-01-31 09:00"
    assert rendering.local(None) == rendering.recent(None) == rendering.milliseconds(None) == "-"
    assert rendering.local("soon") == rendering.recent("soon") == "soon"
    assert rendering.milliseconds(1_100) == "1.1 ms"
    assert rendering.short("a\nb " * 100, 10) == "a b a b a…"
    assert rendering.json_text({"a": "é"}) == '{\n  "a": "é"\n}'
    assert rendering.json_line(["é"]) == '["é"]'
