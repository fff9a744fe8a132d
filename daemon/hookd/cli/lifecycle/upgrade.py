"""`hookd upgrade`: put the installed version to use everywhere, and say what is new."""

import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import hookd
from hookd import __version__, paths
from hookd.cli.doctor.checks.own_programs import other_python
from hookd.cli.install import renew, used_version
from hookd.cli.lib import client, docs, installation, output
from hookd.cli.lib.client import State
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.cli.lib.person import for_person
from hookd.cli.lifecycle import daemon
from hookd.cli.lifecycle.serve import keep_policies
from hookd.display import changelog
from hookd.display.changelog import Release
from hookd.system import stop_marker

CHANGELOG = Path(hookd.__file__).with_name("changelog.md")

_OTHER_LINES = 11
"""Lines of a screen that are not entries: the report, a blank one, and the prompt."""

_DAEMON = {
    "restarted": "restarted with this version",
    "started": "started with this version",
    "current": "runs this version already",
    "absent": "none runs; hookd start begins",
    "stopped": "hookd is stopped; hookd start begins again",
}

Facts = dict[str, Any]


@click.command(
    epilog="""\b
    Examples:
      hookd upgrade                          after pipx upgrade hookd or the like
      hookd upgrade --dry-run                what is new, and nothing else
      hookd upgrade --dry-run --since 0.1.0 --all
      hookd upgrade --json | jq -r .installation.upgrade
    """
)
@click.option("--dry-run", is_flag=True, help="Show what is new, and change nothing.")
@click.option(
    "--since",
    metavar="VERSION",
    help="Show what is new since VERSION.  [default: the version in use before]",
)
@click.option("--all", "every", is_flag=True, help="Show all entries, not just a screen.")
@json_option()
@for_person
def upgrade(dry_run: bool, since: str | None, every: bool, as_json: bool) -> None:
    """Put the installed version to use, and say what is new.

    The tool that installed hookd brings a newer version; this names its command. Then this updates
    the shims of every settings file, restarts the daemon, which migrates the database, and shows
    the changelog since the version in use before. Exit code 1: a part could not be updated.
    """
    if since is not None and not changelog.is_version(since):
        raise click.BadParameter(f"{since!r} is no version.", param_hint="--since")
    facts = _facts(since)
    if not dry_run:
        facts |= _done()
    if as_json:
        output.show_json(facts | {"new": [asdict(one) for one in facts["new"]]})
    else:
        _print(facts, every=every)
    failed = any(one["problem"] for one in facts.get("shims", ())) or facts.get("problem")
    click.get_current_context().exit(int(bool(failed)))


def _facts(since: str | None) -> Facts:
    """Return the versions, what is new, and how hookd was installed."""
    before = since or used_version.read() or _running()
    try:
        known = changelog.releases(CHANGELOG.read_text("utf-8"))
    except (OSError, ValueError):  # a package without it works still
        known = []
    return {
        "version": __version__,
        "before": before,
        "new": changelog.newer(known, before, __version__),
        "installation": asdict(installation.read()),
    }


def _running() -> str | None:
    """Return the version of the daemon that listens, None if there is none."""
    if client.probe(paths.paths().socket) is not State.LISTENING:
        return None
    return str(client.call("daemon.status", {"env": {}})["version"])


def _done() -> Facts:
    """Update shims, daemon and database; return what was done, or why it could not be."""
    from hookd.store.database import newer, version  # noqa: PLC0415 - it imports SQLite

    place = paths.paths().database
    if what := newer(place):  # before anything is changed
        step = f"upgrade this hookd: {installation.read().upgrade}"
        raise Problem(f"{what[:1].upper()}{what[1:]}.", step)
    before = version(place)
    facts: Facts = {"shims": [asdict(one) for one in renew.renew()]}
    try:
        facts["daemon"] = _daemon(before, registered=bool(facts["shims"]))
    except Problem as problem:
        facts |= {"daemon": "failed", "problem": problem.message, "next": problem.step}
    facts["database"] = {"before": before, "after": version(place)}
    if not facts.get("problem"):
        used_version.write()
    return facts


def _daemon(schema: int, *, registered: bool) -> str:
    """Replace a daemon that is not of this hookd; start one for hooks, or for a migration.

    A daemon ends when its program is replaced. `schema` is the version of the
    database, 0 if there is none. Return a key of _DAEMON.
    """
    from hookd.store.database import schema_version  # noqa: PLC0415 - it imports SQLite

    if daemon.answering() is State.LISTENING:
        status = client.call("daemon.status", {"env": {}})
        ours = status["version"] == __version__ and not other_python(status.get("python") or "")
        # The code of a checkout changes without its version.
        if ours and installation.read().tool != "checkout":
            return "current"
        keep_policies()
        daemon.end()
        daemon.begin()
        return "restarted"
    if stop_marker.read(paths.paths().stopped):
        return "stopped"
    if not (registered or 0 < schema < schema_version()):
        return "absent"
    keep_policies()
    daemon.begin()
    return "started"


def _print(facts: Facts, *, every: bool) -> None:
    before = facts["before"] or "not known"
    shown: Facts = {"before": before, **_parts(facts)}
    shown["newer"] = f"{facts['installation']['upgrade']}; then hookd upgrade"
    output.show_facts(shown, f"hookd {__version__}")
    for one in facts.get("shims", ()):
        if one["problem"]:
            Problem(f"{one['settings']}: {one['problem']}", one["step"]).show()
    if facts.get("problem"):
        Problem(facts["problem"], facts["next"]).show()
    lines = list(_lines(facts["new"]))
    room = len(lines) if every else max(3, shutil.get_terminal_size().lines - _OTHER_LINES)
    if not lines:
        click.echo(f"\nNothing is new since {before}.")
        return
    click.echo("\n" + "\n".join(lines[:room]))
    if lines[room:]:
        since = f" --since {facts['before']}" if facts["before"] else ""
        more = f"hookd upgrade --dry-run{since} --all"
        click.echo(
            f"  ... {len(lines) - room} more lines: {more}, or {docs.page('docs/changelog.md')}"
        )


def _parts(facts: Facts) -> Facts:
    """Return in words what became of shims, daemon and database; nothing for a preview."""
    if "daemon" not in facts:
        return {}
    names = {True: "updated", False: "unchanged"}
    shims = [
        f"{one['scope']}: {names[one['changed']]}" for one in facts["shims"] if not one["problem"]
    ]
    old, new = facts["database"]["before"], facts["database"]["after"]
    database = f"migrated from form {old} to {new}" if old and old != new else f"form {new}"
    return {
        "shims": "; ".join(shims) or "none is registered; hookd install registers them",
        "daemon": _DAEMON.get(facts["daemon"], "not restarted"),
        "database": database if new else "none yet",
    }


def _lines(new: list[Release]) -> Iterator[str]:
    """Yield the lines of releases: a title, then each entry, folded to the screen."""
    for release in new:
        yield output.heading(release.title)
        for entry in release.entries:
            first, *rest = output.folded(output.cell(entry), 4).split("\n")
            yield from (f"  - {first[4:]}", *rest)
