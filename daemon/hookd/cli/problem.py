"""How the terminal says that something went wrong: one sentence and the next step."""

from typing import IO, Any

import click


class Problem(click.ClickException):
    """An error for a person: `sentence` says what is wrong, `step` what to do next. Exit code 1."""

    def __init__(self, sentence: str, step: str = "") -> None:
        super().__init__(sentence)
        self.step = step

    def show(self, file: IO[Any] | None = None) -> None:
        """Print both on stderr."""
        click.echo(f"hookd: {self.message}", file=file, err=file is None)
        if self.step:
            click.echo(f"  next: {self.step}", file=file, err=file is None)
