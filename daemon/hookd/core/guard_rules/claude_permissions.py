"""Guard rules that say what Claude Code's own permission rules say."""

import re
from typing import Any

from hookd.core.guard_rules.dead_rules import validate_rule, without_secrets
from hookd.core.guard_rules.short_form import expand
from hookd.core.model.errors import DomainError

_TEXTS = {
    "deny": "The project's permission rules deny this.",
    "ask": "The project's permission rules ask about this.",
}


def suggested(settings: Any) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Return a rule for each entry of `permissions.deny` and `permissions.ask`.

    The second list has the entries that cannot be a rule, with the reason.
    """
    permissions = settings.get("permissions") if isinstance(settings, dict) else None
    found: list[dict[str, Any]] = []
    left: list[tuple[str, str]] = []
    names: set[str] = set()
    for kind, text in _TEXTS.items():
        entries = permissions.get(kind) if isinstance(permissions, dict) else None
        for entry in entries if isinstance(entries, list) else ():
            pattern = str(entry)
            name = _name(kind, pattern, names)
            rule = {"id": name, "match": [pattern], kind: text}
            try:
                without_secrets(validate_rule(rule))
            except DomainError as error:
                left.append((pattern, str(error)))
            else:
                names.add(name)
                found.append(expand(rule))
    return found, left


def _name(kind: str, pattern: str, taken: set[str]) -> str:
    words = re.sub(r"[^A-Za-z0-9]+", "-", pattern).strip("-").lower()[:60] or "rule"
    name, count = f"{kind}-{words}", 1
    while name in taken:
        count += 1
        name = f"{kind}-{words}-{count}"
    return name
