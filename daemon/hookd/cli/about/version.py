"""`hookd version`: versions of hookd, Python and the database, and the shim that hooks start."""

import platform
import sys
from typing import Any

import click

from hookd import __version__, paths
from hookd.cli.lib import output
from hookd.cli.lib.options import json_option


@click.command(
    epilog="""\b
    Examples:
      hookd version
      hookd version --json | jq -r .version
    """
)
@json_option()
def version(as_json: bool) -> None:
    """Show the versions of hookd, Python, database and shim.

    The daemon may be of another version: `hookd status` says so.
    """
    from hookd.store.database import schema_version  # noqa: PLC0415 - it imports sqlite3
    from hookd.system import native_shim  # noqa: PLC0415

    facts: dict[str, Any] = {
        "version": __version__,
        "python": platform.python_version(),
        "interpreter": sys.executable,
        "schema": schema_version(),
        "shim": native_shim.kinds(paths.paths().shims),
    }
    if as_json:
        output.show_json(facts)
        return
    shims = [f"{name}: {kind}" for name, kind in facts["shim"].items()]
    facts["shim"] = ", ".join(shims) or "none; hookd install registers one"
    output.show_facts(facts, f"hookd {facts.pop('version')}")
