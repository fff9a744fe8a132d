"""Law: the JSON of a client's answers is known in its adapter, and in the command line alone."""

import re
from collections.abc import Iterator
from pathlib import Path

from hookd.events.answer_fields import ANSWER_FIELDS
from support.paths import ROOT

PACKAGE = ROOT / "daemon" / "hookd"

KEYS = {
    *("hookSpecificOutput", "hookEventName", "suppressOutput", "stopReason", "systemMessage"),
    *("permissionDecision", "permissionDecisionReason", "additionalContext", "updatedInput"),
    *(field.key for field in ANSWER_FIELDS.values() if not field.key.islower()),
}
_KEY = re.compile(rf"\b(?:{'|'.join(sorted(KEYS))})\b")

OWN = {
    "core/evaluation/explanation.py": {"systemMessage"},
    "display/explanation.py": {"systemMessage"},
    "policy_support/call_explanation.py": {"systemMessage", "updatedInput"},
}
"""Keys of hookd's own JSON (`guards.explain`, `facts_json`) that are spelled the same."""


USER_HOOKS = {"events/answer_fields.py", "user_hooks/hook_output.py", "user_hooks/hook_reply.py"}
"""The protocol of the user's own hooks, which is Claude Code's, whichever client runs."""


def known(package: Path) -> Iterator[tuple[str, str]]:
    """Yield the file and the key of each word of a client's answers outside of its adapter."""
    for path in sorted(package.rglob("*.py")):
        name = str(path.relative_to(package))
        if name.partition("/")[0] not in ("clients", "cli") and name not in USER_HOOKS:
            keys = set(_KEY.findall(path.read_text("utf-8"))) - OWN.get(name, set())
            yield from ((name, key) for key in sorted(keys))


def test_only_an_adapter_knows_the_json_of_its_client() -> None:
    assert list(known(PACKAGE)) == []


def test_a_policy_that_builds_a_clients_json_is_found(tmp_path: Path) -> None:
    policy = tmp_path / "policies" / "wrong.py"
    policy.parent.mkdir()
    policy.write_text('ANSWER = {"hookSpecificOutput": {"permissionDecision": "deny"}}\n')
    (tmp_path / "clients").mkdir()
    (tmp_path / "clients" / "right.py").write_text(policy.read_text())
    assert list(known(tmp_path)) == [
        ("policies/wrong.py", "hookSpecificOutput"),
        ("policies/wrong.py", "permissionDecision"),
    ]
