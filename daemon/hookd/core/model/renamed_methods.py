"""Deprecated names of JSON-RPC methods, which still work. Standard library only."""

RENAMED_METHODS = {
    "commands.list": "userHooks.list",
    "commands.log": "userHooks.runs",
    "commands.trust": "userHooks.trust",
    "commands.distrust": "userHooks.untrust",
}
"""The current name of a method by its deprecated name."""


def current_method(name: str) -> str:
    """Return the current name of a method."""
    return RENAMED_METHODS.get(name, name)


def method_deprecation(name: str) -> str:
    """Return the notice for a deprecated name; "" for any other name."""
    new = RENAMED_METHODS.get(name)
    return f"the method {name} is deprecated: use {new}" if new else ""
