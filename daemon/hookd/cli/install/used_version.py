"""Version that was put to use last: `hookd upgrade` says what is new since then."""

from contextlib import suppress
from pathlib import Path

from hookd import __version__, paths
from hookd.cli.install import settings_file
from hookd.display.changelog import is_version

_MAX_CHARS = 64


def read() -> str | None:
    """Return the recorded version; None without a readable record."""
    with suppress(OSError, UnicodeDecodeError):
        version = _place().read_text("ascii")[:_MAX_CHARS].strip()
        return version if is_version(version) else None
    return None


def write() -> None:
    """Record the version of this hookd. Raise OSError if that fails."""
    place = _place()
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    settings_file.replace(place, settings_file.contents(place), f"{__version__}\n".encode(), 0o600)


def begin() -> None:
    """Record the version if none is recorded: the first `hookd install` does so."""
    if read() is None:
        with suppress(OSError):
            write()


def end() -> None:
    """Remove the record, with the last registration."""
    with suppress(OSError):
        _place().unlink()


def _place() -> Path:
    return paths.paths().data / "version"
