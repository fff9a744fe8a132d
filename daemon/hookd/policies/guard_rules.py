"""Apply the guard rules that the user set with `hookd guard`.

They are set for the user, a project or an effort. `block` denies the call, `ask` asks the user,
`allow` only informs the model. A call that cannot be parsed well enough to rule out a match is
asked about; so is every call while a stored rule is unreadable.
"""

from dataclasses import replace

from hookd.config.models import PolicyOptions
from hookd.core.guard_rules.budgets import asked
from hookd.core.guard_rules.render import rules_opinion
from hookd.core.guard_rules.rule import STATE_KEY, fired_cached, unreadable_guards
from hookd.core.model.facts import Facts, Guard, Session
from hookd.core.model.policy import Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse


class Options(PolicyOptions):
    """Rules are set with `hookd guard add`."""


def opine(event: PreToolUse, facts: Facts, _options: Options) -> Opinion | None:
    """Say what the fired rules say, the strongest first."""
    found = fired_cached(event.call, facts) if facts.guards else ()
    if not found and not unreadable_guards(facts):
        return None
    opinion = rules_opinion(found, event.call, facts)
    budgets = asked((one.rule for one in found if one.certain), event.tool_use_id, facts)
    if opinion is None or not budgets:
        return opinion
    return replace(opinion, effects=(*opinion.effects, *budgets))


def _facts(urgency: str) -> Facts:
    rule = (
        '{"id": "no-rm", "urgency": "%s", "payload": {"text": "Move it to the trash."},'
        ' "toolFilter": {"include": ["Bash(rm -rf *)"]}}'
    )
    return Facts(guards=(Guard(1, "no-rm", "user", rule % urgency),))


def _odd() -> Facts:
    return Facts(guards=(Guard(1, "odd", "user", "{}"), *_facts("block").guards))


def _full(usage: float | None) -> Facts:
    rule = (
        '{"id": "full", "urgency": "block", "payload": {"text": "$contextUsage is in use."},'
        ' "trigger": {"type": "contextThreshold", "condition": {"gte": 0.9}},'
        ' "whitelist": ["Bash(hookd *)"]}'
    )
    session = Session(1, "s", context_usage=usage)
    return Facts(session=session, guards=(Guard(1, "full", "user", rule),))


def _bash(command: str) -> PreToolUse:
    return PreToolUse(tool_name="Bash", tool_input={"command": command})


def _examples() -> tuple[PolicyExample, ...]:
    return (
        PolicyExample(_bash("rm -rf build"), _facts("block"), says="deny"),
        PolicyExample(_bash("cd x && rm -fr ."), _facts("block"), says="deny"),
        PolicyExample(_bash("rm -rf build"), _facts("interrupt"), says="deny"),
        PolicyExample(_bash("rm -rf build"), _facts("ask"), says="ask"),
        PolicyExample(_bash("rm -rf build"), _facts("allow"), says="context"),
        PolicyExample(_bash("if ("), _facts("block"), says="ask"),
        PolicyExample(_bash("rm notes.txt"), _facts("block"), says=""),
        PolicyExample(_bash("rm -rf build"), _odd(), says="deny"),
        PolicyExample(_bash("ls"), _odd(), says="ask"),
        PolicyExample(_bash("rm -rf build"), Facts(), says=""),
        PolicyExample(_bash("ls"), _full(0.91), says="deny"),
        PolicyExample(_bash("hookd effort finish"), _full(0.91), says=""),
        PolicyExample(_bash("ls"), _full(None), says=""),
    )


POLICY = Policy(
    name=STATE_KEY,
    priority=80,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    opine=opine,
    by_part=True,
    examples=_examples,
)
