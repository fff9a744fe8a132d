"""The plan of `make fleet-load`: each fault comes, and none while old clients are refused."""

import pytest

from fleet_load.plan import EVERY, KINDS, REFUSED, SCHEMA, planned


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("seconds", "rounds", "refused_s"), [(300, 2, 75), (16, 1, 3)])
def test_each_fault_comes_and_none_while_old_clients_are_refused(
    seed: int, seconds: float, rounds: int, refused_s: float
) -> None:
    found = planned(seed, seconds, rounds, refused_s)
    assert found == planned(seed, seconds, rounds, refused_s)
    assert found == sorted(found, key=lambda one: one.at)
    times = {kind: [one.at for one in found if one.kind == kind] for kind in EVERY}
    assert all(len(times[kind]) == rounds for kind in KINDS)
    ((schema,), (refused,)) = times[SCHEMA], times[REFUSED]
    assert schema < refused
    for kind in KINDS:
        for at in times[kind]:
            assert 0 < at < seconds
            assert at <= refused or at >= refused + refused_s


def test_another_seed_is_another_plan() -> None:
    assert planned(1, 300, 2, 75) != planned(2, 300, 2, 75)
