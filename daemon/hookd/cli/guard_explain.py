"""The home of `hookd guard explain`: what a command would run, what that may do, who says so."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd import paths
from hookd.cli import table
from hookd.cli.problem import Problem
from hookd.cli.table import Column

if TYPE_CHECKING:
    from hookd.core.danger.entry import Danger
    from hookd.core.danger.walk import Found
    from hookd.core.events import PreToolUse
    from hookd.core.facts import Facts
    from hookd.core.outcome import Opinion
    from hookd.core.policy import Policy
    from hookd.core.shell import Shell
    from hookd.core.standing import Daemon

_GUARDS = ("destructive-guard", "secrets-guard", "self-guard", "path-guard")
_EFFECTS = (
    Column("kind", "kind", firm=True),
    Column("weight", "weight", firm=True, styles={"deny": "red", "ask": "yellow"}),
    Column("command", "command"),
    Column("what it does", "why"),
)


@click.command(
    epilog="""\b
    Examples:
      hookd guard explain 'cd / && sudo rm -rf *'
      hookd guard explain 'curl -fsSL https://example.com/install.sh | sh'
      hookd guard explain 'rm -rf build' --cwd ~/work/shop
      hookd guard explain "$(cat script.sh)" --json
    """
)
@click.argument("command")
@click.option(
    "--cwd",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder that it would be run in.  [default: this one]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(command: str, cwd: Path | None, as_json: bool) -> None:
    """Show what a COMMAND would run, what that may do, and what the guards say of it.

    The guards are destructive-guard, secrets-guard, self-guard and path-guard, with the options
    that hold in the folder's project: hookd policies show NAME. Your own rules are not asked: hookd
    guard list. Nothing is run, and no daemon is needed.
    """
    if not command.strip():
        raise Problem("There is no command to explain.", "hookd guard explain 'rm -rf build'")
    explained = _explained(command, cwd)
    if as_json:
        table.show_json(explained)
    else:
        _show(explained)


def _explained(command: str, cwd: Path | None) -> dict[str, Any]:
    from hookd.core.danger import dangers  # noqa: PLC0415 - slow: it brings the parser
    from hookd.core.danger.standpoint import place_of  # noqa: PLC0415
    from hookd.core.danger.walk import found  # noqa: PLC0415

    event, facts = _situation(command, cwd)
    place, shell = place_of(event, facts), event.call.shell
    return {
        "command": command,
        "cwd": place.cwd,
        "project": place.project,
        "settings": _settings(),
        "unreadable": shell.unreadable,
        "commands": [_command(one) for one in found(shell, place)],
        "redirects": _redirects(shell),
        "effects": [_effect(one) for one in dangers(shell, place)],
        "verdict": _verdict(event, facts),
    }


def _situation(command: str, cwd: Path | None) -> "tuple[PreToolUse, Facts]":
    """Return the event that a call of Bash would be, and what hookd would know of it."""
    from hookd.cli import policy_page  # noqa: PLC0415 - it imports the daemon's parts
    from hookd.core.events import PreToolUse  # noqa: PLC0415
    from hookd.core.facts import Facts, Project  # noqa: PLC0415

    folder = (cwd or Path.cwd()).resolve()
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name="Bash",
        tool_input={"command": command},
        cwd=str(folder),
    )
    root = _root(folder)
    page = policy_page.read(root)
    if page.fault:
        raise Problem(f"{page.fault}.", "hookd settings check")
    facts = Facts(
        project=Project(1, root),
        options={name: choice.options for name, choice in page.choices.items()},
        daemon=_daemon(),
    )
    return event, facts


def _daemon() -> "Daemon":
    """Return what there is to know of the daemon while it does not run: its places."""
    from hookd.core.standing import Daemon  # noqa: PLC0415

    places = paths.paths()
    return Daemon(
        socket=str(places.socket),
        database=str(places.database),
        log=str(places.log),
        settings=str(places.settings),
        claude=str(paths.claude()),
        own=tuple(map(str, places.own)),
    )


def _settings() -> str | None:
    """Return the file of your own settings; None where there is none."""
    file = paths.paths().settings
    return str(file) if file.exists() else None


def _root(folder: Path) -> str:
    """Return the project's root: the next folder above that is under version control."""
    inside = (one for one in (folder, *folder.parents) if (one / ".git").exists())
    return str(next(inside, folder))


def _command(one: "Found") -> dict[str, Any]:
    return {
        "words": list(one.command.words),
        "known": not one.command.holes,
        "through": list(one.command.through),
        "where": one.where,
        "folders": list(one.folders),
    }


def _redirects(shell: "Shell") -> list[dict[str, Any]]:
    return [
        {"operator": one.operator, "path": one.path, "writes": one.writes}
        for one in shell.redirects
    ]


def _effect(one: "Danger") -> dict[str, Any]:
    return {
        "kind": one.kind,
        "weight": one.weight,
        "command": one.command,
        "why": one.why,
        "instead": one.instead,
        "sure": one.sure,
    }


def _verdict(event: "PreToolUse", facts: "Facts") -> dict[str, Any]:
    """Return what the guards say together, by their options as they are set."""
    from hookd.core.outcome import merge  # noqa: PLC0415
    from hookd.policies import POLICIES  # noqa: PLC0415

    guards = tuple(policy for policy in POLICIES if policy.name in _GUARDS)
    outcome = merge(_heard(guards, event, facts))
    return {
        "decision": outcome.verdict,
        "policy": outcome.rule,
        "reason": outcome.reason,
        "context": outcome.context,
    }


def _heard(guards: "tuple[Policy, ...]", event: "PreToolUse", facts: "Facts") -> "list[Opinion]":
    """Return what each says; where they want to know where links lead, that is looked up."""
    from hookd.core.judging import judge  # noqa: PLC0415
    from hookd.core.wants import Unseen  # noqa: PLC0415
    from hookd.files.sight import look  # noqa: PLC0415

    while True:
        try:
            heard = tuple(judge(guards, event, facts, lambda: 0.0))
        except Unseen as lack:
            facts = facts.seeing({**dict.fromkeys(lack.wants), **look(lack.wants)})
        else:
            return [one.opinion for one in heard if one.opinion]


def _show(explained: dict[str, Any]) -> None:
    for line in _lines(explained):
        click.echo(line)
    if explained["effects"]:
        click.echo("\nEffects")
        table.show(explained["effects"], _EFFECTS, as_json=False, empty="")
    verdict = explained["verdict"]
    if verdict["decision"]:
        click.echo(f"\nVerdict: {verdict['decision']}, by {verdict['policy']}")
        click.echo(table.cell(verdict["reason"]))
    else:
        click.echo("\nVerdict: silence. The call goes its usual way.")
        if verdict["context"]:
            click.echo(table.cell(verdict["context"]))


def _lines(explained: dict[str, Any]) -> Iterator[str]:
    yield f"In {table.cell(explained['cwd'])}, project {table.cell(explained['project'])}"
    yours = table.cell(explained["settings"] or "the defaults")
    yield f"Options: {yours}, and what a trusted project's settings say"
    if explained["unreadable"]:
        yield f"It cannot be read: {explained['unreadable']}."
    yield "\nCommands" if explained["commands"] else "\nNo commands."
    for one in explained["commands"]:
        yield f"{'  ' * (len(one['through']) + 1)}{_line(one, explained['cwd'])}"
    written = [one for one in explained["redirects"] if one["writes"]]
    if written:
        yield "\nFiles that the shell writes"
    for one in written:
        yield f"  {one['operator']} {table.cell(one['path'])}"


def _line(one: dict[str, Any], cwd: str) -> str:
    said = [f"by {one['through'][-1]}"] if one["through"] else []
    if one["where"] != "here":
        said.append({"remote": "on another machine"}.get(one["where"], "in a container"))
    elif one["folders"] != [cwd]:
        said.append(f"in {_folders(one['folders'])}")
    if not one["known"]:
        said.append("some words are not known from the text")
    words = table.cell(" ".join(map(_quoted, one["words"])))
    return f"{words}   ({', '.join(said)})" if said else words


def _quoted(word: str) -> str:
    return word if word and not any(map(str.isspace, word)) else f"'{word}'"


def _folders(folders: Sequence[str | None]) -> str:
    return " or ".join(table.cell(one or "a folder that is not known") for one in folders)
