"""Check that a tag can be released, or print the notes of the release from the changelog.

Usage: release.py check TAG, or release.py notes TAG, with the Python that has hookd.
"""

import sys
from pathlib import Path

from hookd import __version__
from hookd.display.changelog import Release, releases

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = ROOT / "docs" / "changelog.md"


def main(act: str, tag: str) -> None:
    """Check or print. Raise SystemExit that says what is wrong, and the next step."""
    found = checked(tag)
    if act == "notes":
        sys.stdout.write("".join(f"- {entry}\n" for entry in found.entries))
    elif act == "check":
        sys.stdout.write(f"{tag} can be released: {len(found.entries)} entries of {found.title}\n")
    else:
        sys.exit(f"There is no {act!r}: check or notes.")


def checked(tag: str) -> Release:
    """Return the release of a tag. Raise SystemExit if code, changelog and tag do not agree."""
    if tag != f"v{__version__}":
        sys.exit(
            f"The tag is {tag}, but the code is hookd {__version__}.\n"
            f"  next: git tag v{__version__}, or change daemon/hookd/__init__.py"
        )
    first = releases(CHANGELOG.read_text("utf-8"))[0]
    if first.version != __version__ or not first.date:
        sys.exit(
            f"The changelog begins with {first.title}.\n"
            f"  next: begin docs/changelog.md with ## {__version__} (YYYY-MM-DD)"
        )
    return first


if __name__ == "__main__":
    main(*sys.argv[1:])
