"""`hookd deny`: make a guard rule from a call that went through.

The modules of rules are imported by the functions that need them: they are slow to import.
"""

from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.guard import rules_file
from hookd.cli.history.why import number_of, whole_event
from hookd.cli.lib import completions, output
from hookd.cli.lib.client import call, identity
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.person import at_terminal

if TYPE_CHECKING:
    from hookd.core.guard_rules.rule_from_call import MadeCall

_PLACES = {
    "user": "you, everywhere",
    "local": "you, in {root}",
    "project": "everybody, in {root}: .hookd/rules.yaml",
}


@click.command(
    epilog="""\b
    Examples:
      hookd deny 4711                       shows the rule, and asks
      hookd deny 4711 --text 'Ask me first.' --ask
      hookd deny 4711 --match 'Bash(npm publish *)' --preview
      hookd deny 4711 --project             writes it to .hookd/rules.yaml
    """
)
@click.argument("number", metavar="N", shell_complete=completions.events)
@click.option("--text", metavar="TEXT", default="", help="What the model reads, or you with --ask.")
@click.option("--ask", is_flag=True, help="Ask about such calls instead of denying them.")
@click.option("--match", "pattern", metavar="PATTERN", help="Match these calls instead.")
@click.option("--name", metavar="NAME", help="Name the rule so.")
@click.option("--project", "in_project", is_flag=True, help="Write it to .hookd/rules.yaml.")
@click.option("--user", "everywhere", is_flag=True, help="Apply to you everywhere.")
@click.option("--preview", is_flag=True, help="Show what it would have stopped; add nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option("Print one JSON object; add only with --yes.")
def deny(number: str, as_json: bool, **options: Any) -> None:
    """Make a guard rule from the call of event N.

    The rule denies exactly such a call, for you in the project of the event. It is shown before it
    is added. N is the number of an event whose call went through: `hookd event` lists them.
    """
    if options["in_project"] and options["everywhere"]:
        raise click.UsageError("Give one of --project and --user.")
    made = _made_call(number_of(number))
    scope = "project" if options["in_project"] else "user" if options["everywhere"] else "local"
    rule = _rule(made, scope, number_of(number), options)
    if options["preview"]:
        from hookd.cli.history.replay import preview  # noqa: PLC0415 - slow

        preview(rule, None if scope == "user" else made.project, as_json=as_json)
        return
    if not as_json:
        _show(rule, _PLACES[scope].format(root=output.cell(made.project)))
        if not options["yes"]:
            _confirm()
    added = _add(rule, scope, made.project) if options["yes"] or not as_json else None
    if as_json:
        output.show_json({"rule": rule, "scope": scope, "added": added is not None})
    else:
        click.echo(added)


def _made_call(number: int) -> "MadeCall":
    """Return the tool call of an event. Raise Problem if it has none."""
    from hookd.core.guard_rules.rule_from_call import MadeCall  # noqa: PLC0415

    event = whole_event(number)
    payload = event["payload"] if isinstance(event["payload"], Mapping) else {}
    given = payload.get("tool_input", payload.get("toolInput"))
    tool = event["toolName"]
    if not tool or not isinstance(given, Mapping):
        raise Problem(f"Event {number} is no tool call.", "hookd event --event PreToolUse")
    if event["event"] == "PreToolUse" and event["decision"] == "deny":
        sentence = f"The call of event {number} was denied already, by {event['rule']}."
        raise Problem(sentence, f"hookd why {number}")
    cwd = str(payload.get("cwd") or "")
    known = (event["facts"] or {}).get("project") or event["project"]
    project = str(known or cwd or identity()["CWD"])
    return MadeCall(tool, given, cwd or project, project, str(Path.home()))


def _rule(made: "MadeCall", scope: str, number: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule. Raise Problem if none can be made, with the patterns to choose from."""
    from pydantic import ValidationError  # noqa: PLC0415

    from hookd.config.refusal import refusal_text  # noqa: PLC0415
    from hookd.core.guard_rules.rule_from_call import (  # noqa: PLC0415
        UnclearCallError,
        name_of_pattern,
        pattern_of_call,
        rule_of_call,
    )

    action = "ask" if options["ask"] else "deny"
    try:
        pattern = options["pattern"] or pattern_of_call(made, in_project=scope != "user")
        name = options["name"] or name_of_pattern(pattern, action)
        if not options["name"] and name in _names():
            name = f"{name}-{number}"
        return rule_of_call(made, pattern, name, action, options["text"])
    except UnclearCallError as error:
        for one in error.patterns:
            click.echo(f"  {output.cell(one)}", err=True)
        step = f"say which calls: hookd deny {number} --match PATTERN"
        if error.file:
            step = f"hookd guard add NAME --changes {quote(error.file)} --deny TEXT"
        raise Problem(f"No rule can be made of this call alone: {error}.", step) from None
    except ValidationError as error:
        raise Problem(f"The rule is invalid: {refusal_text(error)}.", "hookd deny --help") from None


def _names() -> set[str]:
    return {one["ruleId"] for one in call("guards.list", {"limit": 100_000})["guards"]}


def _show(rule: Mapping[str, Any], place: str) -> None:
    from hookd.core.guard_rules.rule_file_edit import rules_text  # noqa: PLC0415

    click.echo(f"This rule is for {place}:")
    for line in rules_text([rule]).splitlines():
        click.echo(output.cell(line))


def _confirm() -> None:
    """Ask whether to add the rule. Raise Problem without a yes."""
    if not at_terminal():
        sentence = "Confirmation is needed, and standard input is not a terminal."
        raise Problem(sentence, "look at the rule; then add --yes")
    if not click.confirm("Add it?"):
        raise Problem("Nothing was added.", "")


def _add(rule: dict[str, Any], scope: str, project: str) -> str:
    """Add the rule; return what happened, for the user."""
    name = rule["id"]
    if scope == "project":
        written = rules_file.add([rule], Path(project))
        place = output.cell(str(written.path))
        if written.applies:
            return f"{name} applies now, by {place}. Test it: hookd guard test"
        return f"{name} is in {place}, and applies after: hookd trust"
    env = {**identity(), "CLAUDE_PROJECT_DIR": project, "CWD": project}
    params = {"rule": rule, "scope": "user" if scope == "user" else "project"}
    call("guards.add", {**params, **({} if scope == "user" else {"env": env})})
    flags = "" if scope == "user" else f" --scope local --project-dir {quote(project)}"
    return f"{name} applies now. To undo it: hookd guard remove {name}{output.cell(flags)}"
