"""Resolved paths of a request: symbolic links followed. Imports no event loop."""

import os
from dataclasses import replace

from hookd.core.model.identity import Identity


def real(path: str | None) -> str | None:
    """Return an absolute path with its links resolved; anything else is None."""
    if not path or not path.startswith("/") or "\0" in path:
        return None
    return os.path.realpath(path)


def located(identity: Identity) -> Identity:
    """Return the identity with its folders resolved, so that one folder has one name."""
    cwd = real(identity.cwd)
    same = identity.project_dir == identity.cwd
    return replace(identity, cwd=cwd, project_dir=cwd if same else real(identity.project_dir))
