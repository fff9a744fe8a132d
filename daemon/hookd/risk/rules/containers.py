"""Containers: deletion of containers, images and volumes, and access to the host."""

from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import (
    begins,
    call_risk,
    has_exact_flag,
    joined_rule,
    rules_of,
    table_of,
)
from hookd.risk.variable_values import with_values
from hookd.shell.argv import Item

_MACHINE = "gives a container the whole machine"
_LESS = "Mount only the folder that is needed, or mount with `:ro`."

_TABLES = rules_of("containers")
_PRIVILEGED = ("--privileged", "--privileged=true")
_ALL_MAY = ("--cap-add=ALL", "--cap-add=SYS_ADMIN", "--cap-add=all")
_WHOLE = lazy_compile(
    r"/+(?:(?:etc|usr|boot|var|root|bin|sbin|lib|dev|proc|sys|home|host_mnt)?/*)?"
)
_SOURCE = lazy_compile(r"(?:^|,)(?:source|src)=([^,]*)")
_READ_ONLY = lazy_compile(r"(?:^|,)(?:readonly|ro)(?:=(?:true|1))?(?:,|$)")


def _started(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of a container that starts with access to the host."""
    if not begins(call.items, "run|create|container"):
        return
    values = call.values("-v", "--volume", "--mount")
    mounts = [writable for item in values if (writable := _mount(item.text)) is not None]
    privileged = has_exact_flag(call, _PRIVILEGED)
    if any(mounts) or (privileged and any(one.text == "host" for one in call.values("--pid"))):
        yield call_risk(call, "docker.host-access", "deny", _MACHINE, _LESS)
    elif mounts:
        yield call_risk(
            call, "docker.host-access", "ask", "lets a container read the whole machine", _LESS
        )
    elif privileged or has_exact_flag(call, _ALL_MAY):
        why = "gives a container all rights of the machine's administrator"
        yield call_risk(
            call, "docker.privileged", "ask", why, "Add only the needed rights by `--cap-add`."
        )


def _mount(value: str) -> bool | None:
    """Return whether the mount of a system folder is writable; None if it is another folder's."""
    if match := _SOURCE.search(value):
        source, read_only = match[1], _READ_ONLY.search(value) is not None
    else:
        source, _, rest = value.partition(":")
        if not rest:
            return None
        read_only = bool({"ro", "readonly"} & set(rest.rpartition(":")[2].split(",")))
    if _WHOLE.fullmatch(source) is None:
        return None
    return not read_only and source.strip("/") not in ("dev", "proc", "sys")


_ENDING = "kill|stop|rm|rmi|restart|pause"
_OWN_NOUNS = "container|image|pod|volume kill|stop|rm|remove|restart|pause"
_LISTED = lazy_compile(
    r"[\"\s]*(?:\$\(|`)\s*(?:sudo\s+)?(?:docker|podman|nerdctl)\s+"
    r"(?:(?:container|image|volume|pod)\s+)?(?:ps|ls|list|images)\b(?P<rest>[^|;&]*)"
)
_CHOOSES = lazy_compile(r"(?<!\S)(?:-f|--filter|-[a-z]*f|--latest|-[a-z]*l|-n)(?=[\s=]|$)")
_NAME_ONE = "Name them, or list them with `--filter`."


def _listed(call: CommandCall) -> Iterator[Risk]:
    """Yield that a command ends, or deletes, all containers that another one lists."""
    if not begins(call.items, _ENDING) and not begins(call.items, _OWN_NOUNS):
        return
    lists = [match for item in call.items if item.unknown and (match := _LISTED.match(item.text))]
    through = "xargs" in call.command.wrappers and any(item.many for item in call.items)
    if through or any(_CHOOSES.search(match["rest"]) is None for match in lists):
        why = "ends or deletes everything that another program lists"
        yield call_risk(call, "docker.all-listed", "ask", why, _NAME_ONE)


_STARTED_HERE = lazy_compile(r"\"?\$\((?:docker|podman)\s+(?:container\s+)?(?:run|create)\b.*")
_REMOVING = ("rm", "remove", "kill", "stop")


def _but_own(table: RiskRule) -> RiskRule:
    """Return the rule without the removal of containers that the text itself has started."""

    def judged(call: CommandCall) -> Iterator[Risk]:
        named = call.items[1:] if call.verb == "container" else call.items
        removes = named[:1] != () and named[0].text in _REMOVING and len(named) > 1
        if not (removes and all(_is_own(item, call) for item in named[1:])):
            yield from table(call)

    return judged


def _is_own(item: Item, call: CommandCall) -> bool:
    texts = with_values(item.text, call.context.values) if item.unknown else [item.text]
    return all(_STARTED_HERE.fullmatch(text) for text in texts)


_DOCKER = _but_own(_TABLES["docker"])
RULES: Mapping[str, RiskRule] = {
    **_TABLES,
    **table_of("docker podman nerdctl", joined_rule(_DOCKER, _started, _listed)),
}
