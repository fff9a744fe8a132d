"""A table that is one test fails where any of its rows does, and names each of them."""

import pytest

from support.parametrize import parametrize_all


def test_all_rows_are_run_and_those_that_fail_are_named() -> None:
    seen = []

    @parametrize_all("number", [1, 2, 3, 4], ids=lambda number: f"n{number}")
    def even(number: int) -> None:
        seen.append(number)
        assert number % 2 == 0

    with pytest.raises(ExceptionGroup) as told:
        even()
    assert seen == [1, 2, 3, 4]
    assert told.value.message.splitlines() == ["2 of 4 rows fail:", "row 0: n1", "row 2: n3"]
    assert [type(one) for one in told.value.exceptions] == [AssertionError] * 2


@parametrize_all("first", "ab")
@parametrize_all(("second", "third"), [(1, 2), pytest.param(3, 4, id="named")])
def test_tables_may_stand_on_each_other_and_beside_fixtures(
    first: str, second: int, third: int, request: pytest.FixtureRequest
) -> None:
    assert first in "ab"
    assert third == second + 1
    assert "first" not in request.fixturenames


def test_a_table_without_rows_is_an_error() -> None:
    with pytest.raises(AssertionError, match="tests nothing"):
        parametrize_all("number", [])
