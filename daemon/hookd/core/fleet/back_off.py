"""Back-off of the sync process: the pause until the next attempt, with jitter."""

_FIRST_S = 0.5
_LONGEST_S = 60.0


def pause(failures: int, chance: float) -> float:
    """Return the seconds until the next attempt after so many failures in a row.

    It doubles up to a minute. `chance`, from 0 to 1, spreads it over the second half: many hosts
    must not come back in the same moment.
    """
    longest: float = min(_LONGEST_S, _FIRST_S * 2.0 ** min(max(failures - 1, 0), 20))
    return longest * (0.5 + chance / 2)
