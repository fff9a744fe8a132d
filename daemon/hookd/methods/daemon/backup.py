"""Copy the database into a new file, consistently and while the daemon is in use."""

from pydantic import Field

from hookd.core.model.identity import Identity
from hookd.core.model.method import Backup, Example, ListMethod, Rows, Wire


class Params(Wire):
    """`path` is absolute; the file must not exist."""

    path: str = Field(pattern=r"^/[^\x00]*[^/\x00]$")


class Result(Wire):
    """The copy, and its size in bytes."""

    path: str
    bytes: int


def select(params: Params, _identity: Identity) -> Backup:
    """Request the copy."""
    return Backup(params.path)


def shape(params: Params, rows: Rows) -> Result:
    """Report its size."""
    return Result(path=params.path, bytes=rows.rows[0][0])


METHOD = ListMethod(
    "daemon.backup",
    Params,
    Result,
    select,
    shape,
    (Example({"path": "/tmp/hookd-example-backup.db"}, says="the copy, and its size"),),  # noqa: S108
)
