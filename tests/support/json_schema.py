"""Check of a JSON value by a schema of draft 7, as far as the schemas of Codex use it."""

from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "string": str,
    "boolean": bool,
    "array": list,
    "null": type(None),
}
_KNOWN = {
    *("$schema", "title", "description", "default", "definitions", "$ref", "allOf", "type"),
    *("enum", "const", "properties", "required", "additionalProperties", "anyOf"),
}


def problems(value: Any, schema: Any, root: Any = None, path: str = "$") -> Iterator[str]:
    """Yield what is wrong with a value by a schema, nothing if it is valid.

    Raise ValueError for a keyword that is not implemented here.
    """
    root = schema if root is None else root
    if schema is True:
        return
    if unknown := schema.keys() - _KNOWN:
        raise ValueError(f"keywords {sorted(unknown)} at {path}")
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/definitions/")
        yield from problems(value, root["definitions"][name], root, path)
    for part in schema.get("allOf", ()):
        yield from problems(value, part, root, path)
    choices = schema.get("anyOf", ())
    if choices and all(any(problems(value, one, root, path)) for one in choices):
        yield f"{path} fits no choice"
    kinds = schema.get("type", ())
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, _TYPES[kind]) for kind in kinds):
        yield f"{path} is no {kinds}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path} is not among {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        yield f"{path} is not {schema['const']!r}"
    if isinstance(value, dict):
        yield from _object(value, schema, root, path)


def _object(value: dict[str, Any], schema: Any, root: Any, path: str) -> Iterator[str]:
    known = schema.get("properties", {})
    yield from (
        f"{path}.{key} is missing" for key in schema.get("required", ()) if key not in value
    )
    for key, one in value.items():
        if key in known:
            yield from problems(one, known[key], root, f"{path}.{key}")
        elif schema.get("additionalProperties", True) is False:
            yield f"{path}.{key} is unknown"
