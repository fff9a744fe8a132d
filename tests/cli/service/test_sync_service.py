"""The sync process of a host in a fleet as a service, beside the daemon's."""

import os
import signal
from collections.abc import Iterator

import pytest

from hookd.system.fleet_files import sync_process
from support import service_managers as service_hosts
from support.central import Store, store
from support.fleet_host import join_file
from support.home import Home, until
from support.postgres import Cluster

pytestmark = pytest.mark.gate


@pytest.fixture(scope="module")
def central(postgres: Cluster) -> Iterator[Store]:
    with store(postgres) as made:
        yield made


@pytest.fixture
def host(home: Home) -> Iterator[Home]:
    """A home whose services are run; none runs when the test ends."""
    with service_hosts.furnished(home.path) as env:
        home.env |= env
        yield home
        (home.path / "host" / "ending").touch()
        home.hookd("stop", "--yes", check=False)
        for name in ("", "sync"):
            until(lambda name=name: not (home.path / "host" / name / "pid").exists())  # type: ignore[misc]


def process(home: Home) -> int | None:
    return sync_process(home.path / "fleet" / "sync.lock")


def units(home: Home) -> list[str]:
    folder = home.path / ".config" / "systemd" / "user"
    return sorted(one.name.split("-")[1] for one in folder.glob("*.service"))


@pytest.mark.parametrize("first", ["join", "install"])
def test_a_member_has_a_service_that_restarts_what_was_killed(
    host: Home, central: Store, first: str
) -> None:
    file, _tenant = join_file(host.serves(), central)
    words = {"join": ("fleet", "join", str(file)), "install": ("service", "install")}
    host.hookd(*words.pop(first))
    host.hookd(*words.popitem()[1])
    until(lambda: process(host))
    before = process(host)
    assert before
    assert int((host.path / "host" / "sync" / "pid").read_text()) == before
    os.kill(before, signal.SIGKILL)
    until(lambda: process(host) not in (None, before))
    host.hookd("stop", "--yes")
    assert process(host) is None
    host.hookd("start")
    until(lambda: process(host))
    host.hookd("fleet", "leave")
    assert process(host) is None
    assert len(units(host)) == 1


def test_uninstalling_removes_both(host: Home, central: Store) -> None:
    file, _tenant = join_file(host.serves(), central)
    host.hookd("fleet", "join", str(file))
    host.hookd("service", "install")
    assert len(units(host)) == 2
    host.hookd("service", "uninstall")
    assert units(host) == []
    assert process(host) is None


def test_a_host_in_no_fleet_has_one_service(host: Home) -> None:
    host.hookd("service", "install")
    assert len(units(host)) == 1
