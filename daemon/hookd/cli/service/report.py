"""The home of what `hookd service` prints: what was done, and how the service is."""

from typing import Any

import click

from hookd.cli.lib import output
from hookd.cli.service.start import Begun
from hookd.cli.service.unit_files import Draft
from hookd.cli.service.units import Standing

INSTALL = "hookd service install"

Facts = dict[str, Any]


def facts(draft: Draft) -> Facts:
    """Return what is told of every service."""
    return {"service": draft.host.name, "kind": draft.host.kind, "file": str(draft.host.file)}


def report(title: str, said: Facts, step: str, *, as_json: bool) -> None:
    """Print what was done: one JSON object, or a title, facts and the next step."""
    if as_json:
        output.show_json(said | {"said": title, "next": step})
        return
    shown = {name: said[name] for name in ("service", "file", "daemon") if said.get(name)}
    output.show_facts(shown | {"next": step}, title)
    for line in said.get("diff", []):
        click.echo(output.cell(line))


def told(title: str, begun: Begun) -> str:
    """Return the title of an install, with what became of the daemon that was there before."""
    if begun.before:
        title += f" The daemon that ran (process {begun.before}) has handed over."
    return title + " hookd stop does not hold any more." * begun.stopped


def step(draft: Draft, said: Facts) -> str | None:
    """Return what to do where a service is not as it should be."""
    if draft.standing in (Standing.FOREIGN, Standing.EDITED):
        return f"see {draft.host.file}: hookd leaves alone what it has not written"
    if said["problem"] and said["installed"]:
        return draft.host.by_hand[0]
    alike = said["process"] == said["daemon"]
    well = said["enabled"] and said["active"] and alike and not draft.differs
    return None if well else INSTALL


def show(said: Facts) -> None:
    """Print how the service is, and what installing it would change."""
    words = {True: "yes", False: "no", None: "not known"}
    shown = {name: said[name] for name in ("service", "kind", "file", "stands")}
    shown |= {name: words[said[name]] for name in ("installed", "enabled", "active")}
    shown |= {"process": said["process"], "daemon": _daemon(said)}
    shown |= {name: said[name] for name in ("problem", "next") if said[name]}
    output.show_facts(shown, "hookd as a service")
    if said["differs"]:
        click.echo("\nWhat hookd service install would write differs:")
        for line in said["differs"]:
            click.echo(f"  {output.cell(line)}")


def _daemon(said: Facts) -> str:
    if said["daemon"] is None:
        return "none answers"
    whose = "the service's" if said["daemon"] == said["process"] else "outside of the service"
    return f"process {said['daemon']}, {whose}"
