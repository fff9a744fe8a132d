"""Entry of hookd among Claude Code's MCP servers, in `.claude.json` or `.mcp.json`."""

from collections.abc import Mapping

from hookd.clients.hook_groups import Json, ShapeError

NAME = "hookd"
"""Name of the server; the client's tools are mcp__hookd__log, ..."""

_SERVERS = "mcpServers"
_ARGUMENTS = ["mcp"]


def register(value: Json, command: str, environment: Mapping[str, str]) -> Json:
    """Return settings with hookd's server. Raise ShapeError if another server has its name."""
    servers = _servers(value)
    if NAME in servers and not _is_own(servers[NAME]):
        raise ShapeError(f"{_SERVERS}.{NAME} is another server than hookd's")
    entry: Json = {"type": "stdio", "command": command, "args": _ARGUMENTS}
    if environment:
        entry["env"] = dict(environment)
    return {**value, _SERVERS: {**servers, NAME: entry}}


def unregister(value: Json, bare: tuple[str, ...]) -> Json:
    """Return settings without hookd's server; a list that becomes empty goes unless in `bare`."""
    if not is_registered(value):
        return value
    rest = {name: server for name, server in _servers(value).items() if name != NAME}
    if rest or _SERVERS in bare:
        return {**value, _SERVERS: rest}
    return {name: one for name, one in value.items() if name != _SERVERS}


def is_registered(value: Json) -> bool:
    """Return whether settings have hookd's server."""
    servers = value.get(_SERVERS)
    return isinstance(servers, dict) and _is_own(servers.get(NAME))


def entry_of(value: Json) -> tuple[str, tuple[str, ...], dict[str, str]]:
    """Return the command, the arguments and the variables of hookd's server in settings."""
    entry = _servers(value)[NAME]
    known = entry.get("env")
    found = known if isinstance(known, dict) else {}
    return (
        str(entry.get("command", "")),
        tuple(_ARGUMENTS),
        {str(name): str(one) for name, one in found.items()},
    )


def empty_containers(value: Json) -> tuple[str, ...]:
    """Return the containers of the entry that are there and empty."""
    return (_SERVERS,) if value.get(_SERVERS) == {} else ()


def _servers(value: Json) -> Json:
    servers = value.get(_SERVERS, {})
    if not isinstance(servers, dict):
        raise ShapeError(f"{_SERVERS} is no object")
    return servers


def _is_own(server: object) -> bool:
    return isinstance(server, dict) and server.get("args") == _ARGUMENTS
