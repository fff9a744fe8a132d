"""Live: durations longer than the calendar mean forever, and end no daemon."""

import pytest

from support.home import Home, window_in


@pytest.mark.parametrize(
    "spans",
    [
        {"retention": {"days": 1_000_000}},
        {"retention": {"days": 10**15}},
        {"sessions": {"idle_minutes": 10**9}},
        {"sessions": {"idle_minutes": 10**15}},
    ],
    ids=["days", "more days than a span has", "minutes", "more minutes than a span has"],
)
def test_who_keeps_things_for_ever_is_still_guarded(home: Home, spans: dict[str, object]) -> None:
    home.settings(spans)
    home.serves()
    window = window_in(home)
    window.says("SessionStart")
    home.restarts()
    answer = window.bash("rm -rf /")
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert window.sessions("ended_at") == [(None,)]
    assert home.logged("maintenance failed") == []
    assert home.logged("daemon failed") == []
