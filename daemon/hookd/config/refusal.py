"""Text of a validation error: the key that a model rejected, and why."""

from pydantic import ValidationError

_EXPECTED = {
    **dict.fromkeys(
        ("tuple_type", "list_type", "set_type", "frozen_set_type"), 'a list, such as ["..."]'
    ),
    **dict.fromkeys(
        ("dict_type", "model_type", "model_attributes_type"), 'an object, such as {"...": ...}'
    ),
    "string_type": "a text",
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
}
"""Expected values, for errors that pydantic explains with Python types instead of JSON."""


def first_error(error: ValidationError, unknown: str | None = None) -> tuple[str, str]:
    """Return the path of the first rejected key, "" for the whole value, and why.

    `unknown` is the text for an unknown key. The value is never in the text: it may be a secret.
    """
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    kind, why = first["type"], first["msg"]
    if kind in _EXPECTED:
        why = f"expected {_EXPECTED[kind]}"
    elif kind == "literal_error":
        why = f"expected {why.removeprefix('Input should be ')}"
    elif unknown and kind == "extra_forbidden":
        why = unknown
    return ".".join(map(str, first["loc"])), why.removeprefix("Value error, ")


def refusal_text(error: ValidationError) -> str:
    """Return the first key that was refused, and why, in one text."""
    key, why = first_error(error)
    return f"{key}: {why}" if key else why
