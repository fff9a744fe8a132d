"""Clouds, clusters, remote machines and HTTP APIs: destruction of resources.

Deletion of data or of a whole system is denied; what can be recreated is asked about. A request
that deletes one item of a server on this machine is development, and an unknown address is taken
for one. Deletion of a whole collection, or of data in a store, is asked about there, too.
"""

import re
from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.programs.model import DRY_RUN_FLAGS
from hookd.risk.launchers import with_launchers
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import (
    begins,
    call_risk,
    has_exact_flag,
    joined_rule,
    rules_of,
    table_of,
)
from hookd.shell.quoting import names

_ADDRESS = lazy_compile(
    r"(?:https?://)?(?:[^/@\s]*@)?(?P<host>\[[^\]]*\]|[^:/\s?#]*)(?::(?P<port>\d*))?(?P<path>/[^?#]*)?.*",
    re.DOTALL,
)
_LOCAL_HOST = lazy_compile(
    r"|localhost|.+\.(?:localhost|local|test)|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]"
    r"|host\.docker\.internal"
)
_ALL = lazy_compile(r"/(?:_all|\*|[\w-]*\*)/?")
_REPOSITORY = lazy_compile(r"/(?:api/v\d/)?(?:repos/[^/]+/[^/]+|projects/[^/]+|orgs/[^/]+)/?")
_QUERY = lazy_compile(r"/.*_delete_by_query/?")
_ONE_ITEM = lazy_compile(r".*/(?:\d+|[0-9a-f]{8,}|[0-9a-f]+(?:-[0-9a-f]+){2,}|[^/]*[$`{:][^/]*)/?")
"""The path of one item: it ends in a number or an id, or in a variable."""

_TRIAL = lazy_compile(r"(?i)/(?:[\w.]*[_-])?(?:tests?|testing|te?mp)(?:[_-][\w.-]*|\d*)/?")
"""The path of an index or a collection that tests create."""

_STORES = names("2379 5984 6333 7474 7700 8086 8123 8428 8529 8983 9200 9201 9700")
"""Ports of etcd, CouchDB, Qdrant, Neo4j, Elasticsearch and the like."""

_METHOD = ("-X", "--request", "--method")
_BY_WORD = with_trait("method-first")
"""Programs that take the method as their first word."""

_INSTEAD = "A GET of the same address shows what would be deleted."


def request_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield what a request deletes on a server."""
    method = next((item.text.upper() for item in call.values(*_METHOD)), "")
    words = list(call.items)
    if call.program in _BY_WORD and words and words[0].text.upper() in ("DELETE", "POST"):
        method = words.pop(0).text.upper()
    paths = call.program in _BY_WORD
    addresses = [_ADDRESS.fullmatch(item.text) for item in words if _is_address(item.text, paths)]
    for address in addresses:
        if address and (risk := _said(call, method, address)):
            yield risk
            return


def _is_address(text: str, paths: bool) -> bool:
    """Return whether a word is an address, not a value: with a scheme, or a host and a path.

    `paths`: a path alone is one, too.
    """
    return text.startswith(("http://", "https://")) or (
        (paths or text[:1] != "/")
        and re.match(r"(?:localhost|\$\{?\w+\}?|[\w-]+(?:\.[\w-]+)+)?(?::\d+)?/", text) is not None
    )


def _said(call: CommandCall, method: str, address: re.Match[str]) -> Risk | None:
    host, path = address["host"], address["path"] or "/"
    if method != "DELETE" and not _QUERY.fullmatch(path):
        return None
    if _REPOSITORY.fullmatch(path) and _LOCAL_HOST.fullmatch(host) is None and "." in host:
        return call_risk(call, "curl.delete", "deny", "deletes a repository with everything in it")
    if _ALL.fullmatch(path) or _QUERY.fullmatch(path):
        return call_risk(call, "curl.delete", "ask", "deletes everything in a store", _INSTEAD)
    if re.search(r"[$`]", host):
        where = "a server that is not known from the text"
    elif _LOCAL_HOST.fullmatch(host):
        where = "a server on this machine"
    else:
        return call_risk(call, "curl.delete", "ask", f"deletes data on {host}", _INSTEAD)
    item = _TRIAL if address["port"] in _STORES else _ONE_ITEM
    if item.fullmatch(path):
        return None
    return call_risk(call, "curl.delete", "ask", f"deletes data on {where}", _INSTEAD)


_ZEROED = lazy_compile(r"[\"']?replicas[\"']?\s*:\s*0\b|finalizers[\"']?\s*:\s*(?:null|\[\s*\])")


def patch_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield that a patch stops a workload, or removes the finalizers that protect its data."""
    texts = (item.text for item in call.values("-p", "--patch"))
    if begins(call.items, "patch") and any(map(_ZEROED.search, texts)):
        yield call_risk(
            call, "kubectl.patch", "ask", "stops a workload, or removes what protects its data"
        )


def plan_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield that a plan to destroy is stored to be applied, or that a pipe answers the question."""
    if has_exact_flag(call, (*DRY_RUN_FLAGS, "-help", "-h")):
        return
    if begins(call.items, "plan") and call.has("-destroy") and call.values("-out"):
        why = "stores a plan to destroy everything, which is applied without a question"
        yield call_risk(
            call,
            "terraform.plan-destroy",
            "ask",
            why,
            "Without -out it only shows what would be destroyed.",
        )
    elif begins(call.items, "apply") and (call.command.piped_input or call.command.stdin):
        why = "changes resources without a question"
        yield call_risk(
            call, "terraform.apply-piped", "ask", why, "`terraform plan` shows the changes."
        )


_CHANGING = "apply|create|replace|set|scale|patch|edit|autoscale|upgrade|install|rollback"
_ROLLOUT = "rollout restart|undo"
_LIVE = lazy_compile(r"(?i)(?:.*[/=_.:-])?(?:prod|production|live)(?:[/_.:-].*|\d*)")
_SHOW = "`kubectl diff`, `helm diff` or `--dry-run` shows the changes."


def live_risks(call: CommandCall) -> Iterator[Risk]:
    """Yield that a command changes a cluster or a namespace whose name is that of production."""
    changes = begins(call.items, _CHANGING) or begins(call.items, _ROLLOUT)
    tried = any(flag.startswith(("--dry-run", "--help")) for flag, _ in call.words.flags)
    if changes and not tried and any(map(_LIVE.fullmatch, call.command.words[1:])):
        why = "changes what runs in production"
        yield call_risk(call, "kubectl.production", "ask", why, _SHOW)


_TABLES = rules_of("cloud")
_HERE = ("http://localhost", "http://127.0.0.1", "http://[::1]", "http://localstack")


def _aws(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of aws, unless its endpoint is an emulator on this machine."""
    if not any(item.text.startswith(_HERE) for item in call.values("--endpoint-url")):
        yield from _TABLES["aws"](call)


RULES: Mapping[str, RiskRule] = with_launchers(
    {
        **_TABLES,
        **table_of(
            "terraform tofu terragrunt terramate",
            joined_rule(_TABLES["terraform"], plan_risks),
        ),
        "aws": _aws,
        **table_of("kubectl oc k", joined_rule(_TABLES["kubectl"], patch_risks, live_risks)),
        "helm": joined_rule(_TABLES["helm"], live_risks),
        **table_of("curl wget wget2 http https xh xhs", request_risks),
    }
)
