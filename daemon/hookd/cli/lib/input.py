"""The home of what commands are given by hand: text, or `-` for standard input, and JSON."""

import json
import sys
from typing import Any

from hookd.cli.lib.errors import Problem


def text(argument: str) -> str:
    """Return the argument, or what standard input holds for `-`."""
    if argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        sentence = f"Standard input is not UTF-8: see byte {error.start}."
        raise Problem(sentence, "convert it, then run the command again") from None


def value(argument: str) -> Any:
    """Return the value of a JSON text; a Problem says where it breaks."""
    given = text(argument)
    try:
        return json.loads(given, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        sentence = f"That is not valid JSON: {place}: {error.msg}."
    except RecursionError:
        sentence = "That JSON is nested too deeply."
    except ValueError as error:
        sentence = f"That is not valid JSON: {error}."
    raise Problem(sentence, "mend it; in a shell, put JSON between single quotes")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")
