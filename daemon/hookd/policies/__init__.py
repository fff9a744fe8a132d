"""The house rules, pure: one rule a file, and the one table of them all, in order."""

from collections.abc import Mapping, Sequence

from hookd.core.choosing import choose
from hookd.core.options import Policies, PolicyOptions, Section
from hookd.core.policy import Policy
from hookd.policies import guard_rules, heartbeat, overflow

POLICIES: tuple[Policy, ...] = (overflow.POLICY, heartbeat.POLICY, guard_rules.POLICY)
"""Every policy, lowest priority first."""


def configure(settings: Policies) -> Mapping[str, PolicyOptions]:
    """Return the options of every policy by name, as the user's own settings say.

    Raise ValueError that names an unknown policy, or the key that is wrong.
    """
    return configured([Section(settings)])


def configured(sections: Sequence[Section]) -> Mapping[str, PolicyOptions]:
    """Return the options of every policy by name, as several layers say, the weakest first.

    Raise ValueError as `configure` does.
    """
    return {name: choice.options for name, choice in choose(POLICIES, sections).items()}
