"""The home of `hookd log`: one entry for an effort's log, which sets its heartbeat to zero."""

from typing import Any

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem


@click.command(
    epilog="""\b
    Examples:
      hookd log Parser done, tests next.
      hookd log --effort 3 'Waiting for the review.'
      git log -1 --stat | hookd log -
    """
)
@click.argument("text", nargs=-1, required=True)
@click.option("--effort", "number", type=click.IntRange(min=1), metavar="ID", help="Not your own.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def log(text: tuple[str, ...], number: int | None, as_json: bool) -> None:
    """Write TEXT into the log of your effort; - reads standard input."""
    entry = args.read_text(" ".join(text)).strip()
    if not entry:
        raise Problem("There is nothing to log.", "hookd log TEXT")
    params: dict[str, Any] = {"text": entry} | ({"effortId": number} if number else {})
    result = call("effort.log", params)
    if as_json:
        output.show_json(result)
        return
    click.echo(f"Logged for effort {result['effortId']}: {result['logPath']}")
