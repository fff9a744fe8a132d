"""Files that have changed on disk: by which names what was kept of them is found."""

import posixpath

from hookd.core.model.fact_requests import DirListing, FileText
from hookd.core.model.facts import Facts


def names_of(path: str, facts: Facts) -> tuple[str, ...]:
    """Return a file's names: as it was told, and its real one, links followed.

    Of a file that is gone the folder's links are followed.
    """
    normal = posixpath.normpath(path)
    if not normal.startswith("/"):
        return (path,)
    there = facts.require(FileText(normal, "/", max_chars=1))
    real = there.path if there is not None else normal
    if (
        there is None
        and (above := facts.require(DirListing(posixpath.dirname(normal), "/"))) is not None
    ):
        real = posixpath.join(above.path, posixpath.basename(normal))
    return tuple(dict.fromkeys((path, normal, real)))
