"""MCP server on stdio with three tools: add and remove write a log, ask asks the user."""

import json
import sys
from pathlib import Path
from typing import Any

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}


def send(**message: Any) -> None:
    """Write one message."""
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)  # noqa: T201


def text(said: str) -> dict[str, Any]:
    """Return the result of a tool call."""
    return {"content": [{"type": "text", "text": said}]}


def main() -> None:
    """Answer requests until stdin ends."""
    waiting: Any = None
    for line in sys.stdin:
        asked = json.loads(line)
        name = asked.get("params", {}).get("name")
        if asked.get("id") == "question":
            send(id=waiting, result=text(f"answer-{asked['result']['action']}"))
        elif "id" not in asked:
            continue
        elif name == "ask":
            waiting = asked["id"]
            params = {"message": "Which page size?", "requestedSchema": SCHEMA}
            send(id="question", method="elicitation/create", params=params)
        elif name:
            with Path("notes.log").open("a") as log:
                log.write(f"{name} {asked['params']['arguments']['text']}\n")
            send(id=asked["id"], result=text(f"noted-{name}"))
        else:
            send(id=asked["id"], result=_described(asked))


def _described(asked: dict[str, Any]) -> dict[str, Any]:
    if asked["method"] == "initialize":
        about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "notes", "version": "1"}}
        return {"protocolVersion": asked["params"]["protocolVersion"], **about}
    if asked["method"] == "tools/list":
        names = ("add", "remove", "ask")
        return {"tools": [{"name": n, "description": n, "inputSchema": SCHEMA} for n in names]}
    return {}


if __name__ == "__main__":
    main()
