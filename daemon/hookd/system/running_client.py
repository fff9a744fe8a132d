"""Running client: the process of a client that runs a hook, and its terminal.

Linux reads /proc. On other systems it is not known whether a person is at the client.
"""

from pathlib import Path

from hookd.core.model.client_process import RunningClient, client_name, firing, serves_many
from hookd.system.ancestry import environment, lineage

_SHIM_DEPTH = 5
"""Processes above a hook's transport among which its client is."""

_COMMAND_DEPTH = 12
"""Processes above a command among which its client is."""

_MAX_BYTES = 4_096
"""Bytes of a command line that are read; of a longer one the end is unknown."""


def running_client(pid: int) -> RunningClient | None:
    """Return the client that runs the hook of the process `pid`, None if it cannot be read."""
    chain = tuple(lineage(pid, _SHIM_DEPTH))
    client = firing(chain) or next((one for one in chain if client_name(one)), None)
    if client is None or sum(len(word.encode()) + 1 for word in client.args) >= _MAX_BYTES:
        return None
    variables, folder = environment(client.pid), Path(f"/proc/{client.pid}/fd")
    try:
        stdin, stdout = (str((folder / stream).readlink()) for stream in ("0", "1"))
    except OSError:  # another user's, or no /proc
        return None
    if not variables:
        return None
    return RunningClient(client.args, frozenset(variables.split(b"\0")), stdin, stdout)


def in_shared_server(pid: int) -> bool:
    """Return whether the client that the process `pid` descends from serves several windows."""
    client = next((one for one in lineage(pid, _COMMAND_DEPTH) if client_name(one)), None)
    return client is not None and serves_many(client)
