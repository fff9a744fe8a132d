"""Every example of a method works as documented."""

from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hookd.clients.claude_code import encode
from hookd.core.model.effects.union import AfterCommitEffect, RowEffect
from hookd.core.model.errors import CODES, DomainError
from hookd.core.model.fact_requests import MissingFacts
from hookd.core.model.facts import Facts
from hookd.core.model.identity import Identity, Where
from hookd.core.model.method import (
    Backup,
    Change,
    ChangeMethod,
    Decision,
    Example,
    HookMethod,
    ListMethod,
    ReadRequest,
)
from hookd.core.model.verdict import Outcome, merge
from hookd.methods import METHODS
from hookd.store.database import open_database
from hookd.store.reader import Reader
from support.parametrize import parametrize_all


def examples(kind: type) -> list[Any]:
    return [
        pytest.param(method, example, id=f"{method.name}-{number}")
        for method in METHODS.values()
        if isinstance(method, kind)
        for number, example in enumerate(method.examples, 1)
    ]


@pytest.fixture
async def reader(tmp_path: Path) -> AsyncIterator[Reader]:
    with closing(open_database(tmp_path / "hookd.db")):
        reading = Reader(tmp_path / "hookd.db")
        yield reading
        await reading.close()


def decided(method: Any, asked: Any) -> Any:
    """Decide where nothing is known, and nothing is there to be looked up."""
    facts = Facts()
    while True:
        try:
            return method.decide(asked, facts)
        except MissingFacts as lack:
            facts = facts.with_facts(dict.fromkeys(lack.requests))


@parametrize_all(("method", "example"), examples(HookMethod))
def test_a_hook_is_decided_where_nothing_is_known(method: Any, example: Example) -> None:
    event = method.params.model_validate(example.params)
    assert event.hook_event_name == method.event
    decision = decided(method, event)
    assert isinstance(decision, Decision)
    assert all(isinstance(effect, RowEffect | AfterCommitEffect) for effect in decision.effects)
    outcome = merge([decision.opinion] if decision.opinion else [])
    result = method.answer(event, decision.facts, outcome)
    assert type(result) is method.result
    assert encode.render(event, outcome, 1).output is None


@parametrize_all(("method", "example"), examples(HookMethod))
def test_a_hook_answers_the_same_whatever_way_its_keys_are_spelt(
    method: Any, example: Example
) -> None:
    camel = {_camel(key): value for key, value in example.params.items()}
    event = method.params.model_validate(camel)
    assert event == method.params.model_validate(example.params)


def _camel(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(part.capitalize() for part in rest)


@parametrize_all(("method", "example"), examples(HookMethod))
def test_deciding_twice_decides_the_same(method: Any, example: Example) -> None:
    event = method.params.model_validate(example.params)
    assert decided(method, event) == decided(method, event)
    one, two = (method.answer(event, Facts(), Outcome()) for _ in range(2))
    assert one == two


@parametrize_all(("method", "example"), examples(ChangeMethod))
def test_a_change_does_what_its_example_says(method: Any, example: Example) -> None:
    params = method.params.model_validate(example.params)
    assert isinstance(method.where(params, Identity()), Where)
    try:
        change = decided(method, params)
    except DomainError as error:
        assert error.code == example.says
        return
    assert example.says not in CODES
    assert isinstance(change, Change)
    assert type(change.result) is method.result
    assert all(isinstance(effect, RowEffect | AfterCommitEffect) for effect in change.effects)


@pytest.mark.parametrize(("method", "example"), examples(ListMethod))
async def test_a_list_finds_what_it_names(
    method: Any, example: Example, reader: Reader, tmp_path: Path
) -> None:
    params = method.params.model_validate(example.params)
    wanted = method.select(params, Identity())
    assert isinstance(wanted, ReadRequest)
    if isinstance(wanted, Backup):
        wanted = Backup(str(tmp_path / "copy.db"))
    rows = await reader.rows(wanted)
    assert rows.columns or rows.raw
    shaped = method.shape(params, rows)
    result = method.result.model_validate_json(shaped) if isinstance(shaped, bytes) else shaped
    assert type(result) is method.result


LISTS = [
    method
    for method in METHODS.values()
    if isinstance(method, ListMethod) and "limit" in method.params.model_fields
]


@parametrize_all("limit", [0, -1, 100_001, "many"])
@parametrize_all("method", LISTS, ids=lambda method: method.name)
def test_a_list_has_a_sensible_length(method: Any, limit: Any) -> None:
    given = dict(method.examples[0].params) | {"limit": limit}
    with pytest.raises(ValueError, match="limit"):
        method.params.model_validate(given)


@parametrize_all("method", METHODS.values(), ids=METHODS)
def test_a_param_that_there_is_not_is_refused_where_the_params_are_ours(method: Any) -> None:
    given = dict(method.examples[0].params) | {"somethingElse": 1}
    if isinstance(method, HookMethod):
        assert method.params.model_validate(given)
    else:
        with pytest.raises(ValueError, match="somethingElse"):
            method.params.model_validate(given)
