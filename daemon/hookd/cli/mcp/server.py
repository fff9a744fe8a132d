"""MCP server on stdin and stdout, by the official SDK: tools and resources."""

from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from hookd import __version__
from hookd.cli.mcp import calls
from hookd.cli.mcp.calls import Answer

_INSTRUCTIONS = (
    "hookd guards this session and connects it with other agents of the project. Write a log entry"
    " with `log` every few calls. Before the context window is full, save a handover with"
    " `handover_save`. Work items are shared with other agents: `work_take`, `work_done`."
)


def serve() -> None:
    """Serve until standard input ends."""
    anyio.run(_serve)


async def _serve() -> None:
    server = Server(
        "hookd",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_read_resource=_read_resource,
    )
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


async def _list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema=tool.schema,
                annotations=types.ToolAnnotations(
                    read_only_hint=tool.reads, destructive_hint=False, open_world_hint=False
                ),
            )
            for tool in calls.offered()
        ]
    )


async def _call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    work = partial(calls.run_tool, params.name, dict(params.arguments or {}))
    answer: Answer = await anyio.to_thread.run_sync(work)
    content = types.TextContent(type="text", text=answer.text)
    return types.CallToolResult(content=[content], is_error=answer.failed)


async def _list_resources(_context: Any, _params: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=uri, name=name, description=text, mime_type="application/json")
            for uri, (name, text) in calls.RESOURCES.items()
        ]
    )


async def _read_resource(
    _context: Any, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    uri = str(params.uri)
    answer: Answer = await anyio.to_thread.run_sync(partial(calls.read_resource, uri))
    if answer.failed:
        raise ValueError(answer.text)
    text = types.TextResourceContents(uri=uri, text=answer.text, mime_type="application/json")
    return types.ReadResourceResult(contents=[text])
