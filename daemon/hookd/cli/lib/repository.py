"""Root of the caller's repository, which its worktrees share, as the daemon stores it."""

from collections.abc import Mapping
from pathlib import Path

from hookd.system.file_place import place_of


def repository_root(identity: Mapping[str, str]) -> str:
    """Return the root that the worktrees of the caller's project share; without git, its folder."""
    folder = identity.get("CLAUDE_PROJECT_DIR") or identity["CWD"]
    try:
        real = str(Path(folder).resolve())
        root = place_of(folder, real).root
    except (OSError, ValueError):
        return folder
    return real if root == "/" else root
