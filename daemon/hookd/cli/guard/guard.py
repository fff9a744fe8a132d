"""`hookd guard`: add, list and remove guard rules: what tools may do."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

import click

from hookd.cli.guard import rules_file
from hookd.cli.guard.explain import explain
from hookd.cli.guard.preset import preset
from hookd.cli.guard.rule_options import given, rule_options
from hookd.cli.guard.share import export, import_, schema
from hookd.cli.guard.test import expect_examples, test
from hookd.cli.hooks import project_files
from hookd.cli.lib import args, completions, output
from hookd.cli.lib.client import call, identity
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, project_dir_option, scope_option
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import for_person
from hookd.core.guard_rules.builtin import BUILTIN, POLICIES
from hookd.core.guard_rules.describe import calls_of
from hookd.core.guard_rules.short_form import URGENCIES

_OWN = "own"
"""Value of --effort without a number: the caller's own effort."""

_VERBS = {
    "block": "denies",
    "interrupt": "interrupts",
    "ask": "asks about",
    "allow": "comments on",
}
"""A rule's urgency and the verb that a table shows for it."""

_STYLES = {"denies": "red", "interrupts": "red", "asks about": "yellow", "comments on": "green"}
_COLUMNS = (
    Column("name", "name", firm=True),
    Column("does", "does", firm=True, styles=_STYLES),
    Column("calls", "calls"),
)
"""The first columns of every list of rules."""

_EMPTY = "No guards yet. Set one: hookd guard add NAME PATTERN... --deny TEXT"
_NO_ACTION = "Say what it does by one of --deny, --ask, --tell and --stop TEXT."
_NO_CALLS = (
    "Say which calls it matches: PATTERN..., such as Bash or 'Edit(*)', or --changes, --reaches,"
    " --protected-branches, or a condition."
)


class _Scoped(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # The value of --effort is optional: the next argument is its value only if it is a number.
        end = args.index("--") if "--" in args else len(args)
        for index in range(end):
            if args[index] == "--effort" and not "".join(args[index + 1 : index + 2]).isdigit():
                args[index] = f"--effort={_OWN}"
        return super().parse_args(ctx, args)


def _scopes(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where a rule applies."""
    for add in (
        click.option("--effort", metavar="[ID]", help="Apply in an effort: yours, or this one."),
        project_dir_option(),
        scope_option(
            "Apply to you everywhere, to the project by its rules file, or to you in it."
            "  [default: user]",
            scopes=("user", "project", "local"),
            default=None,
            former=("--user", "--project"),
        ),
    ):
        command = add(command)
    return command


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd guard add no-force 'Bash(git push --force *)' --deny 'Open a PR.'
      hookd guard list
      hookd guard remove no-force
      hookd guard builtin
    """,
)
def guard() -> None:
    """Add, list and remove guard rules: what tools may do."""


@guard.command(
    cls=_Scoped,
    epilog="""\b
    Examples:
      hookd guard add no-force 'Bash(git push --force *)' --deny 'Open a PR.'
      hookd guard add secrets 'Read(*/.env)' 'Edit(*/.env)' --ask 'A secret?'
      hookd guard add host 'WebFetch(domain:example.com)' --deny 'Use the mirror.'
      hookd guard add no-main --protected-branches 'main,v*' --deny 'Open a PR.'
      hookd guard add frozen --changes 'migrations/**' --ask 'Add a new file?'
      hookd guard add paste --reaches pastebin.com --deny 'Nothing leaves.'
      hookd guard add tested 'Bash(git commit *)' --after 'npm test' --deny Test.
      hookd guard add small Write --larger-than '500 lines' --deny 'Split it.'
      hookd guard add main-only 'Bash(git commit *)' --branch main --deny Branch.
      hookd guard add no-push 'Bash(git push *)' --deny 'Ask first.' --preview
      hookd guard add no-push 'Bash(git push *)' --deny 'Ask.' \\
        --denies 'git push -f' --allows 'git pull'
      hookd guard add style 'Edit(*.py)' --tell 'Lines end at 99.' --scope project
      hookd guard add late Edit --deny 'Log first.' --effort --rule \\
        '{"condition": {"field": "heartbeat_counter", "op": "gte", "value": 20}}'
      hookd guard add in-parts Read --tell 'It is $contextUsage full.' --rule \\
        '{"trigger": {"type": "contextThreshold", "condition": {"gte": "warn"}}}'
      hookd guard add budget --budget session=5 --budget day=50 --ask 'Continue?'
      hookd guard add release 'Bash(git push -f * release)' --ask 'OK?' --softens
      hookd guard add read-throttle --builtin --scope project
    """,
)
@click.argument("name")
@click.argument("pattern", nargs=-1)
@click.option("--deny", metavar="TEXT", help="Deny the call; the model reads TEXT.")
@click.option("--ask", metavar="TEXT", help="Ask you first, with TEXT.")
@click.option("--tell", metavar="TEXT", help="Allow the call; the model reads TEXT.")
@click.option("--stop", metavar="TEXT", help="Deny the call; the model stops and tells you.")
@rule_options
@click.option("--rule", metavar="JSON", help="The rule, or more of its fields; - is stdin.")
@click.option("--builtin", is_flag=True, help="Add the built-in rule NAME, with changes.")
@click.option("--preview", is_flag=True, help="Show what it would have stopped; add nothing.")
@_scopes
@json_option()
def add(name: str, pattern: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Add a rule for the calls that match a PATTERN.

    A PATTERN is a tool, or a tool with a glob; all options that say more about the call have to be
    true as well. A second rule of the same NAME and scope replaces the first.
    """
    rule, scope = _rule(name, pattern, options), _scope(options)
    expect_examples(rule, options["project_dir"])
    if options["preview"]:
        _preview(rule, scope, as_json=as_json)
        return
    if options["scope"] == "project":
        _write(rule, options["project_dir"], as_json=as_json)
        return
    result = call("guards.add", {"rule": rule, **scope})
    if as_json:
        output.show_json(result)
        return
    warnings = result.get("warnings", [])
    effect = f"{_verb(rule)} {calls_of(rule)}, {_place(scope)}"
    said = f"{name} is added, with a warning: it {effect}" if warnings else f"{name} now {effect}"
    instead = ", instead of the rule that had this name" if result.get("replaced") else ""
    click.echo(f"{said}{instead}. Remove it: hookd guard remove {name}{_flags(scope)}")
    for warning in warnings:
        click.echo(f"hookd: warning: {output.cell(warning)}", err=True)


@guard.command(
    name="list",
    epilog="""\b
    Examples:
      hookd guard list
      hookd guard list --json
    """,
)
@json_option("Print a JSON list.")
def list_(as_json: bool) -> None:
    """List the rules by where they apply.

    Rules that apply everywhere come first, then those of projects and of efforts.
    Rules that can never match are reported below the list, with the reason.
    """
    guards = call("guards.list")["guards"]
    files = [] if as_json else project_files.rule_files()
    if as_json:
        output.show_json(guards)
        return
    _show_by_place([*map(_row, guards), *_untrusted(files)])
    for line in _faults(guards):
        click.echo(line, err=True)
    for one in files:
        if one["sentence"]:
            click.echo(f"hookd: {output.cell(one['sentence'])}", err=True)


guard.add_command(explain)
guard.add_command(export)
guard.add_command(import_)
guard.add_command(schema)
guard.add_command(preset)
guard.add_command(test)


@guard.command(
    epilog="""\b
    Examples:
      hookd guard builtin
      hookd guard builtin read-throttle
      hookd guard add budget --budget session=5 --budget day=50 --ask 'Continue?'
      hookd guard add release 'Bash(git push -f * release)' --ask 'OK?' --softens
      hookd guard add read-throttle --builtin --scope project
    """
)
@click.argument("name", required=False)
@json_option("Print JSON.")
def builtin(name: str | None, as_json: bool) -> None:
    """List the built-in rules, or show one.

    None applies until it is added. The rules of the policy `heartbeat` are listed too: they apply
    from the start.
    """
    if name is not None:
        _show_builtin(name, as_json)
        return
    rows = (
        _builtin_json() if as_json else [*map(_builtin_row, BUILTIN), *map(_policy_row, POLICIES)]
    )
    columns = [*_COLUMNS, Column("applies", "applies", firm=True), Column("about", "about")]
    output.show(rows, columns, as_json=as_json, empty="There are no built-in rules.")


@guard.command(
    cls=_Scoped,
    epilog="""\b
    Examples:
      hookd guard remove no-force
      hookd guard remove style --scope project
      hookd guard remove late --effort 3
    """,
)
@click.argument("name", shell_complete=completions.guards)
@_scopes
@json_option()
@for_person
def remove(name: str, as_json: bool, **options: Any) -> None:
    """Remove a rule."""
    scope = _scope(options)
    if options["scope"] == "project":
        written = rules_file.remove(name, options["project_dir"])
        if written is not None:
            if as_json:
                output.show_json({"ruleId": name, "scope": "project", "path": str(written.path)})
                return
            click.echo(f"{name}: removed from {output.cell(str(written.path))}.")
            if not written.applies:
                click.echo(f"hookd: note: {rules_file.note(written)}", err=True)
            return
    result = call("guards.remove", {"ruleId": name, **scope})
    if as_json:
        output.show_json(result)
    else:
        click.echo(f"{name}: no longer applies {_place(scope)}.")


def _rule(name: str, patterns: tuple[str, ...], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rule of --rule or --builtin, with the changes that the other options describe."""
    rule = args.read_json(options["rule"]) if options["rule"] is not None else {}
    if not isinstance(rule, dict):
        raise click.UsageError("--rule takes a JSON object.")
    if options["builtin"]:
        rule = _builtin_rule(name) | rule
    actions = [name for name in URGENCIES if options[name] is not None]
    if len(actions) > 1 or not (actions or rule):
        raise click.UsageError(_NO_ACTION)
    rule |= given(options)
    if not (patterns or rule):
        raise click.UsageError(_NO_CALLS)
    if patterns:
        rule["toolFilter"] = {**_part(rule, "toolFilter"), "include": list(patterns)}
    for action in actions:
        payload = {**_part(rule, "payload"), "text": options[action]}
        rule |= {"payload": payload, "urgency": URGENCIES[action]}
    rule.pop("ruleId", None)
    return {**rule, "id": name}


def _part(rule: Mapping[str, Any], key: str) -> dict[str, Any]:
    part = rule.get(key, {})
    if not isinstance(part, dict):
        raise click.UsageError(f"--rule: {key} is a JSON object.")
    return part


def _scope(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the params that say where a rule applies."""
    effort, scope, directory = options["effort"], options["scope"], options["project_dir"]
    if effort is not None and (scope is not None or directory is not None):
        raise click.UsageError("A rule applies in one place: give --scope or --effort.")
    if directory is not None and scope not in ("project", "local"):
        raise click.UsageError("--project-dir requires --scope project or local.")
    if effort is None:
        named = {} if directory is None else {"env": _in_project(directory)}
        # The daemon calls what is the user's own in a project by the scope `project`.
        return {"scope": "project" if scope == "local" else scope or "user", **named}
    if effort == _OWN:
        return {"scope": "effort"}
    if not effort.isdigit():
        raise click.UsageError("--effort takes the number of an effort, or nothing.")
    return {"scope": "effort", "effortId": int(effort)}


def _in_project(directory: Path) -> dict[str, str]:
    """Return the caller's identity, with another project."""
    root = str(directory.resolve())
    return {**identity(), "CLAUDE_PROJECT_DIR": root, "CWD": root}


def _write(rule: dict[str, Any], directory: Path | None, *, as_json: bool) -> None:
    """Add a rule to the project's rules file."""
    name, written = rule["id"], rules_file.add([rule], directory)
    if as_json:
        output.show_json(
            {
                "ruleId": name,
                "scope": "project",
                "path": str(written.path),
                "applies": written.applies,
                "replaced": written.replaced,
                "warnings": list(written.warnings),
            }
        )
        return
    effect = f"{_verb(rule)} {calls_of(rule)}"
    place = output.cell(str(written.path))
    instead = ", instead of the rule that had this name" if written.replaced else ""
    if written.applies:
        click.echo(f"{name} now {effect}, by {place}{instead}.")
    else:
        click.echo(f"{name} is in {place}{instead}. It {effect} after: hookd trust")
    for warning in written.warnings:
        click.echo(f"hookd: warning: {output.cell(warning)}", err=True)


def _preview(rule: dict[str, Any], scope: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what a rule would have said about past events."""
    from hookd.cli.history.replay import preview  # noqa: PLC0415 - few commands need it

    if scope["scope"] == "effort":
        raise click.UsageError("--preview is for rules of yours or of a project.")
    env = scope.get("env") or identity()
    root = env.get("CLAUDE_PROJECT_DIR") or env["CWD"]
    preview(rule, root if scope["scope"] == "project" else None, as_json=as_json)


def _place(scope: Mapping[str, Any]) -> str:
    if scope["scope"] == "user":
        return "everywhere"
    if scope["scope"] == "project":
        env = scope.get("env") or identity()
        return f"in {output.cell(env.get('CLAUDE_PROJECT_DIR') or env['CWD'])}"
    return f"in effort {scope['effortId']}" if "effortId" in scope else "in your effort"


def _flags(scope: Mapping[str, Any]) -> str:
    """Return the options that name the same place, to paste after a command."""
    if scope["scope"] == "user":
        return ""
    if scope["scope"] == "project":
        env = scope.get("env")
        directory = f" --project-dir {quote(env['CLAUDE_PROJECT_DIR'])}" if env else ""
        return f" --scope local{directory}"
    return f" --effort {scope.get('effortId', '')}".rstrip()


def _verb(rule: Mapping[str, Any]) -> str:
    """Return what a rule does with a call, as a verb."""
    return _VERBS.get(rule.get("urgency", "allow"), "")


def _row(guard: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of the table for a stored rule, with where it applies."""
    rule = guard["rule"]
    if not _is_well_formed(rule):
        rule = {"urgency": "", "payload": {"text": "cannot be read: every call is asked about"}}
    where = {"project": f"project {guard['project']}", "effort": f"effort {guard['effortId']}"}
    place = where.get(guard["scope"], "everywhere")
    source = guard.get("source")
    return {
        "name": guard["ruleId"],
        "does": _verb(rule),
        "calls": calls_of(rule),
        "text": rule.get("payload", {}).get("text"),
        "place": place,
        "file": _set_by(guard["layer"], source) if source else "",
    }


def _set_by(layer: str, source: str) -> str:
    """Return what has set a rule: a fleet by its name and version, or a file.

    >>> _set_by("fleet", "fleet acme v7"), _set_by("team", "/srv/rules.yaml")
    ('fleet acme v7', 'team file /srv/rules.yaml')
    """
    return source if layer == "fleet" else f"{layer} file {source}"


def _show_by_place(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a table for each place where rules apply, below a heading."""
    if not rows:
        click.echo(_EMPTY)
    ranks = ("everywhere", "project", "effort")
    places = {row["place"] for row in rows}
    in_order = sorted(places, key=lambda place: (ranks.index(place.split()[0]), place))
    for number, place in enumerate(in_order):
        here = [row for row in rows if row["place"] == place]
        of_file = [Column("set by", "file")] if any(row["file"] for row in here) else []
        if number:
            click.echo()
        click.echo(f"{output.cell(place)}:")
        output.show(here, [*_COLUMNS, Column("text", "text"), *of_file], as_json=False, empty="")


def _untrusted(files: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield a row for each rule of a file that is not trusted, without its text."""
    for file in files:
        if file["state"] == "untrusted":
            root = Path(file["path"]).parent.parent
            for rule in file["rules"]:
                yield {
                    "name": rule["ruleId"],
                    "does": "nothing yet",
                    "calls": "",
                    "text": "not trusted: hookd trust",
                    "place": f"project {root}" if file["layer"] == "project" else "everywhere",
                    "file": f"{file['layer']} file {file['path']}",
                }


def _is_well_formed(rule: object) -> bool:
    if not isinstance(rule, Mapping):
        return False
    parts = (rule.get("toolFilter", {}), rule.get("payload", {}))
    return all(isinstance(part, Mapping) for part in parts)


def _faults(guards: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line for each reason why a rule never matches, and each unknown tool name."""
    for guard in guards:
        for kind in ("problem", "warning"):
            for why in guard.get(f"{kind}s", ()):
                name = output.cell(guard["ruleId"])
                yield f"hookd: {kind}: guard {name}: {output.cell(why)}"


def _builtin_rule(name: str) -> dict[str, Any]:
    """Return a copy of a built-in rule. Raise Problem for an unknown name."""
    if name in POLICIES:
        sentence = (
            f"{name} is not a rule: it is the policy heartbeat, which applies from the start."
        )
        raise Problem(sentence, "set its limits: hookd policy show heartbeat")
    if name not in BUILTIN:
        raise Problem(f"There is no built-in rule {name!r}.", "hookd guard builtin")
    copy: dict[str, Any] = json.loads(json.dumps(BUILTIN[name]))
    return copy


def _show_builtin(name: str, as_json: bool) -> None:
    rule = {"id": name, **_builtin_rule(name)}
    if as_json:
        output.show_json(rule)
        return
    output.show_facts({key: value for key, value in rule.items() if key != "id"}, name)
    click.echo(f"Add it: hookd guard add {name} --builtin")


def _builtin_json() -> list[dict[str, Any]]:
    rules = [{"name": name, "rule": rule, "policy": None} for name, rule in BUILTIN.items()]
    return rules + [{"name": name, "rule": None, "policy": "heartbeat"} for name in POLICIES]


def _builtin_row(name: str) -> dict[str, str]:
    rule = BUILTIN[name]
    return {
        "name": name,
        "does": _verb(rule),
        "calls": calls_of(rule),
        "applies": "once added",
        "about": rule["description"],
    }


def _policy_row(name: str) -> dict[str, str]:
    urgency, about = POLICIES[name]
    return {
        "name": name,
        "does": _VERBS[urgency],
        "calls": "every call",
        "applies": "from the start",
        "about": f"{about} It is the policy heartbeat.",
    }
