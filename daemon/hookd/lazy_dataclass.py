"""`dataclass` that generates methods on first use, to start fast. Standard library only.

The standard decorator compiles up to six functions per class, which took a quarter of the daemon's
start. Here the standard library collects the fields and makes the slots; comparison, hash and repr
are shared functions, and `__init__` is compiled when the first instance is made.
"""

from dataclasses import MISSING, Field, FrozenInstanceError, InitVar, fields
from dataclasses import dataclass as _standard_dataclass
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """Make a class a dataclass, as `dataclasses.dataclass` does with these options.

        Inheritance between dataclasses, `__post_init__`, InitVar and KW_ONLY are not supported.
        """

        def made(plain):
            return _made(plain, frozen=frozen, slots=slots, eq=eq)

        return made if cls is None else made(cls)


_FACTORY = object()
"""Default of a parameter whose field has a default_factory."""


def _made(plain: type, *, frozen: bool, slots: bool, eq: bool) -> Any:
    own = vars(plain)
    if "__post_init__" in own or any(map(_is_dataclass, plain.__mro__[1:])):
        raise TypeError(f"{plain.__qualname__}: use dataclasses.dataclass")
    made: Any = _standard_dataclass(init=False, repr=False, eq=False, slots=slots)(plain)
    _check_fields(made)
    made.__init__ = _first_init(made, frozen=frozen)
    if "__repr__" not in own:
        made.__repr__ = _repr
    if eq:
        _compare_by_value(made, hashable=frozen)
    if frozen:
        made.__setattr__, made.__delattr__ = _refuse_set, _refuse_delete
    if frozen and slots:
        made.__getstate__, made.__setstate__ = _get_state, _set_state
    return made


def _check_fields(made: Any) -> None:
    """Raise TypeError for fields that `_init` does not know, or in an order that has no meaning."""
    defaults = False
    for one in fields(made):
        default = one.default is not MISSING or one.default_factory is not MISSING
        if one.kw_only:
            raise TypeError(f"{made.__qualname__}: use dataclasses.dataclass")
        if one.init and defaults and not default:
            raise TypeError(f"non-default argument {one.name!r} follows default argument")
        defaults = defaults or (one.init and default)
    if any(isinstance(kind, InitVar) for kind in vars(made).get("__annotations__", {}).values()):
        raise TypeError(f"{made.__qualname__}: use dataclasses.dataclass")


def _is_dataclass(base: type) -> bool:
    return "__dataclass_fields__" in vars(base)


def _first_init(made: Any, *, frozen: bool) -> Any:
    """Return an `__init__` that compiles the real one and replaces itself with it."""

    def init(self: Any, *args: Any, **named: Any) -> None:
        made.__init__ = _init(made, frozen=frozen)
        made.__init__(self, *args, **named)

    return init


def _init(made: Any, *, frozen: bool) -> Any:
    """Compile the `__init__` of a dataclass."""
    parameters, lines = ["self"], []
    names: dict[str, Any] = {"set_field": object.__setattr__, "FACTORY": _FACTORY}
    for one in fields(made):
        value = one.name
        if one.default_factory is not MISSING:
            names[f"factory_{value}"] = one.default_factory
            value = f"factory_{value}()"
            if one.init:
                value = f"{value} if {one.name} is FACTORY else {one.name}"
        elif not one.init and one.default is MISSING:
            continue
        elif not one.init:
            value = f"default_{value}"
        if one.init:
            parameters.append(_parameter(one, names))
        elif one.default is not MISSING:
            names[value] = one.default
        lines.append(
            f"set_field(self, {one.name!r}, {value})" if frozen else f"self.{one.name} = {value}"
        )
    body = "\n ".join(lines or ["pass"])
    exec(f"def __init__({', '.join(parameters)}):\n {body}", names)  # noqa: S102 - of field names
    init = names["__init__"]
    init.__qualname__ = f"{made.__qualname__}.__init__"
    init.__module__ = made.__module__
    return init


def _parameter(one: Field[Any], names: dict[str, Any]) -> str:
    """Return the parameter of a field; put its default into `names`."""
    if one.default_factory is not MISSING:
        return f"{one.name}=FACTORY"
    if one.default is MISSING:
        return one.name
    names[f"default_{one.name}"] = one.default
    return f"{one.name}=default_{one.name}"


def _compare_by_value(made: Any, *, hashable: bool) -> None:
    """Add `__eq__`, and `__hash__` or None in its place."""
    compared = [one.name for one in fields(made) if one.compare]
    values = attrgetter(*compared) if compared else _no_values

    def equal(self: Any, other: object) -> Any:
        same = other.__class__ is self.__class__
        return values(self) == values(other) if same else NotImplemented

    def hash_value(self: Any) -> int:
        return hash(values(self))

    if "__eq__" not in vars(made):
        made.__eq__ = equal
    if vars(made).get("__hash__") is None:
        made.__hash__ = hash_value if hashable else None


def _no_values(_instance: object) -> tuple[()]:
    return ()


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _get_state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    """Set the fields of a copy, which `__setattr__` refuses."""
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _refuse_set(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
