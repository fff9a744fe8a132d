"""Errors for people at the terminal: one sentence and the next step."""

import re
from typing import IO, Any

import click

from hookd.cli.lib.output import cell
from hookd.lazy_pattern import lazy_compile

_CHOICE = lazy_compile(r"'([^']*)' is not one of (.*)\.$", re.DOTALL)
_QUOTED = lazy_compile(r"'([^']*)'")


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


class Misuse(click.UsageError):
    """Wrong arguments: the usage, what is wrong, and the next step. Exit code 2."""

    @classmethod
    def of(cls, error: click.UsageError) -> "Misuse":
        """Return click's error with a close value, if one of several was to be chosen."""
        # click lists the choices of a missing argument in lines with tabs.
        sentence = error.format_message().replace("\n\t", " ")
        chosen = _CHOICE.search(sentence)
        if chosen:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a wrong value

            if near := get_close_matches(chosen[1], _QUOTED.findall(chosen[2]), 1):
                sentence += f" Did you mean {near[0]}?"
        return cls(sentence, error.ctx)

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the usage, the sentence and the next step on stderr."""
        step = "hookd --help"
        if self.ctx is not None:
            click.echo(self.ctx.get_usage(), file=file, err=file is None)
            step = f"{self.ctx.command_path} --help"
        click.echo(f"hookd: {_safe(self.format_message())}", file=file, err=file is None)
        click.echo(f"  next: {_safe(step)}", file=file, err=file is None)


def _safe(text: str) -> str:
    """Return a text without control characters: it may have names of files."""
    return "\n".join(map(cell, text.split("\n")))
