"""JSON-RPC 2.0: what a line asks, and the bytes that answer it. Who answers is a parameter."""

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel, ValidationError

from hookd import json_text
from hookd.config.refusal import refusal_text, value_text
from hookd.core.model.errors import DomainError
from hookd.core.model.method import HookMethod, Method
from hookd.events.model import transform_keys
from hookd.lazy_dataclass import dataclass

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

MOST = 100
"""Requests that a batch may hold."""

_MESSAGES = {
    PARSE_ERROR: "Parse error",
    INVALID_REQUEST: "Invalid Request",
    METHOD_NOT_FOUND: "Method not found",
    INVALID_PARAMS: "Invalid params",
    INTERNAL_ERROR: "Internal error",
}

Id = str | int | float | None
Params = dict[str, Any] | list[Any] | None


class RpcError(Exception):
    """An error of the protocol itself; `detail` says in words what is wrong, `code` in one word."""

    def __init__(self, number: int, detail: str = "", code: str = "") -> None:
        super().__init__(detail or _MESSAGES[number])
        self.number = number
        self.detail = detail
        self.code = code


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `notification` asks for no answer; `params` is None if there are none."""

    method: str
    params: Params
    id: Id
    notification: bool


Call = Callable[[Request], Awaitable[Any]]


def read(line: bytes) -> Any:
    """Return the JSON value of a line. Raise RpcError (parse error) if it has none."""
    try:
        return json_text.parse(line)
    except ValueError as error:
        raise RpcError(PARSE_ERROR, "the line is not JSON") from error


def request(message: Any) -> Request:
    """Return the request that a JSON value is. Raise RpcError (invalid request) if it is none."""
    if not isinstance(message, dict):
        raise RpcError(INVALID_REQUEST, "a request is an object")
    params = message.get("params")
    if message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'a request has "jsonrpc": "2.0"')
    if not isinstance(message.get("method"), str):
        raise RpcError(INVALID_REQUEST, "a request has a method, a string")
    if "params" in message and not isinstance(params, dict | list):
        raise RpcError(INVALID_REQUEST, "params are an object or an array")
    return Request(message["method"], params, _id(message), "id" not in message)


def _id(message: dict[str, Any]) -> Id:
    value = message.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int | float | None):
        raise RpcError(INVALID_REQUEST, "an id is a string, a number or null")
    return value


def result(request_id: Id, value: bytes) -> bytes:
    """Return the answer's line, without its newline; `value` is JSON. Shims know this prefix."""
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (json_text.dump(request_id), value)


def notification(method: str, params: Any) -> bytes:
    """Return the line of a notification, without its newline."""
    told = {"jsonrpc": "2.0", "method": method, "params": params}
    return json_text.dump(told)


def error(request_id: Any, failure: Exception) -> bytes:
    """Return the line of an error, without its newline. An unforeseen failure shows no detail."""
    body: dict[str, Any]
    if isinstance(failure, DomainError):
        body = {"code": failure.number, "message": str(failure), "data": {"code": failure.code}}
    elif isinstance(failure, RpcError):
        body = {"code": failure.number, "message": _MESSAGES[failure.number]}
        if failure.detail:
            body["data"] = {"detail": failure.detail}
        if failure.code:
            body["data"] |= {"code": failure.code}
    else:
        body = {"code": INTERNAL_ERROR, "message": _MESSAGES[INTERNAL_ERROR]}
    return b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (
        json_text.dump(request_id),
        json_text.dump(body),
    )


async def answer(message: Any, call: Call) -> bytes | None:
    """Answer what a line holds: a request, a notification or a batch. Return None if none is due.

    `call` returns the result as a value that JSON can hold, or raises; whatever it raises becomes
    the error of that one request.
    """
    if not isinstance(message, list):
        return await _one(message, call)
    if not message:
        return error(None, RpcError(INVALID_REQUEST, "a batch holds at least one request"))
    if len(message) > MOST:
        return error(None, RpcError(INVALID_REQUEST, f"a batch holds at most {MOST} requests"))
    answers = [await _one(single, call) for single in message]
    due = [one for one in answers if one is not None]
    return b"[" + b",".join(due) + b"]" if due else None


async def _one(message: Any, call: Call) -> bytes | None:
    try:
        asked = request(message)
    except RpcError as failure:
        # The specification wants null where the id itself cannot be trusted.
        return error(None, failure)
    try:
        value = json_text.dump(await call(asked))
    except Exception as failure:  # noqa: BLE001 - the edge where a failure becomes an answer
        return None if asked.notification else error(asked.id, failure)
    return None if asked.notification else result(asked.id, value)


def separated(params: Params, model: type[BaseModel]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return params by name, and the caller's `env`; an array is in the order of the fields."""
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


def validated(method: Method, params: dict[str, Any]) -> Any:
    """Return params as the method's model. Raise RpcError with the key that is wrong."""
    if isinstance(method, HookMethod):
        params = transform_keys(params) | {"hook_event_name": method.event}
    try:
        return method.params.model_validate(params)
    except ValidationError as error:
        told = value_text(error)
        code = "INVALID_VALUE" if told else ""
        raise RpcError(INVALID_PARAMS, told or refusal_text(error), code) from error
