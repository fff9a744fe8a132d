"""The cache by text: a result is kept by all arguments, and a long text is not kept."""

from hookd.shell.commands import LIMIT
from hookd.shell.text_cache import SIZE, cached_by_text

CALLS: list[tuple[str, int]] = []


@cached_by_text
def measured(text: str, factor: int) -> int:
    CALLS.append((text, factor))
    return len(text) * factor


def test_the_same_arguments_are_computed_once_and_others_again() -> None:
    CALLS.clear()
    assert [measured("ls", 2), measured("ls", 2), measured("ls", 3)] == [4, 4, 6]
    assert CALLS == [("ls", 2), ("ls", 3)]


def test_the_last_few_texts_are_kept() -> None:
    CALLS.clear()
    texts = [f"ls {number}" for number in range(SIZE + 1)]
    for text in (*texts, *texts[1:], texts[0]):
        measured(text, 1)
    assert [(text, 1) for text in (*texts, texts[0])] == CALLS, "only the oldest was dropped"


def test_a_text_that_is_too_long_to_be_parsed_is_not_kept() -> None:
    CALLS.clear()
    for text in ("x" * LIMIT, "x" * (LIMIT + 1)):
        assert measured(text, 1) == measured(text, 1) == len(text)
    assert [len(text) for text, _ in CALLS] == [LIMIT, LIMIT + 1, LIMIT + 1]
