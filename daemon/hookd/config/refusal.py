"""The home of how a value that a model does not take is told: the key, and what is wrong there."""

from pydantic import ValidationError

_WANTED = {
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
"""What is wanted, where the model speaks of kinds that JSON does not have."""


def first_error(error: ValidationError, unknown: str | None = None) -> tuple[str, str]:
    """Return the path of the first key that was refused, "" for the whole value, and why.

    `unknown` is what is said of a key that there is not. The value itself is never told: it may be
    a secret.
    """
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    kind, why = first["type"], first["msg"]
    if kind in _WANTED:
        why = f"what is wanted is {_WANTED[kind]}"
    elif kind == "literal_error":
        why = f"what is wanted is {why.removeprefix('Input should be ')}"
    elif unknown and kind == "extra_forbidden":
        why = unknown
    return ".".join(map(str, first["loc"])), why.removeprefix("Value error, ")


def refusal_text(error: ValidationError) -> str:
    """Return the first key that was refused, and why, in one text."""
    key, why = first_error(error)
    return f"{key}: {why}" if key else why
