"""When a pause holds, and what of a handler's decision stays while nothing is answered."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hookd.config.models import PrecompactOptions, Settings
from hookd.core.evaluation.notices import pause_notice
from hookd.core.evaluation.pause import (
    MAX_PAUSE,
    minutes_left,
    paused,
    recording,
    unpaused,
    without_sending,
)
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.effects.messages import AddInjection, OfferInjections
from hookd.core.model.effects.sessions import Remember, SetHeartbeat
from hookd.core.model.effects.union import Effect
from hookd.core.model.facts import Facts, Session, iso
from hookd.events.model import HookInput
from support.parametrize import parametrize_all

NOW = datetime(2026, 1, 31, 8, tzinfo=UTC)
SECOND = timedelta(seconds=1)


def until(text: str) -> Facts:
    return Facts(now=NOW, daemon=DaemonState(paused_until=text), session=Session(1, "s"))


@parametrize_all(
    ("end", "active", "minutes"),
    [
        (NOW + SECOND, True, 1),
        (NOW + 60 * SECOND, True, 1),
        (NOW + 61 * SECOND, True, 2),
        (NOW + MAX_PAUSE, True, 480),
        (NOW, False, 0),
        (NOW - SECOND, False, 0),
        (NOW + MAX_PAUSE + SECOND, False, 0),  # the clock was put back
    ],
)
def test_a_pause_holds_up_to_its_end(end: datetime, active: bool, minutes: int) -> None:
    facts = until(iso(end))
    assert paused(facts) is active
    assert not active or minutes_left(facts) == minutes
    assert not paused(unpaused(facts))


@parametrize_all("text", ["", "tomorrow", "2026-01-31T08:10:00", "2026-13-01"])
def test_what_is_no_time_is_no_pause(text: str) -> None:
    assert not paused(until(text))


def test_what_would_go_out_with_the_answer_goes_on_waiting() -> None:
    kept: tuple[Effect, ...] = (SetHeartbeat(1, 3, None), AddInjection(1, "r", "waits"))
    out = AddInjection(1, "r", "goes out", offered_by=7)
    assert without_sending((*kept, out, OfferInjections((4,), 7))) == (
        *kept,
        replace(out, offered_by=None),
    )


def test_a_handler_that_only_records_keeps_no_client_from_compacting() -> None:
    settings = Settings(precompact=PrecompactOptions(action="block"))
    facts = recording(Facts(settings=settings))
    assert facts.settings.precompact.action == "record"
    assert facts.settings.context == settings.context


@parametrize_all(("seconds", "said"), [(30, "1 more minute:"), (90, "2 more minutes:")])
def test_the_user_is_told_how_long_it_lasts(seconds: int, said: str) -> None:
    facts = until(iso(NOW + seconds * SECOND))
    opinion = pause_notice(HookInput(hook_event_name="UserPromptSubmit"), facts)
    assert opinion is not None
    assert opinion.system_message.startswith(f"hookd is paused for {said}")
    assert opinion.effects == (Remember(1, "pause", facts.daemon.paused_until),)
    told = replace(facts, policy_state={"pause": facts.daemon.paused_until})
    assert pause_notice(HookInput(hook_event_name="UserPromptSubmit"), told) is None
    assert pause_notice(HookInput(hook_event_name="PreToolUse"), facts) is None
