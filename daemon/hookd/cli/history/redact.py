"""`hookd redact`: show which secrets hookd removes from a text before storing it."""

import sys
from pathlib import Path

import click

from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column

_MAX_BYTES = 16_000_000
"""Longest text; no event is longer."""

_COLUMNS = (
    Column("kind", "kind", firm=True),
    Column("line", "line", firm=True, right=True),
    Column("column", "column", firm=True, right=True),
)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd redact test notes.txt
      git diff | hookd redact test
    """,
)
def redact() -> None:
    """Test the removal of secrets before a text is stored."""


@redact.command(
    epilog="""\b
    Examples:
      hookd redact test notes.txt
      hookd redact test .env           of such a file every value is a secret
      git diff | hookd redact test
      hookd redact test payload.json --json | jq .findings
    """
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@json_option()
def test(file: Path | None, as_json: bool) -> None:
    """Show FILE or standard input without secrets, and list them.

    Nothing is stored, and no secret is printed. Text that remains is not known as a secret: one of
    an unknown form passes.
    """
    # Here, not above: what reads JSON as the daemon does is slow to import.
    from hookd.redaction.findings import findings  # noqa: PLC0415
    from hookd.redaction.redact import is_env  # noqa: PLC0415
    from hookd.redaction.redact import redact as redacted  # noqa: PLC0415

    text = _read(file)
    env_file = file is not None and is_env(str(file))
    stored = redacted(text, env_file=env_file)
    rows = [
        {"kind": finding.kind, "line": line, "column": column}
        for finding in findings(text, env_file=env_file)
        for line, column in [finding.place(text)]
    ]
    if as_json:
        output.show_json({"findings": rows, "text": stored})
        return
    click.echo("\n".join("\t".join(map(output.cell, line.split("\t"))) for line in _lines(stored)))
    click.echo()
    output.show(rows, _COLUMNS, as_json=False, empty="No secrets found.")


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _read(file: Path | None) -> str:
    if file is None and sys.stdin.isatty():
        click.echo("hookd: reading what you type, up to Ctrl-D", err=True)
    try:
        with file.open("rb") if file else sys.stdin.buffer as source:
            content = source.read(_MAX_BYTES + 1)
    except OSError as error:
        sentence = f"{file} cannot be read: {error.strerror}."
        raise Problem(sentence, "give the path of a text, or pipe one in") from None
    if len(content) > _MAX_BYTES:
        raise Problem("The text is longer than 16 MB.", "split it")
    return content.decode("utf-8", "replace")
