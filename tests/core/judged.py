"""What the tables of dangers say of a text, for tests: in a project, below a home."""

from dataclasses import replace

from hookd.risk import dangers
from hookd.risk.model import Danger, Place
from hookd.risk.variable_values import values_in
from hookd.shell import read

SHOP = Place(cwd="/home/me/work/shop", project="/home/me/work/shop", home="/home/me")


def found(text: str, place: Place = SHOP) -> tuple[Danger, ...]:
    """Return the dangers of a text."""
    return dangers(read(text), replace(place, values=values_in(text)))


def said(text: str, place: Place = SHOP) -> str:
    """Return the strongest danger as `deny deletes`, or nothing."""
    return next((f"{one.weight} {one.kind}" for one in found(text, place)), "")
