"""Charts of text are as long as their values, in both sets of characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.cli.lib.charts import bar, has_unicode, sparkline


@pytest.mark.parametrize(
    ("values", "plain", "blocks"),
    [
        ([], "", ""),
        ([0, 0], "  ", "  "),
        ([1, 8, 0, 4], ":@ +", "▂█ ▅"),
        ([1, 10_000], ".@", "▁█"),
    ],
)
def test_a_sparkline_has_one_character_a_value(values: list[int], plain: str, blocks: str) -> None:
    assert sparkline(values, unicode=False) == plain
    assert sparkline(values, unicode=True) == blocks


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(1, 40), st.booleans())
def test_a_bar_fits_and_is_empty_only_for_nothing(
    value: int, most: int, width: int, unicode: bool
) -> None:
    line = bar(value, most, width, unicode=unicode)
    assert len(line) <= width
    assert bool(line) == (value > 0 and most > 0)
    assert line.isascii() != (unicode and bool(line))


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        ({}, False),
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "UTF-8"}, True),
        ({"LC_ALL": "en_US.utf8"}, True),
        ({"LC_ALL": "en_US.ISO-8859-1"}, False),
    ],
)
def test_the_locale_says_which_characters_there_are(
    env: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert has_unicode() is expected
