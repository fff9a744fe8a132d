"""The engines that find hints: whichever searches, a text loses the same secrets."""

import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

from hookd.redaction import hints
from hookd.redaction.hints import find_hints, fold, use_python, use_re2
from hookd.redaction.redact import record, redact
from redaction.test_hints import HINTS, TEXTS
from redaction.test_redaction import HARMLESS, KEYS, ROWS
from support.payloads import PAYLOADS

ODD = (
    "",
    "\x00",
    "token\x00=abc123",
    "é\n.",
    "\ud800",
    "\udfffkey=\ud800abc123",
    "İtoken: abc123x",
)
_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEF0123456789-_./=:\" '\n"
_AROUND = (
    "=",
    ": ",
    " ",
    "\n",
    '"',
    "'",
    "\\n",
    '\\"',
    "{",
    "}",
    ",",
    "é",
    "😀",
    "\x00",
    "%2F",
    "$",
)
_AROUND += (
    "password",
    "token=",
    "--token ",
    "Authorization: ",
    "Cookie: a=",
    "curl -u a:",
    "A=b\n",
)


@pytest.fixture(autouse=True)
def python_afterwards() -> Iterator[None]:
    """Search without google-re2 after each test."""
    yield
    use_python()


def redacted(texts: list[str], engine: str) -> list[Any]:
    """Return what each text is redacted to with an engine, alone and as a part of a payload."""
    assert use_re2(0) if engine == "google-re2" else use_python() is None
    alone = [redact(text, env_file=number % 7 == 0) for number, text in enumerate(texts)]
    return [*alone, *(record({"a": [text, {text[:20]: text[5:]}]}) for text in texts)]


def generated(number: int, seed: int = 0) -> Iterator[str]:
    """Return texts in which fragments of secrets and other characters alternate."""
    chance = random.Random(seed)
    fragments = [*(key for _, key in KEYS), *HINTS, *map(str.upper, HINTS), *_AROUND]
    for _ in range(number):
        yield "".join(
            chance.choice(fragments)
            if chance.random() < 0.7
            else "".join(chance.choices(_SIGNS, k=chance.randrange(1, 24)))
            for _ in range(chance.choice((2, 5, 12, 30)))
        )


def compared(texts: list[str]) -> list[Any]:
    """Return the texts that the two engines redact to something else."""
    one, other = redacted(texts, "Python"), redacted(texts, "google-re2")
    return [(a, b) for a, b in zip(one, other, strict=True) if a != b]


def test_both_engines_redact_alike_what_is_in_the_tables_and_the_payloads() -> None:
    rows = [shape.replace("§", secret) for _, secret, shape in ROWS]
    payloads = [path.read_text("utf-8") for path in sorted(PAYLOADS.glob("*.json"))]
    assert len(payloads) > 40
    assert compared([*rows, *HARMLESS, *payloads, *ODD]) == []


def test_both_engines_redact_alike_what_is_generated() -> None:
    assert compared(list(generated(500))) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_both_engines_redact_alike_50_000_texts(seed: int) -> None:
    assert compared(list(generated(5_000, seed))) == []


@given(TEXTS)
def test_the_engines_find_the_same_hints_but_for_a_full_stop(text: str) -> None:
    use_python()
    one = find_hints(fold(text))
    assert use_re2(0)
    other = find_hints(fold(text))
    assert other - {"."} == one - {"."}
    assert one <= other


def test_threads_search_at_the_same_time() -> None:
    texts = list(generated(300))
    assert use_re2(0)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(find_hints, texts * 8))
    assert found == [find_hints(text) for text in texts] * 8


class Broken:
    """A set of google-re2 that fails in one way."""

    said: Any = None

    @classmethod
    def SearchSet(cls, _options: object) -> "Broken":  # noqa: N802 - its name in google-re2
        return cls()

    def Add(self, pattern: bytes) -> int:  # noqa: N802 - its name in google-re2
        return len(pattern)

    def Compile(self) -> None:  # noqa: N802 - its name in google-re2
        """Prepare nothing."""

    def Match(self, _text: bytes) -> Any:  # noqa: N802 - its name in google-re2
        if isinstance(self.said, Exception):
            raise self.said
        return self.said


class Options:
    """Options that are not used."""

    Encoding = SimpleNamespace(LATIN1=0)


def test_short_texts_are_searched_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = type("Nothing", (Broken,), {"said": [len(rb"\z")]})
    monkeypatch.setitem(sys.modules, "re2", SimpleNamespace(Set=nothing, Options=Options))
    text = "token".ljust(1_000)
    assert use_re2()
    assert find_hints(text) == frozenset()
    assert find_hints(text[:-1]) == {"token"}


@pytest.mark.parametrize("said", [None, [], [7], RuntimeError("out of memory")], ids=repr)
def test_where_re2_fails_the_other_engine_searches(
    said: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = type("Made", (Broken,), {"said": said})
    monkeypatch.setitem(sys.modules, "re2", SimpleNamespace(Set=made, Options=Options))
    assert use_re2(0)
    assert redact("token=abc123") == "token=[redacted:value]"


@pytest.mark.parametrize("module", [None, SimpleNamespace(), SimpleNamespace(Options=Options)])
def test_without_a_usable_re2_the_other_engine_searches(
    module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "re2", module)
    assert not use_re2(0)
    assert hints.engine() == "Python"
    assert redact("token=abc123") == "token=[redacted:value]"
