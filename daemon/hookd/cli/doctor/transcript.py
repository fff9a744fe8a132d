"""`hookd doctor transcript`: check whether the API accepts a conversation's transcript."""

import stat
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from hookd import paths
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column
from hookd.clients.claude_code.transcript_check import Checked

_MAX_LINE_BYTES = 16_777_216
"""Bytes of a line that are read."""

_MAX_FILE_BYTES = 1_073_741_824
"""Bytes of a file that are read."""

_PLACES = {
    "claude-code": "projects/*/{0}*.jsonl",
    "codex": "sessions/*/*/*/rollout-????-??-??T??-??-??-{0}*.jsonl",
    "gemini": "tmp/*/chats/session-????-??-??T??-??-{1}*.jsonl",
    "qwen": "projects/*/chats/{0}*.jsonl",
    "copilot": "session-state/{0}*/events.jsonl",
}
"""Transcripts of a client, from its folder: {0} is the session's id, {1} its first 8 characters."""

_COLUMNS = (
    Column("line", "line", firm=True, right=True),
    Column("state", "state", firm=True, styles={"warn": "yellow", "fail": "red"}),
    Column("problem", "problem", firm=True),
    Column("what", "what", least=24),
)


@click.command(
    epilog="""\b
    Examples:
      hookd doctor transcript --session 5bf4ada3
      hookd doctor transcript ~/.claude/projects/-work-a/5bf4ada3.jsonl --json
    """
)
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--session", metavar="ID", help="Check this session: the client's id, or a prefix.")
@json_option("Print a JSON list.")
@click.pass_context
def transcript(ctx: click.Context, file: Path | None, session: str | None, as_json: bool) -> None:
    """Check the transcript in FILE, or of a session.

    It reports messages whose thinking is not first, tool calls without a result, and lines that are
    not JSON. A call of the last message may still run: that is a warning, and so is any call of
    another client than Claude Code. It changes nothing and needs no daemon. Exit code 1: there is
    an error.
    """
    if (file is None) == (session is None):
        raise click.UsageError("Give a FILE, or --session ID.")
    path = file if file is not None else found(session or "")
    checked = read(path)
    rows = [asdict(flaw) for flaw in checked.flaws]
    output.show(rows, _COLUMNS, as_json=as_json, empty="")
    if not as_json:
        click.echo(f"{_verdict(checked)} ({output.cell(str(path))})")
    ctx.exit(int(any(flaw.state == "fail" for flaw in checked.flaws)))


def found(session: str) -> Path:
    """Return the transcript of the one session with this id, or with this prefix of it."""
    if not session or not session.replace("-", "").isalnum():
        raise Problem(f"{session!r} is not the id of a session.", "hookd session list")
    paths_found = [
        path
        for client, place in _PLACES.items()
        for path in sorted(paths.client_folder(client).glob(place.format(session, session[:8])))
    ]
    if not paths_found:
        sentence = f"There is no transcript of a session {session} in the folder of any client."
        raise Problem(sentence, "give its file: hookd doctor transcript FILE")
    if len(paths_found) > 1:
        names = ", ".join(str(path) for path in paths_found[:3])
        raise Problem(f"Several sessions begin with {session}: {names}.", "give more of its id")
    return paths_found[0]


def read(path: Path) -> Checked:
    """Check a file. Raise Problem if it cannot be read."""
    from hookd.clients.transcript_flaws import transcript_flaws  # noqa: PLC0415 - it is heavy

    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            raise Problem(f"{path} is not a regular file.", "give a file of JSON lines")
        if about.st_size > _MAX_FILE_BYTES:
            raise Problem(f"{path} has more than 1 GiB.", "split it, and check the parts")
        return transcript_flaws(_lines(path))
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}.", "give another file") from None


def _lines(path: Path) -> Iterator[bytes | None]:
    """Yield the complete lines; None for a too long one. The client may be writing the last."""
    with path.open("rb") as file:
        while line := file.readline(_MAX_LINE_BYTES):
            if not line.endswith(b"\n"):
                if len(line) < _MAX_LINE_BYTES:
                    return
                while line and not line.endswith(b"\n"):
                    line = file.readline(_MAX_LINE_BYTES)
                yield None
            elif line.strip():
                yield line
            else:
                yield b"{}"  # an empty line counts, and has no content


def _verdict(checked: Checked) -> str:
    lines = "1 line" if checked.lines == 1 else f"{checked.lines} lines"
    messages = "1 message" if checked.messages == 1 else f"{checked.messages} messages"
    were = "was" if checked.lines == 1 else "were"
    read_ = f"{lines} with {messages} of the model {were} read"
    if not checked.flaws:
        return f"{read_}: nothing is wrong."
    count = len(checked.flaws)
    return f"{read_}: 1 finding." if count == 1 else f"{read_}: {count} findings."
