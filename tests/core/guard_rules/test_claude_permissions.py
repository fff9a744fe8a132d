"""Permission rules of Claude Code become guard rules; what cannot be one is named."""

from hookd.core.guard_rules.claude_permissions import suggested
from support.parametrize import parametrize_all


def test_deny_and_ask_become_rules_with_names_of_their_own() -> None:
    said = {"deny": ["Bash(git push:*)", "Read(.env)", "Read( .env)"], "ask": ["WebFetch"]}
    found, left = suggested({"permissions": said | {"allow": ["Bash"]}})
    assert [(one["id"], one["urgency"]) for one in found] == [
        ("deny-bash-git-push", "block"),
        ("deny-read-env", "block"),
        ("deny-read-env-2", "block"),
        ("ask-webfetch", "ask"),
    ]
    assert found[0]["toolFilter"] == {"include": ["Bash(git push:*)"]}
    assert left == []


def test_an_entry_that_can_never_match_is_left_out_with_the_reason() -> None:
    found, left = suggested({"permissions": {"deny": ["Bash(a; b)", "Edit(", 3]}})
    assert [one["id"] for one in found] == ["deny-3"]
    assert [pattern for pattern, _ in left] == ["Bash(a; b)", "Edit("]


@parametrize_all("settings", [{}, [], None, {"permissions": 3}, {"permissions": {"deny": "x"}}])
def test_settings_of_another_shape_have_no_rules(settings: object) -> None:
    assert suggested(settings) == ([], [])
