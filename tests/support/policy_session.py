"""What tests of single policies share: a conversation that is held with one on paper."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput


def says(policy: Policy, event: HookInput, facts: Facts) -> Opinion | None:
    """Return what a policy says of an event; a fault of it is the test's failure."""
    for one in ask_policies([policy], event, facts, lambda: 0.0):
        assert one.fault is None
        return one.opinion
    return None


@dataclass
class Talk:
    """One conversation with a policy: what it remembers is there at the next event."""

    policy: Policy
    facts: Facts
    caused: list[Effect] = field(default_factory=list)

    def hears(self, event: HookInput, **facts: Any) -> Opinion | None:
        """Let an event come; `facts` apply from now on."""
        self.facts = replace(self.facts, **facts)
        opinion = says(self.policy, event, self.facts)
        self._keep(opinion.effects if opinion else ())
        return opinion

    def reads(self, event: HookInput, **facts: Any) -> str:
        """Let an event come; return the model's context."""
        opinion = self.hears(event, **facts)
        return opinion.context if opinion else ""

    def _keep(self, effects: Iterable[Effect]) -> None:
        state = dict(self.facts.policy_state)
        for effect in effects:
            self.caused.append(effect)
            session = self.facts.session
            if isinstance(effect, Remember) and session and effect.session_id == session.id:
                state.pop(effect.policy, None)
                if effect.value is not None:
                    state[effect.policy] = effect.value
        self.facts = replace(self.facts, policy_state=state)
