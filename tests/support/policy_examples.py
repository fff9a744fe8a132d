"""The examples of each policy, evaluated."""

from dataclasses import replace

import pytest

from hookd.config.models import Mode
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy, PolicyExample
from hookd.events.model import HookInput
from hookd.policies import POLICIES

EXAMPLES = [
    pytest.param(policy, example, id=f"{policy.name}-{number}-{example.says or 'silence'}")
    for policy in POLICIES
    for number, example in enumerate(policy.examples(), 1)
]


def asked(policy: Policy, example: PolicyExample, mode: Mode) -> tuple[HookInput, Facts]:
    """Return an example as it is judged, where the policy has this mode."""
    own = example.facts.options.get(policy.name) or policy.options()
    options = {**example.facts.options, policy.name: own.model_copy(update={"mode": mode})}
    name = example.event.hook_event_name or next(iter(policy.events))
    event = example.event.model_copy(update={"hook_event_name": name})
    return event, replace(example.facts, options=options)
