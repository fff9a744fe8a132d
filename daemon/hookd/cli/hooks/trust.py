"""`hookd trust`: trust a project's own hooks and policy settings."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd.cli.hooks import format as hook_rows
from hookd.cli.hooks import own_files, project_files, trust_rules
from hookd.cli.install import deadlines
from hookd.cli.lib import output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column, moment
from hookd.cli.lib.person import expect_person

if TYPE_CHECKING:
    from hookd.core.hook_rules.model import Hook
    from hookd.core.hook_rules.parse import ParsedHooks

_NOTHING = "This project has no hooks and no policy settings of its own: nothing to trust."


_COLUMNS = (Column("trusted", "path"), moment("since", "at"))
_LISTED = "SELECT root AS path, digest, created_at AS at FROM trusts ORDER BY root"


class _Listed(click.Command):
    """A command whose argument `list` is the option --list, unless there is such a folder."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "list" in args and not Path("list").exists():
            args = ["--list" if word == "list" else word for word in args]
        return super().parse_args(ctx, args)


@click.command(
    epilog="""\b
    Examples:
      hookd trust                      shows what would run and apply, and asks
      hookd trust ~/work/orders --yes  for scripts that know what they trust
      hookd trust --remove
      hookd trust list                 lists the trusted projects and files
    """,
    cls=_Listed,
)
@click.argument(
    "folder",
    metavar="[DIR | FILE]",
    required=False,
    type=click.Path(exists=True, path_type=Path),
)
@click.option(
    "--loosen",
    metavar="NAME",
    multiple=True,
    help="Also let this rule spare calls from other rules.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--remove", is_flag=True, help="Revoke trust: its hooks and policies do not apply.")
@click.option("--list", "listed", is_flag=True, help="List the trusted projects and files.")
@json_option()
def trust(  # noqa: PLR0913, PLR0917 - its options
    folder: Path | None,
    loosen: tuple[str, ...],
    yes: bool,
    remove: bool,
    listed: bool,
    as_json: bool,
) -> None:
    """Trust a project's own hooks, policy settings and rules.

    FILE is a rules file of a team, which the setting `rules.team` names.

    Whoever can write these files decides what runs on your machine, and which policies guard it
    here. Trust covers their current content: after a change by anyone else you are asked again. The
    content of the programs that they name is not covered.
    """
    if listed:
        _list(as_json=as_json)
        return
    expect_person("hookd trust")
    file = folder.absolute() if folder is not None and folder.is_file() else None
    root = own_files.project(None if file else folder)
    if remove:
        trust_rules.remove(root, file)
    rules = [] if remove else trust_rules.files(root, file)
    if file is not None:
        if not (remove or rules):
            raise Problem(f"{file} is no rules file that is used here.", "hookd guard list")
        _trust_rules(rules, yes=yes, loosen=loosen, as_json=as_json)
        return
    if rules:
        _trust_rules(rules, yes=yes, loosen=loosen, as_json=as_json)
    _trust_hooks(root, yes=yes, remove=remove, as_json=as_json, quiet=bool(rules))


def _list(*, as_json: bool) -> None:
    """List what is trusted: projects by their folders, and rules files."""
    found = call("daemon.query", {"sql": _LISTED})
    rows = [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]
    output.show(rows, _COLUMNS, as_json=as_json, empty="Nothing is trusted yet.")


def _trust_rules(
    rules: list[dict[str, Any]], *, yes: bool, loosen: tuple[str, ...], as_json: bool
) -> None:
    if as_json and not yes:
        raise click.UsageError("--json does not ask: look at the files, then add --yes.")
    known = {rule["ruleId"] for one in rules for rule in one["rules"]}
    if unknown := [name for name in loosen if name not in known]:
        raise Problem(f"No rule is named {output.cell(', '.join(unknown))}.", "hookd guard list")
    for one in rules:
        names = {rule["ruleId"] for rule in one["rules"]}
        chosen = tuple(name for name in loosen if name in names)
        if (result := trust_rules.trust(one, yes=yes, loosen=chosen)) is not None:
            path = output.cell(one["path"])
            count = result["rules"]
            applies = f"its {count} rules apply" if count != 1 else "its rule applies"
            if not as_json:
                click.echo(f"{path} is trusted: {applies} from now on.")
        elif not as_json:
            click.echo(f"{output.cell(one['path'])} is trusted already.")


def _trust_hooks(root: str, *, yes: bool, remove: bool, as_json: bool, quiet: bool) -> None:
    """Trust the hooks and policy settings of a project; `quiet`: say nothing without any."""
    shown = output.cell(root)
    if remove:
        result = call("userHooks.untrust", {"root": root})
        _report(
            f"{shown} is no longer trusted: its hooks and policies do not apply.", result, as_json
        )
        return
    listing = call("userHooks.list", {"root": root})
    digest = listing["digest"]
    if digest is None:
        if listing["trusted"] is False:
            raise _unreadable(root, listing)
        if as_json or not quiet:
            _report(_NOTHING, {"root": root, "digest": None}, as_json)
        return
    if listing["trusted"]:
        result = {"root": root, "digest": digest}
        _report(f"{shown} is trusted already, with its current files.", result, as_json)
        return
    if not yes:
        if as_json:
            raise click.UsageError("--json does not ask: look at the files, then add --yes.")
        _ask(root, digest)
    result = _trust(root, digest)
    deadlines.grow(root)
    if yes and not as_json:
        _show_policy_changes(root, digest)
        _show_problems(root)
    _report(f"{shown} is trusted: its hooks and policies apply from now on.", result, as_json)


def _ask(root: str, digest: str) -> None:
    """Show what would run, and ask. Raise Problem unless the answer is yes."""
    if not sys.stdin.isatty():
        sentence = "Confirmation is needed, and standard input is not a terminal."
        step = own_files.typed("hookd", "hook", "list", "--project-dir", root)
        raise Problem(sentence, f"look at the hooks: {step}; then add --yes")
    for content in _contents(root, digest):
        click.echo(f"{output.cell(hook_rows.short(content.place.path, root))}:")
        for line in (line for hook in content.hooks for line in _hook_lines(hook)):
            click.echo(f"  {line}")
        if content.disabled_ids:
            click.echo(f"  switches off: {', '.join(map(output.cell, content.disabled_ids))}")
        for key, value in (content.policies or {}).items():
            click.echo(f"  policies, {output.cell(key)}: {output.cell(json.dumps(value))}")
    _show_policy_changes(root, digest)
    _show_problems(root)
    shown = output.cell(root)
    if not click.confirm(f"Apply all of that whenever a client works in {shown}?"):
        raise Problem(f"{root} is not trusted: its own settings do not apply.", "")


def _show_policy_changes(root: str, digest: str) -> None:
    """Print a line for each policy setting that trust changes in the project."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    before = effective.read(root).choices
    after = effective.read(root, trusted={root: digest}).choices
    for name, choice in after.items():
        old, new = (row.options.model_dump(mode="json") for row in (before[name], choice))
        if new["mode"] != old["mode"]:
            click.echo(f"  {name} is {new['mode']} here, instead of {old['mode']}")
        for key in (key for key in new if key != "mode" and new[key] != old[key]):
            values = (json.dumps(options[key], ensure_ascii=False) for options in (new, old))
            click.echo(output.cell(f"  {name}: {key} is {' here, instead of '.join(values)}"))


def _show_problems(root: str) -> None:
    """Print the problems of a project's files on stderr."""
    from hookd.cli.settings import check  # noqa: PLC0415 - the daemon's parts

    files = tuple(Path(file.place.path) for file in project_files.read(root))
    for checked in check.checked(files, root) if files else ():
        hook_rows.show_problems(map(asdict, checked.problems))


def _contents(root: str, digest: str) -> "Iterator[ParsedHooks]":
    """Yield the parsed files. Raise Problem if their digest is no longer `digest`."""
    from hookd.user_hooks import files  # noqa: PLC0415 - it imports the daemon's parts

    found = project_files.read(root)
    if files.digest(found) != digest:
        raise _stale(root)
    contents = filter(None, map(project_files.parsed, found))
    return (content for content in contents if not content.is_empty or content.problems)


def _hook_lines(hook: "Hook") -> Iterator[str]:
    """Yield a hook's event, matcher, action and environment, in full: a table would cut them."""
    matched = " if ".join(filter(None, (hook.matcher or "*", hook.condition)))
    yield output.cell(f"{hook.event} ({matched}): {hook.action}")
    if hook.inherit_env:
        yield "    it receives the whole environment"
    if hook.headers or hook.allowed_env:
        names = ", ".join((*(name for name, _ in hook.headers), *hook.allowed_env))
        yield output.cell(f"    it is sent with: {names}")


def _unreadable(root: str, listing: Any) -> Problem:
    """Print the problems of unreadable files; return the error, as their content is unknown."""
    problems = listing["problems"]
    hook_rows.show_problems(row for row in problems if row["path"].startswith(f"{root}/"))
    sentence = "Not all of the project's own files can be read, so none can be trusted."
    return Problem(sentence, "fix or remove them, then run the command again")


def _stale(root: str) -> Problem:
    sentence = "The files have changed since they were shown."
    return Problem(sentence, f"look again: {own_files.typed('hookd', 'trust', root)}")


def _trust(root: str, digest: str) -> Any:
    try:
        return call("userHooks.trust", {"root": root, "digest": digest})
    except Refused as refused:
        if refused.code != "STALE":
            raise
        raise _stale(root) from None


def _report(sentence: str, result: Any, as_json: bool) -> None:
    if as_json:
        output.show_json(result)
    else:
        click.echo(sentence)
