"""What a request's params say: by name or by place, read into the method's model."""

from typing import Any

from pydantic import BaseModel, ValidationError

from hookd.config.refusal import first_error
from hookd.core.model.method import HookMethod, Method
from hookd.events.model import transform_keys
from hookd.rpc.jsonrpc import INVALID_PARAMS, RpcError

Json = dict[str, Any]


def separated(params: Json | list[Any] | None, model: type[BaseModel]) -> tuple[Json, Json]:
    """Return params by name, and the identity that came with them; an array goes by field order."""
    if isinstance(params, list):
        names = [field.alias or name for name, field in model.model_fields.items()]
        if len(params) > len(names):
            raise RpcError(INVALID_PARAMS, f"there are at most {len(names)} params")
        return dict(zip(names, params, strict=False)), {}
    named = dict(params or {})
    env = named.pop("env", {})
    if not isinstance(env, dict):
        raise RpcError(INVALID_PARAMS, "env is an object of texts")
    return named, env


def validated(method: Method, params: Json) -> Any:
    """Return the params as the method's model. Raise RpcError naming the field that is wrong."""
    if isinstance(method, HookMethod):
        params = transform_keys(params) | {"hook_event_name": method.event}
    try:
        return method.params.model_validate(params)
    except ValidationError as error:
        raise RpcError(INVALID_PARAMS, first(error)) from error


def first(error: ValidationError) -> str:
    """Return the first thing that is wrong, with its field."""
    key, said = first_error(error)
    return f"{key}: {said}" if key else said
