"""Names of programs that look like those of others are asked about; other alphabets are not."""

from support.parametrize import parametrize_all
from support.risks import said


@parametrize_all(
    ("text", "expected"),
    [
        ("\uff52\uff4d -rf x", "ask unreadable"),
        ("rm\u00a0-rf\u00a0x", "ask unreadable"),
        ("r\u200bm -rf x", "ask unreadable"),
        ("rm\u2011rf x", "ask unreadable"),
        ("g\u0456t push", "ask unreadable"),
        ("\u0442\u0435\u0441\u0442 x", ""),
        ("\u2502\u00a0\u00a0 main.py", ""),
        ("caf\u00e9 x", ""),
        ("echo \uff52\uff4d", ""),
    ],
)
def test_a_name_that_looks_like_another_one_is_asked_about(text: str, expected: str) -> None:
    assert said(text) == expected
