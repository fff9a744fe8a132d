"""Options of `hookd guard add` that say what a call does, and when the rule applies."""

from collections.abc import Callable, Mapping
from typing import Any

import click

_TEXTS = (
    ("--changes", "GLOB", "Calls that change such a file, by any tool."),
    ("--reaches", "DOMAIN", "Calls that reach this domain, or one below it."),
    ("--protected-branches", "BRANCH", "Pushes to this branch, in any spelling."),
    ("--after", "COMMAND", "Unless this has succeeded since the last edit."),
    ("--branch", "BRANCH", "Only while on this branch."),
    ("--agents", "NAME", "Only main, subagent, or this type of subagent."),
    ("--client", "NAME", "Only in this client, such as codex."),
)
"""Options that may be repeated: the option, its value, its help."""

_EXAMPLES = (
    ("--denies", "An example: the rule denies this call."),
    ("--asks", "An example: the rule asks about it."),
    ("--allows", "An example: the rule leaves it alone."),
)
"""Options that may be repeated: examples, which `hookd guard test` evaluates."""

_KEYS = {"protected_branches": "protectedBranches", "larger_than": "largerThan"}


def rule_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command."""
    single = (
        click.option("--larger-than", metavar="SIZE", help="Only larger inputs: 500 lines, 64 kB."),
        click.option("--context", metavar="SHARE", help="Only from this use on: 80%, or a level."),
    )
    flag = click.option("--softens", is_flag=True, help="With --ask: ask where guards would deny.")
    several = (
        click.option(name, metavar=value, multiple=True, help=text) for name, value, text in _TEXTS
    )
    budget = click.option(
        "--budget",
        metavar="WHOSE=DOLLARS",
        multiple=True,
        help="Only once session=5, agent=20 or day=50 is spent.",
    )
    examples = (
        click.option(name, metavar="CALL", multiple=True, help=text) for name, text in _EXAMPLES
    )
    for add in reversed((*several, *single, budget, flag, *examples)):
        command = add(command)
    return command


def given(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a rule that the options give."""
    names = [name.removeprefix("--").replace("-", "_") for name, _, _ in _TEXTS]
    rule: dict[str, Any] = {
        _KEYS.get(name, name): _each(name, options[name]) for name in names if options[name]
    }
    for name in ("larger_than", "context"):
        if options[name] is not None:
            rule[_KEYS.get(name, name)] = _number(options[name])
    if options["budget"]:
        rule["budget"] = dict(map(_limit, options["budget"]))
    if options["softens"]:
        rule["softens"] = True
    for option, _ in _EXAMPLES:
        if calls := options[option.removeprefix("--")]:
            rule[option.removeprefix("--")] = list(calls)
    return rule


def _each(name: str, values: tuple[str, ...]) -> list[str]:
    """Return values that are repeated, or separated by commas, which a command may have."""
    if name == "after":
        return list(values)
    return [part.strip() for value in values for part in value.split(",") if part.strip()]


def _limit(text: str) -> tuple[str, float | str]:
    whose, equals, cost = text.partition("=")
    if not equals:
        raise click.UsageError("--budget takes session=5, agent=20 or day=50, in US dollars.")
    return whose.strip(), _number(cost.strip().removeprefix("$"))


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text
