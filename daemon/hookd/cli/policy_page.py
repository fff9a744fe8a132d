"""The home of which policies hold in a project, and why: read here, and not asked of the daemon.

It imports the daemon's parts: only what needs them imports this.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import getdoc
from sys import modules
from typing import Any

from hookd import paths
from hookd.cli import hook_page
from hookd.cli.hook_rows import short
from hookd.cli.problem import Problem
from hookd.core.choosing import Choice, choose
from hookd.core.commands.findings import Problem as Wrong
from hookd.core.commands.findings import nearest
from hookd.core.options import Section
from hookd.core.policy import Policy
from hookd.policies import POLICIES
from hookd.standing import configured


@dataclass(frozen=True)
class PolicyPage:
    """How every policy holds in a project; `problems` are what is wrong with the files."""

    root: str
    choices: Mapping[str, Choice]
    problems: tuple[Wrong, ...]

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


def read(root: str) -> PolicyPage:
    """Read the settings of all layers. Raise Problem where they cannot be used."""
    settings = paths.paths().settings
    own = configured(settings)
    if own.problem:
        raise Problem(f"{own.problem}.", "hookd settings check")
    page = hook_page.read(root, hook_page.trusted_now(root))
    sections = [Section(own.settings.policies, short(str(settings), root))]
    sections += [Section(one.policies, short(one.path, root), one.final) for one in page.sections]
    problems = tuple(one for one in page.combined.problems if one.key.startswith("policies"))
    try:
        return PolicyPage(root, choose(POLICIES, sections), problems)
    except ValueError as error:
        raise Problem(
            f"The settings do not go together: {error}.", "hookd settings check"
        ) from None


def named(name: str) -> Policy:
    """Return a policy. Raise Problem where there is none of that name."""
    table = {policy.name: policy for policy in POLICIES}
    if name in table:
        return table[name]
    near = nearest(name, table).replace("`", "")
    raise Problem(f"There is no policy {name!r}{near}", "see all: hookd policies list")


def told(policy: Policy) -> str:
    """Return what a policy says of itself."""
    return (modules[policy.opine.__module__].__doc__ or "").strip()


def what(policy: Policy) -> str:
    """Return the sentence that says what it is."""
    return " ".join(told(policy).partition("\n\n")[0].split())


def option_rows(policy: Policy, choice: Choice) -> list[dict[str, Any]]:
    """Return the options of a policy as rows of a table."""
    usual, now = policy.options(), choice.options
    fields = type(now).model_fields
    meanings = {"mode": "`off` is silence, `warn` gives advice, `enforce` decides."}
    return [
        {
            "option": name,
            "value": now.model_dump(mode="json")[name],
            "default": usual.model_dump(mode="json")[name],
            "meaning": field.description or meanings.get(name, ""),
        }
        for name, field in fields.items()
    ]


def group_doc(policy: Policy) -> str:
    """Return what its options are about."""
    return getdoc(policy.options) or ""
