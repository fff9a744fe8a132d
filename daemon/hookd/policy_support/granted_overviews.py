"""Overviews that the user let a window see: the environment, a resolved configuration.

A second look shows the model nothing new, so it is not asked about again in that window.
"""

from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Any

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.fact_requests import CallsThatRan
from hookd.core.model.facts import Facts
from hookd.events.model import PreToolUse
from hookd.programs.catalogue import with_trait
from hookd.risk.model import Risk
from hookd.shell.quoting import names

_ENVIRONMENT, _CONFIGURATION = "env.print", "compose.config"
"""Ids of the rules of overviews."""

_ASKED = "asked"
_MAX_ASKED = 16
"""Calls that a window keeps."""

_READERS = with_trait("narrows", "searches") - {"xargs"}
"""Programs that show their input, or a part of it."""

_WHOLE = names("sort cat nl column")
"""Those that show all of it."""


def overview_of(event: PreToolUse, risks: Sequence[Risk]) -> tuple[str, ...]:
    """Return the key of the overview that a call prints, and that of a larger one with it.

    Nothing if the call prints or does anything else. The environment is the same for all programs
    that print it, a configuration is that of a folder and a command.
    """
    shell = event.call.shell
    rules = {risk.rule for risk in risks}
    printing = {risk.command for risk in risks}
    others = [one.argv.name for one in shell.commands if not _is_of(one.line, printing)]
    alone = shell.side_effect_free and _READERS.issuperset(others)
    if not alone or len(rules) > 1 or any(risk.severity == "deny" for risk in risks):
        return ()
    if rules == {_ENVIRONMENT}:
        whole = _ENVIRONMENT
    elif rules == {_CONFIGURATION}:
        whole = f"{_CONFIGURATION} {_digest(event.cwd, *sorted(printing))}"
    else:
        return ()
    part = f"{whole} {_digest(event.call.primary)}"
    return (whole,) if _WHOLE.issuperset(others) else (part, whole)


def _is_of(line: str, printing: Collection[str]) -> bool:
    """Return whether a command is one of those that print, or a guess about its last words."""
    return any(whole == line or whole.endswith(f" {line}") for whole in printing)


def _digest(*texts: str | None) -> str:
    return sha256("\0".join(text or "" for text in texts).encode()).hexdigest()[:16]


def is_granted(keys: tuple[str, ...], state: object, facts: Facts) -> bool:
    """Return whether a call of one of these keys was asked about in this window, and then ran."""
    calls = tuple(call for call, key in _asked(state) if key in keys)
    if not calls or facts.session is None:
        return False
    return bool(facts.require(CallsThatRan(facts.session.id, calls)))


def with_question(
    keys: tuple[str, ...], event: PreToolUse, policy: str, facts: Facts
) -> tuple[Remember, ...]:
    """Return the effect that records a question; none if the call cannot be found again."""
    if not keys or facts.session is None or event.tool_use_id is None:
        return ()
    asked = [*_asked(facts.policy_state.get(policy)), [event.tool_use_id, keys[0]]]
    return (Remember(facts.session.id, policy, {_ASKED: asked[-_MAX_ASKED:]}),)


def _asked(state: object) -> list[list[Any]]:
    """Return the recorded calls and their keys; none of a state in another shape."""
    asked = state.get(_ASKED) if isinstance(state, dict) else None
    pairs = asked if isinstance(asked, list) else []
    return [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2]
