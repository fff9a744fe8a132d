"""The check that hookd guards: exactly the announced call is denied, with its answer."""

from hookd.core.evaluation import canary
from hookd.core.model.facts import Facts
from hookd.events.model import PreToolUse
from hookd.policies import guard_rules
from support.parametrize import parametrize_all

NONCES = [
    ("hookd-canary-abc", "abc"),
    ("hookd-canary-", ""),
    ("hookd-canary", ""),
    ("x-hookd-canary-abc", ""),
    ("", ""),
    ("11c8d28b", ""),
]


@parametrize_all(("session", "nonce"), NONCES)
def test_only_a_session_that_is_named_after_it_has_a_nonce(session: str, nonce: str) -> None:
    assert canary.nonce_of(session) == nonce


@parametrize_all("nonce", ["abc", "hookd-canary-x"])
def test_a_session_s_name_holds_its_nonce(nonce: str) -> None:
    assert canary.nonce_of(canary.session_id(nonce)) == nonce


CALLS = [
    ("Bash", {"command": "hookd-canary"}, True),
    ("Bash", {"command": "cd /x && hookd-canary"}, True),
    ("Bash", {"command": "ls"}, False),
    ("Bash", {"command": "echo hookd-canary"}, False),
    ("Read", {"file_path": "hookd-canary"}, False),
]


@parametrize_all(("tool", "told", "denied"), CALLS)
def test_its_guard_denies_exactly_that_call(tool: str, told: dict[str, str], denied: bool) -> None:
    facts = Facts(guards=(canary.canary_guard("s3cret"),))
    event = PreToolUse(tool_name=tool, tool_input=told)
    said = guard_rules.POLICY.opine(event, facts, guard_rules.POLICY.options())
    assert (said is not None and said.verdict == "deny") is denied
    if said is not None:
        assert "the check s3cret arrived" in said.reason


def test_of_many_checks_the_oldest_is_forgotten() -> None:
    waiting: dict[str, str] = {}
    for number in range(20):
        canary.announce(waiting, f"nonce{number}", f"answer{number}")
    assert waiting == {f"nonce{number}": f"answer{number}" for number in range(4, 20)}


def test_a_check_that_is_announced_again_has_the_newer_answer_and_is_the_youngest() -> None:
    waiting = {"a": "1", "b": "2"}
    canary.announce(waiting, "a", "3")
    assert list(waiting.items()) == [("b", "2"), ("a", "3")]
