"""Report context window usage to the model after a tool call.

It complements the policy `overflow`, which warns. When the window reaches the level `notice`, the
model is informed about used and free tokens, and that there is no need to hurry:
`[Context Status: 72% used (144,000/200,000 tokens), 28% left]`. It is reported once per window, by
this policy or by `overflow`, whichever comes first. If `overflow` is off, this line is given at
the first level that the window reaches.

The levels are those of `overflow`. At each new level, later policies find
`context_threshold_reached` in their facts. Usage is that of the model's last answer, so it is
accurate after a compaction. Subagents, and windows that saved a handover, are not notified.
"""

from hookd.config.models import PolicyOptions
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import WORKFLOW, Policy, PolicyExample
from hookd.core.model.verdict import Opinion
from hookd.events.context_usage import LEVELS, levels, window_size
from hookd.events.model import PostToolUse

_NAME = "context-window-monitor"
_WARNS = "overflow"
"""The policy that warns, whose state has the level that was last reported."""


class Options(PolicyOptions):
    """Levels are set with the policy `overflow`."""


def opine(_event: PostToolUse, facts: Facts, _options: Options) -> Opinion | None:
    """Share a level that is new to the window; report it if `overflow` has not."""
    session = facts.session
    if session is None or session.agent_id or session.handover or session.context_usage is None:
        return None
    usage, where = session.context_usage, levels(facts.options)
    level = sum(usage >= where.at(one) for one in LEVELS)
    known = _level(facts, _NAME)
    if level <= known:
        return None
    tells = {"context_threshold_reached": {"level": LEVELS[level - 1], "usageRatio": usage}}
    keeps = Remember(session.id, _NAME, {"level": level})
    if known or _level(facts, _WARNS) or (level > 1 and _warns(facts)):
        return Opinion(effects=(keeps,), shared_facts=tells)
    told = Remember(session.id, _WARNS, {"level": level})
    return Opinion(
        context=_status(session, level, facts), effects=(keeps, told), shared_facts=tells
    )


def _level(facts: Facts, policy: str) -> int:
    kept = facts.policy_state.get(policy)
    level = kept.get("level") if isinstance(kept, dict) else None
    return level if isinstance(level, int) else 0


def _warns(facts: Facts) -> bool:
    options = facts.options.get(_WARNS)
    return options is None or options.mode != "off"


def _status(session: Session, level: int, facts: Facts) -> str:
    share = session.context_usage or 0.0
    limit = window_size(
        session.model, told=session.window_tokens, chosen=facts.settings.context.window
    )
    used, percent = round(share * limit), round(share * 100)
    status = (
        f"[hookd:{_NAME}] [Context Status: {percent}% used ({used:,}/{limit:,} tokens),"
        f" {100 - percent}% left]"
    )
    room = " There is no need to hurry or to skip steps."
    return status + room if level == 1 else status


def _facts(usage: float | None, **more: object) -> Facts:
    session = Session(1, "s", context_usage=usage, window_tokens=200_000)
    return Facts(session=session, **more)  # type: ignore[arg-type]


def _examples() -> tuple[PolicyExample, ...]:
    event = PostToolUse(tool_name="Bash", tool_input={"command": "ls"})
    off = {_WARNS: PolicyOptions(mode="off")}
    return (
        PolicyExample(event, _facts(None), says=""),
        PolicyExample(event, _facts(0.69), says=""),
        PolicyExample(event, _facts(0.72), says="context"),
        PolicyExample(event, _facts(0.72, policy_state={_WARNS: {"level": 1}}), says="effects"),
        PolicyExample(event, _facts(0.72, policy_state={_NAME: {"level": 1}}), says=""),
        PolicyExample(event, _facts(0.84), says="effects"),
        PolicyExample(event, _facts(0.84, options=off), says="context"),
    )


POLICY = Policy(
    name=_NAME,
    priority=105,
    events=frozenset({"PostToolUse"}),
    options=Options,
    on_error="silence",
    profiles=WORKFLOW,
    opine=opine,
    examples=_examples,
)
