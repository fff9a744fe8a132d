"""Work that computes for too long is interrupted, whatever it does; work that waits is not."""

import re
import signal
from collections.abc import Callable, Iterator
from threading import Event, Thread

import pytest

from hookd.core.evaluation.policies import TimeUp
from hookd.pipeline.time_limit import TimeLimit


@pytest.fixture
def limit() -> Iterator[TimeLimit]:
    before = signal.getsignal(signal.SIGALRM)
    one = TimeLimit()
    one.begin()
    with one:
        yield one
    signal.signal(signal.SIGALRM, before)


def loop() -> None:
    while True:
        pass


def stubborn() -> None:
    """Continue once it was interrupted."""
    try:
        loop()
    except BaseException:  # noqa: BLE001
        loop()


@pytest.mark.parametrize(
    "work",
    [loop, stubborn, lambda: re.match("(a+)+$", "a" * 60 + "!")],
    ids=["loop", "stubborn", "regex"],
)
def test_what_computes_is_interrupted(limit: TimeLimit, work: Callable[[], object]) -> None:
    with pytest.raises(TimeUp):
        limit.call(0.1, work)
    assert limit.call(0.1, lambda: "the next one is not") == "the next one is not"


def test_what_waits_is_not(limit: TimeLimit) -> None:
    assert limit.call(0.1, lambda: Event().wait(0.4)) is False


def test_another_thread_is_not_limited(limit: TimeLimit) -> None:
    said: list[int] = []
    one = Thread(target=lambda: said.append(limit.call(0.05, lambda: sum(range(10_000_000)))))
    one.start()
    one.join()
    assert said == [sum(range(10_000_000))]


def test_a_call_on_another_thread_leaves_the_limit_of_this_one(limit: TimeLimit) -> None:
    def work() -> None:
        one = Thread(target=limit.call, args=(1, int))
        one.start()
        one.join()
        loop()

    with pytest.raises(TimeUp):
        limit.call(0.1, work)


def test_nothing_is_interrupted_behind_the_end_of_a_call(limit: TimeLimit) -> None:
    limit.call(0.05, int)
    assert sum(range(10_000_000))
    assert [limit.call(0.2, lambda: sum(range(10_000))) for _ in range(2_000)]
