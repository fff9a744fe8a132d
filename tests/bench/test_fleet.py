"""`make bench PART=fleet`, with few rows: all rows are sent, and what is measured is there."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.central import store
from support.paths import ROOT
from support.postgres import Cluster

BENCH = ROOT / "bench"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module, which imports the others by their bare names."""
    known = set(sys.modules)
    monkeypatch.syspath_prepend(BENCH)
    import fleet

    monkeypatch.setattr(fleet, "ROWS", 300)
    monkeypatch.setattr(fleet, "SECONDS", 1)
    yield fleet
    for name in set(sys.modules) - known:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").parent == BENCH:
            del sys.modules[name]


@pytest.mark.gate
@pytest.mark.parametrize("mode", ["status", "decisions", "events"])
def test_each_row_of_a_mode_is_sent_and_has_a_size(
    bench: Any, postgres: Cluster, mode: str
) -> None:
    with store(postgres) as central:
        sent, size = bench._throughput(central, mode, None)
        table = "sessions" if mode == "status" else "events"
        ((count,),) = central.rows(f"SELECT count(*) FROM hookd.{table}")
        assert count >= 300
        assert sent.ours > 0
        assert 50 < size.ours < 20_000


@pytest.mark.gate
def test_the_lag_is_that_of_all_events_that_were_written(bench: Any, postgres: Cluster) -> None:
    with store(postgres) as central:
        reached, median, slow = bench._lag(central)
        ((count,),) = central.rows("SELECT count(*) FROM hookd.events")
        assert count == bench.RATE
        assert 0 < reached.ours <= bench.RATE
        assert 0 < median.ours <= slow.ours


@pytest.mark.gate
def test_heartbeats_are_those_of_a_host_with_open_sessions(
    bench: Any, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "BEATING_S", 0.2)
    with store(postgres) as central:
        beats, memory = bench._heartbeats(central)
        ((opened,),) = central.rows("SELECT open_sessions FROM hookd.hosts")
        assert opened >= bench.SESSIONS
        assert beats.ours > 0
        assert memory.ours > 0.1
