"""Describe a guard rule in a few words, from its JSON: which calls, and when.

It reads the stored JSON as it is, because the command line imports no models.
"""

from collections.abc import Iterator, Mapping
from typing import Any

DESCRIBED = (
    *("changes", "reaches", "protectedBranches", "branch", "agents", "client", "largerThan"),
    "after",
)
"""Keys of which `calls_of` says everything."""

_LIMITS = ("condition", "trigger")


def calls_of(rule: Mapping[str, Any]) -> str:
    """Return which calls a rule matches, such as `Bash, on branch main`."""
    include = (rule.get("toolFilter") or {}).get("include")
    words = [", ".join(include or []), *_deeds(rule)]
    subject = ", ".join(filter(None, words)) or "every call"
    softens = ["softening the built-in guards"] if rule.get("softens") else []
    limits = [f"on its {name}" for name in _LIMITS if rule.get(name)]
    return " ".join((", ".join((subject, *_conditions(rule), *softens)), *limits))


def _deeds(rule: Mapping[str, Any]) -> Iterator[str]:
    if rule.get("changes"):
        yield f"changes {_either(rule['changes'])}"
    if rule.get("reaches"):
        yield f"reaches {_either(rule['reaches'])}"
    if rule.get("protectedBranches"):
        yield f"pushes to {_either(rule['protectedBranches'])}"


def _conditions(rule: Mapping[str, Any]) -> Iterator[str]:
    if rule.get("branch"):
        yield f"on branch {_either(rule['branch'])}"
    if rule.get("agents"):
        yield f"by {_either(rule['agents'])}"
    if rule.get("client"):
        yield f"in {_either(rule['client'])}"
    if rule.get("largerThan"):
        yield f"larger than {rule['largerThan']}"
    if rule.get("after"):
        yield f"unless {' and '.join(_required(rule['after']))}"
    if rule.get("budget"):
        limits = (f"${cost:g} per {name}" for name, cost in rule["budget"].items() if cost)
        yield f"from {' or '.join(limits)}"
    if rule.get("context") is not None:
        yield f"from {_share(rule['context'])} of the context window"


def _required(after: Any) -> Iterator[str]:
    for one in after if isinstance(after, list | tuple) else [after]:
        known = one if isinstance(one, Mapping) else {"command": one}
        since = "" if known.get("since") == "start" else " since the last edit"
        said = "" if " succeeded" in str(known.get("command")) else f" succeeded{since}"
        yield f"{known.get('command')}{said}"


def _share(limit: float | str) -> str:
    return f"the level {limit}" if isinstance(limit, str) else f"{limit:.0%}"


def _either(values: Any) -> str:
    """Return values as a choice, with the exceptions behind it."""
    texts = [values] if isinstance(values, str) else [str(one) for one in values]
    named = [text for text in texts if not text.startswith("!")]
    spared = [text[1:] for text in texts if text.startswith("!")]
    return " except ".join(filter(None, (" or ".join(named), " and ".join(spared))))
