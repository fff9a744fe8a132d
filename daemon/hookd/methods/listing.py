"""Factory of list methods: the rows of a view, filtered by parameters of the same names."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from pydantic.alias_generators import to_camel

from hookd.core.model.identity import Identity
from hookd.core.model.method import Example, ListMethod, Rows, View
from hookd.core.model.row_shapes import row_objects
from hookd.lazy_dataclass import dataclass

P = TypeVar("P", bound=BaseModel)
Objects = list[dict[str, Any]]

TIME = r"^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{3}Z)?)?)?$"
"""Pattern of a time as it is stored, or of a prefix of it."""


@dataclass(frozen=True)
class Listing(Generic[P]):
    """What a list method reads: the view, and what its columns are compared with.

    A row matches if its columns of `where` equal the parameters of the same names, and those of
    `above` are greater than the parameters named there; a parameter of None sets no condition.
    `names` has the columns that RPC knows by another name, in snake_case, as parameter and as key,
    `parameters` those whose parameter alone has another name.
    `flags` are columns of 0 or 1. `result` makes the result of the objects and of whether there are
    more rows; without it they are the result's only field. The parameter `limit` is always there.
    """

    view: str
    where: tuple[str, ...] = ()
    above: Mapping[str, str] = field(default_factory=dict)
    order: str | Callable[[P], str] = "id DESC"
    names: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    result: Callable[[P, Objects, bool], BaseModel] | None = None


def list_method(
    name: str, params: type[P], result: type[BaseModel], listing: Listing[P], *examples: Example
) -> ListMethod[P]:
    """Return the method that lists rows of a view."""
    parameters = {**listing.names, **listing.parameters}

    def select(asked: P, _identity: Identity) -> View:
        values = vars(asked)
        where = {column: values[parameters.get(column, column)] for column in listing.where}
        above = {column: values[parameter] for column, parameter in listing.above.items()}
        order = listing.order if isinstance(listing.order, str) else listing.order(asked)
        return View(listing.view, where, above, order, values["limit"])

    keys = {column: to_camel(known) for column, known in listing.names.items()}
    flags = tuple(map(to_camel, listing.flags))
    (key, *_) = result.model_fields

    def shape(asked: P, rows: Rows) -> BaseModel:
        objects = row_objects(rows, keys)
        for one in objects:
            one.update({flag: bool(one[flag]) for flag in flags})
        if listing.result is not None:
            return listing.result(asked, objects, rows.more)
        return result(**{key: objects})

    return ListMethod(name, params, result, select, shape, examples)


def oldest_first(params: Any) -> str:
    """Return the order of rows by number; the parameter `oldest_first` says which end is first."""
    return "id" if params.oldest_first else "id DESC"
