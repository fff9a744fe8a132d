"""Files of hooks as they are written, shared by the tests of their forms, layers and schema."""

import json
from pathlib import Path
from typing import Any

from hookd.core.hook_rules.model import Layer
from hookd.core.hook_rules.parse import ParsedHooks, parse_hooks
from hookd.core.hook_rules.sources import Dialect, HookFileLocation

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "settings"


def example(name: str) -> Any:
    """Return the value of one file of examples/settings."""
    return json.loads((EXAMPLES / name).read_text("utf-8"))


def parsed(document: object, dialect: Dialect = "hookd") -> ParsedHooks:
    """Return what a file of the project says."""
    return parse_hooks(document, HookFileLocation("project", f"/p/{dialect}.json", dialect))


def layer(name: Layer, document: object, path: str = "", dialect: Dialect = "hookd") -> ParsedHooks:
    """Return what a file of one layer says."""
    return parse_hooks(document, HookFileLocation(name, path or f"/{name}.json", dialect))


def run(command: str, **keys: Any) -> dict[str, Any]:
    """Return an entry that runs a command."""
    return {"type": "command", "command": command, **keys}


def on(event: str, *entries: object, **group: Any) -> dict[str, Any]:
    """Return a file with one group on one event."""
    return {"hooks": {event: [{**group, "hooks": list(entries)}]}}
