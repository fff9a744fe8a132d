"""Stop check: whether `hookd stop` holds, so that every call runs unchecked."""

from collections.abc import Iterator

from hookd import paths
from hookd.cli.doctor.checks.result import Finding, fail
from hookd.cli.lib import client
from hookd.system import stop_marker

CHECK = "stop"


def check_stop() -> Iterator[Finding]:
    """Report a stop as a failure, though a person chose it: nothing is guarded meanwhile."""
    if stop := stop_marker.read(paths.paths().stopped):
        yield fail(CHECK, client.stop_sentence(stop), client.START)
