"""`hookd metrics`: print the metrics of hookd as Prometheus text."""

import click

from hookd import paths
from hookd.cli.lib import extras, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option


@click.command(
    epilog="""\b
    Examples:
      hookd metrics
      hookd metrics | grep hookd_events_total
      hookd metrics > /var/lib/node_exporter/hookd.prom
      hookd metrics --json | jq '.[] | select(.name == "hookd_up")'
    """
)
@json_option("Print a JSON list of metrics.")
def metrics(as_json: bool) -> None:
    """Print the metrics of hookd as Prometheus text.

    They are read from the database file and from the daemon. Without a daemon hookd_up is 0.
    `hookd web` serves the same text.
    """
    extras.expect("hookd metrics", "metrics", {"prometheus-client": "prometheus_client"})
    from hookd.web.metrics import as_objects, exposition, read_once  # noqa: PLC0415 - only here

    readings = read_once(paths.paths())
    if as_json:
        output.show_json(as_objects(readings))
    else:
        click.echo(exposition(readings), nl=False)
    if problem := readings.problem:
        raise Problem(f"Metrics of the database are missing: {problem}", problem.step)
