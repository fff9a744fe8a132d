"""The session's model was switched: its row knows the new one."""

from hookd.core.effects import SetModel
from hookd.core.events import ModelSwitch
from hookd.core.facts import Facts
from hookd.core.method import Decision, Example, HookMethod, HookResult
from hookd.core.outcome import Outcome


class Result(HookResult):
    """The model from now on."""

    model: str | None = None


def decide(event: ModelSwitch, facts: Facts) -> Decision:
    """Keep the model."""
    if facts.session is None or not event.to_model:
        return Decision(facts)
    return Decision(facts, (SetModel(facts.session.id, event.to_model),))


def answer(event: ModelSwitch, _facts: Facts, _outcome: Outcome) -> Result:
    """Report it."""
    return Result(model=event.to_model or None)


METHOD = HookMethod(
    name="hooks.postModelSwitch",
    event="PostModelSwitch",
    params=ModelSwitch,
    result=Result,
    decide=decide,
    answer=answer,
    examples=(
        Example(
            {
                "session_id": "11c8d28b",
                "hook_event_name": "PostModelSwitch",
                "to_model": "claude-sonnet-5-5",
            },
            says="keeps the model",
        ),
    ),
)
