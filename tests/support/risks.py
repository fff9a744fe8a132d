"""What the tables of dangers say of a text, for tests: in a project, below a home."""

from dataclasses import replace

from hookd.programs.catalogue import RULE_KINDS
from hookd.risk.analyze import assess, assess_text
from hookd.risk.model import CallContext, Risk
from hookd.risk.variable_values import values_in
from hookd.shell.commands import read

SHOP = CallContext(cwd="/home/me/work/shop", project="/home/me/work/shop", home="/home/me")


def found(text: str, place: CallContext = SHOP) -> tuple[Risk, ...]:
    """Return the dangers of a text; each names its rule."""
    risks = assess(read(text), replace(place, values=values_in(text)))
    assert [one for one in risks if RULE_KINDS.get(one.rule) != one.kind] == []
    return risks


def judged(text: str, place: CallContext = SHOP) -> str:
    """Return the strongest danger of a whole command line, as the guards see it."""
    risks = assess_text(text, replace(place, values=values_in(text)))
    return next((f"{one.severity} {one.kind}" for one in risks), "")


def said(text: str, place: CallContext = SHOP) -> str:
    """Return the strongest danger as `deny deletes`, or nothing."""
    return next((f"{one.severity} {one.kind}" for one in found(text, place)), "")
