"""The home of `hookd redact`: what is taken out of a text before hookd keeps it."""

import sys
from pathlib import Path

import click

from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.output import Column

_MOST = 16_000_000
"""Bytes of a text: no event is longer."""

_COLUMNS = (
    Column("kind", "kind", firm=True),
    Column("line", "line", firm=True, right=True),
    Column("column", "column", firm=True, right=True),
)


@click.group(
    epilog="""\b
    Examples:
      hookd redact test notes.txt
      git diff | hookd redact test
    """
)
def redact() -> None:
    """Look at redaction, which stands before all that hookd keeps."""


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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def test(file: Path | None, as_json: bool) -> None:
    """Show what is taken out of FILE, or of standard input: the text as it is kept, then each find.

    Nothing is kept of it here, and no secret is printed. What is shown as it was is not known for
    one: a form that nobody has described passes.
    """
    # Here, not above: what reads JSON as the daemon does is slow to import.
    from hookd.redaction.findings import findings  # noqa: PLC0415
    from hookd.redaction.redact import is_env  # noqa: PLC0415
    from hookd.redaction.redact import redact as redacted  # noqa: PLC0415

    text = _read(file)
    env_file = file is not None and is_env(str(file))
    kept = redacted(text, env_file=env_file)
    rows = [
        {"kind": one.kind, "line": line, "column": column}
        for one in findings(text, env_file=env_file)
        for line, column in [one.place(text)]
    ]
    if as_json:
        output.show_json({"findings": rows, "text": kept})
        return
    click.echo("\n".join("\t".join(map(output.cell, line.split("\t"))) for line in _lines(kept)))
    click.echo()
    output.show(rows, _COLUMNS, as_json=False, empty="Nothing is taken out.")


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def _read(file: Path | None) -> str:
    if file is None and sys.stdin.isatty():
        click.echo("hookd: reading what you type, up to Ctrl-D", err=True)
    try:
        with file.open("rb") if file else sys.stdin.buffer as source:
            given = source.read(_MOST + 1)
    except OSError as error:
        sentence = f"{file} cannot be read: {error.strerror}."
        raise Problem(sentence, "give the path of a text, or pipe one in") from None
    if len(given) > _MOST:
        raise Problem("That is more than 16 MB.", "give less at a time")
    return given.decode("utf-8", "replace")
