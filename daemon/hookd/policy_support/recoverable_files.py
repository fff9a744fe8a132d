"""Risks for the content of files, checked against the disk: what git has can be restored."""

from hookd.core.model.fact_requests import ExistingPaths, FileRequest, GitCopy
from hookd.core.model.facts import Facts
from hookd.risk.model import Risk

_OUTSIDE = "files.write-outside"
_MAX_FILES = 32
"""Files of one call that are looked at; if there are more, all count as without a copy."""


def without_recoverable(risks: tuple[Risk, ...], facts: Facts) -> tuple[Risk, ...]:
    """Return the risks without those of files that git has, or that do not exist.

    Raise MissingFacts for what is not known of the files.
    """
    if len({path for risk in risks for path in risk.files}) > _MAX_FILES:
        return risks
    facts.require_all(*dict.fromkeys(one for risk in risks for one in requests_of(risk)))
    return tuple(risk for risk in risks if not _recoverable(risk, facts))


def requests_of(risk: Risk) -> tuple[FileRequest, ...]:
    """Return what is looked at before a risk counts."""
    copies = map(GitCopy, risk.files)
    return (_existing(risk), *copies) if _is_outside(risk) else tuple(copies)


def _is_outside(risk: Risk) -> bool:
    return risk.rule == _OUTSIDE and bool(risk.files)


def _existing(risk: Risk) -> ExistingPaths:
    return ExistingPaths("/", tuple(path.lstrip("/") for path in risk.files))


def known_to_remain(risks: tuple[Risk, ...], facts: Facts) -> tuple[Risk, ...]:
    """Return the same as far as the files were looked at; the others count as without a copy."""
    looked = (one in facts.resolved for risk in risks for one in requests_of(risk))
    return without_recoverable(risks, facts) if all(looked) else risks


def _recoverable(risk: Risk, facts: Facts) -> bool:
    if _is_outside(risk) and facts.require(_existing(risk)) == ():
        return True  # a new file replaces nothing
    harmless = ("same", "absent") if risk.if_present else ("same",)
    states = [facts.require(GitCopy(path)) for path in risk.files]
    return bool(states) and all(state in harmless for state in states)
