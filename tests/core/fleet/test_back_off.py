"""The pause until the next attempt: it grows to a minute, and is spread by chance."""

from hypothesis import given
from hypothesis import strategies as some

from hookd.core.fleet.back_off import pause


def test_it_doubles_up_to_a_minute() -> None:
    assert [pause(failures, 1) for failures in (1, 2, 3, 7, 8, 99)] == [0.5, 1, 2, 32, 60, 60]


@given(some.integers(0, 10**6), some.floats(0, 1))
def test_chance_spreads_it_over_the_second_half(failures: int, chance: float) -> None:
    longest = pause(failures, 1)
    assert longest / 2 <= pause(failures, chance) <= longest
