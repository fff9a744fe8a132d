"""Docs of the version that runs: its tag is the version, so a link never leads to newer pages."""

from importlib import metadata

from hookd import __version__


def page(path: str) -> str:
    """Return where a page is, by its path from the project's folder.

    With a `Source` among the project's URLs it is a link to the tag of this version, else the path.
    """
    source = _source()
    return f"{source}/blob/v{__version__}/{path}" if source else path


def place() -> str:
    """Return where the pages of this version are, as a clause."""
    source = _source()
    return f"{source}/tree/v{__version__}/docs" if source else f"docs/ at the tag v{__version__}"


def _source() -> str:
    """Return the address of the repository, "" if the package names none."""
    try:
        urls = metadata.metadata("hookd").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return ""
    named = (line.partition(", ") for line in urls)
    return next((url.rstrip("/") for name, _, url in named if name == "Source"), "")
