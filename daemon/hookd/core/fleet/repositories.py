"""Names of repositories that all hosts share: the normalised URL of a remote, and its hash.

Two hosts have a repository in different folders; its remote is what they have in common.
"""

from hashlib import sha256

from hookd.lazy_pattern import lazy_compile

_SCP = lazy_compile(r"(?:[^/@:]+@)?([A-Za-z0-9._-]+):(?!/)(.+)")
_URL = lazy_compile(r"[A-Za-z][A-Za-z0-9+.-]*://(?:[^/@]*@)?([^/:]+)(?::[0-9]+)?/(.+)")
_SECTION = lazy_compile(r'\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]')
_URL_LINE = lazy_compile(r"url\s*=\s*(.*)")


def normalised(url: str) -> str | None:
    """Return a remote's URL as all hosts write it, None if it is on this machine.

    The scheme, the user and the port do not count.

    >>> normalised("git@github.com:Acme/Shop.git") == normalised("https://github.com/acme/shop/")
    True
    """
    url = url.strip()
    found = _URL.fullmatch(url) or (None if "://" in url else _SCP.fullmatch(url))
    if found is None:
        return None
    host, path = found[1].casefold(), found[2].strip("/").casefold()
    path = "/".join(part for part in path.removesuffix(".git").split("/") if part)
    local = host in ("localhost", "127.0.0.1") or url.casefold().startswith("file:")
    return None if local or not path else f"{host}/{path}"


def repository_key(url: str) -> str | None:
    """Return the key of a repository by its remote's URL: it does not tell the URL."""
    known = normalised(url)
    return None if known is None else sha256(f"hookd repository\n{known}".encode()).hexdigest()[:32]


def remote_url(config: str) -> str | None:
    """Return the URL of the remote `origin` in the text of a git config, else of the first one."""
    found: dict[str, str] = {}
    remote: str | None = None
    for raw in config.splitlines():
        line = raw.strip()
        if line.startswith("["):
            section = _SECTION.fullmatch(line)
            remote = section[1] if section else None
        elif remote is not None and (value := _URL_LINE.fullmatch(line)):
            found.setdefault(remote, value[1].strip().strip('"'))
    return found.get("origin") or next(iter(found.values()), None)
