"""The home of requests that delete what a server keeps: `curl -X DELETE`, `_delete_by_query`.

A server on this machine is one that is developed; where the address is not known, it is taken for
one. All that an index or a store holds is asked about there, too.
"""

import re
from collections.abc import Iterator

from hookd.risk.model import CommandCall, Risk
from hookd.risk.subcommands import danger
from hookd.shell.quoting import names

_ADDRESS = re.compile(
    r"(?:https?://)?(?:[^/@\s]*@)?(?P<host>\[[^\]]*\]|[^:/\s?#]*)(?::\d*)?(?P<path>/[^?#]*)?.*",
    re.DOTALL,
)
_HERE = re.compile(
    r"|localhost|.+\.(?:localhost|local|test)|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]"
    r"|host\.docker\.internal"
)
_ALL = re.compile(r"/(?:_all|\*|[\w-]*\*)/?")
_REPOSITORY = re.compile(r"/(?:api/v\d/)?(?:repos/[^/]+/[^/]+|projects/[^/]+|orgs/[^/]+)/?")
_QUERY = re.compile(r"/.*_delete_by_query/?")
_METHOD = ("-X", "--request", "--method")
_BY_WORD = names("http https xh xhs")
"""Programs that take the method as their first word."""

_INSTEAD = "A GET of the same address shows what would be removed."


def deleted(call: CommandCall) -> Iterator[Risk]:
    """Yield what a request takes away from a server."""
    method = next((item.text.upper() for item in call.values(*_METHOD)), "")
    words = list(call.items)
    if call.program in _BY_WORD and words and words[0].text.upper() in ("DELETE", "POST"):
        method = words.pop(0).text.upper()
    found = [_ADDRESS.fullmatch(item.text) for item in words if _is_address(item.text)]
    for one in found:
        if one and (said := _said(call, method, one["host"], one["path"] or "/")):
            yield said
            return


def _is_address(text: str) -> bool:
    """Whether a word is rather an address than a value: with a scheme, or a host and a path."""
    return text.startswith(("http://", "https://")) or (
        re.match(r"(?:localhost|[\w-]+(?:\.[\w-]+)+)?(?::\d+)?/", text) is not None
    )


def _said(call: CommandCall, method: str, host: str, path: str) -> Risk | None:
    if method != "DELETE" and not _QUERY.fullmatch(path):
        return None
    if _REPOSITORY.fullmatch(path) and _HERE.fullmatch(host) is None and "." in host:
        return danger(call, "cloud", "deny", "removes a repository with all that belongs to it")
    if _ALL.fullmatch(path) or _QUERY.fullmatch(path):
        return danger(call, "cloud", "ask", "removes all that a store holds", _INSTEAD)
    if _HERE.fullmatch(host) or re.search(r"[$`]", host):
        return None
    return danger(call, "cloud", "ask", f"removes what {host} keeps", _INSTEAD)
