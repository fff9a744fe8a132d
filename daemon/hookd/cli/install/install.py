"""`hookd install`: register hookd with the clients of this machine. It needs no running daemon."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from hookd.cli.install import (
    claude_code,
    clients,
    mcp_server,
    options,
    other_client,
    plan,
    plugin_scope,
    report,
    scope,
    settings_file,
)
from hookd.cli.install.claude_code import Additions
from hookd.cli.install.clients import EVERY, OTHER_CLIENTS
from hookd.cli.install.options import DEFAULT_WORD
from hookd.cli.install.plan import Plan, Wanted
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import former_option, json_option
from hookd.cli.lib.person import expect_person
from hookd.cli.policies import profile as policies_profile
from hookd.clients.claude_code.permission_entries import COMMANDS
from hookd.core.model import shim_config
from hookd.core.model.client_names import CLAUDE_CODE
from hookd.core.model.fail_policy import NO_VERDICT, USUAL

_EVENTS = """Register exactly these events; `default` is all but MessageDisplay (ten processes a
second while text streams), WorktreeRemove, and WorktreeCreate, which is refused.  [default: as
before, else default]"""
_LINE = """Show hookd's line below the status line, whose command still runs. It reports exactly how
full a context window is.  [default: as before, else no]"""
_CLOSED = f"""Deny these events if hookd does not answer: by the shim, and if that is missing, by
Claude Code (onFailure, from 2.1.295 on). Without a value: {" and ".join(USUAL)}.
[default: as before, else none]"""
_PROFILE = """Turn on the guards, or also the policies that advise the model and keep it working.
[default: as before, else asked at a terminal, else guards]"""
_PERMISSIONS = f"""Let Claude Code run {", ".join(COMMANDS[:-1])}
and {COMMANDS[-1]} without a permission prompt.  [default: as before, else asked at a terminal, else
as the profile: guards no, workflow yes]"""
_OPEN = "Allow every event if hookd does not answer."
_NO_VERDICT = """Choose what happens to an event that no daemon answers: `judge` runs the guards in
a separate process, and only if that fails, too, the event fails open or closed; `open` allows
everything, `closed` denies the events that fail closed.  [default: as before, else judge]"""
_SHIM = """Choose the program that hooks start: `native` is compiled here, or comes with the
package, and is faster than `bash`; `auto` is `native` if there can be one, else `bash`.
[default: as before, else auto]"""
_MCP = """Register hookd's MCP server, which has tools for agents, in ~/.claude.json; with --scope
project in the project's .mcp.json alone if your user settings have the hooks.
[default: as before, else no]"""
_WAKE = """Wake an idle Claude Code for mail of other agents, by an entry on Stop.
[default: as before, else no]"""
_FORWARD = "Forward this variable of the session, too; later installs keep it."
_CLIENT = f"""Register with these clients: {", ".join(clients.NAMES)}.  [default: claude-code]"""
_ALL = """Register with every client that is on this machine, but not with Claude Code if its plugin
does that."""


def shared_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that install and uninstall have in common."""
    for option in (
        json_option(),
        click.option("--diff", is_flag=True, help="As --dry-run, and show the changed lines."),
        click.option("--dry-run", is_flag=True, help="Show the changes without writing them."),
    ):
        command = option(command)
    return scope.options(command)


@click.command(
    epilog="""\b
    Examples:
      hookd install                         for all your projects
      hookd install --scope local           for this project, for you alone
      hookd install --scope project         in the file that the project shares
      hookd install --settings .claude/settings.json
      hookd install --dry-run               show the changes
      hookd install --diff                  show them line by line
      hookd install --events PreToolUse     this event, no other
      hookd install --events default,MessageDisplay
      hookd install --fail-closed           no answer: deny the call
      hookd install --fail-closed PreToolUse,UserPromptSubmit
      hookd install --fail-open             no answer: allow the call
      hookd install --no-verdict open       no daemon, no guard
      hookd install --shim bash             compile nothing
      hookd install --forward-env CI --forward-env MY_TICKET
      hookd install --no-forward-env        the usual variables alone
      hookd install --statusline            hookd's status line, below your own
      hookd install --profile workflow      more policies: hookd policy profile
      hookd install --permissions           the commands for agents, unasked
      hookd install --mcp                   tools for agents, too
      hookd install --wake                  mail wakes an idle Claude Code
      hookd install --client codex,gemini   with these two clients
      hookd install --all                   with every client on this machine
    """
)
@shared_options
@click.option("--client", "names", multiple=True, metavar="A,B,C", help=_CLIENT)
@click.option("--all", "every", is_flag=True, help=_ALL)
@click.option("--events", multiple=True, metavar="A,B,C", help=_EVENTS)
@click.option(
    "--fail-closed", is_flag=False, flag_value=DEFAULT_WORD, metavar="[A,B,C]", help=_CLOSED
)
@click.option("--fail-open", is_flag=True, help=_OPEN)
@click.option("--no-verdict", type=click.Choice(NO_VERDICT), help=_NO_VERDICT)
@click.option("--shim", type=click.Choice(shim_config.SHIMS), help=_SHIM)
@former_option("--no-send", "--no-forward-env", "no_forward_env", flag_value=True)
@former_option("--send", "--forward-env", "forward_env", multiple=True)
@click.option("--forward-env", multiple=True, metavar="NAME", help=_FORWARD)
@click.option("--no-forward-env", is_flag=True, help="Forward only the usual variables.")
@click.option("--statusline/--no-statusline", default=None, help=_LINE)
@click.option("--profile", type=click.Choice(policies_profile.NAMES), help=_PROFILE)
@click.option("--permissions/--no-permissions", default=None, help=_PERMISSIONS)
@click.option("--mcp/--no-mcp", default=None, help=_MCP)
@click.option("--wake/--no-wake", default=None, help=_WAKE)
def install(dry_run: bool, as_json: bool, **wanted: Any) -> None:
    """Register hookd with Claude Code, or other clients.

    Other entries of the settings stay as they are. A second run updates outdated entries.
    """
    diff = wanted.pop("diff")
    dry_run = dry_run or diff
    names, where = _chosen(wanted)
    profile = wanted.pop("profile")
    mcp = wanted.pop("mcp")
    servers = _mcp_servers(names, where, mcp)
    if mcp is not None and not (profile or any(wanted.values())) and _has_hooks(names, where):
        report.show([_server_alone(servers, where, dry_run=dry_run)], as_json=as_json, diffs=diff)
        return
    if not (profile or dry_run or as_json):
        _expect_readable(names, where)
        profile = policies_profile.asked()
    asks = not (dry_run or as_json)
    plans = [_planned(name, where, dict(wanted), profile, ask=asks) for name in names]
    if not dry_run:
        _expect_allowed(plans, profile)
    for one in filter(None, (made.warning for made in plans)):
        click.echo(f"hookd: {one}", err=True)
    results = [_done(one, dry_run=dry_run) for one in plans]
    _register_servers(servers, results, dry_run=dry_run)
    if as_json:
        for made, result in zip(plans, results, strict=True):
            result.facts["notes"][:0] = filter(None, [made.warning])
    if not dry_run:
        profile, told = policies_profile.installed(profile)
        for result in results:
            result.facts["profile"] = profile
        results[-1].facts["notes"] += told
    if names == [CLAUDE_CODE]:
        results[0].facts["notes"] += _others()
    report.show(results, as_json=as_json, diffs=diff)


def _mcp_servers(
    names: list[str], where: tuple[Any, ...], wanted: bool | None
) -> list[mcp_server.Registration]:
    """Return the change of the file of MCP servers, if there is one."""
    if CLAUDE_CODE not in names:
        if wanted:
            raise click.UsageError("--mcp is for claude-code.")
        return []
    target = clients.target(EVERY[CLAUDE_CODE], *where)
    found = mcp_server.planned(target, wanted=wanted)
    if found and found.changes:
        settings_file.expect_writable(found.document.path)
    return [found] if found else []


def _register_servers(
    servers: list[mcp_server.Registration], results: list[report.Result], *, dry_run: bool
) -> None:
    """Write the files of MCP servers, or preview that; add it to the result of Claude Code."""
    shown = [at for at, one in enumerate(results) if one.facts["client"] == CLAUDE_CODE]
    for server, at in zip(servers, shown, strict=False):
        result = results[at]
        if dry_run and result.diff is not None:
            result.diff.extend(server.document.diff(server.after))
        elif not dry_run:
            mcp_server.write(server)
            if server.changes and not result.facts["changed"]:
                results[at] = replace(result, title=f"{_server_title(server)} The hooks stay.")
        result.facts["mcp"] = str(server.document.path) if server.adds else None
        result.facts["changed"] = result.facts["changed"] or server.changes


def _server_title(server: mcp_server.Registration, *, dry_run: bool = False) -> str:
    """Return what happens to the server as a sentence."""
    if not server.changes:
        kept = "is registered" if server.adds else "is not registered"
        return f"Nothing changed: hookd's MCP server {kept} there."
    did = "registered with" if server.adds else "removed from"
    if dry_run:
        return f"hookd's MCP server would be {did} Claude Code; nothing is written."
    return f"hookd's MCP server is {did} Claude Code."


def _has_hooks(names: list[str], where: tuple[Any, ...]) -> bool:
    """Return whether a project has its hooks by the user's settings, and none of its own."""
    client = EVERY[CLAUDE_CODE]
    if names != [CLAUDE_CODE] or (target := clients.target(client, *where)).scope != "project":
        return False
    return clients.is_registered(client) and not clients.is_registered(client, target.path)


def _server_alone(
    servers: list[mcp_server.Registration], where: tuple[Any, ...], *, dry_run: bool
) -> report.Result:
    """Register or remove the MCP server of a project, whose hooks are those of the user."""
    client = EVERY[CLAUDE_CODE]
    facts: dict[str, Any] = {"client": CLAUDE_CODE, "scope": "project", "changed": False}
    facts |= {"mcp": None, "hooks": str(client.user_file)}
    if not servers:
        return report.Result("Nothing changed: hookd's MCP server is not registered there.", facts)
    (server,) = servers
    facts |= {"changed": server.changes, "mcp": str(server.document.path) if server.adds else None}
    title = _server_title(server, dry_run=dry_run)
    if dry_run:
        return report.Result(title, facts, diff=server.document.diff(server.after))
    mcp_server.write(server)
    return report.Result(title, facts)


def _chosen(wanted: dict[str, Any]) -> tuple[list[str], tuple[Any, ...]]:
    """Return the clients, and the options that choose a file, and take them out of `wanted`."""
    names = chosen(wanted.pop("names"), every=wanted.pop("every"))
    where = tuple(map(wanted.pop, ("settings", "scope", "project_dir")))
    if len(names) > 1 and where[0]:
        raise click.UsageError("--settings goes with one client.")
    only = [wanted[name] for name in ("statusline", "permissions", "wake")]
    if CLAUDE_CODE not in names and only != [None, None, None]:
        raise click.UsageError("--statusline, --permissions and --wake are for claude-code.")
    return names, where


def chosen(texts: tuple[str, ...], *, every: bool) -> list[str]:
    """Return the clients that --client and --all name; Claude Code if they name none."""
    if every and texts:
        raise click.UsageError("--client and --all exclude each other.")
    if not every:
        return clients.named(texts) or [CLAUDE_CODE]
    if not (names := clients.found()):
        step = f"install one, or name one: --client {CLAUDE_CODE}"
        raise Problem("No client is on this machine.", step)
    if plugin_scope.enabled(plugin_scope.settings_here()) and plugin_scope.config() is not None:
        return [name for name in names if name != CLAUDE_CODE] or names
    return names


def _others() -> list[str]:
    """Return a note that names the clients that hookd could be registered with, too."""
    missing = [OTHER_CLIENTS[name] for name in clients.found() if name in OTHER_CLIENTS]
    missing = [client for client in missing if not clients.is_registered(client)]
    if not missing:
        return []
    titles = ", ".join(client.title for client in missing)
    step = f"hookd install --client {','.join(client.name for client in missing)}"
    return [f"also on this machine: {titles}; to register hookd there: {step}"]


def _expect_readable(names: list[str], where: tuple[Any, ...]) -> None:
    """Raise Problem for a settings file that cannot be read, before anything is asked."""
    for name in names:
        client = EVERY[name]
        with plan.plainly(client, clients.target(client, *where).path):
            pass


def _planned(
    name: str, where: tuple[Any, ...], given: dict[str, Any], profile: str | None, *, ask: bool
) -> Plan:
    """Return what the options write for one client. Raise Problem if they cannot be registered."""
    closed = options.parse_fail_closed(given.pop("fail_closed"), opened=given.pop("fail_open"))
    closed = options.closed_with_no_verdict(given["no_verdict"], closed)
    line, allowed, wake = map(given.pop, ("statusline", "permissions", "wake"))
    wanted = Wanted(closed=closed, **given)
    client = EVERY[name]
    target = clients.target(client, *where)
    with plan.plainly(client, target.path) as document:
        if name != CLAUDE_CODE:
            return other_client.planned(client, document, target, wanted)
        if not wanted.events:
            plugin_scope.expect_unregistered(document.value)
        entries = claude_code.permitted(document, allowed, profile, ask=ask)
        return claude_code.planned(document, target, wanted, Additions(line, entries, wake))


def _expect_allowed(plans: list[Plan], profile: str | None) -> None:
    """Raise Problem if a plan weakens the guards and a client, not a person, runs the command.

    Also raise it if a file that changes is read-only.
    """
    for one in plans:
        if one.loosens:
            expect_person(f"hookd install, where it {one.loosens},")
    if profile not in (None, policies_profile.chosen() or "guards"):
        expect_person("hookd install --profile")
    for one in plans:
        one.expect_writable()


def _done(made: Plan, *, dry_run: bool) -> report.Result:
    """Carry a plan out, or preview it."""
    with plan.refusing(made.client, made.document.path):
        return made.preview() if dry_run else made.write()
