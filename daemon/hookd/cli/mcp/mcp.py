"""`hookd mcp`: serve hookd's tools to a client by MCP, on stdin and stdout."""

import click

from hookd.cli.lib import extras

_LIBRARIES = {"mcp": "mcp"}
"""Package of the extra `mcp`, and the module by which it is found."""


@click.command(
    epilog="""\b
    Examples:
      hookd install --mcp    register it with Claude Code, which starts it
      hookd mcp              what Claude Code runs
    """
)
def mcp() -> None:
    """Serve hookd's tools to a client by MCP, on stdin and stdout.

    A client starts it; it ends with its standard input.
    """
    extras.expect("hookd mcp", "mcp", _LIBRARIES)
    from hookd.cli.mcp.server import serve  # noqa: PLC0415 - its libraries may be missing

    serve()
