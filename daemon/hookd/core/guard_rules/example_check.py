"""Evaluate the examples of guard rules: what a rule says of each, in the situation that it sets.

Nothing is read from outside: a link leads to itself, and the branch, the costs and the commands
that have succeeded are those of the example.
"""

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from hookd.core.guard_rules.conditions import Budget
from hookd.core.guard_rules.example_schema import KINDS, Example, Expected
from hookd.core.guard_rules.required_commands import STATE, requirement_key, runs
from hookd.core.guard_rules.rule import Fired, Rule, fired, parse_rule
from hookd.core.guard_rules.situation import MAIN, SUBAGENT
from hookd.core.model.fact_requests import (
    FactRequest,
    GitBranch,
    MissingFacts,
    RealPath,
    RealPathsOf,
    Spending,
    Spent,
)
from hookd.core.model.facts import Effort, Facts, FactValue, Guard, Project, Session
from hookd.core.model.identity import Identity
from hookd.events.context_usage import levels
from hookd.events.model import PreToolUse
from hookd.lazy_dataclass import dataclass

_MAX_ROUNDS = 20
_ID = "example"
_SAYS: Mapping[str, Expected] = {
    "block": "denies",
    "interrupt": "denies",
    "ask": "asks",
    "allow": "tells",
}


@dataclass(frozen=True, slots=True)
class CheckedExample:
    """An example with what its rule should say of the call, and what it says.

    `number` is its place among the examples of the rule, from 0.
    """

    rule_id: str
    number: int
    call: str
    expected: Expected
    said: Expected

    @property
    def passed(self) -> bool:
        """Return whether the rule says what the example expects."""
        return self.said == self.expected


def examples_of(rule: Rule) -> Iterator[tuple[Expected, Example]]:
    """Yield the examples of a rule, those that it denies first."""
    for kind in KINDS:
        for example in getattr(rule, kind) or ():
            yield kind, example


def check_examples(guards: Sequence[Guard], root: str, home: str) -> Iterator[CheckedExample]:
    """Yield the examples of all these rules, each judged by its rule.

    Rules that block all calls share their whitelists, so they take part in every example. `root` is
    the root of the project, `home` the user's folder.
    """
    read = [(guard, parse_rule(guard.rule)) for guard in guards]
    closing = tuple(guard for guard, rule in read if rule.blocks_all_calls)
    for guard, rule in read:
        others = tuple(one for one in closing if one is not guard)
        for number, (kind, example) in enumerate(examples_of(rule)):
            said = _said(rule, (guard, *others), example, (root, home))
            yield CheckedExample(rule.id, number, example.words, kind, said)


def _said(
    rule: Rule, guards: tuple[Guard, ...], example: Example, places: tuple[str, str]
) -> Expected:
    """Return what a rule says of a call; a deny that is not certain asks."""
    found = next((one for one in _fired(rule, guards, example, places) if one.rule == rule), None)
    if found is None:
        return "allows"
    if found.certain:
        return _SAYS[rule.urgency]
    return "allows" if rule.urgency == "allow" else "asks"


def _fired(
    rule: Rule, guards: tuple[Guard, ...], example: Example, places: tuple[str, str]
) -> tuple[Fired, ...]:
    root, home = places
    event = _event(example, root)
    facts = _facts(rule, guards, example, event, (root, home))
    for _ in range(_MAX_ROUNDS):
        try:
            return fired(event.call, facts)
        except MissingFacts as missing:
            facts = facts.with_facts({one: _fact(one, example) for one in missing.requests})
    raise RuntimeError("a rule requests facts without end")


def _event(example: Example, root: str) -> PreToolUse:
    tool, given = example.tool_call()
    agent = {} if example.agent in ("", MAIN) else {"agent_id": _ID}
    if agent and example.agent != SUBAGENT:
        agent["agent_type"] = example.agent
    return PreToolUse(
        tool_name=tool,
        tool_input=given,
        cwd=posixpath.normpath(posixpath.join(root, example.folder)),
        **agent,
    )


def _facts(
    rule: Rule,
    guards: tuple[Guard, ...],
    example: Example,
    event: PreToolUse,
    places: tuple[str, str],
) -> Facts:
    root, home = places
    usage = example.context
    proven = [
        requirement_key(one)
        for one in rule.after or ()
        if any(runs(one, text) for text in example.after)
    ]
    return Facts(
        identity=Identity(project_dir=root, cwd=event.cwd, home=home),
        project=Project(1, root),
        effort=_effort(example, root),
        session=Session(
            1,
            _ID,
            owner=_ID,
            project_id=1,
            context_usage=levels({}).at(usage) if isinstance(usage, str) else usage,
            heartbeat_counter=example.heartbeat,
            tool_calls=example.tool_calls,
        ),
        policy_state={STATE: proven},
        guards=guards,
        client=example.client or "",
    )


def _effort(example: Example, root: str) -> Effort | None:
    """Return the effort of an example that sets a phase or a lifecycle."""
    state = example.lifecycle
    if state is None and example.phase is None:
        return None
    return Effort(
        1,
        posixpath.join(root, _ID),
        _ID,
        lifecycle="finished" if state == "finished" else "active",
        phase=example.phase,
        metadata={state: True} if state in ("loading", "dehydrating") else {},
    )


def _fact(request: FactRequest, example: Example) -> FactValue | None:
    """Return what an example says of a fact; None if it says nothing."""
    match request:
        case GitBranch():
            return example.branch
        case RealPath():
            return request.path
        case RealPathsOf():
            return request.paths
        case Spending():
            spent = example.spent or Budget.model_construct()
            return Spent(spent.session or 0.0, spent.agent or 0.0, spent.day or 0.0)
        case _:
            return None
