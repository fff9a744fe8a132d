"""The OpenRPC document: every method with its params and its result, made from the models.

Source: the OpenRPC specification 1.3.2.
"""

from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel

from hookd.core.model.errors import CODES
from hookd.core.model.method import HookMethod, Method, method_doc

Json = dict[str, Any]

_DISPATCH: Json = {
    "name": "hooks.dispatch",
    "summary": "Answer a hook event of whatever name with what Claude Code gets for it.",
    "description": "`event` is the client's payload. An event that hookd does not know is recorded "
    "and answered with null, as is all that calls for silence.",
    "paramStructure": "by-name",
    "params": [
        {"name": "event", "required": True, "schema": {"type": "object"}},
        {"name": "env", "required": False, "schema": {"type": "object"}},
    ],
    "result": {"name": "hookOutput", "schema": {"type": ["object", "null"]}},
}
_DISCOVER: Json = {
    "name": "rpc.discover",
    "summary": "Return this document.",
    "params": [],
    "result": {"name": "document", "schema": {"type": "object"}},
}
_ENV: Json = {
    "name": "env",
    "required": False,
    "description": "Who asks: AGENT_ID and its family, CLAUDE_PROJECT_DIR, CWD, TMUX_PANE, ...",
    "schema": {"type": "object", "additionalProperties": {"type": "string"}},
}


def document(methods: Iterable[Method], version: str) -> Json:
    """Return the document for `methods`."""
    schemas: Json = {}
    described = [_method(method, schemas) for method in methods]
    return {
        "openrpc": "1.3.2",
        "info": {"title": "hookd", "version": version, "license": {"name": "MIT"}},
        "methods": [_DISCOVER, _DISPATCH, *described],
        "components": {"schemas": schemas},
    }


def _method(method: Method, schemas: Json) -> Json:
    summary, _, description = method_doc(method).partition("\n\n")
    params = _schema(method.params, schemas)
    required = params.get("required", [])
    given: list[Json] = [
        {"name": name, "required": name in required, "schema": schema}
        for name, schema in params.get("properties", {}).items()
    ]
    # The required ones stand first; where that is not their order, they go by name.
    ordered = sorted(given, key=lambda param: not param["required"])
    by_name = isinstance(method, HookMethod) or ordered != given
    return {
        "name": method.name,
        "summary": " ".join(summary.split()),
        "description": " ".join(description.split()),
        "paramStructure": "by-name" if by_name else "either",
        "params": [*ordered, _ENV],
        "result": {"name": "result", "schema": _schema(method.result, schemas)},
        "errors": [{"code": code, "message": word} for word, code in CODES.items()],
    }


def _schema(model: type[BaseModel], schemas: Json) -> Json:
    schema = model.model_json_schema(ref_template="#/components/schemas/{model}")
    schemas.update(schema.pop("$defs", {}))
    return schema
