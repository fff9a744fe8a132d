"""Saved handovers: those that wait come first, if that is asked for."""

import json

import pytest

from support.flows import after_clear, hands_over
from support.home import Window


@pytest.mark.parametrize("taken", [False, True])
def test_the_newest_that_waits_comes_before_the_newest(window: Window, taken: bool) -> None:
    window.says("SessionStart")
    hands_over(window, summary="The first.")
    second, _ = after_clear(window)
    if taken:
        second.says("UserPromptSubmit")
    hands_over(second, summary="The second.")
    third, _ = after_clear(second)
    third.says("UserPromptSubmit")
    text = window.home.hookd("handover", "resume", "--text", cwd=window.project).stdout
    assert ("The first." in text) != taken
    shown = window.home.hookd("handover", "show", "--json", cwd=window.project).stdout
    assert json.loads(shown)["handover"]["summary"] == "The second."
