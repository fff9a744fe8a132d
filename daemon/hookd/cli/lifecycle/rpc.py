"""`hookd rpc`: call any method, with its params and its result as JSON."""

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.core.model.renamed_methods import method_deprecation


@click.command(
    epilog="""\b
    Examples:
      hookd rpc daemon.status
      hookd rpc effort.list '{"lifecycle": "active"}'
      hookd rpc hooks.preToolUse - < payload.json
    """
)
@click.argument("method")
@click.argument("params", metavar="[JSON|-]", default="{}")
def rpc(method: str, params: str) -> None:
    """Call METHOD and print its result as JSON.

    Params are a JSON object; - reads them from standard input. The caller's identity is sent as
    `env`, unless the params have an `env`.
    """
    value = args.read_json(params)
    if not isinstance(value, dict | list):
        raise Problem("Params are a JSON object.", 'hookd rpc METHOD \'{"name": "value"}\'')
    if isinstance(value, dict) and value.get("body"):
        raise Problem('"body" is for shims.', "hookd rpc hooks.dispatch '{\"event\": {...}}'")
    if notice := method_deprecation(method):
        click.echo(f"hookd: {notice}", err=True)
    try:
        result = call(method, value)
    except Refused as refused:
        sentence = f"{refused.message.removesuffix('.')} ({refused.code})."
        raise Refused(sentence, refused.step, refused.code) from None
    output.show_json(result)
