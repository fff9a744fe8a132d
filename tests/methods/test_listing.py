"""A list method selects the rows that its parameters name, and returns them by RPC names."""

from typing import Any

import pytest

from hookd.core.model.identity import Identity
from hookd.core.model.method import ListMethod, Rows, View, Wire
from hookd.methods.listing import Listing, list_method, oldest_first


class Params(Wire):
    """What a list may be asked for."""

    id: int | None = None
    rule: str | None = None
    window: int | None = None
    after: int | None = None
    oldest_first: bool = False
    limit: int = 7


class Result(Wire):
    """The rows."""

    rows: list[dict[str, Any]]


def method(**more: Any) -> ListMethod[Params]:
    listing: Listing[Params] = Listing(
        "things",
        ("id", "decided_by", "session_id"),
        {"id": "after"},
        order=oldest_first,
        names={"decided_by": "rule"},
        parameters={"session_id": "window"},
        flags=("was_lost",),
        **more,
    )
    return list_method("things.list", Params, Result, listing)


@pytest.mark.parametrize(
    ("given", "where", "above", "order"),
    [
        ({}, (None, None, None), None, "id DESC"),
        ({"id": 1, "rule": "r", "window": 2}, (1, "r", 2), None, "id DESC"),
        ({"after": 5, "oldest_first": True}, (None, None, None), 5, "id"),
    ],
)
def test_parameters_become_conditions_of_the_view(
    given: dict[str, Any], where: tuple[Any, ...], above: int | None, order: str
) -> None:
    conditions = dict(zip(("id", "decided_by", "session_id"), where, strict=True))
    view = method().select(Params(**given), Identity())
    assert view == View("things", conditions, {"id": above}, order, 7)


ROWS = Rows(("id", "decided_by", "session_id", "was_lost"), ((1, "r", 2, 0), (2, None, 3, 1)))


def test_rows_have_the_names_of_rpc_and_flags_are_true_or_false() -> None:
    assert method().shape(Params(), ROWS) == Result(
        rows=[
            {"id": 1, "rule": "r", "sessionId": 2, "wasLost": False},
            {"id": 2, "rule": None, "sessionId": 3, "wasLost": True},
        ]
    )


def test_a_method_may_make_its_own_result() -> None:
    def last(params: Params, rows: list[dict[str, Any]], more: bool) -> Result:
        return Result(rows=[{"id": rows[-1]["id"], "limit": params.limit, "more": more}])

    rows = Rows(ROWS.columns, ROWS.rows, more=True)
    shaped = method(result=last).shape(Params(limit=2), rows)
    assert shaped == Result(rows=[{"id": 2, "limit": 2, "more": True}])
