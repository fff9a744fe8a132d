"""The check that hookd guards: exactly the announced call is denied, with its nonce."""

import pytest

from hookd.core import canary
from hookd.core.events import PreToolUse
from hookd.core.facts import Facts
from hookd.policies import guard_rules

NONCES = [
    ("hookd-canary-abc", "abc"),
    ("hookd-canary-", ""),
    ("hookd-canary", ""),
    ("x-hookd-canary-abc", ""),
    ("", ""),
    ("11c8d28b", ""),
]


@pytest.mark.parametrize(("session", "nonce"), NONCES)
def test_only_a_session_that_is_named_after_it_has_a_nonce(session: str, nonce: str) -> None:
    assert canary.nonce_in(session) == nonce


@pytest.mark.parametrize("nonce", ["abc", "hookd-canary-x"])
def test_a_session_s_name_holds_its_nonce(nonce: str) -> None:
    assert canary.nonce_in(canary.session_id(nonce)) == nonce


CALLS = [
    ("Bash", {"command": "hookd-canary"}, True),
    ("Bash", {"command": "cd /x && hookd-canary"}, True),
    ("Bash", {"command": "ls"}, False),
    ("Bash", {"command": "echo hookd-canary"}, False),
    ("Read", {"file_path": "hookd-canary"}, False),
]


@pytest.mark.parametrize(("tool", "told", "denied"), CALLS)
def test_its_guard_denies_exactly_that_call(tool: str, told: dict[str, str], denied: bool) -> None:
    facts = Facts(guards=(canary.guard("n0nce"),))
    event = PreToolUse(tool_name=tool, tool_input=told)
    said = guard_rules.POLICY.opine(event, facts, guard_rules.POLICY.options())
    assert (said is not None and said.verdict == "deny") is denied
    if said is not None:
        assert "the check n0nce arrived" in said.reason
