"""Trust of rules files by `hookd trust`: show the rules, ask, and store them."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from hookd.cli.hooks import own_files, project_files
from hookd.cli.lib import output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.person import expect_terminal
from hookd.core.guard_rules.describe import DESCRIBED, calls_of
from hookd.core.guard_rules.short_form import EXAMPLES

_TRUSTABLE = ("team", "project")


def files(root: str, only: Path | None = None) -> list[dict[str, Any]]:
    """Return the rules files that trust is about here; `only` names one of them."""
    found = project_files.rule_files(root)
    mine = [one for one in found if one["layer"] in _TRUSTABLE]
    return [one for one in mine if only is None or one["path"] == str(only)]


def remove(root: str, path: Path | None = None) -> None:
    """Remove the rules of the project's file, or those of `path`."""
    for one in files(root, path):
        if one["trusted"] and (path or one["layer"] == "project"):
            call("guards.trust", {"path": one["path"], "root": one["root"], "digest": None})


def trust(one: dict[str, Any], *, yes: bool, loosen: tuple[str, ...] = ()) -> Any:
    """Trust a file after a question; return None if it is trusted already.

    Raise Problem for a file with a mistake, or without a yes.
    """
    path = output.cell(one["path"])
    if one["state"] == "broken":
        raise Problem(one["sentence"], "correct the file, then run the command again")
    if one["state"] == "applies" and not loosen:
        return None
    if loosen:
        expect_terminal("hookd trust --loosen")
    if not (yes and not loosen):
        _ask(one, loosen)
    params = {name: one[name] for name in ("path", "root", "digest")}
    try:
        return call("guards.trust", {**params, "loosen": list(loosen)})
    except Refused as refused:
        if refused.code != "STALE":
            raise
        step = own_files.typed("hookd", "trust")
        raise Problem(f"{path} has changed since it was shown.", f"look again: {step}") from None


def _ask(one: dict[str, Any], loosen: tuple[str, ...]) -> None:
    path = output.cell(one["path"])
    if not sys.stdin.isatty():
        sentence = "Confirmation is needed, and standard input is not a terminal."
        raise Problem(sentence, f"read {path}; then add --yes")
    if one["digest"] is None:
        question = f"{path} is gone. Stop applying the rules that it had?"
    else:
        click.echo(f"{path}:")
        for line in _lines(one, loosen):
            click.echo(output.cell(line))
        spares = f"Let {', '.join(loosen)} spare or soften these calls"
        what = spares if loosen else "Apply these rules"
        question = f"{what}, and trust this content of {path}?"
    if not click.confirm(question):
        raise Problem(f"{path} is not trusted with this content.", "")


def _lines(one: dict[str, Any], loosen: tuple[str, ...]) -> Iterator[str]:
    """Yield the rules as they are in the file. Raise Problem if it has changed meanwhile."""
    from hookd.core.guard_rules.rule import loosening  # noqa: PLC0415 - it imports pydantic
    from hookd.core.guard_rules.rule_file import read_rules  # noqa: PLC0415
    from hookd.core.hook_rules.sources import HookFileLocation  # noqa: PLC0415
    from hookd.user_hooks import files as disk  # noqa: PLC0415

    found = disk.read(HookFileLocation("project", one["path"]))
    if disk.digest([found]) != one["digest"]:
        raise Problem(f"{output.cell(one['path'])} has changed.", "run the command again")
    for entry in read_rules(found.text or b"").rules:
        rule = entry.rule
        shown = rule.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        yield f"  {rule.id} {_VERBS[rule.urgency]} {calls_of(shown)}: {rule.payload.text}"
        if not rule.tool_filter.exclude:
            shown.pop("toolFilter", None)
        if more := {key: value for key, value in shown.items() if key not in _SHOWN}:
            yield f"    {json.dumps(more, ensure_ascii=False)}"
        if spares := loosening(rule):
            step = "" if rule.id in loosen else f" only after hookd trust --loosen {rule.id}"
            yield f"    {spares}{step}"


_VERBS = {
    "block": "denies",
    "interrupt": "interrupts",
    "ask": "asks about",
    "allow": "comments on",
}
_SHOWN = ("ruleId", "urgency", "payload", *DESCRIBED, *EXAMPLES)
"""Keys that are shown otherwise, or that change nothing about calls."""
