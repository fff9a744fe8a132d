"""`hookd handover resume`: continue a handover in any client."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.install import clients, plugin_scope
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import client_option
from hookd.cli.lib.person import expect_person
from hookd.cli.lifecycle.client_arguments import program_of
from hookd.cli.lifecycle.run import supervise
from hookd.cli.work import saved_handovers
from hookd.core.model.client_names import CLAUDE_CODE, CLIENTS

_ARGUMENTS = "hookd.client_arguments"
_TEXT = "hookd handover resume --text"


class _WithArguments(click.Command):
    """A command that leaves all words behind `--` to the client."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words before `--`."""
        place = args.index("--") if "--" in args else len(args)
        ctx.meta[_ARGUMENTS] = args[place + 1 :]
        return super().parse_args(ctx, args[:place])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the pieces of the usage line."""
        return [*super().collect_usage_pieces(ctx), "[-- ARGS]..."]


@click.command(
    cls=_WithArguments,
    epilog="""\b
    Examples:
      hookd handover resume            in the client of the session that left it
      hookd handover resume --client codex
      hookd handover resume 12 --client gemini -- --model gemini-2.5-pro
      hookd handover resume --text     print it, for a client without hooks
    """,
)
@click.argument("number", metavar="[ID]", type=click.IntRange(min=1), required=False)
@client_option("Continue in this client.  [default: that of the session that left the handover]")
@click.option("--text", is_flag=True, help="Print the handover as text, and start no client.")
@click.pass_context
def resume(context: click.Context, number: int | None, client: str | None, text: bool) -> None:
    """Start a client that continues the handover of session ID.

    The default is the newest of the current project that waits, else the newest. The client starts
    in the project's folder, as by hookd run, with ARGS. Its first session gets the handover, and no
    other does, even if the handover was delivered before.
    """
    one = saved_handovers.find(number, waiting=True)
    if text:
        for line in _lines(one["handover"]):
            click.echo(output.cell(line))
        return
    expect_person(context.command_path)
    name = client or (one["client"] if one["client"] in CLIENTS else CLAUDE_CODE)
    program = _program(name)
    folder = _folder(one)
    _expect_registered(name, folder)
    session = one["sessionId"]
    click.echo(f"hookd: {name} continues the handover of session {session}.", err=True)

    def begin(run: str) -> str:
        prompt: str = call("handover.offer", {"sessionId": session, "runId": run})["prompt"]
        return prompt

    code = supervise([program, *context.meta[_ARGUMENTS]], begin, folder)
    with suppress(Problem):  # what the client has not received is for any window again
        call("handover.offer", {"sessionId": session})
    context.exit(code)


def _lines(payload: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a handover, as a model reads them."""
    from hookd.core.context_window.handover import (  # noqa: PLC0415 - slow, and rarely needed
        recovery_text,
    )

    yield from recovery_text(payload, None).splitlines()
    if files := payload.get("requiredFiles"):
        yield from ("", "### Files to read", *(f"- {path}" for path in files))


def _program(name: str) -> str:
    """Return the path of a client's program. Raise Problem if it is not installed."""
    found = {one: shutil.which(program_of(one), path=paths.search_path()) for one in CLIENTS}
    if path := found[name]:
        return path
    there = [one for one, place in found.items() if place]
    sentence = f"{CLIENTS[name]} is not installed: {program_of(name)} is not on the PATH."
    if not there:
        raise Problem(sentence, f"install it, or {_TEXT}")
    raise Problem(sentence, f"install it, or --client {' or --client '.join(there)}")


def _expect_registered(name: str, folder: str | None) -> None:
    """Raise Problem if a client runs no hook of hookd there: it would not get the handover."""
    if name == CLAUDE_CODE:
        registered = plugin_scope.is_registered()
    else:
        client = clients.EVERY[name]
        file = Path(folder or "") / client.registration.PROJECT_FILE
        registered = clients.is_registered(client) or clients.is_registered(client, file)
    if not registered:
        sentence = f"hookd is not registered with {CLIENTS[name]}, so it would get no handover."
        raise Problem(sentence, f"hookd install --client {name}, or {_TEXT}")


def _folder(one: Mapping[str, Any]) -> str | None:
    """Return the project's folder. Raise Problem if it does not exist."""
    folder: str | None = one["project"]
    if folder is not None and not Path(folder).is_dir():
        sentence = f"The handover's project {output.cell(folder)} does not exist any more."
        raise Problem(sentence, f"{_TEXT} {one['sessionId']}")
    return folder
