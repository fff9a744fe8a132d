"""File of a service: its owner, its next content, writing and removing it."""

import difflib

from hookd import paths
from hookd.cli.install import settings_file
from hookd.cli.lib import transport
from hookd.cli.lib.errors import Problem
from hookd.cli.service.managers import Host, ManagerError
from hookd.cli.service.units import Job, Standing, body, standing
from hookd.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Draft:
    """A service's file: its content now, None if missing, and the content to write."""

    host: Host
    raw: bytes | None
    fresh: bytes

    @property
    def standing(self) -> Standing:
        """Owner of the file. A link is never hookd's."""
        return Standing.FOREIGN if self.host.file.is_symlink() else standing(self.raw)

    @property
    def ours(self) -> bool:
        """Whether hookd wrote the file, also if it was edited since."""
        return self.standing in (Standing.OURS, Standing.EDITED)

    @property
    def differs(self) -> bool:
        """Whether the content changes."""
        return self.raw != self.fresh

    def diff(self) -> list[str]:
        """Return the lines of a unified diff, without the signature."""
        old, new = (_lines(raw) for raw in (self.raw or b"", self.fresh))
        name = str(self.host.file)
        return list(difflib.unified_diff(old, new, name, name, lineterm=""))

    def check(self) -> None:
        """Raise Problem if there is a file that is not exactly as hookd wrote it."""
        file = self.host.file
        if self.standing is Standing.FOREIGN:
            sentence = f"{file} is not hookd's: it is left alone."
            raise Problem(sentence, "look at it, and move it away")
        if self.standing is Standing.EDITED:
            sentence = f"{file} was changed since hookd wrote it: it is left alone."
            step = "move it away, then hookd service install; keep your own lines in a drop-in"
            raise Problem(sentence, step)

    def write(self) -> None:
        """Write the file, unless it is up to date."""
        if self.differs:
            settings_file.replace(self.host.file, self.raw, self.fresh, 0o644)

    def remove(self) -> None:
        """Remove the file; without a service manager, also the link that enabling it made."""
        settings_file.replace(self.host.file, self.raw, None)
        try:
            self.host.forget()
        except ManagerError:
            link = self.host.file.parent / "default.target.wants" / self.host.name
            if link.is_symlink():
                link.unlink()


def draft(host: Host) -> Draft:
    """Return the service's file for this hookd, with the environment of `hookd start`."""
    return _draft(host, Job(str(transport.hookd()), paths.daemon_environment()))


def sync_draft(host: Host) -> Draft:
    """Return the file of the service that sends to the fleet of this host."""
    program, environment = str(transport.hookd()), paths.daemon_environment()
    words, title = ("fleet", "sync", "--service"), "hookd, sends to the fleet of this host"
    return _draft(host, Job(program, environment, words, title))


def _draft(host: Host, job: Job) -> Draft:
    return Draft(host, settings_file.contents(host.file), host.render(job))


def _lines(raw: bytes) -> list[str]:
    return body(raw).decode("utf-8", "backslashreplace").splitlines()
