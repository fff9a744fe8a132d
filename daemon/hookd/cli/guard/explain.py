"""`hookd guard explain`: what a tool call does, who says what of it, and the verdict."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from hookd import paths
from hookd.cli.guard.evaluate import evaluated
from hookd.cli.lib import args, client, output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import client_option, json_option
from hookd.cli.lib.output import Column
from hookd.core.model.client_names import CLIENTS

_MODES = ("default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions")
_EFFECTS = (
    Column("kind", "kind", firm=True),
    Column("weight", "weight", firm=True, styles={"deny": "red", "ask": "yellow"}),
    Column("rule", "rule"),
    Column("command", "command"),
    Column("what it does", "why"),
)


@click.command(
    epilog="""\b
    Examples:
      hookd guard explain 'cd / && sudo rm -rf *'
      hookd guard explain 'rm -rf build' --cwd ~/work/shop
      hookd guard explain --tool Edit --input '{"file_path": "/etc/hosts"}'
      hookd guard explain --tool WebFetch --input '{"url": "https://example.com"}'
      hookd guard explain 'git push' --session 6f1f0a3e --json
      hookd guard explain 'git reset --hard' --client codex
    """
)
@click.argument("command", required=False)
@click.option("--tool", metavar="NAME", help="The tool, such as Edit.  [default: Bash]")
@click.option("--input", "input_", metavar="JSON", help="The tool's input; - is stdin.")
@click.option(
    "--cwd",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder that it would be run in.  [default: this one]",
)
@click.option("--session", metavar="ID", help="The next call of this session: its id, or number.")
@click.option("--permission-mode", "mode", type=click.Choice(_MODES))
@client_option("The client that makes the call.  [default: the session's, or claude-code]")
@json_option()
def explain(command: str | None, as_json: bool, **options: Any) -> None:
    """Show what hookd would say of a COMMAND, or of any call.

    The call is evaluated as a real one: by all policies and guard rules that apply in the folder,
    with the options of its project. Nothing is run or recorded; user hooks that would run are
    listed. Without --session it is the first call of a new session.
    """
    tool, call = _call(command, options["tool"], options["input_"])
    params = {"tool": tool, "input": call, **_where(options["cwd"])}
    if options["mode"]:
        params["permissionMode"] = options["mode"]
    if options["client"]:
        params["client"] = options["client"]
    if options["session"]:
        session = _session(options["session"])
        params["sessionId"] = session["claudeSessionId"]
        if session["client"] in CLIENTS:
            params.setdefault("client", session["client"])
    found = evaluated(params)
    file = paths.paths().settings
    found["stopped"] = paths.paths().stopped.exists()
    found |= {"tool": tool, "input": call, "settings": str(file) if file.exists() else None}
    if tool == "Bash":
        found["command"] = call["command"]
    found["verdict"]["policy"] = found["verdict"].pop("rule")
    if as_json:
        output.show_json(found)
    else:
        _show(found)


def _call(command: str | None, tool: str | None, text: str | None) -> tuple[str, dict[str, Any]]:
    """Return the tool and its input."""
    if command is not None and (text is not None or tool not in (None, "Bash")):
        raise click.UsageError("Give a COMMAND, or --tool with --input.")
    if text is None:
        if not (command and command.strip()):
            raise Problem("There is no command to explain.", "hookd guard explain 'rm -rf build'")
        return "Bash", {"command": command}
    call = args.read_json(text)
    if not isinstance(call, dict):
        raise Problem("--input is not a JSON object.", """--input '{"file_path": "/x"}'""")
    tool = tool or "Bash"
    if tool == "Bash" and not isinstance(call.get("command"), str):
        raise Problem("The input of Bash has no command.", """--input '{"command": "ls"}'""")
    return tool, call


def _where(cwd: Path | None) -> dict[str, str]:
    """Return the folder of the call and its project, as the client would name them."""
    folder = (cwd or Path.cwd()).resolve()
    project = None if cwd else client.identity().get("CLAUDE_PROJECT_DIR")
    return {"cwd": str(folder), "projectDir": project or _root(folder)}


def _root(folder: Path) -> str:
    """Return the project's root: the next folder above that is under version control."""
    inside = (one for one in (folder, *folder.parents) if (one / ".git").exists())
    return str(next(inside, folder))


def _session(key: str) -> dict[str, Any]:
    """Return a session, given the client's id of it, its beginning or a row's number."""
    params = args.session_params(key, "id")
    rows: list[dict[str, Any]] = client.call("session.list", {**params, "limit": 1})["sessions"]
    return rows[0]


def _show(found: dict[str, Any]) -> None:
    for line in _lines(found):
        click.echo(line)
    if found["effects"]:
        click.echo("\nEffects")
        output.show(found["effects"], _EFFECTS, as_json=False, empty="")
    for line in (*_said(found), *_verdict(found)):
        click.echo(line)


def _said(found: dict[str, Any]) -> Iterator[str]:
    """Yield who said what, who was silent, and which hooks would run."""
    if found["opinions"]:
        yield "\nWho said what"
    for one in found["opinions"]:
        yield f"  {output.cell(one['rule'] or 'hookd')}: {one['verdict'] or 'comment'}"
        for key in ("reason", "context", "systemMessage"):
            yield from (f"    {output.cell(line)}" for line in one[key].splitlines())
        if one["ruleIds"]:
            yield f"    rule: {', '.join(one['ruleIds'])}"
        if one["updatedInput"] is not None:
            yield f"    rewrites the input: {output.cell(one['updatedInput'])}"
    spoke = {name for one in found["opinions"] for name in one["rule"].split(", ")}
    silent = [name for name in found["asked"] if name not in spoke]
    if silent:
        yield f"\nSilent: {', '.join(silent)}"
    if found["rules"]:
        words = {"yes": "matches", "maybe": "may match, so it asks", "no": "does not match"}
        yield "\nGuard rules"
        yield from (
            f"  {output.cell(one['ruleId'])}: {words[one['matches']]}{_source(one)}"
            for one in found["rules"]
        )
    if found["hooks"]:
        yield "\nUser hooks that would run"
        yield from (
            f"  {output.cell(one['id'])}: {output.cell(one['action'])}" for one in found["hooks"]
        )


def _source(rule: dict[str, Any]) -> str:
    """Return the rules file that a rule is from, "" for one set by a command."""
    source = rule.get("source")
    return f" ({rule['layer']} file {output.cell(source)})" if source else ""


def _verdict(found: dict[str, Any]) -> Iterator[str]:
    verdict, hooks = found["verdict"], found["hooks"]
    before = ", before the user hooks speak" if hooks else ""
    if found["paused"]:
        yield "\nVerdict: silence, because hookd is paused. hookd resume ends that."
    elif verdict["decision"]:
        once = " once hookd is started" if found["stopped"] else ""
        yield f"\nVerdict{once}: {verdict['decision']}, by {verdict['policy']}{before}"
    else:
        yield f"\nVerdict: silence{before}. The call goes its usual way."
    answer = "silence" if found["answer"] is None else output.cell(found["answer"])
    yield f"Answer to the client: {answer}"


def _lines(explained: dict[str, Any]) -> Iterator[str]:
    yield f"In {output.cell(explained['cwd'])}, project {output.cell(explained['project'])}"
    yours = output.cell(explained["settings"] or "the defaults")
    yield f"Options: {yours}, and what a trusted project's settings say"
    if not explained["daemon"]:
        yield "No daemon is running: evaluated here, by the settings and the database."
    if explained["stopped"]:
        yield "hookd is stopped: a real call is not evaluated, until hookd start."
    if explained["unreadable"]:
        yield f"It cannot be read: {explained['unreadable']}."
    if explained["tool"] != "Bash":
        if not explained.get("parts"):
            yield f"\n{output.cell(explained['tool'])} {output.cell(explained['input'])}"
        yield from _parts(explained.get("parts", ()))
        return
    yield "\nCommands" if explained["commands"] else "\nNo commands."
    for one in explained["commands"]:
        yield f"{'  ' * (len(one['through']) + 1)}{_line(one, explained['cwd'])}"
    written = [one for one in explained["redirects"] if one["writes"]]
    if written:
        yield "\nFiles that the shell writes"
    for one in written:
        yield f"  {one['operator']} {output.cell(one['path'])}"
    yield from _parts(explained.get("parts", ()))


def _parts(parts: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield what a patch is judged as."""
    if parts:
        yield "\nThe patch, judged as"
    for one in parts:
        yield f"  {one['tool']} {output.cell(one['file'])}" if one["file"] else f"  {one['why']}"


def _line(one: dict[str, Any], cwd: str) -> str:
    said = [f"by {one['through'][-1]}"] if one["through"] else []
    if one["where"] != "here":
        said.append({"remote": "on another machine"}.get(one["where"], "in a container"))
    elif one["folders"] != [cwd]:
        said.append(f"in {_folders(one['folders'])}")
    if not one["known"]:
        said.append("some words are not known from the text")
    words = output.cell(" ".join(map(_quoted, one["words"])))
    return f"{words}   ({', '.join(said)})" if said else words


def _quoted(word: str) -> str:
    return word if word and not any(map(str.isspace, word)) else f"'{word}'"


def _folders(folders: Sequence[str | None]) -> str:
    return " or ".join(output.cell(one or "a folder that is not known") for one in folders)
