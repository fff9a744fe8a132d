"""What `hookd guard explain` says of a patch."""

import json

from hookd.core.model.facts import Guard
from hookd.events.model import PreToolUse
from hookd.policy_support import call_explanation
from support.patches import DRESSES, ROOT, delete, disk, in_heredoc, in_tool, patch

RULE = {"id": "no-gen", "urgency": "block", "payload": {"text": "It is generated."}}
GUARD = Guard(
    1, "no-gen", "user", json.dumps({**RULE, "toolFilter": {"include": ["Edit(/gen/**)"]}})
)


def event(call: tuple[str, dict[str, object]]) -> PreToolUse:
    return PreToolUse(tool_name=call[0], tool_input=call[1], cwd=ROOT)


def test_a_patch_is_shown_by_the_calls_that_it_is_judged_as() -> None:
    facts = disk().facts
    text = patch(delete("gen/a")).removesuffix("*** End Patch")
    for dress in (in_tool, in_heredoc):
        shown = call_explanation.parts(event(dress(text)), facts)
        assert [(one["tool"], one["file"]) for one in shown] == [
            ("Edit", f"{ROOT}/gen/a"),
            ("Bash", f"rm -- {ROOT}/gen/a"),
            ("Edit", None),
        ]
        assert "*** End Patch" in shown[-1]["why"]
    assert call_explanation.parts(event(("Bash", {"command": "ls"})), facts) == []


def test_a_rule_matches_a_patch_by_its_files() -> None:
    facts = disk(guards=(GUARD,)).facts
    for dress in DRESSES:
        for path, matches in (("gen/a", "yes"), ("src/a", "no")):
            found = call_explanation.rules(event(dress(patch(delete(path)))), facts)
            assert [one["matches"] for one in found] == [matches]
