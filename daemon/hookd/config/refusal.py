"""Text of a validation error: the key that a model rejected, and why."""

from pydantic import ValidationError

NOT_BLANK = r"\S"
"""Pattern of a text that is not empty."""

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


def value_text(error: ValidationError) -> str | None:
    """Return in words that the first rejected value has a wrong length, range or form.

    None if something else is wrong with it, such as its type. The value is not in the text.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    key, kind, limits = ".".join(map(str, first["loc"])), first["type"], first.get("ctx", {})
    most = next((f"{limits[name]:,}" for name in ("max_length", "le") if name in limits), "")
    least = next((f"{limits[name]:,}" for name in ("min_length", "ge") if name in limits), "")
    form = limits.get("pattern")
    told: str | None = None
    match kind:
        case "string_too_long":
            told = f"{key} is too long: it has at most {most} characters"
        case "too_long":
            told = f"{key} has too many values: {most} at most"
        case "string_too_short" | "too_short":
            told = f"{key} is empty" if least == "1" else f"{key} is too short: at least {least}"
        case "less_than_equal":
            told = f"{key} is too large: {most} at most"
        case "greater_than_equal":
            told = f"{key} is too small: {least} at least"
        case "string_pattern_mismatch":
            told = f"{key} is empty" if form == NOT_BLANK else f"{key} has another form than {form}"
        case "value_error":
            said = first["msg"].removeprefix("Value error, ")
            told = f"{key}: {said}" if key else said
        case _:
            pass
    return told


def refusal_text(error: ValidationError) -> str:
    """Return the first key that was refused, and why, in one text."""
    key, why = first_error(error)
    return f"{key}: {why}" if key else why
