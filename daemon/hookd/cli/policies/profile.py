"""`hookd policy profile`: which policies are on unless settings say otherwise."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hookd import paths
from hookd.cli.hooks import own_files, write_trusted
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.output import Column
from hookd.cli.lib.person import at_terminal, expect_person
from hookd.cli.lifecycle.serve import DEFAULTS_SINCE

if TYPE_CHECKING:
    from hookd.cli.hooks.own_files import OwnFile

NAMES = ("guards", "workflow")
COMMANDS = " or ".join(f"hookd policy profile {name}" for name in NAMES)
_COLUMNS = (
    Column("policy", "policy", firm=True),
    *(
        Column(name, name, firm=True, styles={"on": "green", "off": "bright_black"})
        for name in NAMES
    ),
    Column("here", "here", firm=True),
    Column("what it is", "what", cut=True, least=24),
)
_BEFORE = 8
"""The first version of the database that came with profiles."""
_JOINED_LATEST = DEFAULTS_SINCE
"""The first version of the database with a setting for which effort a session joins."""


@click.command(
    epilog="""\b
    Examples:
      hookd policy profile             which there are, and which is yours
      hookd policy profile guards      the guards, and what belongs to efforts
      hookd policy profile workflow    also what advises the model
    """
)
@click.argument("name", required=False, type=click.Choice(NAMES))
@json_option("Print a JSON list.")
def profile(name: str | None, as_json: bool) -> None:
    """Show the profiles of policies, or choose one.

    It applies to all your projects.
    """
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    root = own_files.project()
    before = {row["policy"]: row["mode"] for row in effective.read(root).rows()}
    if name:
        expect_person("hookd policy profile")
        choose(name)
    rows = [_row(row) for row in effective.read(root).rows()]
    if name and not as_json:
        changed = [row["policy"] for row in rows if before[row["policy"]] != row["here"]]
        rows = [row for row in rows if row["policy"] in changed]
        click.echo(f"The profile is {name}; {len(changed)} policies changed here.\n")
    output.show(rows, _COLUMNS, as_json=as_json, empty="")


def choose(name: str) -> None:
    """Write the profile to the user's settings; `enabled` no longer names what it governs.

    `efforts.join` is left to the profile, too, if it is the `latest` that an upgrade wrote.
    Raise Problem if the settings cannot be changed.
    """
    from hookd.core.model.policy import WORKFLOW  # noqa: PLC0415 - it is slow to import
    from hookd.policies import POLICIES  # noqa: PLC0415

    governed = {policy.name for policy in POLICIES if policy.profiles == WORKFLOW}
    file = own_files.read("user", own_files.project())
    own = _policies(file)
    left = [enabled for enabled in own.get("enabled", []) if enabled not in governed]
    kept = {key: value for key, value in own.items() if key != "enabled"}
    changed = kept | {"profile": name} | ({"enabled": left} if left else {})
    value = file.document.value | {"policies": changed}
    efforts = value.get("efforts")
    if isinstance(efforts, dict) and efforts.get("join") == "latest":
        value["efforts"] = {key: item for key, item in efforts.items() if key != "join"}
    if not value.get("efforts", True):
        del value["efforts"]
    write_trusted.write(file, value)


def chosen() -> str:
    """Return the profile that the user's settings name, "" if they name none."""
    found = _policies(own_files.read("user", own_files.project())).get("profile")
    return found if found in NAMES else ""


def asked() -> str | None:
    """Ask a person at a terminal for the profile, unless one is chosen or an upgrade keeps it."""
    if chosen() or not at_terminal() or _upgrades(paths.paths().database):
        return None
    click.echo("guards    guards against what cannot be undone, and what belongs to efforts")
    click.echo("workflow  also policies that advise the model, keep it working, shorten outputs")
    return str(click.prompt("Profile", type=click.Choice(NAMES), default=NAMES[0]))


def installed(wanted: str | None) -> tuple[str, list[str]]:
    """Choose the profile of an installation; return it, and notes for the user.

    Without a wish what was chosen before stays.
    """
    if wanted:
        choose(wanted)
        return wanted, []
    kept = keep_effective(paths.paths().database)
    return chosen() or NAMES[0], [kept] if kept else []


def _upgrades(database: Path) -> bool:
    """Return whether `keep_effective` would write to settings that name no profile."""
    from hookd.store.database import version  # noqa: PLC0415 - it imports SQLite

    found = version(database)
    efforts = own_files.read("user", own_files.project()).document.value.get("efforts")
    joins = isinstance(efforts, dict) and bool(efforts.get("join"))
    return 0 < found < _BEFORE or (0 < found < _JOINED_LATEST and not joins)


def keep_effective(database: Path) -> str:
    """Keep what an older hookd did by default; return what to tell, "" if nothing.

    It is written to the user's settings, once: before the database is of this version.
    """
    from hookd.store.database import version  # noqa: PLC0415 - it imports SQLite

    found = version(database)
    kept = _keep_policies() if 0 < found < _BEFORE else ""
    joined = _keep_joining() if 0 < found < _JOINED_LATEST else ""
    return " ".join(filter(None, (kept, joined)))


def _keep_joining() -> str:
    """Let new sessions join the latest effort, as before; return what to tell, "" if nothing."""
    file = own_files.read("user", own_files.project())
    value = file.document.value
    own = value.get("efforts")
    own = own if isinstance(own, dict) else {}
    if own.get("join") or _policies(file).get("profile") == "workflow":
        return ""
    write_trusted.write(file, value | {"efforts": own | {"join": "latest"}})
    return (
        "By default a session now joins only an effort that was started in its own terminal. Yours"
        f" join the latest one, as before: {paths.paths().settings} has efforts.join. For the new"
        " default, also with the profile that you have: hookd policy profile guards."
    )


def _keep_policies() -> str:
    """Keep the policies of a hookd that had no profiles; return what to tell, "" if nothing.

    Such a hookd had on by default what is now in the profile `workflow`, except for the policies
    that it had off. They are named in `policies.enabled` of the user's settings, once.
    """
    from hookd.config.models import Policies  # noqa: PLC0415 - it is slow to import
    from hookd.core.model.policy import WORKFLOW  # noqa: PLC0415
    from hookd.policies import POLICIES  # noqa: PLC0415

    file = own_files.read("user", own_files.project())
    own = _policies(file)
    if own.get("profile"):
        return ""
    own = {key: value for key, value in own.items() if key in Policies.model_fields}
    enabled, disabled = own.get("enabled", []), own.get("disabled", [])
    added = [
        policy.name
        for policy in POLICIES
        if policy.profiles == WORKFLOW
        and policy.options().mode != "off"
        and policy.name not in (*enabled, *disabled)
        and "mode" not in own.get("options", {}).get(policy.name, {})
    ]
    write_trusted.write(file, _with(file, {"profile": "guards", "enabled": [*enabled, *added]}))
    return (
        "Policies come in profiles now. Policies that were on stay on:"
        f" {paths.paths().settings} names the {len(added)} policies that the profile guards has"
        f" off. Choose one: {COMMANDS}."
    )


def _row(row: dict[str, Any]) -> dict[str, Any]:
    from hookd.policies import POLICIES  # noqa: PLC0415 - it imports the daemon's parts

    (policy,) = (policy for policy in POLICIES if policy.name == row["policy"])
    on = {name: "on" if name in policy.profiles else "off" for name in NAMES}
    return {"policy": policy.name, **on, "here": row["mode"], "what": row["what"]}


def _policies(file: "OwnFile") -> dict[str, Any]:
    found = file.document.value.get("policies", {})
    if not isinstance(found, dict):
        raise Problem(f"{file.path}: policies must be an object.", "hookd settings check")
    return found


def _with(file: "OwnFile", changes: dict[str, Any]) -> dict[str, Any]:
    return {**file.document.value, "policies": _policies(file) | changes}
