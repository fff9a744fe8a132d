"""Errors for people at the terminal: one sentence and the next step."""

from typing import IO, Any

import click

from hookd.cli.lib.output import cell


class Problem(click.ClickException):
    """An error for a person: what is wrong, and the next step. Exit code 1."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.step = step

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence and the step on stderr."""
        click.echo(f"hookd: {_safe(self.message)}", file=file, err=file is None)
        if self.step:
            click.echo(f"  next: {_safe(self.step)}", file=file, err=file is None)


def _safe(text: str) -> str:
    """Return a text without control characters: it may have names of files."""
    return "\n".join(map(cell, text.split("\n")))
