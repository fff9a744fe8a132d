"""The home of which policies hold in a project, and why: read here, and not asked of the daemon.

It imports the daemon's parts: only what needs them imports this.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
from hookd.pipeline.runtime_config import configured
from hookd.policies import POLICIES
from hookd.policy_support.layering import Choice, choose


@dataclass(frozen=True)
class PolicyPage:
    """How every policy holds in a project; `problems` are what is wrong with the files.

    `fault` says why settings are left out of it as a whole, "" where none are.
    """

    root: str
    choices: Mapping[str, Choice]
    problems: tuple[Wrong, ...]
    fault: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """Return what there is to know of each, as rows of a table, the first to speak first."""
        return [self.row(policy) for policy in POLICIES]

    def row(self, policy: Policy) -> dict[str, Any]:
        """Return what there is to know of one."""
        choice = self.choices[policy.name]
        return {
            "policy": policy.name,
            "mode": choice.options.mode,
            "why": choice.why,
            "what": what(policy),
            "priority": policy.priority,
            "events": sorted(policy.events),
            "options": choice.options.model_dump(mode="json", exclude={"mode"}),
        }


def read(root: str, trusted: Mapping[str, str] | None = None) -> PolicyPage:
    """Read the settings of all layers. Those that cannot be used are left out, and told.

    `trusted` are the digests that projects are trusted with; without it, those that the daemon has.
    """
    settings = paths.paths().settings
    own = configured(settings)
    page = project_files.effective(
        root, project_files.trusted_digests(root) if trusted is None else trusted
    )
    users = [Section(own.settings.policies, short(str(settings), root))]
    others = [Section(one.policies, short(one.path, root), one.final) for one in page.sections]
    if trusted is None:
        others += _kept(root)
        others.sort(key=lambda one: one.final)  # what is managed has the last word
    problems = tuple(one for one in page.merged.problems if one.key.startswith("policies"))
    choices, fault = _chosen(users, others)
    return PolicyPage(root, choices, problems, own.problem or fault)


def _kept(root: str) -> list[Section]:
    """Return what holds on as it was trusted last, though the project's files have changed."""
    kept = project_files.last_trusted_policies(root)
    said = "as it was trusted last: hookd trust"
    return [Section(one.policies, f"{short(one.path, root)}, {said}") for one in kept]


def _chosen(users: list[Section], others: list[Section]) -> tuple[Mapping[str, Choice], str]:
    """Return how all policies hold, and why sections are left out, as the daemon leaves them."""
    final, fault = [one for one in others if one.final], ""
    for said in ([*users, *others], [*users, *final], final):
        try:
            return choose(POLICIES, said), fault
        except ValueError as error:
            fault = fault or f"the settings do not go together: {error}"
    return choose(POLICIES, ()), fault


def named(name: str) -> Policy:
    """Return a policy. Raise Problem where there is none of that name."""
    table = {policy.name: policy for policy in POLICIES}
    if name in table:
        return table[name]
    near = did_you_mean(name, table).replace("`", "")
    end = "" if near else "."
    raise Problem(f"There is no policy {name!r}{near}{end}", "see all: hookd policies list")


def told(policy: Policy) -> str:
    """Return what a policy says of itself."""
    return (modules[policy.opine.__module__].__doc__ or "").strip()


def what(policy: Policy) -> str:
    """Return the sentence that says what it is."""
    return " ".join(told(policy).partition("\n\n")[0].split())


def option_rows(policy: Policy, choice: Choice) -> list[dict[str, Any]]:
    """Return the options of a policy as rows of a table."""
    usual = policy.options().model_dump(mode="json")
    now = choice.options.model_dump(mode="json")
    meanings = {"mode": "`off` is silence, `warn` gives advice, `enforce` decides."}
    return [
        {
            "option": name,
            "value": now[name],
            "default": usual[name],
            "meaning": field.description or meanings.get(name, ""),
            "one_of": _one_of(field.annotation),
            "keys": list(_keys(name, field.annotation)),
        }
        for name, field in policy.options.model_fields.items()
    ]


def _one_of(kind: Any) -> list[Any]:
    """Return the values that there are, where they are few and known; of a list, its items'."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [one for part in get_args(kind) for one in _one_of(part)]


def _keys(name: str, kind: Any) -> Iterator[dict[str, Any]]:
    """Yield the keys of the objects that an option is made of."""
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
