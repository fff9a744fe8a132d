"""Live: the model is warned in time that its context window is nearly full."""

from support.home import Home, Window, window_in
from support.payloads import context, verdict


def used(window: Window, usage: float) -> None:
    """Tell the daemon, as a status line does, how full the window is."""
    params = {"claudeSessionId": window.id, "usage": usage, "source": "statusline"}
    window.rpc("session.updateContextUsage", **params)


def test_a_window_is_told_of_each_level_once(window: Window) -> None:
    window.bash()
    for usage, said in (
        (0.69, ""),
        (0.72, "72% full. Read large files in parts"),
        (0.75, ""),
        (0.83, "83% full. A handover to the next window is due soon"),
        (0.91, "91% full. After the current step"),
        (0.93, ""),
        (0.97, "97% full. It will be compacted soon."),
        (0.99, ""),
    ):
        used(window, usage)
        answer = window.bash()
        assert verdict(answer) == ("", "")
        assert (said in context(answer)) if said else answer is None, usage
    assert window.sessions("context_usage, context_source") == [(0.99, "statusline")]


def test_of_levels_that_were_jumped_over_the_highest_is_told(window: Window) -> None:
    window.bash()
    used(window, 0.92)
    assert "92% full. After the current step" in context(window.bash())
    used(window, 0.85)
    assert window.bash() is None


def test_the_settings_say_where_the_levels_are_and_in_which_order(home: Home) -> None:
    levels = {"notice": 0.3, "warn": 0.4, "at": 0.5, "critical": 0.6}
    home.settings({"policies": {"options": {"overflow": levels}}})
    home.serves()
    window = window_in(home)
    window.bash()
    used(window, 0.55)
    assert "55% full. After the current step" in context(window.bash())
    home.settings({"policies": {"options": {"overflow": levels | {"at": 0.1}}}})
    home.restarts()
    assert "must be in ascending order" in home.hookd("status").stdout


def test_the_next_window_is_told_anew(window: Window) -> None:
    for source in ("startup", "compact"):
        window.says("SessionStart", source=source)
        used(window, 0.95)
        assert "[hookd:overflow]" in context(window.bash())
        assert window.bash() is None


def test_a_subagent_is_not_told_of_its_parent_s_window(window: Window) -> None:
    window.bash()
    used(window, 0.95)
    assert window.bash(agent_id="a1") is None
    assert "[hookd:overflow]" in context(window.bash())
