"""The OpenRPC document describes every method, and every reference in it leads somewhere."""

from collections.abc import Iterator
from typing import Any

from hookd.core.model.errors import CODES
from hookd.json_text import dump, parse
from hookd.methods import METHODS
from hookd.rpc.openrpc import document
from support.parametrize import parametrize_all

DOCUMENT = document(METHODS.values(), "1.2.3")
BY_NAME = {method["name"]: method for method in DOCUMENT["methods"]}


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def test_it_says_what_it_is() -> None:
    assert DOCUMENT["openrpc"] == "1.3.2"
    assert DOCUMENT["info"]["title"] == "hookd"
    assert DOCUMENT["info"]["version"] == "1.2.3"


def test_it_has_every_method_once_and_the_two_that_have_no_file() -> None:
    names = [method["name"] for method in DOCUMENT["methods"]]
    assert names == ["rpc.discover", "hooks.dispatch", *METHODS]


def test_it_is_json() -> None:
    assert parse(dump(DOCUMENT)) == DOCUMENT


def test_every_reference_leads_to_a_schema() -> None:
    schemas = DOCUMENT["components"]["schemas"]
    for reference in references(DOCUMENT):
        prefix, name = reference.rsplit("/", 1)
        assert prefix == "#/components/schemas"
        assert name in schemas


@parametrize_all("name", BY_NAME)
def test_a_method_is_described_as_the_specification_wants_it(name: str) -> None:
    method = BY_NAME[name]
    assert method["summary"].endswith(".")
    assert "\n" not in method["summary"]
    assert method["result"]["name"]
    assert isinstance(method["result"]["schema"], dict)
    assert method.get("paramStructure", "either") in ("by-name", "by-position", "either")


@parametrize_all("name", BY_NAME)
def test_a_param_has_a_name_of_its_own_and_a_schema(name: str) -> None:
    params = BY_NAME[name]["params"]
    assert all(param["name"] and isinstance(param["schema"], dict) for param in params)
    assert len({param["name"] for param in params}) == len(params)


@parametrize_all("name", BY_NAME)
def test_required_params_stand_before_the_others(name: str) -> None:
    required = [param["required"] for param in BY_NAME[name]["params"]]
    assert required == sorted(required, reverse=True)


@parametrize_all("name", METHODS)
def test_a_method_has_the_params_of_its_model_and_who_asks(name: str) -> None:
    fields = METHODS[name].params.model_fields
    named = [param["name"] for param in BY_NAME[name]["params"]]
    assert sorted(named) == sorted([*(f.alias or key for key, f in fields.items()), "env"])


@parametrize_all("name", METHODS)
def test_where_params_go_by_position_the_document_has_them_in_the_order_that_is_read(
    name: str,
) -> None:
    method = BY_NAME[name]
    if method["paramStructure"] != "by-name":
        fields = METHODS[name].params.model_fields
        named = [param["name"] for param in method["params"]]
        assert named == [*(field.alias or key for key, field in fields.items()), "env"]


@parametrize_all("name", METHODS)
def test_a_method_names_the_errors_of_the_domain(name: str) -> None:
    errors = {error["message"]: error["code"] for error in BY_NAME[name]["errors"]}
    assert errors == CODES
