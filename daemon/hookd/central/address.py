"""Address of a central store, and the rule of TLS: required but on loopback and Unix sockets."""

from collections.abc import Mapping
from ipaddress import ip_address

from psycopg import ProgrammingError, conninfo, pq

from hookd.central.errors import CentralError

Address = dict[str, str]
"""Parameters of libpq, without a password."""

_KEPT = ("host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert")
_STEP = "give postgresql://USER@HOST/DATABASE, with sslrootcert=FILE for a private authority"


def read_address(text: str) -> Address:
    """Return the address that a URL or connection string names, complete and safe to use.

    Raise CentralError if it is malformed, has a password, or asks for less than verified TLS.
    """
    try:
        given = {key: str(value) for key, value in conninfo.conninfo_to_dict(text).items()}
    except ProgrammingError:  # its message repeats the text, which may have a password
        raise CentralError("The address of the database is malformed.", _STEP) from None
    if "password" in given:
        raise CentralError(
            "The address has a password, which other processes can see.",
            "leave it out: hookd asks for it, and reads ~/.pgpass",
        )
    if unknown := sorted(set(given) - set(_KEPT)):
        raise CentralError(f"The address has {', '.join(unknown)}, which hookd ignores.", _STEP)
    defaults = {
        one.keyword.decode(): one.val.decode()
        for one in pq.Conninfo.get_defaults()
        if one.val is not None
    }
    found = {key: defaults[key] for key in _KEPT if key in defaults and key[:3] != "ssl"} | given
    found.setdefault("dbname", found.get("user", ""))
    return secured(found)


def secured(address: Mapping[str, str]) -> Address:
    """Return an address with its TLS settings. Raise CentralError if it asks for less."""
    found = {key: value for key, value in address.items() if key in _KEPT}
    if is_local(found):
        return found | {"sslmode": found.get("sslmode", "prefer")}
    if found.get("sslmode", "verify-full") != "verify-full":
        raise CentralError(
            f"sslmode={found['sslmode']} does not verify the server.",
            "leave sslmode out: hookd uses verify-full",
        )
    return {"sslrootcert": "system"} | found | {"sslmode": "verify-full"}


def is_local(address: Mapping[str, str]) -> bool:
    """Return whether the server is on this machine: a Unix socket, or a loopback address.

    A server that is named, and reached by a tunnel on a loopback address, is another machine.
    """
    names = [address[key] for key in ("host", "hostaddr") if address.get(key)]
    return all(_is_local(name) for one in names for name in one.split(","))


def _is_local(name: str) -> bool:
    if name.startswith(("/", "@")) or name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def shown(address: Mapping[str, str]) -> str:
    """Return an address for people, such as db.example:5432/hookd."""
    place = address.get("host") or address.get("hostaddr") or "the local socket"
    return f"{place}:{address.get('port', '5432')}/{address.get('dbname', '')}"
