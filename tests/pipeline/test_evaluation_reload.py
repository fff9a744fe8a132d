"""The house in a project is made of one settings file, though that is read again meanwhile."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from hookd.config.models import Policies, PolicyOptions, Section, Settings
from hookd.core.hook_rules.layers import MergedHooks, ProjectConfig
from hookd.core.hook_rules.match import HookTable
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.pipeline.evaluation import PolicyEngine
from hookd.policies import configure


def standing(most: int) -> RuntimeConfig:
    options = {"options": {"heartbeat": {"block_after": most}}}
    settings = Settings.model_validate({"policies": options})
    return RuntimeConfig(options=configure(settings.policies), settings=settings)


def most(options: PolicyOptions) -> object:
    return options.model_dump()["block_after"]


@contextmanager
def reloading(house: PolicyEngine, *each: RuntimeConfig) -> Iterator[None]:
    """Let another thread replace what holds, again and again."""
    over, before = Event(), sys.getswitchinterval()

    def go() -> None:
        while not over.is_set():
            for one in each:
                house.config = one

    thread = Thread(target=go)
    sys.setswitchinterval(1e-5)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(before)


def test_no_house_mixes_two_readings_of_the_settings() -> None:
    house = PolicyEngine(standing(20))
    page = ProjectConfig(
        "/p", MergedHooks(), HookTable.of(()), sections=(Section(Policies(), "/p/x"),)
    )
    with reloading(house, standing(20), standing(30)):
        for _ in range(3_000):
            found = house.for_project(page).config
            said = found.settings.policies.options["heartbeat"]["block_after"]
            assert most(found.options["heartbeat"]) == said
