"""How the terminal says that something went wrong: one sentence and the next step."""

from typing import IO, Any

import click

from hookd.cli.lib.output import cell


class Problem(click.ClickException):
    """An error for a person: `sentence` says what is wrong, `step` what to do next. Exit code 1."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.step = step

    def show(self, file: IO[Any] | None = None) -> None:
        """Print both on stderr."""
        click.echo(f"hookd: {_safe(self.message)}", file=file, err=file is None)
        if self.step:
            click.echo(f"  next: {_safe(self.step)}", file=file, err=file is None)


def _safe(said: str) -> str:
    """Return what is said without what could rewrite a terminal: names of files are in it."""
    return "\n".join(map(cell, said.split("\n")))
