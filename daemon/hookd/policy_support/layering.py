"""Merge the policy settings of several layers into one choice per policy."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from hookd.config.models import Mode, Policies, PolicyOptions, Profile, Section
from hookd.config.refusal import first_error
from hookd.core.hook_rules.problems import did_you_mean
from hookd.core.model.client_names import CLIENTS
from hookd.core.model.policy import WORKFLOW, Policy
from hookd.lazy_dataclass import dataclass

DEFAULT_PROFILE: Profile = "guards"


@dataclass(frozen=True, slots=True)
class Choice:
    """The options of a policy, and why they apply, as a clause about the policy."""

    options: PolicyOptions
    why: str


def choose(policies: Iterable[Policy], sections: Sequence[Section]) -> Mapping[str, Choice]:
    """Return the choice for each policy; sections are ordered from the weakest layer.

    Options are merged one by one, the strongest layer wins. A policy that any layer disables is
    off, unless a final layer enables it, which also overrides the mode of a weaker one. Raise
    ValueError that names an unknown policy, or the invalid key.
    """
    table = {policy.name: policy for policy in policies}
    for section in sections:
        _expect_known(section.policies, table)
    return {name: _choice(policy, sections) for name, policy in table.items()}


def _expect_known(settings: Policies, table: Mapping[str, Policy]) -> None:
    for name in (*settings.enabled, *settings.disabled, *settings.options):
        if name not in table:
            raise ValueError(f"unknown policy {name!r}; available are {', '.join(sorted(table))}")


def _choice(policy: Policy, every: Sequence[Section]) -> Choice:
    tightening = [one for one in every if one.tightens]
    sections = [one for one in every if not one.tightens]
    profile, by = profile_of(sections)
    given: dict[str, Any] = {}
    usual: Mode = _on(policy) if profile in policy.profiles else "off"
    why = "by default"
    if policy.profiles == WORKFLOW:
        not_ = "" if profile in policy.profiles else "not "
        why = f"{not_}in the profile {profile}{_in(by) if by else ''}"
    for section in sections:
        own = section.policies.options.get(policy.name, {})
        given |= _merged(given, own)
        if "mode" in own:
            why = f"by its mode{_in(section)}"
        elif section.final and policy.name in section.policies.enabled:
            given["mode"], why = _on(policy), f"enabled{_in(section)}"
        if "clients" not in own and _keeps(section, policy.name):
            given.pop("clients", None)  # a weaker layer would switch it off in the other clients
    if "mode" not in given and (by := _last(policy.name, sections, "enabled")):
        given["mode"], why = _on(policy), f"enabled{_in(by)}"
    if by := _disabled(policy.name, sections):
        given["mode"], why = "off", f"disabled{_in(by)}"
    by = next((one for one in tightening if policy.name in one.policies.enabled), None)
    if by and ({"mode": usual} | given)["mode"] != "enforce":
        given["mode"], why = "enforce", f"enabled{_in(by)}"
    if by and given.pop("clients", None):
        why = f"enabled for all clients{_in(by)}"
    return Choice(_options(policy, {"mode": usual} | given), why)


def _merged(given: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a stronger layer; what it says of severity adds to the weaker ones."""
    weaker, stronger = given.get("severity"), own.get("severity")
    if isinstance(weaker, dict) and isinstance(stronger, dict):
        return {**own, "severity": {**weaker, **stronger}}
    return dict(own)


def profile_of(sections: Sequence[Section]) -> tuple[Profile, Section | None]:
    """Return the profile of the strongest section that names one, with it; else the default."""
    for section in reversed(sections):
        if section.policies.profile:
            return section.policies.profile, section
    return DEFAULT_PROFILE, None


def _on(policy: Policy) -> Mode:
    usual = policy.options().mode
    return "enforce" if usual == "off" else usual


def _last(name: str, sections: Sequence[Section], key: str) -> Section | None:
    return next((one for one in reversed(sections) if name in getattr(one.policies, key)), None)


def _disabled(name: str, sections: Sequence[Section]) -> Section | None:
    """Return the section that disables a policy; None if none does, or a final one enables it."""
    by = _last(name, sections, "disabled")
    kept = any(_keeps(one, name) for one in sections)
    return None if by is None or (kept and not by.final) else by


def _keeps(section: Section, name: str) -> bool:
    """Return whether a section says that a policy is on, or its mode, and no other can differ."""
    own = section.policies.options.get(name, {})
    return section.final and (name in section.policies.enabled or "mode" in own)


def _in(section: Section) -> str:
    return f" in {section.path}" if section.path else ""


def _options(policy: Policy, given: Mapping[str, Any]) -> PolicyOptions:
    try:
        options = policy.options.model_validate(given)
    except ValidationError as error:
        key, said = first_error(error, "there is no such option")
        where = ("policies.options", policy.name, key)
        raise ValueError(f"{'.'.join(filter(None, where))}: {said}") from error
    for client in options.clients:
        if client not in CLIENTS:
            near = did_you_mean(client, CLIENTS) or f": write one of {', '.join(CLIENTS)}"
            setting = f"policies.options.{policy.name}.clients"
            raise ValueError(f"{setting}: {client!r} is no client{near}")
    return options
