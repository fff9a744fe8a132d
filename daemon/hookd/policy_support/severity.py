"""Severity by kind of risk, as the user sets it: deny, ask, tell the model, or off."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Literal, TypeVar

from hookd.risk.model import Risk

Level = Literal["deny", "ask", "tell", "off"]

Kind = TypeVar("Kind", bound=str)

DESCRIPTION = (
    "By kind of risk: `deny`, `ask`, `tell` (the call runs, and the model reads the reason) or"
    " `off`. Kinds without an entry keep the severity of each risk."
)


def by_severity(
    risks: Iterable[Risk], levels: Mapping[Kind, Level], kind_of: Callable[[Risk], Kind]
) -> tuple[tuple[Risk, ...], tuple[Risk, ...]]:
    """Return the risks to deny or to ask about, denied ones first, and those for advice.

    A risk of a kind with a level has that severity, whatever it was.
    """
    kept: list[Risk] = []
    told: list[Risk] = []
    for risk in risks:
        level = levels.get(kind_of(risk))
        if level is None:
            kept.append(risk)
        elif level == "tell":
            told.append(risk)
        elif level != "off":
            kept.append(replace(risk, severity=level))
    kept.sort(key=lambda risk: risk.severity != "deny")
    return tuple(kept), tuple(told)


def advice(name: str, reason: str) -> str:
    """Return the reason of a guard as a text for the model: the call runs."""
    why = reason.removeprefix(f"{name}: ")
    return f"[hookd:{name}] The call runs, but take note: {why}"
