"""Every example of section 7 of the JSON-RPC 2.0 specification, and what lies between them."""

import json
from typing import Any

import pytest

from hookd.core.model.errors import CODES, DomainError
from hookd.json_text import Raw
from hookd.rpc import jsonrpc
from hookd.rpc.jsonrpc import INVALID_PARAMS, METHOD_NOT_FOUND, PARSE_ERROR, Request, RpcError
from support.parametrize import parametrize_all

PARSE = (
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error",'
    '"data":{"detail":"the line is not JSON"}}}'
)
NO_OBJECT = (
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request",'
    '"data":{"detail":"a request is an object"}}}'
)
NO_VERSION = NO_OBJECT.replace("a request is an object", 'a request has \\"jsonrpc\\": \\"2.0\\"')
NO_METHOD = NO_OBJECT.replace("a request is an object", "a request has a method, a string")
EMPTY = NO_OBJECT.replace("a request is an object", "a batch holds at least one request")


def subtract(minuend: int, subtrahend: int) -> int:
    return minuend - subtrahend


METHODS = {
    "subtract": subtract,
    "sum": lambda *numbers: sum(numbers),
    "get_data": lambda: ["hello", 5],
    "update": lambda *_: None,
    "notify_sum": lambda *_: None,
    "notify_hello": lambda *_: None,
    "raw": lambda: Raw(b'{ "as": "it stands" }'),
    "missing": lambda: _raise(DomainError("NOT_FOUND", "there is no such thing")),
    "wrong": lambda: _raise(RpcError(INVALID_PARAMS, "a: must be a number")),
    "bare": lambda: _raise(RpcError(INVALID_PARAMS)),
    "broken": lambda: _raise(RuntimeError("a secret of the house")),
    "unsayable": object,
}


def _raise(error: Exception) -> None:
    raise error


async def call(request: Request) -> Any:
    method = METHODS.get(request.method)
    if method is None:
        raise RpcError(METHOD_NOT_FOUND, f"there is no method {request.method!r}")
    if isinstance(request.params, dict):
        return method(**request.params)
    return method(*(request.params or ()))


async def answered(line: str | bytes) -> str | None:
    """Return the bytes that answer a line, as the server makes them."""
    try:
        message = jsonrpc.read(line if isinstance(line, bytes) else line.encode())
    except RpcError as failure:
        return jsonrpc.error(None, failure).decode()
    answer = await jsonrpc.answer(message, call)
    return None if answer is None else answer.decode()


def unknown(name: str, request_id: str) -> str:
    error = (
        '{"code":-32601,"message":"Method not found",'
        f'"data":{{"detail":"there is no method \'{name}\'"}}}}'
    )
    return f'{{"jsonrpc":"2.0","id":"{request_id}","error":{error}}}'


def found(value: str, request_id: str) -> str:
    return f'{{"jsonrpc":"2.0","id":{request_id},"result":{value}}}'


SPECIFICATION = {
    "positional params": (
        '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}',
        found("19", "1"),
    ),
    "positional params the other way round": (
        '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
        found("-19", "2"),
    ),
    "named params": (
        '{"jsonrpc": "2.0", "method": "subtract",'
        ' "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
        found("19", "3"),
    ),
    "named params the other way round": (
        '{"jsonrpc": "2.0", "method": "subtract",'
        ' "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
        found("19", "4"),
    ),
    "a notification": ('{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', None),
    "a notification of no method": ('{"jsonrpc": "2.0", "method": "foobar"}', None),
    "a method that does not exist": (
        '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}',
        unknown("foobar", "1"),
    ),
    "invalid JSON": (
        '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]',
        PARSE,
    ),
    "an invalid request": ('{"jsonrpc": "2.0", "method": 1, "params": "bar"}', NO_METHOD),
    "a batch of invalid JSON": (
        '[\n  {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},\n'
        '  {"jsonrpc": "2.0", "method"\n]',
        PARSE,
    ),
    "an empty array": ("[]", EMPTY),
    "an invalid batch, not empty": ("[1]", f"[{NO_OBJECT}]"),
    "an invalid batch": ("[1,2,3]", f"[{NO_OBJECT},{NO_OBJECT},{NO_OBJECT}]"),
    "a mixed batch": (
        '[\n  {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},\n'
        '  {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},\n'
        '  {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},\n'
        '  {"foo": "boo"},\n'
        '  {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},\n'
        '  {"jsonrpc": "2.0", "method": "get_data", "id": "9"}\n]',
        "[{},{},{},{},{}]".format(
            found("7", '"1"'),
            found("19", '"2"'),
            NO_VERSION,
            unknown("foo.get", "5"),
            found('["hello",5]', '"9"'),
        ),
    ),
    "a batch of notifications": (
        '[\n  {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},\n'
        '  {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}\n]',
        None,
    ),
}


@pytest.mark.parametrize("name", SPECIFICATION)
async def test_an_example_of_the_specification_is_answered_byte_by_byte(name: str) -> None:
    asked, expected = SPECIFICATION[name]
    assert await answered(asked) == expected


@pytest.mark.parametrize(
    "text", ['"a"', '""', "0", "-7", "1.5", "null", "18446744073709551616", '"\\u00e9\\""']
)
async def test_an_id_comes_back_as_it_was(text: str) -> None:
    answer = await answered(f'{{"jsonrpc":"2.0","method":"get_data","id":{text}}}')
    assert json.loads(answer or "")["id"] == json.loads(text)


@pytest.mark.parametrize("text", ["true", "false", "[1]", '{"a":1}', "[]"])
async def test_an_id_of_another_type_makes_the_request_invalid(text: str) -> None:
    answer = json.loads(await answered(f'{{"jsonrpc":"2.0","method":"x","id":{text}}}') or "")
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)


async def test_a_request_with_a_null_id_is_a_request() -> None:
    assert await answered('{"jsonrpc":"2.0","method":"sum","params":[],"id":null}') == (
        '{"jsonrpc":"2.0","id":null,"result":0}'
    )


async def test_requests_of_one_id_in_a_batch_are_all_answered_in_their_order() -> None:
    one = '{"jsonrpc":"2.0","method":"sum","params":[%d],"id":7}'
    batch = f"[{one % 1},{one % 2},{one % 3}]"
    answer = json.loads(await answered(batch) or "")
    assert [(each["id"], each["result"]) for each in answer] == [(7, 1), (7, 2), (7, 3)]


async def test_a_batch_has_a_hundred_requests_at_most() -> None:
    one = '{"jsonrpc":"2.0","method":"sum","params":[1],"id":7}'
    assert len(json.loads(await answered(f"[{','.join([one] * 100)}]") or "")) == 100
    refused = json.loads(await answered(f"[{','.join([one] * 101)}]") or "")
    assert refused["error"]["data"]["detail"] == "a batch holds at most 100 requests"


async def test_a_batch_within_a_batch_is_no_request() -> None:
    assert await answered("[[]]") == f"[{NO_OBJECT}]"


BROKEN = [
    b"",
    b" ",
    b"\n",
    b"nul",
    b"NaN",
    b'{"jsonrpc":"2.0","method":"sum","params":[NaN],"id":1}',
    b'{"jsonrpc":"2.0","method":"sum","params":[-Infinity],"id":1}',
    b'{"jsonrpc":"2.0","method":"sum","id":1} x',
    b'{"jsonrpc":"2.0","method":"sum","id":1}{}',
    b'{"jsonrpc":"2.0","method":"sum","id":1,}',
    b"{'jsonrpc':'2.0'}",
    b"\x00",
    b"[" * 50_000,
]


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: repr(line[:24]))
async def test_what_is_not_json_is_a_parse_error(line: bytes) -> None:
    assert await answered(line) == PARSE


INVALID = [
    "1",
    '"text"',
    "null",
    "{}",
    '{"jsonrpc":"1.0","method":"sum","id":1}',
    '{"jsonrpc":2.0,"method":"sum","id":1}',
    '{"method":"sum","id":1}',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"2.0","method":null,"id":1}',
    '{"jsonrpc":"2.0","method":"sum","params":"x","id":1}',
    '{"jsonrpc":"2.0","method":"sum","params":null,"id":1}',
    '{"jsonrpc":"2.0","method":"sum","params":7}',
]


@pytest.mark.parametrize("line", INVALID)
async def test_what_is_no_request_is_answered_without_an_id(line: str) -> None:
    answer = json.loads(await answered(line) or "")
    assert (answer["id"], answer["error"]["code"]) == (None, -32600)
    assert answer["error"]["message"] == "Invalid Request"
    assert answer["error"]["data"]["detail"]


async def test_white_space_around_a_request_is_nothing() -> None:
    line = ' \t\r\n{"jsonrpc" : "2.0" ,\n"method":"get_data","id":1}\r\n '
    assert await answered(line) == found('["hello",5]', "1")


ERRORS = {
    "missing": '{"code":-32001,"message":"there is no such thing","data":{"code":"NOT_FOUND"}}',
    "wrong": ('{"code":-32602,"message":"Invalid params","data":{"detail":"a: must be a number"}}'),
    "bare": '{"code":-32602,"message":"Invalid params"}',
    "broken": '{"code":-32603,"message":"Internal error"}',
    "unsayable": '{"code":-32603,"message":"Internal error"}',
}


@pytest.mark.parametrize("method", ERRORS)
async def test_what_a_method_raises_is_the_error_of_that_one_request(method: str) -> None:
    one = f'{{"jsonrpc":"2.0","method":"{method}","id":1}}'
    error = f'{{"jsonrpc":"2.0","id":1,"error":{ERRORS[method]}}}'
    assert await answered(one) == error
    batch = f'[{one},{{"jsonrpc":"2.0","method":"sum","id":2}}]'
    assert await answered(batch) == "[{},{}]".format(error, found("0", "2"))


@pytest.mark.parametrize("method", ERRORS)
async def test_a_notification_is_never_answered_not_even_by_an_error(method: str) -> None:
    assert await answered(f'{{"jsonrpc":"2.0","method":"{method}"}}') is None


async def test_a_result_that_is_json_already_is_passed_on_as_it_stands() -> None:
    asked = '{"jsonrpc":"2.0","method":"raw","id":1}'
    assert await answered(asked) == found('{ "as": "it stands" }', "1")


@parametrize_all(
    ("params", "expected"),
    [("", None), (',"params":[]', []), (',"params":{}', {}), (',"params":{"a":1}', {"a": 1})],
)
def test_params_that_are_absent_differ_from_empty_ones(params: str, expected: object) -> None:
    message = jsonrpc.read(b'{"jsonrpc":"2.0","method":"m"%s}' % params.encode())
    assert jsonrpc.request(message) == Request("m", expected, None, notification=True)


def test_the_words_of_the_domain_have_numbers_of_their_own_in_the_range_for_servers() -> None:
    assert len(set(CODES.values())) == len(CODES)
    assert all(-32099 <= number <= -32000 for number in CODES.values())


def test_a_line_that_is_not_json_is_refused_with_the_reason_beside_it() -> None:
    with pytest.raises(RpcError) as caught:
        jsonrpc.read(b"{")
    assert caught.value.number == PARSE_ERROR
    assert isinstance(caught.value.__cause__, ValueError)
