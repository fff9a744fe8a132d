"""Live: the quick faults of `make faults`, and ten rounds of kill -9 under load."""

from pathlib import Path

import pytest

from faults.kills import Rounds
from faults.scene import ElsewhereError, scene
from faults.table import FAULTS, Fault

pytestmark = pytest.mark.gate

QUICK = [fault for fault in FAULTS if not fault.slow]
HERE = Path("/proc/self/fd").exists()


@pytest.mark.skipif(not HERE, reason="without /proc nobody can count the daemons of a home")
@pytest.mark.parametrize("fault", QUICK, ids=lambda fault: fault.name)
def test_what_was_promised_of_a_fault_is_kept(fault: Fault) -> None:
    with scene() as here:
        try:
            fault.bring(here)
        except ElsewhereError as reason:
            pytest.skip(str(reason))
        if here.answered:
            here.all_is_well()


@pytest.mark.slow
@pytest.mark.skipif(not HERE, reason="without /proc nobody can count the daemons of a home")
def test_killed_ten_times_under_load_it_loses_nothing_that_was_answered() -> None:
    assert Rounds(10, seed=7).run().lost == "nothing"


def test_every_fault_has_a_name_of_its_own_and_a_promise() -> None:
    names = [fault.name for fault in FAULTS]
    assert sorted(set(names)) == sorted(names)
    assert [fault.name for fault in FAULTS if not fault.promise.endswith(".")] == []
