"""`hookd replay`: what other rules, settings or policies would have said about recorded events."""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd import paths
from hookd.cli.lib import args, completions, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.progress import LongWork
from hookd.core.model.client_names import CLAUDE_CODE, CLIENTS

if TYPE_CHECKING:
    from hookd.replay.change import AddedRule, Change
    from hookd.replay.sources import Source, Unit

_TRIED = "tried-rule"
"""The name of the rule of --rule in the report."""

_HEAD_LINES = 200
"""Lines of a transcript by which its client is known."""

_MOST_PROCESSES = 2


@click.command(
    epilog="""\b
    Examples:
      hookd replay --rule 'Bash(git push *)' --deny
      hookd replay --since 30d --policy secrets-guard=off
      hookd replay --set heartbeat.block_after=20 --session 6f1f0a3e
      hookd replay --transcripts --rule 'Bash(npm publish *)' --ask
      hookd replay events.json --with rules.json --fail-on 'new-deny > 5'
    """
)
@click.argument("file", nargs=-1, type=click.Path(path_type=Path))
@click.option("--since", default="7d", show_default=True, metavar="TEXT", help="An age or a time.")
@click.option("--session", default="", metavar="ID", help="A conversation, or its beginning.")
@click.option(
    "--transcripts",
    is_flag=False,
    flag_value="",
    metavar="[DIR]",
    help="Take the calls in Claude Code's transcripts instead.",
)
@click.option("--with", "rules", metavar="FILE", help="Add the rules of a file.")
@click.option("--rule", "patterns", multiple=True, metavar="PATTERN", help="Add a rule for calls.")
@click.option("--deny", is_flag=False, flag_value="", metavar="[TEXT]", help="It denies them.")
@click.option("--ask", is_flag=False, flag_value="", metavar="[TEXT]", help="It asks about them.")
@click.option(
    "--without",
    multiple=True,
    metavar="NAME",
    help="Leave out a rule.",
    shell_complete=completions.guards,
)
@click.option(
    "--policy",
    "modes",
    multiple=True,
    metavar="NAME=MODE",
    help="off, on, warn.",
    shell_complete=completions.policies,
)
@click.option("--set", "values", multiple=True, metavar="KEY=VALUE", help="Change a setting.")
@click.option("--fail-on", "limits", multiple=True, metavar="TEXT", help="Exit 1 if it is true.")
@click.option("--examples", default=5, show_default=True, type=click.IntRange(0, 100_000))
@click.option("--processes", type=click.IntRange(1, 64), help="Processes to use.")
@json_option()
@click.pass_context
def replay(ctx: click.Context, /, **options: Any) -> None:
    """Show what other rules would have said of past events.

    Each event is evaluated twice: as it is with today's rules, policies and settings, and with the
    change. Without a change, today's answers are compared with the recorded ones. Nothing is run,
    and nothing is recorded. FILE is a transcript, or events that `hookd event --json` printed.

    `--fail-on` takes `new-deny > 5`, `new-ask >= 1`, `no-stop > 0`, `any > 0`, and
    `not-comparable > 10%`; the exit code is 1 then.
    """
    from hookd.replay.compare import parse_limit  # noqa: PLC0415 - slow: it imports the guards

    try:
        limits = [parse_limit(text) for text in options["limits"]]
    except ValueError as error:
        raise click.UsageError(f"--fail-on: {error}.") from error
    change = _change(options)
    failed = run(
        change,
        _source(options),
        as_json=options["as_json"],
        examples=options["examples"],
        processes=options["processes"],
        limits=limits,
        session=options["session"],
    )
    if failed:
        ctx.exit(1)


def _units(source: "Source", session: str) -> "Sequence[Unit]":
    """Return the units of a source. Raise Problem if there is none of the wanted session."""
    units = source.units()
    if session and not units:
        raise _no_session(session)
    return units


def _no_session(session: str) -> Problem:
    step = "hookd session list shows the ids; --since 30d looks further back"
    return Problem(f"No events of a session {session} were found.", step)


def run(  # noqa: PLR0913 - the options of the command
    change: "Change",
    source: "Source",
    *,
    as_json: bool = False,
    examples: int = 5,
    processes: int | None = None,
    limits: Sequence[Any] = (),
    session: str = "",
) -> bool:
    """Replay, and print the report. Return whether a condition of failure is true.

    Raise Problem if there is no event of `session`, a conversation or its beginning.
    """
    import logging  # noqa: PLC0415 - slow

    from hookd.pipeline.runtime_config import configured, described  # noqa: PLC0415
    from hookd.replay.plan import make_plan  # noqa: PLC0415
    from hookd.replay.report import report_lines, report_object  # noqa: PLC0415
    from hookd.replay.workers import replay as replay_all  # noqa: PLC0415
    from hookd.store.database import DatabaseError  # noqa: PLC0415

    logging.getLogger("hookd").addHandler(logging.NullHandler())
    places = paths.paths()
    chosen = configured(places.settings)
    if chosen.problem:
        raise Problem(f"{chosen.problem}.", "hookd settings check")
    try:
        units = _units(source, session)
        rows = _lasting(places.database)
        where = str(Path.home()), str(places.config)
        plan = make_plan(described(places, paths.claude()), chosen.settings, change, rows, where)
    except DatabaseError as error:
        raise Problem(f"{error}.", error.step) from error
    except ValueError as error:
        raise Problem(f"The change is invalid: {error}.", "hookd policy list") from error
    size = sum(unit.size for unit in units)
    count = processes or min(_MOST_PROCESSES, os.cpu_count() or 1)
    with LongWork(f"Replaying about {size:,} events", max(size, 1)) as progress:
        tally = replay_all(plan, source, units, count, progress.advance)
    failed = [said for limit in limits if (said := limit.exceeded(tally))]
    if as_json:
        output.show_json(report_object(tally, change.words(), failed))
    else:
        for line in report_lines(tally, change.words(), examples):
            click.echo(output.cell(line))
    for said in failed:
        click.echo(f"hookd: failed: {said}", err=True)
    return bool(failed)


def preview(rule: dict[str, Any], root: str | None, *, as_json: bool) -> None:
    """Print what a rule would have said about the last week; `root` is its project."""
    from hookd.core.model.errors import DomainError  # noqa: PLC0415 - slow
    from hookd.replay.change import Change, added_rule  # noqa: PLC0415

    try:
        change = Change((added_rule(rule, root),))
    except DomainError as error:
        raise Problem(f"The rule is invalid: {error}.", "hookd guard add --help") from error
    run(change, recorded(), as_json=as_json)


def recorded(since: str = "7d", session: str = "") -> "Source":
    """Return the recorded events; where there are none, the client's transcripts."""
    from hookd.replay.sources import DatabaseSource  # noqa: PLC0415
    from hookd.store.database import DatabaseError  # noqa: PLC0415

    after, database = _time(since), paths.paths().database
    if database.exists():
        source = DatabaseSource(database, after, session)
        try:
            if source.units():
                return source
        except DatabaseError as error:
            raise Problem(f"{error}.", error.step) from error
    folder = paths.claude() / "projects"
    if session and not folder.is_dir():
        raise _no_session(session)
    click.echo(
        "hookd: no events are recorded since then; Claude Code's transcripts are used", err=True
    )
    return _transcripts(folder, after, session)


def _source(options: dict[str, Any]) -> "Source":
    files, folder = options["file"], options["transcripts"]
    since, session = options["since"], options["session"]
    if files and folder is not None:
        raise click.UsageError("Give files or --transcripts, not both.")
    if folder is not None:
        place = Path(folder) if folder else paths.claude() / "projects"
        return _transcripts(place, _time(since), session)
    if not files:
        return recorded(since, session)
    given = click.get_current_context().get_parameter_source("since")
    after = "" if given is not None and given.name == "DEFAULT" else _time(since)
    return _files(files, after, session)


def _files(files: Sequence[Path], since: str, session: str) -> "Source":
    """Return the source of named files: transcripts, or exported events."""
    from hookd.replay.sources import ExportSource, TranscriptSource  # noqa: PLC0415

    heads = [_head(file) for file in files]
    for file, head in zip(files, heads, strict=True):
        _expect_claude_code(file, head)
    kinds = {b'"toolName"' in head or b'"payload"' in head for head in heads}
    if len(kinds) > 1:
        raise click.UsageError("Give transcripts or exported events, not both.")
    if kinds == {False}:
        return TranscriptSource(files, since, session)
    return ExportSource([(str(file), file.read_bytes()) for file in files], since, session)


def _expect_claude_code(file: Path, head: bytes) -> None:
    """Raise Problem for a transcript of another client."""
    from hookd.clients.transcript_flaws import client_of_lines  # noqa: PLC0415

    client = client_of_lines(head.splitlines()[:_HEAD_LINES]).name
    if client != CLAUDE_CODE:
        sentence = (
            f"{file} is a transcript of {CLIENTS[client]}; replay reads those of Claude Code."
        )
        step = "hookd replay --since 7d, for the events that hookd has recorded of every client"
        raise Problem(sentence, step)


def _head(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(1_000_000)
    except OSError as error:
        raise Problem(f"{file} cannot be read: {error.strerror}.", f"ls -l {file}") from error


def _transcripts(folder: Path, since: str, session: str) -> "Source":
    from hookd.replay.sources import TranscriptSource  # noqa: PLC0415

    if not folder.is_dir():
        raise Problem(f"There is no folder {folder}.", "name it: hookd replay --transcripts DIR")
    first = datetime.fromisoformat(since).timestamp() if since else 0.0
    files = [path for path in folder.rglob("*.jsonl") if _changed(path) >= first]
    for path in files[:1]:
        _expect_claude_code(path, _head(path))
    return TranscriptSource(files, since, session)


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _time(since: str) -> str:
    """Return the time of --since as it is stored."""
    now = datetime.now(UTC)  # noqa: TID251 - the time of the command
    return args.timestamp(since, now.isoformat(timespec="milliseconds"))


def _lasting(database: Path) -> Any:
    from hookd.store.replays import NO_ROWS, lasting_rows, open_recorded  # noqa: PLC0415

    if not database.exists():
        return NO_ROWS
    db = open_recorded(database)
    try:
        return lasting_rows(db)
    finally:
        db.close()


def _change(options: dict[str, Any]) -> "Change":
    """Return the change that the options describe. Raise UsageError, or Problem."""
    from hookd.core.model.errors import DomainError  # noqa: PLC0415
    from hookd.replay.change import Change, parse_mode, parse_value  # noqa: PLC0415

    try:
        return Change(
            (*_file_rules(options["rules"]), *_own_rules(options)),
            tuple(options["without"]),
            tuple(map(parse_mode, options["modes"])),
            tuple(map(parse_value, options["values"])),
        )
    except DomainError as error:
        raise Problem(f"The rule is invalid: {error}.", "hookd guard add --help") from error
    except ValueError as error:
        text = str(error)
        raise click.UsageError(f"{text[:1].upper()}{text[1:]}.") from error


def _own_rules(options: dict[str, Any]) -> "tuple[AddedRule, ...]":
    """Return the rule of --rule."""
    from hookd.replay.change import added_rule  # noqa: PLC0415

    patterns, deny, ask = options["patterns"], options["deny"], options["ask"]
    if not patterns and deny is None and ask is None:
        return ()
    if not patterns or (deny is None) == (ask is None):
        raise click.UsageError("Give --rule with one of --deny and --ask.")
    urgency, text = ("block", deny) if deny is not None else ("ask", ask)
    rule = {"id": _TRIED, "urgency": urgency, "toolFilter": {"include": list(patterns)}}
    return (added_rule({**rule, "payload": {"text": text}}),)


def _file_rules(file: str | None) -> "tuple[AddedRule, ...]":
    """Return the rules of --with."""
    from hookd.replay.change import (  # noqa: PLC0415
        InvalidFileError,
        file_rules,
        listed_rules,
    )

    if file is None:
        return ()
    path = Path(file).absolute()
    try:
        text = path.read_bytes()
        if path.suffix == ".json":
            return listed_rules(json.loads(text))
        return file_rules(file, text, _project_of(path))
    except OSError as error:
        raise Problem(f"{file} cannot be read: {error.strerror}.", f"ls -l {file}") from error
    except InvalidFileError as error:
        raise Problem(str(error), "fix the file, then run the command again") from error
    except json.JSONDecodeError as error:
        raise Problem(f"{file} is not JSON: {error}.", "hookd guard list --json") from error
    except ValueError as error:
        raise Problem(f"{file}: {error}.", "hookd guard list --json") from error


def _project_of(path: Path) -> str | None:
    """Return the project whose rules a file has; None: they apply everywhere."""
    return str(path.parents[1]) if path.parent.name == ".hookd" else None
