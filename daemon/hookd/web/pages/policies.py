"""Policies: their modes in a project and why, and one policy with its options."""

from pathlib import Path

from hookd.store.browse import rules
from hookd.web.page import Ask, NothingThere, Page, Values


async def view(ask: Ask) -> Values:
    """Return the policies in effect in a project of the database; by default outside of all."""
    project, projects = await _project(ask)
    context = ask.context
    rows = await context.reads.run(context.policies.rows, project or str(Path.home()))
    return {"policies": rows, "project": project or "", "projects": projects}


async def view_one(ask: Ask) -> Values:
    """Return one policy with its description and options. Raise NothingThere."""
    project, projects = await _project(ask)
    context, name = ask.context, str(ask.path["name"])
    found = await context.reads.run(context.policies.one, name, project or str(Path.home()))
    if found is None:
        raise NothingThere(f"There is no policy {name[:100]}.")
    return {"policy": found, "project": project or "", "projects": projects}


async def _project(ask: Ask) -> tuple[str | None, list[str]]:
    """Return the chosen project, and all; only a known one, since its files are read."""
    projects = await ask.read(rules.projects)
    chosen = ask.text("project")
    return (chosen if chosen in projects else None), projects


PAGE = Page("policies", "Policies", "policies.html", view, menu="Policies")
ONE = Page("policies/{name}", "Policy", "policy.html", view_one, section="policies")
