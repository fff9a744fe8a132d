"""Person-only commands: refuse an act that weakens the guards if a client runs the command.

The daemon refuses such methods. Acts of the command line alone, such as writing settings, are
checked here: by the ancestry of the process, and by the daemon, which also knows the clients that
fired hooks.
"""

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

import click

from hookd import paths
from hookd.cli.lib import client
from hookd.cli.lib.client import Refused
from hookd.cli.lib.errors import Problem
from hookd.core.model.client_process import MARKS
from hookd.system import ancestry

_P = ParamSpec("_P")

OWN_TERMINAL = "run it in a terminal of your own"


def expect_person(act: str) -> None:
    """Raise Problem if a client is above this process. `act` is the command, as in `hookd stop`."""
    if why := ancestry.caller_of(os.getpid()).why:
        raise Problem(f"{act} is for a person: {why}.", OWN_TERMINAL)
    try:
        client.call("caller.check", {"act": act, "env": {}})
    except Refused as refused:
        if refused.code != client.NO_METHOD:  # a daemon of an older version does not know it
            raise
    except Problem:
        pass  # no daemon answers: only the ancestry of this process is known


def for_person(command: Callable[_P, None]) -> Callable[_P, None]:
    """Refuse a click command to a client, except with --dry-run."""

    @wraps(command)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> None:
        if not kwargs.get("dry_run"):
            expect_person(click.get_current_context().command_path)
        command(*args, **kwargs)

    return checked


def client_around() -> str:
    """Return the client that runs this command, by the variable it sets; "" if none does."""
    return next((title for name, title in MARKS.items() if paths.variable(name.decode())), "")


def at_terminal() -> bool:
    """Return whether a person is at a terminal: a client has none, or sets its variable."""
    both = sys.stdin.isatty() and sys.stdout.isatty()
    return both and not client_around()


def expect_terminal(act: str, otherwise: str = "") -> None:
    """Raise Problem if no person is at a terminal. `otherwise` is an alternative, as a clause."""
    if not at_terminal():
        sentence = f"{act} is for a person at a terminal, and there is none here."
        raise Problem(sentence, f"run {act} in a terminal of your own{otherwise}")
