"""The house rules, pure: one rule a file, and the one table of them all, in order."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from hookd.core.options import Policies, PolicyOptions
from hookd.core.policy import Policy
from hookd.core.refusal import refusal
from hookd.policies import guard_rules, heartbeat, overflow

POLICIES: tuple[Policy, ...] = (overflow.POLICY, heartbeat.POLICY, guard_rules.POLICY)
"""Every policy, lowest priority first."""


def configure(settings: Policies) -> Mapping[str, PolicyOptions]:
    """Return the options of every policy by name; a disabled one has mode `off`.

    Raise ValueError that names an unknown policy, or the key that is wrong.
    """
    names = {policy.name for policy in POLICIES}
    for name in (*settings.disabled, *settings.options):
        if name not in names:
            raise ValueError(f"{name!r} is no policy; there are {', '.join(sorted(names))}")
    return {policy.name: _options(policy, settings) for policy in POLICIES}


def _options(policy: Policy, settings: Policies) -> PolicyOptions:
    given: dict[str, Any] = dict(settings.options.get(policy.name, {}))
    if policy.name in settings.disabled:
        given["mode"] = "off"
    try:
        return policy.options.model_validate(given)
    except ValidationError as error:
        key, said = refusal(error, "there is no such option")
        raise ValueError(f"policies.options.{policy.name}.{key}: {said}") from error
