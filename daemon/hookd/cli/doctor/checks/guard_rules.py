"""Rule checks: guard rules that never match a call, and allow rules that let calls pass."""

import shlex
from collections.abc import Iterator
from typing import Any

from hookd.cli.doctor.checks.result import Finding, State, fail, found, ok, warn
from hookd.cli.doctor.checks.timeouts import ask
from hookd.cli.hooks import own_files
from hookd.cli.lib.errors import Problem

_CHECK = "guard rules"


def check_guard_rules() -> Iterator[Finding]:
    """Report rules that never match, unknown tool names, and rules that soften the guards."""
    try:
        guards = ask("guards.list")["guards"]
    except Problem as problem:
        yield found(_CHECK, State.FAIL, problem)
        return
    yield from _files()
    for one in guards:
        for why in one.get("problems", ()):
            yield fail(_CHECK, f"{one['ruleId']}: {why}.", _step(one))
        for why in one.get("warnings", ()):
            yield warn(_CHECK, f"{one['ruleId']}: {why}", _step(one))
    softening = [one["ruleId"] for one in guards if _softens(one["rule"])]
    if softening:
        yield ok(_CHECK, f"the built-in guards ask instead of denying by {', '.join(softening)}.")


def check_limited_guards(project: str) -> Iterator[Finding]:
    """Report built-in guards that an option keeps to some clients: others are not guarded."""
    from hookd.cli.policies import effective  # noqa: PLC0415 - it imports the daemon's parts

    try:
        listing = ask("userHooks.list", {"root": project})
    except Problem:  # another check reports that it does not answer
        listing = {}
    trusted = {project: listing["digest"]} if listing.get("trusted") else {}
    for name, names in effective.limited_guards(project, trusted).items():
        what = f"By its option clients, {name} is in force only in {', '.join(names)}."
        step = f"hookd policy set {name} clients --default, unless it is intended"
        yield warn(_CHECK, f"{what} Calls of other clients pass it.", step)


def _softens(rule: object) -> bool:
    return isinstance(rule, dict) and bool(rule.get("softens"))


def _files() -> Iterator[Finding]:
    """Report rules files with a mistake, and those that do not apply as they are."""
    try:
        files = ask("guards.files", {"root": own_files.project()}).get("files", [])
    except Problem:  # a daemon of an older version
        return
    for one in files:
        if one["state"] == "broken":
            yield fail(_CHECK, f"{one['sentence']}.", "correct the file; hookd guard list")
        elif one["sentence"]:
            yield warn(_CHECK, f"{one['sentence']}.", "hookd trust")


def _step(guard: dict[str, Any]) -> str:
    """Return the commands that correct a rule, or remove it where it is set."""
    remove = f"hookd guard remove {guard['ruleId']}"
    if guard["scope"] == "project":
        remove = f"{remove} --scope project --project-dir {shlex.quote(guard['project'])}"
    if guard["scope"] == "effort":
        remove = f"{remove} --effort {guard['effortId']}"
    return f"hookd guard add, with another pattern; or {remove}"


_ALLOW_CHECK = "allow"


def check_allow_rules() -> Iterator[Finding]:
    """Report the allow rules in force; without any, nothing is reported."""
    try:
        count = len(ask("allowances.list")["allowances"])
    except Problem as problem:
        yield found(_ALLOW_CHECK, State.WARN, problem)
        return
    if count:
        rules = "1 allow rule lets a call" if count == 1 else f"{count} allow rules let calls"
        yield ok(_ALLOW_CHECK, f"{rules} pass a guard: hookd allow list.")
