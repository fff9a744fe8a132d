"""Risks for the content of files, checked against the disk: what git has can be restored."""

from hookd.core.model.fact_requests import GitCopy
from hookd.core.model.facts import Facts
from hookd.risk.model import Risk

_MAX_FILES = 32
"""Files of one call that are looked at; if there are more, all count as without a copy."""


def without_recoverable(risks: tuple[Risk, ...], facts: Facts) -> tuple[Risk, ...]:
    """Return the risks without those of files that git has, or that do not exist.

    Raise MissingFacts for what is not known of the files.
    """
    requests = tuple(dict.fromkeys(GitCopy(path) for risk in risks for path in risk.files))
    if not requests or len(requests) > _MAX_FILES:
        return risks
    facts.require_all(*requests)
    return tuple(risk for risk in risks if not _recoverable(risk, facts))


def _recoverable(risk: Risk, facts: Facts) -> bool:
    harmless = ("same", "absent") if risk.if_present else ("same",)
    states = [facts.require(GitCopy(path)) for path in risk.files]
    return bool(states) and all(state in harmless for state in states)
