"""Metrics of hookd as Prometheus text: `/metrics` of the web server, and `hookd metrics`.

They are read from the database file and from one `daemon.status`: nothing is measured for them.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeHistogramMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from hookd.paths import Paths
from hookd.socket_client.client import SocketClient
from hookd.socket_client.errors import SocketError
from hookd.store.browse import metrics as stored
from hookd.store.browse.connection import BrowseError, Browser
from hookd.store.browse.metrics import Counts, States
from hookd.system import stop_marker
from hookd.web.metric_definitions import METRICS, Distribution, Labels, Readings

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_STATUS_TIMEOUT_S = 5.0
_READ_TIMEOUT_S = 20.0
_REFRESH_S = 3600.0
"""Time after which sums of old hours are read again: all of them take half a second."""


class Exporter:
    """Reads and writes the metrics of one daemon; a page of metrics may ask at any time."""

    def __init__(self, places: Paths) -> None:
        self._places = places
        self._browser = Browser(places.database, _READ_TIMEOUT_S)
        self._old: tuple[float, str, Counts] | None = None
        self._reading = asyncio.Lock()

    async def text(self) -> bytes:
        """Return all metrics as Prometheus text."""
        return exposition(await self.read())

    async def read(self) -> Readings:
        """Return what the metrics are made of; a missing daemon or database is no error."""
        status = None
        try:
            async with asyncio.timeout(_STATUS_TIMEOUT_S):
                status = await SocketClient(self._places).call("daemon.status")
        except (SocketError, TimeoutError):
            pass
        stopped = stop_marker.read(self._places.stopped) is not None
        now = asyncio.get_running_loop().time()
        try:
            async with self._reading:
                counts, states = await asyncio.to_thread(self._stored, now)
        except BrowseError as problem:
            return Readings(status, stopped, None, None, problem)
        return Readings(status, stopped, counts, states)

    def close(self) -> None:
        """Close the connections to the database."""
        self._browser.close()

    def _stored(self, now: float) -> tuple[Counts, States]:
        old = self._old
        if old is None or now - old[0] > _REFRESH_S:
            before = self._browser.read(stored.settled_before)
            sums = self._browser.read(lambda db: stored.counts(db, until=before))
            old = self._old = (now, before, sums)
        _, since, settled = old
        fresh = self._browser.read(lambda db: stored.counts(db, since))
        states = self._browser.read(lambda db: stored.states(db, self._places.database))
        counts = Counts(settled.events + fresh.events, settled.rules + fresh.rules)
        return counts, states


def read_once(places: Paths) -> Readings:
    """Return what the metrics are made of, for a program without an event loop."""
    exporter = Exporter(places)
    try:
        return asyncio.run(exporter.read())
    finally:
        exporter.close()


def exposition(readings: Readings) -> bytes:
    """Return readings as Prometheus text."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(readings))
    return generate_latest(registry)


def as_objects(readings: Readings) -> list[dict[str, Any]]:
    """Return readings as objects: each metric with its name, type, help and samples."""
    return [
        {
            "name": one.name,
            "type": one.type,
            "help": one.documentation,
            "samples": [
                {"name": each.name, "labels": each.labels, "value": each.value}
                for each in one.samples
            ],
        }
        for one in families(readings)
    ]


def families(readings: Readings) -> Iterator[Metric]:
    """Yield each metric that has a sample."""
    for one in METRICS:
        family = _FAMILIES[one.kind](one.name, one.help, labels=one.labels)
        for labels, value in one.samples(readings):
            _add(family, labels, value)
        if family.samples:
            yield family


class _Collector(Collector):
    def __init__(self, readings: Readings) -> None:
        self._readings = readings

    def collect(self) -> Iterable[Metric]:
        return families(self._readings)


_FAMILIES: Mapping[str, Any] = {
    "counter": CounterMetricFamily,
    "gauge": GaugeMetricFamily,
    "histogram": HistogramMetricFamily,
    "recent histogram": GaugeHistogramMetricFamily,
}


def _add(family: Any, labels: Labels, value: float | Distribution) -> None:
    if not isinstance(value, Distribution):
        family.add_metric(labels, value)
        return
    buckets = value.buckets()
    family.add_metric(labels, buckets, value.total)
    if value.total is None:  # the library leaves out the count then, too
        named = dict(zip(family._labelnames, labels, strict=True))
        family.add_sample(f"{family.name}_count", named, buckets[-1][1])
