"""The administrator's file of a tenant: the store's address and the fleet's private key, 0600.

It is on the machine where `hookd fleet init-db` ran. No database has the key, so a copy of the file
is the only backup.
"""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookd import paths
from hookd.cli.lib.errors import Problem
from hookd.lazy_dataclass import dataclass
from hookd.system import private_dirs

_VERSION = 1


@dataclass(frozen=True)
class Admin:
    """An administrator's access to a tenant; `repr` shows the private key, so do not log it."""

    tenant: str
    server: Mapping[str, str]
    fleet_key: str


def admin_path(tenant: str) -> Path:
    """Return the file of a tenant."""
    return _folder() / f"admin-{tenant}.json"


def read_admin(tenant: str | None) -> Admin:
    """Return the file's content; without a tenant, of the only one. Raise Problem if it fails."""
    if tenant is None:
        tenant = _only_tenant()
    path = admin_path(tenant)
    try:
        if path.stat().st_mode & 0o077:
            raise Problem(f"{path} can be read by others.", f"chmod 600 {path}")
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        if found["version"] != _VERSION:
            raise Problem(f"{path} is of another version of hookd.", "upgrade hookd")
        return Admin(str(found["tenant"]), dict(found["server"]), str(found["fleet_key"]))
    except FileNotFoundError:
        raise Problem(
            f"This machine does not administer {tenant}: {path} is missing.",
            "hookd fleet init-db URL, or copy the file from the machine that ran it",
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Problem(f"{path} cannot be read: {error}.", "restore it from a copy") from None


def write_admin(admin: Admin) -> Path:
    """Write the file, as a whole or not at all; return its path. Raise Problem if it fails."""
    path = admin_path(admin.tenant)
    content = {
        "version": _VERSION,
        "tenant": admin.tenant,
        "server": dict(admin.server),
        "fleet_key": admin.fleet_key,
    }
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        private_dirs.make(path.parent)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise Problem(f"{path} cannot be written: {error.strerror}.", "free the disk") from None
    return path


def _only_tenant() -> str:
    found = sorted(path.name[6:-5] for path in _folder().glob("admin-*.json"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise Problem("This machine administers no fleet.", "hookd fleet init-db URL")
    raise Problem(f"This machine administers {', '.join(found)}.", f"add --tenant {found[0]}")


def _folder() -> Path:
    return paths.paths().data / "fleet"
