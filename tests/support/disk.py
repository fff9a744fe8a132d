"""What the tests of policies that look at files share: a real folder, and a window in it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.effects.sessions import AddSeen, Remember
from hookd.core.model.fact_requests import MissingFacts
from hookd.core.model.facts import Facts, Project, Session
from hookd.core.model.policy import Policy
from hookd.core.model.verdict import Opinion
from hookd.events.model import HookInput
from hookd.system.file_lookup import look


class Disk:
    """A project on disk, and one window in it that stores the state of policies."""

    def __init__(self, root: Path, files: Mapping[str, str]) -> None:
        self.root = root
        self.facts = Facts(project=Project(1, str(root)), session=Session(3, "s", project_id=1))
        self.rounds = 0
        self.write(files)

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    def path(self, name: str) -> str:
        return str(self.root / name)

    def asks(self, policy: Policy, event: HookInput, **options: Any) -> Opinion | None:
        """Return what a policy says; the window keeps what that causes."""
        own = policy.options(**options)
        facts = replace(self.facts, options={**self.facts.options, policy.name: own})
        opinion = self._looking(lambda known: _heard(policy, event, known), facts)
        for effect in opinion.effects if opinion else ():
            self._keeps(effect)
        return opinion

    def says(self, policy: Policy, event: HookInput, **options: Any) -> str:
        """Return what a policy tells the model."""
        opinion = self.asks(policy, event, **options)
        return opinion.context if opinion else ""

    def _looking(self, decide: Callable[[Facts], Opinion | None], facts: Facts) -> Opinion | None:
        self.rounds = 0
        while True:
            try:
                return decide(facts)
            except MissingFacts as lack:
                found = look(lack.requests)
                assert not found.keys() & facts.resolved.keys(), (
                    "it asks again for what it was told"
                )
                facts = facts.with_facts(found)
                self.rounds += 1

    def _keeps(self, effect: object) -> None:
        session = self.facts.session
        assert session is not None
        if isinstance(effect, Remember):
            state = {**self.facts.policy_state, effect.policy: effect.value}
            self.facts = replace(self.facts, policy_state=state)
        elif isinstance(effect, AddSeen):
            had = (*session.preloaded_files, *effect.files)
            self.facts = replace(self.facts, session=replace(session, preloaded_files=had))


def _heard(policy: Policy, event: HookInput, facts: Facts) -> Opinion | None:
    (one,) = ask_policies([policy], event, facts, lambda: 0.0)
    assert one.fault is None, one.fault
    return one.opinion
