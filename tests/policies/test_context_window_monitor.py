"""How full the window is: said once, never beside `overflow`, and told to later policies."""

from dataclasses import replace

from hookd.clients.claude_code.transcript_usage import last_usage
from hookd.config.models import ContextOptions, PolicyOptions, Settings
from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Facts, Session
from hookd.events.context_usage import share
from hookd.events.model import PostToolUse, PreToolUse
from hookd.policies import context_window_monitor, overflow
from support.parametrize import parametrize_all

POLICIES = [overflow.POLICY, context_window_monitor.POLICY]
CALL = {"tool_name": "Bash", "tool_input": {"command": "ls"}}
BEFORE = PreToolUse(hook_event_name="PreToolUse", **CALL)
AFTER = PostToolUse(hook_event_name="PostToolUse", **CALL)
OFF = {"overflow": overflow.Options(mode="off")}


class Window:
    """A window that fills up and keeps its policy state."""

    def __init__(self, options: dict[str, PolicyOptions] | None = None, **session: object) -> None:
        one = Session(1, "s", model="claude-sonnet-4-5", **session)  # type: ignore[arg-type]
        self.facts = Facts(session=one, options=options or {})

    def holds(self, usage: float | None, event: PreToolUse | PostToolUse) -> str:
        """Return who spoke; keep what was caused."""
        assert self.facts.session is not None
        session = replace(self.facts.session, context_usage=usage)
        self.facts = replace(self.facts, session=session)
        spoke = []
        for one in ask_policies(POLICIES, event, self.facts, lambda: 0.0):
            assert one.fault is None
            for effect in one.opinion.effects if one.opinion else ():
                assert isinstance(effect, Remember)
                state = {**self.facts.policy_state, effect.policy: effect.value}
                self.facts = replace(self.facts, policy_state=state)
            spoke += [one.policy] if one.opinion and one.opinion.context else []
        return " ".join(spoke)


MONITOR = "context-window-monitor"
WALKS: list[tuple[dict[str, PolicyOptions], list[tuple[str, float | None, str]]]] = [
    ({}, [("before", 0.72, "overflow"), ("after", 0.72, ""), ("after", 0.75, "")]),
    ({}, [("after", 0.72, MONITOR), ("before", 0.72, ""), ("after", 0.73, "")]),
    ({}, [("after", 0.72, MONITOR), ("before", 0.82, "overflow"), ("after", 0.82, "")]),
    ({}, [("after", 0.84, ""), ("before", 0.84, "overflow"), ("after", 0.84, "")]),
    ({}, [("after", None, ""), ("after", 0.69, ""), ("before", 0.69, "")]),
    (OFF, [("before", 0.72, ""), ("after", 0.72, MONITOR), ("after", 0.96, "")]),
    (OFF, [("after", 0.91, MONITOR), ("after", 0.96, ""), ("before", 0.97, "")]),
    (
        {"overflow": overflow.Options(notice=0.5, warn=0.6)},
        [("after", 0.55, MONITOR), ("before", 0.55, ""), ("before", 0.6, "overflow")],
    ),
]


@parametrize_all(("options", "walk"), WALKS)
def test_nobody_is_told_of_one_level_twice(
    options: dict[str, PolicyOptions], walk: list[tuple[str, float | None, str]]
) -> None:
    window = Window(options)
    for event, usage, who in walk:
        assert window.holds(usage, BEFORE if event == "before" else AFTER) == who


def said(session: Session, **more: object) -> str:
    (one,) = ask_policies(
        [context_window_monitor.POLICY],
        AFTER,
        Facts(session=session, **more),  # type: ignore[arg-type]
        lambda: 0.0,
    )
    return one.opinion.context if one.opinion else ""


def test_the_status_names_the_share_and_the_tokens_of_this_window() -> None:
    one = Session(1, "s", context_usage=0.72, window_tokens=200_000)
    text = said(one)
    assert "[Context Status: 72% used (144,000/200,000 tokens), 28% left]" in text
    assert "no need to hurry" in text
    assert "enough" not in text
    large = said(replace(one, window_tokens=None, model="claude-opus-5-5"))
    assert "(720,000/1,000,000 tokens)" in large
    chosen = Settings(context=ContextOptions(window=100_000))
    assert "(72,000/100,000 tokens)" in said(one, settings=chosen)


def test_a_window_that_is_nearly_full_is_not_called_roomy() -> None:
    off: dict[str, PolicyOptions] = {"overflow": PolicyOptions(mode="off")}
    text = said(Session(1, "s", context_usage=0.96), options=off)
    assert "96% used" in text
    assert "room" not in text


@parametrize_all("more", [{"agent_id": "a"}, {"handover": True}])
def test_a_subagent_and_a_window_that_has_handed_over_are_told_nothing(more: object) -> None:
    session = Session(1, "s", context_usage=0.72, **more)  # type: ignore[arg-type]
    assert said(session) == ""
    assert context_window_monitor.opine(AFTER, Facts(), context_window_monitor.Options()) is None


def test_each_new_level_is_a_fact_for_the_policies_that_are_asked_later() -> None:
    window, told = Window(), []
    for usage in (0.5, 0.7, 0.71, 0.8, 0.95, 0.96):
        session = replace(window.facts.session, context_usage=usage)
        facts = replace(window.facts, session=session)
        options = context_window_monitor.Options()
        if opinion := context_window_monitor.opine(AFTER, facts, options):
            told.append(dict(opinion.shared_facts["context_threshold_reached"]))
        window.holds(usage, AFTER)
    assert told == [
        {"level": "notice", "usageRatio": 0.7},
        {"level": "warn", "usageRatio": 0.8},
        {"level": "critical", "usageRatio": 0.95},
    ]


def test_the_share_is_that_of_the_last_answer_alone() -> None:
    line = (
        b'{"type":"assistant","message":{"model":"claude-sonnet-4-5","usage":{"input_tokens":%d,'
        b'"cache_creation_input_tokens":1000,"cache_read_input_tokens":139000}}}'
    )
    usage = last_usage([line % 190_000, line % 60_000, line % 4_000])
    assert usage is not None
    assert usage.tokens is not None
    window = Window()
    assert window.holds(share(usage.tokens, usage.model), AFTER) == MONITOR
