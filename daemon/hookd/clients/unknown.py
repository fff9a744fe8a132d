"""A client without an adapter: its events are recorded, and every answer is silence.

Silence is no opinion for every client that is known.
"""

from hookd.clients.contract import Intention, Rendered
from hookd.core.model.verdict import Outcome
from hookd.events.model import HookInput


def render(_event: HookInput, _outcome: Outcome, _number: int, _spill: str = "") -> Rendered:
    """Return silence."""
    return Rendered(None)


def intentions(_event: str) -> frozenset[Intention]:
    """Return none."""
    return frozenset()


def feasible(_event: HookInput, _outcome: Outcome) -> Outcome:
    """Return silence."""
    return Outcome()


def denial_template(_event: str) -> str:
    """Return "": how to deny an event is unknown."""
    return ""
