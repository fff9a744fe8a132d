"""A conversation as policies meet it: event by event, with what they keep between them."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hookd.config.models import PolicyOptions
from hookd.core.evaluation.policies import ask_policies
from hookd.core.evaluation.stop_limit import apply_stop_limit
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import StateOfPolicy, TodosOfSession
from hookd.core.model.facts import Facts, Session, Todo
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Outcome, merge
from hookd.events.model import HookInput, Stop, UserPrompt

NOON = datetime(2026, 1, 31, 12, tzinfo=UTC)
WINDOW = Session(7, "s")


@dataclass
class Talk:
    """The window 7 of the conversation `s`; the policies are asked in their order."""

    policies: tuple[Policy, ...]
    options: dict[str, PolicyOptions] = field(default_factory=dict)
    todos: tuple[Todo, ...] = ()
    session: Session = WINDOW
    state: dict[str, Any] = field(default_factory=dict)
    now: datetime = NOON
    above: dict[str, tuple[Any, ...]] = field(default_factory=dict)

    @property
    def facts(self) -> Facts:
        kept = {
            StateOfPolicy(name): self.above.get(name, ())
            for name in ("continuation", "stop-continuation-guard")
        }
        return Facts(
            now=self.now,
            session=self.session,
            policy_state=dict(self.state),
            options=self.options,
            resolved={TodosOfSession(self.session.id): self.todos, **kept},
        )

    def hears(self, event: HookInput) -> Outcome:
        """Return what is answered, and keep what is to be kept."""
        facts = self.facts
        reports = list(ask_policies(self.policies, event, facts, lambda: 0.0))
        assert [one.fault for one in reports if one.fault] == []
        said = [one.opinion for one in reports if one.opinion is not None]
        outcome, counted = apply_stop_limit(event, merge(said, event.hook_event_name), facts)
        self._keep([effect for one in said for effect in one.effects])
        self._keep(counted)
        return outcome

    def _keep(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Remember):
                assert effect.session_id == self.session.id
                assert effect.lasts or effect.value is None, "a compaction would forget it"
                self.state.pop(effect.policy, None)
                if effect.value is not None:
                    self.state[effect.policy] = effect.value

    def stops(self, message: str = "Half of it.", **more: Any) -> Outcome:
        """Let the agent stop."""
        given = {"prompt_id": "p1", "last_assistant_message": message} | more
        return self.hears(Stop(hook_event_name="Stop", session_id="s", **given))

    def says(self, prompt: str, **more: Any) -> Outcome:
        """Let the user say something."""
        name = "UserPromptSubmit"
        return self.hears(UserPrompt(hook_event_name=name, session_id="s", prompt=prompt, **more))

    def works(self, calls: int = 1) -> None:
        """Let the agent use tools."""
        self.session = replace(self.session, tool_calls=self.session.tool_calls + calls)

    def waits(self, **time: float) -> None:
        """Let time pass."""
        self.now += timedelta(**time)
