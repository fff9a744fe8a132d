"""Mark of a folder that `hookd demo` made, and may therefore remove."""

from pathlib import Path

MARK = "this folder is made anew by hookd demo"


def file(home: Path) -> Path:
    """Return the path of the mark in a demo's folder."""
    return home / "README"


def marked(home: Path) -> bool:
    """Return whether a demo made this folder."""
    try:
        return file(home).read_text("utf-8").strip() == MARK
    except (OSError, ValueError):
        return False
