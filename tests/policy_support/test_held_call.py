"""The text of a call that waits: a secret at its end is redacted whole."""

import pytest

from hookd.core.model.facts import Facts
from hookd.core.model.method import Trial
from hookd.core.model.verdict import Outcome
from hookd.events.model import PreToolUse
from hookd.policy_support.held_call import held_call
from support.patches import add, delete, patch

TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize("shown", [0, 4, 20, 39, 40])
def test_a_secret_at_the_end_of_the_text_is_redacted_whole(shown: int) -> None:
    command = f"{'x' * (3_999 - shown)} {TOKEN} rest"
    event = PreToolUse(tool_name="Bash", tool_input={"command": command}, cwd="/work")
    text = held_call(Trial(event, Facts(), (), (), Outcome(), (), None)).text
    assert len(text) <= 4_000
    assert "ghp_" not in text
    assert text.startswith("xxx")


def test_a_patch_is_shown_by_its_files_and_whole_as_its_diff() -> None:
    text = patch(add("src/a.py", "x = 1"), delete("src/b.py"))
    event = PreToolUse(tool_name="ApplyPatch", tool_input={"command": text}, cwd="/work")
    held = held_call(Trial(event, Facts(), (), (), Outcome(), (), None))
    assert held.text == "src/a.py, src/b.py"
    assert held.diff == text
    event = PreToolUse(tool_name="ApplyPatch", tool_input={"command": "?"}, cwd="/work")
    assert held_call(Trial(event, Facts(), (), (), Outcome(), (), None)).text == "?"
