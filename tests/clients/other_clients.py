"""Scene of a client that is not Claude Code: its home, its project, what it fired.

A logging hook runs beside hookd on each event that hookd has to record, so that a scenario can
compare the two. Leaving a scene ends every process that still lives in its home.
"""

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from clients.drivers.driver import Driver
from clients.mock import Mock
from clients.models.turn import Turn
from clients.place import Place, end, furnish_home


@dataclass
class OtherScene(Place):
    """A home with a client and hookd."""

    driver: Driver = field(kw_only=True)

    def installs(self, *options: str) -> None:
        """Register hookd with the client and start it, as a user would."""
        self.hookd("install", "--client", self.driver.name, *options)
        self.hookd("start")

    def asks(
        self, prompt: str, *turns: Turn | str, check: bool = True, resumed: bool = False
    ) -> str:
        """Run the client without a person, with these turns of the model; return stdout."""
        self.mock.script(*turns)
        return self.run(*self.driver.line(prompt, resumed=resumed), check=check)

    def payloads(self, event: str) -> list[Any]:
        """Return the payloads of an event that the logging hook received, oldest first."""
        files = sorted(self.logs.glob(f"{event}.*"), key=lambda file: file.stat().st_mtime_ns)
        return [json.loads(file.read_text("utf-8")) for file in files]

    def fired_counts(self) -> Counter[str]:
        """Return how often each event was fired, by the client's own names."""
        return Counter(file.name.rpartition(".")[0] for file in self.logs.iterdir())

    def recorded_counts(self) -> Counter[str]:
        """Return how often each event is recorded, by the client's own names."""
        payloads = [json.loads(row["payload"]) for row in self.recorded()]
        names = (one.get("client_event") or one.get("hook_event_name", "?") for one in payloads)
        return Counter(names)

    def compare(self) -> str:
        """Return the difference between fired and recorded events; empty where there is none."""
        fired, kept = self.fired_counts(), self.recorded_counts()
        lines = [f"fired {n}x, not recorded: {one}" for one, n in (fired - kept).items()]
        lines += [f"recorded {n}x, not fired: {one}" for one, n in (kept - fired).items()]
        return "\n".join(lines)

    def fired_events(self) -> frozenset[str]:
        """Return the names of the events that the client fired."""
        return frozenset(self.fired_counts())


@contextmanager
def other_scene(driver: Driver, hookd: Path, homes: Path) -> Iterator[OtherScene]:
    """Make a home with a client and a logging hook, without hookd; remove it at the end."""
    home = homes / uuid4().hex[:8]
    env = furnish_home(home, hookd, "shop") | {"SHELL": "/bin/bash"}
    (home / "bin" / driver.name).write_text("#!/bin/sh\n")  # what an installer looks for
    (home / "bin" / driver.name).chmod(0o755)
    with Mock() as mock:
        one = OtherScene(home, mock, env, driver=driver)
        one.env |= driver.furnish(home, one.project, mock.url)
        try:
            one.run("git", "init", "--quiet", "--initial-branch", "main")
            yield one
        finally:
            end(home)
    shutil.rmtree(home, ignore_errors=True)
