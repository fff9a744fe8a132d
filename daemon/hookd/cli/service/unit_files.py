"""The home of a service's file: whose it is, what would be written, and how it goes again."""

import difflib
from dataclasses import dataclass

from hookd import paths
from hookd.cli.install import settings_file
from hookd.cli.lib import transport
from hookd.cli.lib.errors import Problem
from hookd.cli.service.managers import Host, NotHeardError
from hookd.cli.service.units import Job, Standing, body, standing


@dataclass(frozen=True)
class Draft:
    """What stands in the place of a service's file, and what would be written there now."""

    host: Host
    raw: bytes | None
    fresh: bytes

    @property
    def standing(self) -> Standing:
        """Whose file it is. A link is not of our making, whatever it names."""
        return Standing.FOREIGN if self.host.file.is_symlink() else standing(self.raw)

    @property
    def ours(self) -> bool:
        """Whether hookd has written a file there, whatever became of it."""
        return self.standing in (Standing.OURS, Standing.EDITED)

    @property
    def differs(self) -> bool:
        """Whether it is to be written."""
        return self.raw != self.fresh

    def diff(self) -> list[str]:
        """Return the lines of a unified diff, the line that signs the file left out."""
        old, new = (_lines(raw) for raw in (self.raw or b"", self.fresh))
        name = str(self.host.file)
        return list(difflib.unified_diff(old, new, name, name, lineterm=""))

    def check(self) -> None:
        """Raise Problem where a file stands there that is not just as hookd wrote it."""
        file = self.host.file
        if self.standing is Standing.FOREIGN:
            sentence = f"{file} is not hookd's: it is left alone."
            raise Problem(sentence, "see what it is, and move it away")
        if self.standing is Standing.EDITED:
            sentence = f"{file} was changed since hookd wrote it: it is left alone."
            step = "move it away, then hookd service install; lines of yours go into a drop-in"
            raise Problem(sentence, step)

    def write(self) -> None:
        """Put the file there, unless it is there."""
        if self.differs:
            settings_file.replace(self.host.file, self.raw, self.fresh, 0o644)

    def remove(self) -> None:
        """Remove the file, and what enabling it has made where nobody else can."""
        settings_file.replace(self.host.file, self.raw, None)
        try:
            self.host.forget()
        except NotHeardError:
            link = self.host.file.parent / "default.target.wants" / self.host.name
            if link.is_symlink():
                link.unlink()


def draft(host: Host) -> Draft:
    """Return what would be written for this hookd, with the environment of `hookd start`."""
    job = Job(str(transport.hookd()), paths.daemon_environment())
    return Draft(host, settings_file.contents(host.file), host.render(job))


def _lines(raw: bytes) -> list[str]:
    return body(raw).decode("utf-8", "backslashreplace").splitlines()
