"""The text for a new subagent: it has a single task."""

from hookd.core.model.facts import Facts
from hookd.events.model import HookInput
from hookd.policies.single_task import Options, opine
from support.parametrize import parametrize_all


def told(kind: str | None, *types: str, agent: str | None = "a1") -> bool:
    event = HookInput(hook_event_name="SubagentStart", agent_id=agent, agent_type=kind)
    opinion = opine(event, Facts(), Options(types=types) if types else Options())
    assert opinion is None or opinion.verdict is None
    return opinion is not None and opinion.context.startswith("[hookd:single-task] ")


@parametrize_all(
    ("kind", "types", "expected"),
    [
        ("general-purpose", (), True),
        ("", (), True),
        (None, (), True),
        ("Plan", ("Explore", "Pl*"), True),
        ("Plan", ("Explore",), False),
        ("Plan", ("plan",), False),
    ],
)
def test_a_subagent_of_a_named_type_is_told(
    kind: str | None, types: tuple[str, ...], expected: bool
) -> None:
    assert told(kind, *types) == expected


def test_nobody_but_a_subagent_is_told() -> None:
    assert not told("Explore", agent=None)
