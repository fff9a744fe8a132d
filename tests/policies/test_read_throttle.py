"""When a nearly full window may still read a file."""

from typing import Any

from hookd.config.models import PolicyOptions
from hookd.core.evaluation.policies import ask_policies
from hookd.core.model.facts import Facts, Session
from hookd.core.model.policy import opinion_kind
from hookd.events.model import PreToolUse
from hookd.policies import overflow
from hookd.policies.read_throttle import NAME, POLICY, Options
from support.parametrize import parametrize_all


def verdict(
    tool: str,
    given: dict[str, Any],
    usage: float = 0.95,
    agent: str | None = None,
    **options: PolicyOptions,
) -> str:
    event = PreToolUse(
        hook_event_name="PreToolUse", tool_name=tool, tool_input=given, agent_id=agent
    )
    own: dict[str, PolicyOptions] = {NAME: Options(mode="enforce", lines=100)}
    facts = Facts(session=Session(1, "s", context_usage=usage), options={**own, **options})
    return "".join(
        opinion_kind(one.opinion) for one in ask_policies([POLICY], event, facts, lambda: 0.0)
    )


@parametrize_all(
    ("limit", "says"),
    [
        *((1, ""), (100, ""), (101, "deny"), (0, "deny"), (-1, "deny")),
        *((None, "deny"), (True, "deny"), ("50", "deny"), (50.0, "deny")),
    ],
)
def test_a_read_of_few_lines_goes_through(limit: object, says: str) -> None:
    assert verdict("Read", {"file_path": "/a", "limit": limit}) == says


@parametrize_all(
    ("command", "says"),
    [
        ("cat app.py", "deny"),
        ("cat -n app.py", "deny"),
        ("/bin/cat app.py", "deny"),
        ("cat", ""),
        ("cat a b", "deny"),
        ("cat -", ""),
        ("cat app.py | head", ""),
        ("cat app.py > copy.py", ""),
        ("cat <<'E' > a\nx\nE", ""),
        ("head -n 5 app.py", ""),
        ("hookd handover save h.json", ""),
        ("if (", ""),
    ],
)
def test_only_a_plain_cat_of_one_file_counts_as_reading_it(command: str, says: str) -> None:
    assert verdict("Bash", {"command": command}) == says


def test_the_level_is_the_users_own() -> None:
    levels = {"overflow": overflow.Options(notice=0.1, warn=0.2, at=0.5, critical=0.6)}
    read = {"file_path": "/a"}
    assert (verdict("Read", read, 0.89), verdict("Read", read, 0.9)) == ("", "deny")
    assert (verdict("Read", read, 0.49, **levels), verdict("Read", read, 0.5, **levels)) == (
        "",
        "deny",
    )


def test_a_subagent_is_never_held_back() -> None:
    assert verdict("Read", {"file_path": "/a"}, agent="a1") == ""


def test_the_reason_names_alternatives() -> None:
    opinion = POLICY.opine(POLICY.examples()[0].event, POLICY.examples()[0].facts, Options())
    assert opinion is not None
    for way in ("offset", "up to 200", "Grep", "sed -n", "hookd handover save"):
        assert way in opinion.reason
