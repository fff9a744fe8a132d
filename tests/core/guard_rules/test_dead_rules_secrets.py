"""No secret rests in a guard rule: texts are redacted, a pattern that holds one is refused."""

import pytest

from hookd.core.guard_rules.dead_rules import validate_rule, without_secrets
from hookd.core.model.errors import DomainError

KEY = "ghp_" + "a1B2" * 9


def test_texts_are_redacted_and_the_patterns_stay() -> None:
    given = {
        "id": "no-curl",
        "description": f"used {KEY}",
        "toolFilter": {"include": ["Bash(curl *token=*)"]},
        "payload": {"text": f"Use {KEY}.", "command": f"echo {KEY}"},
        "urgency": "block",
    }
    rule = without_secrets(validate_rule(given))
    assert "ghp_" not in rule.model_dump_json()
    assert rule.payload.text == "Use [redacted:github-token]."
    assert rule.tool_filter.include == ("Bash(curl *token=*)",)


@pytest.mark.parametrize("where", ["include", "exclude"])
def test_a_pattern_that_holds_a_secret_is_refused(where: str) -> None:
    filters = {"include": ["Bash(curl *)"]} | {where: [f"Bash(curl *{KEY}*)"]}
    rule = validate_rule({"id": "x", "toolFilter": filters, "urgency": "block"})
    with pytest.raises(DomainError, match="looks like a secret"):
        without_secrets(rule)
