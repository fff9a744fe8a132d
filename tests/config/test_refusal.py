"""Texts of validation errors: what is wrong with a value, in words."""

from typing import Any

import pytest
from pydantic import BaseModel, Field, ValidationError

from hookd.config.refusal import NOT_BLANK, refusal_text, value_text


class Model(BaseModel):
    """One field for each kind of limit."""

    title: str = Field("x", max_length=200, pattern=NOT_BLANK)
    key: str = Field("aaaa", min_length=4, pattern="^a+$")
    to: str = Field("x", min_length=1)
    words: list[str] = Field(["x"], min_length=1, max_length=3)
    seconds: int = Field(5, ge=1, le=604_800)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"title": "x" * 5_000}, "title is too long: it has at most 200 characters"),
        ({"title": " "}, "title is empty"),
        ({"to": ""}, "to is empty"),
        ({"key": "aa"}, "key is too short: at least 4"),
        ({"key": "aabb"}, "key has another form than ^a+$"),
        ({"words": []}, "words is empty"),
        ({"words": ["x"] * 4}, "words has too many values: 3 at most"),
        ({"seconds": 10**6}, "seconds is too large: 604,800 at most"),
        ({"seconds": 0}, "seconds is too small: 1 at least"),
        ({"seconds": "soon"}, None),
    ],
)
def test_a_value_is_refused_in_words(given: dict[str, Any], told: str | None) -> None:
    with pytest.raises(ValidationError) as raised:
        Model.model_validate(given)
    assert value_text(raised.value) == told
    assert refusal_text(raised.value)
