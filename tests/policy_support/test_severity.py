"""A kind of risk has the severity that the user sets, and the others keep their own."""

from hookd.config.models import Policies, Section
from hookd.policies import POLICIES
from hookd.policy_support.layering import choose
from hookd.policy_support.severity import by_severity
from hookd.risk.model import Risk
from support.parametrize import parametrize_all

RISKS = (Risk("force-push", "deny", "x"), Risk("deletes", "ask", "y"))


@parametrize_all(
    ("levels", "kept", "told"),
    [
        ({}, ["deny force-push", "ask deletes"], []),
        ({"force-push": "ask"}, ["ask force-push", "ask deletes"], []),
        ({"force-push": "tell"}, ["ask deletes"], ["force-push"]),
        ({"force-push": "off"}, ["ask deletes"], []),
        ({"force-push": "ask", "deletes": "deny"}, ["deny deletes", "ask force-push"], []),
        ({"kills": "deny"}, ["deny force-push", "ask deletes"], []),
    ],
)
def test_the_severity_of_a_kind(levels: dict[str, str], kept: list[str], told: list[str]) -> None:
    left, only_told = by_severity(RISKS, levels, lambda risk: risk.kind)  # type: ignore[type-var, arg-type]
    assert [f"{risk.severity} {risk.kind}" for risk in left] == kept
    assert [risk.kind for risk in only_told] == told


def test_a_stronger_layer_adds_to_the_severities_of_a_weaker_one() -> None:
    name = "destructive-guard"
    layers = [{"force-push": "ask", "kills": "off"}, {"kills": "deny"}]
    sections = [Section(Policies(options={name: {"severity": one}})) for one in layers]
    options = choose(POLICIES, sections)[name].options
    assert options.model_dump()["severity"] == {"force-push": "ask", "kills": "deny"}
