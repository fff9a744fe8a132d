"""Stop checks: whether hookd is stopped, and whether a coding agent is kept from stopping it."""

from collections.abc import Iterator

from hookd import ancestry, paths
from hookd.cli import stop_text
from hookd.cli.checks.finding import Finding, fail, warn
from hookd.files import stop_marker

CHECK = "stop"


def check_stop() -> Iterator[Finding]:
    """Report a stop as a failure, though a person chose it: nothing is guarded meanwhile."""
    if stop := stop_marker.read(paths.paths().stopped):
        yield fail(CHECK, stop_text.sentence(stop), stop_text.STEP)


def check_callers() -> Iterator[Finding]:
    """Report if nobody can tell a person from an agent: then an agent can stop hookd as well."""
    if not ancestry.readable():
        what = "Processes cannot be read here, so a coding agent is not kept from hookd stop."
        yield warn("callers", what, "mount /proc, so that hookd sees who asks")
