"""The user's own guard rules: what `hookd guard add` set for the user, a project or an effort.

A rule that blocks denies the call, one that asks leaves it to the user, one that allows only tells
the model. A call that cannot be read well enough to know whether a rule means it is asked about.
"""

from hookd.core.events import PreToolUse
from hookd.core.facts import Facts, Guard
from hookd.core.guard_rule import Fired, fired
from hookd.core.options import PolicyOptions
from hookd.core.outcome import Opinion, merge
from hookd.core.policy import Policy, PolicyExample


class Options(PolicyOptions):
    """The rules themselves are set by `hookd guard`."""


def opine(event: PreToolUse, facts: Facts, _options: Options) -> Opinion | None:
    """Say what the fired rules say, the strongest first."""
    said = merge(_opinion(one) for one in fired(event.call, facts))
    if not (said.verdict or said.context):
        return None
    return Opinion(said.verdict, said.reason, said.context, rule=said.rule or "")


def _opinion(one: Fired) -> Opinion:
    rule, text = one.rule, one.rule.payload.text
    if rule.urgency == "allow":
        return Opinion(context=f"[hookd:{rule.id}] {text}" if text and one.sure else "")
    if not one.sure:
        why = f"guard {rule.id}: this call cannot be read well enough to rule it out."
        return Opinion("ask", why, rule=rule.id)
    reason = f"guard {rule.id}: {text or rule.description or 'this call is not wanted.'}"
    return Opinion("deny" if rule.urgency == "block" else "ask", reason, rule=rule.id)


def _facts(urgency: str) -> Facts:
    rule = (
        '{"id": "no-rm", "urgency": "%s", "payload": {"text": "Move it to the trash."},'
        ' "toolFilter": {"include": ["Bash(rm -rf *)"]}}'
    )
    return Facts(guards=(Guard(1, "no-rm", "user", rule % urgency),))


def _bash(command: str) -> PreToolUse:
    return PreToolUse(tool_name="Bash", tool_input={"command": command})


POLICY = Policy(
    name="guard-rules",
    priority=80,
    events=frozenset({"PreToolUse"}),
    options=Options,
    on_error="ask",
    opine=opine,
    examples=(
        PolicyExample(_bash("rm -rf build"), _facts("block"), says="deny"),
        PolicyExample(_bash("cd x && rm -fr ."), _facts("block"), says="deny"),
        PolicyExample(_bash("rm -rf build"), _facts("ask"), says="ask"),
        PolicyExample(_bash("rm -rf build"), _facts("allow"), says="context"),
        PolicyExample(_bash("if ("), _facts("block"), says="ask"),
        PolicyExample(_bash("rm notes.txt"), _facts("block"), says=""),
        PolicyExample(_bash("rm -rf build"), Facts(), says=""),
    ),
)
