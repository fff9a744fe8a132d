"""The home of how a value that a model does not take is told: the key, and what is wrong there."""

from pydantic import ValidationError


def refusal(error: ValidationError, unknown: str | None = None) -> tuple[str, str]:
    """Return the path of the first key that was refused, "" for the whole value, and why.

    `unknown` is what is said of a key that there is not. The value itself is never told: it may be
    a secret.
    """
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    why = unknown if unknown and first["type"] == "extra_forbidden" else first["msg"]
    return ".".join(map(str, first["loc"])), why.removeprefix("Value error, ")
