"""Conflicts of claims between hosts."""

import pytest

from hookd.core.fleet.claim_conflicts import FleetClaim, winner_over


def claim(host: str, pattern: str, kind: str = "glob", repository: str = "r") -> FleetClaim:
    """Return a claim of a host."""
    return FleetClaim(host, 1, repository, kind, pattern, "builder")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        (claim("a", "src/**"), claim("b", "src/api.py", "path"), True),
        (claim("a", "src/**"), claim("a", "src/api.py", "path"), False),  # decided on the host
        (claim("a", "src/**"), claim("b", "src/**", repository="s"), False),
        (claim("a", "src/**"), claim("b", "docs/**"), False),
        (claim("a", "port", "resource"), claim("b", "port", "resource"), True),
        (claim("a", "port", "resource"), claim("b", "**"), False),
    ],
)
def test_who_excludes_whom(one: FleetClaim, other: FleetClaim, conflict: bool) -> None:
    assert winner_over(other, [one]) == (one if conflict else None)
    assert winner_over(one, [other]) == (other if conflict else None)
