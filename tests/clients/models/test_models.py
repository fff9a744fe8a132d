"""The mock of the model APIs: what a client sends is logged, what is scripted comes back."""

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from clients.mock import Mock
from clients.models.turn import Call, Turn

TOOL = {"name": "shell", "description": "Run"}
PROMPT, RESULT = "List the files.", "a.txt"
REQUESTS: dict[str, dict[str, Any]] = {
    "/v1/messages": {
        "model": "m",
        "stream": True,
        "tools": [TOOL],
        "messages": [
            {"role": "user", "content": PROMPT},
            {"role": "user", "content": [{"type": "tool_result", "content": RESULT}]},
        ],
    },
    "/v1/responses": {
        "stream": True,
        "tools": [TOOL | {"type": "function"}, {"type": "custom", "name": "patch"}],
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": PROMPT}]},
            {"type": "function_call_output", "output": RESULT},
        ],
    },
    "/v1/chat/completions": {
        "model": "m",
        "stream": True,
        "tools": [{"type": "function", "function": TOOL}],
        "messages": [{"role": "user", "content": PROMPT}, {"role": "tool", "content": RESULT}],
    },
    "/v1beta/models/m:streamGenerateContent?alt=sse": {
        "tools": [{"functionDeclarations": [TOOL]}],
        "contents": [
            {"role": "user", "parts": [{"text": PROMPT}]},
            {"role": "user", "parts": [{"functionResponse": {"response": {"output": RESULT}}}]},
        ],
    },
}


@pytest.fixture
def mock() -> Iterator[Mock]:
    with Mock() as one:
        yield one


def post(mock: Mock, path: str, body: dict[str, Any]) -> tuple[int, str]:
    connection = HTTPConnection(urlsplit(mock.url).netloc, timeout=10)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


@pytest.mark.parametrize("path", REQUESTS)
def test_a_turn_is_streamed_and_its_request_is_logged(mock: Mock, path: str) -> None:
    mock.script(Turn(("Said.", Call("shell", {"command": "ls -l"})), tokens=4321))
    status, text = post(mock, path, REQUESTS[path])
    assert status == 200
    assert text.startswith(("data: ", "event: "))
    for part in ("Said.", "shell", "ls -l", "4321"):
        assert part in text
    (sent,) = mock.sent()
    assert PROMPT in sent
    assert RESULT in sent


@pytest.mark.parametrize("path", REQUESTS)
def test_a_request_without_tools_is_no_turn_of_the_conversation(mock: Mock, path: str) -> None:
    mock.script("For the conversation.")
    _, text = post(mock, path, REQUESTS[path] | {"tools": []})
    assert "Done." in text
    assert mock.sent() == []


@pytest.mark.parametrize("path", REQUESTS)
def test_a_scripted_error_is_an_error_of_the_api(mock: Mock, path: str) -> None:
    mock.script(Turn((), error="overloaded"))
    status, text = post(mock, path, REQUESTS[path])
    assert status == 400
    assert json.loads(text)["error"]["message"] == "overloaded"


def test_a_tool_that_takes_text_gets_text(mock: Mock) -> None:
    mock.script(Turn((Call("patch", {"input": "*** Begin Patch"}),)))
    _, text = post(mock, "/v1/responses", REQUESTS["/v1/responses"] | {"stream": False})
    (item,) = json.loads(text)["output"]
    assert (item["type"], item["input"]) == ("custom_tool_call", "*** Begin Patch")


def test_any_other_address_is_refused_and_logged(mock: Mock) -> None:
    status, _ = post(mock, "/v1/embeddings", {})
    assert (status, mock.strays) == (404, ["POST /v1/embeddings"])
