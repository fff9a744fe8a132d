"""`hookd daemon`: commands about the daemon process; those at the top level have the same names."""

import click

from hookd.cli.lib.groups import Commands
from hookd.cli.lifecycle.daemon import restart, start, stop
from hookd.cli.lifecycle.logs import daemon_logs
from hookd.cli.lifecycle.status import status


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd daemon logs -f       follow the daemon's log
      hookd daemon status
    """,
)
def daemon() -> None:
    """Control the daemon, and read its log."""


for _command in (start, stop, restart, status, daemon_logs):
    daemon.add_command(_command)
