"""A viewer's file: a read-only login for the central store, as `hookd fleet viewer add` writes it.

The file of this machine is `<data>/fleet/viewer.json`, readable by the user only.
"""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookd import paths
from hookd.cli.lib.errors import Problem
from hookd.lazy_dataclass import dataclass

_VERSION = 1
_MAX_BYTES = 100_000
_TEXTS = ("tenant", "viewer", "role", "password")


@dataclass(frozen=True)
class ViewerFile:
    """A login that reads one tenant; `repr` does not show its password."""

    tenant: str
    viewer: str
    server: Mapping[str, str]
    role: str
    password: str

    @property
    def address(self) -> dict[str, str]:
        """The address of the central store with the login, without the password."""
        return {**self.server, "user": self.role}

    def __repr__(self) -> str:
        """Name the viewer without its password."""
        return f"ViewerFile({self.viewer} of {self.tenant})"


def viewer_path() -> Path:
    """Return the viewer's file of this machine."""
    return paths.paths().fleet / "viewer.json"


def read_viewer(path: Path | None = None) -> ViewerFile:
    """Return what a viewer's file has, by default that of this machine. Raise Problem."""
    place = path or viewer_path()
    again = f"hookd fleet viewer add NAME --out {place}"
    try:
        with place.open("rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ValueError("it is no regular file")
            if status.st_mode & 0o077:
                raise Problem(f"{place} can be read by others.", f"chmod 600 {place}")
            return _read(json.loads(file.read(_MAX_BYTES)))
    except FileNotFoundError:
        raise Problem(
            f"There is no viewer file {place}.",
            f"{again}, or copy one here that the administrator made",
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        why = "it is no viewer file" if isinstance(error, KeyError | TypeError) else error
        why = "it is not JSON" if isinstance(error, json.JSONDecodeError) else why
        # Not --force with this name: it may be the file of a host, the only one with its password.
        step = "name a viewer's file: hookd fleet viewer add NAME --out FILE"
        raise Problem(f"{place} cannot be read: {why}.", step) from None


def _read(found: Any) -> ViewerFile:
    if found["version"] != _VERSION:
        raise ValueError("it is of another version of hookd")
    texts = [found[name] for name in _TEXTS]
    server = found["server"]
    if not all(isinstance(one, str) for one in (*texts, *server.values())):
        raise ValueError("its values must be texts")
    tenant, viewer, role, password = texts
    return ViewerFile(tenant, viewer, dict(server), role, password)
