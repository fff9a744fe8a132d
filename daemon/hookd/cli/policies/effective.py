"""The policies in effect in a project, and why; read here, without the daemon.

This module imports the daemon's modules, which are slow to import: import it where it is needed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from sys import modules
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from hookd import paths
from hookd.cli.hooks import project_files
from hookd.cli.hooks.format import short
from hookd.cli.lib.errors import Problem
from hookd.config.models import Section
from hookd.core.hook_rules.problems import Problem as Wrong
from hookd.core.hook_rules.problems import did_you_mean
from hookd.core.model.policy import Policy
from hookd.lazy_dataclass import dataclass
from hookd.pipeline.runtime_config import configured
from hookd.policies import POLICIES
from hookd.policy_support.layering import Choice, choose


@dataclass(frozen=True)
class PolicyPage:
    """The choice for every policy in a project, and the problems of the settings files.

    `fault` says why settings are left out as a whole, "" if none are.
    """

    root: str
    choices: Mapping[str, Choice]
    problems: tuple[Wrong, ...]
    fault: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each policy, in their order."""
        return [self.row(policy) for policy in POLICIES]

    def row(self, policy: Policy) -> dict[str, Any]:
        """Return the row of a policy."""
        choice = self.choices[policy.name]
        return {
            "policy": policy.name,
            "mode": choice.options.mode,
            "why": choice.why,
            "what": summary(policy),
            "priority": policy.priority,
            "events": sorted(policy.events),
            "options": choice.options.model_dump(mode="json", exclude={"mode"}),
        }


def read(root: str, trusted: Mapping[str, str] | None = None) -> PolicyPage:
    """Read the settings of all layers; those that cannot be used are left out and reported.

    `trusted` are digests by project root; by default those that the daemon has stored.
    """
    settings = paths.paths().settings
    own = configured(settings)
    config = project_files.effective(
        root, project_files.trusted_digests(root) if trusted is None else trusted
    )
    users = [Section(own.settings.policies, short(str(settings), root))]
    others = [
        replace(section, path=section.path if section.tightens else short(section.path, root))
        for section in config.sections
    ]
    if trusted is None:
        others += _last_trusted(root)
        others.sort(key=lambda section: section.final)  # managed settings come last, and win
    problems = tuple(row for row in config.merged.problems if row.key.startswith("policies"))
    choices, fault = _chosen(users, others)
    return PolicyPage(root, choices, problems, own.problem or fault)


def _last_trusted(root: str) -> list[Section]:
    """Return the sections that still apply as last trusted, though their files have changed."""
    note = "as it was trusted last: hookd trust"
    return [
        Section(section.policies, f"{short(section.path, root)}, {note}")
        for section in project_files.last_trusted_policies(root)
    ]


def _chosen(users: list[Section], others: list[Section]) -> tuple[Mapping[str, Choice], str]:
    """Return the choice for every policy, and why sections are left out, as in the daemon."""
    final, fault = [section for section in others if section.final], ""
    for sections in ([*users, *others], [*users, *final], final):
        try:
            return choose(POLICIES, sections), fault
        except ValueError as error:
            fault = fault or f"the settings contradict each other: {error}"
    return choose(POLICIES, ()), fault


def limited_guards(root: str, trusted: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the guards that are on in a project but only for some clients, with these."""
    choices = read(root, trusted).choices
    options = {one.name: choices[one.name].options for one in POLICIES if one.on_error == "ask"}
    found = {name: one.clients for name, one in options.items() if one.mode != "off"}
    return {name: clients for name, clients in found.items() if clients}


def named(name: str) -> Policy:
    """Return a policy by name. Raise Problem if there is none."""
    table = {policy.name: policy for policy in POLICIES}
    if name in table:
        return table[name]
    near = did_you_mean(name, table).replace("`", "")
    end = "" if near else "."
    raise Problem(f"There is no policy {name!r}{near}{end}", "see all: hookd policy list")


def description(policy: Policy) -> str:
    """Return the docstring of a policy's module."""
    return (modules[policy.opine.__module__].__doc__ or "").strip()


def summary(policy: Policy) -> str:
    """Return the first paragraph of a policy's description, on one line."""
    return " ".join(description(policy).partition("\n\n")[0].split())


def option_rows(policy: Policy, choice: Choice) -> list[dict[str, Any]]:
    """Return a row for each option of a policy."""
    defaults = policy.options().model_dump(mode="json")
    values = choice.options.model_dump(mode="json")
    meanings = {"mode": "`off` is silence, `warn` gives advice, `enforce` decides."}
    return [
        {
            "option": name,
            "value": values[name],
            "default": defaults[name],
            "meaning": field.description or meanings.get(name, ""),
            "one_of": _one_of(field.annotation),
            "keys": list(_keys(name, field.annotation)),
        }
        for name, field in policy.options.model_fields.items()
    ]


def _one_of(kind: Any) -> list[Any]:
    """Return the values that a Literal allows, for a list those of its items; else none."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [value for part in get_args(kind) for value in _one_of(part)]


def _keys(name: str, kind: Any) -> Iterator[dict[str, Any]]:
    """Yield a row for each key of the objects in an option."""
    inner = f"{name}.NAME" if get_origin(kind) is dict else f"{name}[]"
    for model in (part for part in get_args(kind) if isinstance(part, type)):
        if not issubclass(model, BaseModel):
            continue
        for key, field in model.model_fields.items():
            default = None if field.is_required() else field.default
            yield {
                "key": f"{inner}.{key}",
                "default": to_jsonable_python(default),
                "meaning": field.description or "",
                "one_of": _one_of(field.annotation),
            }
