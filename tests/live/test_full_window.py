"""Live: the model is told in time that its context window is nearly full."""

from conftest import Window, context, verdict


def used(window: Window, usage: float) -> None:
    """Tell the daemon, as a status line does, how full the window is."""
    params = {"claudeSessionId": window.id, "usage": usage, "source": "statusline"}
    window.rpc("session.updateContextUsage", **params)


def test_a_nearly_full_window_is_told_of_once(window: Window) -> None:
    window.bash()
    used(window, 0.89)
    assert window.bash() is None
    used(window, 0.91)
    answer = window.bash()
    assert verdict(answer) == ("", "")
    assert context(answer).startswith("[hookd:overflow] The context window is 91% full.")
    used(window, 0.97)
    assert window.bash() is None
    assert window.sessions("context_usage, context_source") == [(0.97, "statusline")]


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
