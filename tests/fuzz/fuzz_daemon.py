"""A real daemon for the property tests: what it went through, and that it is whole in the end."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from hookd.policies import POLICIES
from support.home import Home, place

OFF = [policy.name for policy in POLICIES if policy.options.model_fields["mode"].default == "off"]
_FAULTS = (
    "event failed",
    "request failed",
    "connection failed",
    "event could not be stored",
)


@dataclass
class Watched:
    """A place whose daemon must not end; `pid` is that of the first daemon."""

    home: Home
    pid: int

    def lives(self) -> bool:
        """Whether the daemon of the start still answers."""
        return bool(self.home.rpc("daemon.status")["pid"] == self.pid)

    def whole(self) -> None:
        """See that nothing went wrong inside: no fault in the log, no page of the database."""
        assert self.lives()
        # Not splitlines: what is logged may hold the rarer line separators.
        lines = (self.home.path / "hookd.log").read_text("utf-8").split("\n")[:-1]
        told = [json.loads(line) for line in lines]
        faults = [one for one in told if one["message"] in _FAULTS or "traceback" in one]
        assert not faults, faults
        assert self.home.rows("PRAGMA integrity_check") == [("ok",)]
        assert self.home.rows("PRAGMA foreign_key_check") == []


@contextmanager
def watched(*, guard: bool = False) -> Iterator[Watched]:
    """A place with a daemon, whole at the end. With `guard`, one is set and every policy is on."""
    with place() as home:
        if guard:
            # session-notification would show what is fuzzed on the desktop of whoever runs this.
            wanted = [name for name in OFF if name != "session-notification"]
            home.settings({"policies": {"enabled": wanted}})
        home.serves()
        if guard:
            home.hookd("guard", "add", "no-rm", "Bash(rm -rf *)", "--deny", "No.")
        one = Watched(home, home.pid)
        yield one
        one.whole()
