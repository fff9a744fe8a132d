"""A class of `lazy_dataclass` behaves like one of the standard library's, and is built later."""

import dataclasses
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.lazy_dataclass import dataclass

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"eq": False},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "slots": True, "eq": False},
    {"slots": True},
)


def _class(decorator: Callable[..., Any], options: dict[str, Any]) -> Any:
    class Point:
        """A point."""

        x: int
        name: str = "p"
        tags: list[int] = field(default_factory=list)
        note: str = field(default="", compare=False)
        secret: str = field(default="s", repr=False)
        seen: int = field(default=7, init=False)
        parts: list[str] = field(default_factory=lambda: ["a"], init=False)

        @property
        def twice(self) -> int:
            return 2 * self.x

    return decorator(**options)(Point)


def _both(options: dict[str, Any]) -> tuple[Any, Any]:
    return _class(dataclass, options), _class(dataclasses.dataclass, options)


def _result(call: Callable[[], object]) -> object:
    """Return a result, or the error's type and text without the class's address."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - compared
        return type(error), str(error)


VALUES = st.fixed_dictionaries(
    {"x": st.integers(0, 2)},
    optional={
        "name": st.sampled_from("pq"),
        "tags": st.lists(st.integers(0, 1), max_size=1),
        "note": st.sampled_from(("", "n")),
        "secret": st.sampled_from("st"),
        "seen": st.just(1),  # refused
    },
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(one=VALUES, other=VALUES)
def test_instances_equal_those_of_the_standard_library(
    options: dict[str, Any], one: dict[str, Any], other: dict[str, Any]
) -> None:
    ours, theirs = _both(options)

    def seen(made: Any) -> object:
        a, b = made(**one), made(**other)
        hashable = _result(lambda: hash(a) == hash(a)) if options.get("eq", True) else True
        return (
            repr(a), a == b, a == made(**one), a == one, dataclasses.asdict(a), a.twice,
            dataclasses.replace(a, x=5).x, hashable, made.__hash__ is None, made.__match_args__,
            hasattr(a, "__dict__"), made.__doc__, made.__name__,
        )  # fmt: skip

    assert _result(lambda: seen(ours)) == _result(lambda: seen(theirs))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_assignment_and_wrong_arguments_fail_alike(options: dict[str, Any]) -> None:
    def assigned(made: Any) -> object:
        one = made(1)
        one.x = 2
        del one.note
        return one.x

    ours, theirs = _both(options)
    acts = (assigned, lambda made: made(), lambda made: made(1, y=2))
    for act in acts:
        expected = _result(lambda act=act: act(theirs))  # type: ignore[misc]
        assert _result(lambda act=act: act(ours)) == expected  # type: ignore[misc]


def test_equal_frozen_values_have_one_hash() -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        """A point."""

        x: int
        y: str = ""

    assert {Point(1), Point(1, ""), Point(2), Point(1, "a")} == {Point(1), Point(2), Point(1, "a")}


def test_a_value_that_contains_itself_can_be_printed() -> None:
    made, _ = _both({})
    one = made(1)
    one.tags.append(one)
    assert "..." in repr(one)


def test_a_class_without_fields() -> None:
    @dataclass(frozen=True, slots=True)
    class Nothing:
        """Has no fields."""

    assert (Nothing(), hash(Nothing()), repr(Nothing()).rpartition(".")[2]) == (
        Nothing(),
        hash(Nothing()),
        "Nothing()",
    )


def test_methods_of_the_class_are_left_alone() -> None:
    @dataclass(frozen=True)
    class Own:
        """Has methods of its own."""

        x: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

    assert (repr(Own(1)), hash(Own(1)), Own(1) == Own(2)) == ("own", 1, True)


def test_init_is_compiled_with_the_first_instance() -> None:
    made, _ = _both({"frozen": True, "slots": True})
    before = made.__init__
    made(1)
    assert made.__init__ is not before
    assert made.__init__.__qualname__.endswith("Point.__init__")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_copy_equals_its_original(options: dict[str, Any]) -> None:
    made, _ = _both(options)
    one = made(1, tags=[1])
    for other in (copy(one), deepcopy(one)):
        assert dataclasses.asdict(other) == dataclasses.asdict(one)


def test_a_field_without_default_behind_one_with_a_default_is_refused() -> None:
    with pytest.raises(TypeError, match="non-default argument 'y' follows default argument"):

        @dataclass
        class Point:
            """A point."""

            x: int = 1
            y: int  # type: ignore[misc]


def test_what_is_not_supported_is_refused() -> None:
    class Named:
        """Has arguments by name only."""

        _: dataclasses.KW_ONLY
        x: int

    class Initial:
        """Has an argument that is no field."""

        x: dataclasses.InitVar[int]

    class Counted:
        """Counts."""

        def __post_init__(self) -> None:
            """Count."""

    @dataclass
    class Base:
        """Has no fields."""

    class Derived(Base):
        """Derived from a dataclass."""

    for plain in (Named, Initial, Counted, Derived):
        with pytest.raises(TypeError, match=r"use dataclasses\.dataclass"):
            dataclass(plain)
