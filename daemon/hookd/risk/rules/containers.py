"""Containers: deletion of containers, images and volumes, and access to the host."""

from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import (
    Row,
    begins,
    call_risk,
    has_exact_flag,
    joined_rule,
    rule_of,
    table_of,
)

_DATA = "deletes volumes with their data"
_VOLUMES = "`docker volume ls` shows them."
_RUNNING = "deletes containers that may be running"
_LIST = "`docker ps -a` shows them."
_UNUSED = "deletes everything that is not in use at this moment"
_MACHINE = "gives a container the whole machine"
_LESS = "Mount only the folder that is needed, or mount with `:ro`."

_PARTS = rule_of(
    "containers",
    Row("compose down", "ask", _DATA, _VOLUMES, flags="-v --volumes"),
    Row("compose rm", "ask", _DATA, _VOLUMES, flags="-v"),
    Row("system prune", "deny", f"{_UNUSED}, volumes included", _VOLUMES, flags="--volumes"),
    Row("system prune", "ask", _UNUSED, "`docker system df` shows it."),
    Row("system reset", "deny", "deletes all containers, images and volumes"),
    Row("machine reset|rm", "ask", "deletes the machine that the containers are in"),
    Row("volume rm|remove|prune", "ask", _DATA, _VOLUMES),
    Row("rm|remove", "ask", _RUNNING, _LIST, flags="-f --force"),
    Row("container|pod rm|remove", "ask", _RUNNING, _LIST, flags="-f --force"),
    Row("rmi", "ask", "deletes images by force", flags="-f --force -a --all"),
    Row("image rm|remove", "ask", "deletes images by force", flags="-f --force -a --all"),
    Row("image prune", "ask", _UNUSED, flags="-a --all"),
    Row("container|network|pod prune", "ask", _UNUSED),
    Row("stack rm|remove|down", "ask", "deletes the services of a stack"),
    Row("service rm|remove", "ask", "deletes a service"),
    Row("service scale *=0", "ask", "stops every copy of a service"),
    Row("service update", "ask", "stops every copy of a service", flags="--replicas=0"),
    Row("secret|config rm|remove", "ask", "deletes a secret or a setting"),
    Row("node rm|remove", "ask", "removes a node of the swarm", flags="-f --force"),
    Row("swarm leave", "ask", "leaves the swarm, which may end it", flags="-f --force"),
)
_COMPOSE = rule_of(
    "containers",
    Row("down", "ask", _DATA, _VOLUMES, flags="-v --volumes"),
    Row("rm", "ask", _DATA, _VOLUMES, flags="-v"),
)
_BUILDAH = rule_of(
    "containers",
    Row("rm|rmi", "ask", _UNUSED, flags="-a --all -f --force -p --prune"),
    Row("prune", "ask", _UNUSED),
)
_CRICTL = rule_of(
    "containers",
    Row("rm|rmp|rmi", "ask", _RUNNING, flags="-f --force -a --all -q --prune"),
)
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
        yield call_risk(call, "containers", "deny", _MACHINE, _LESS)
    elif mounts:
        yield call_risk(call, "containers", "ask", "lets a container read the whole machine", _LESS)
    elif privileged or has_exact_flag(call, _ALL_MAY):
        why = "gives a container all rights of the machine's administrator"
        yield call_risk(
            call, "containers", "ask", why, "Add only the needed rights by `--cap-add`."
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


RULES: Mapping[str, RiskRule] = {
    **table_of("docker podman nerdctl", joined_rule(_PARTS, _started)),
    **table_of("docker-compose podman-compose", _COMPOSE),
    "buildah": _BUILDAH,
    **table_of("crictl ctr", _CRICTL),
}
