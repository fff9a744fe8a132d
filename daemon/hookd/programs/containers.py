"""Containers and virtual machines: docker, podman, vagrant, virsh, lxc, ..."""

from hookd.programs.model import Check, Host, Options, Program, Rule, Table

_IMAGE = "pushes an image to a registry"
_DATA = "deletes volumes with their data"
_VOLUMES = "`docker volume ls` shows them."
_UNUSED = "deletes everything that is not in use at this moment"
_RUNNING = "deletes containers that may be running"
_LIST = "`docker ps -a` shows them."
_GONE = "destroys resources with everything in them"
_OTHER_LIST = "The list command of the same program shows what would be deleted."
_MACHINE = "destroys a machine"

_DOCKER_PUBLISHES = Table(
    "publishes",
    (
        Rule("docker.push", "push", "ask", _IMAGE),
        Rule("docker.image-push", "image|manifest|compose|plugin push", "ask", _IMAGE),
        Rule("docker.build-push", "build|buildx|bake|compose", "ask", _IMAGE, flags="--push"),
        Rule("docker.image-build-push", "image|builder build", "ask", _IMAGE, flags="--push"),
    ),
)
_DOCKER_CONTAINERS = Table(
    "containers",
    (
        Rule(
            "docker.compose-down-volumes",
            "compose down",
            "ask",
            _DATA,
            _VOLUMES,
            flags="-v --volumes",
        ),
        Rule("docker.compose-rm-v", "compose rm", "ask", _DATA, _VOLUMES, flags="-v"),
        Rule(
            "docker.system-prune-volumes",
            "system prune",
            "deny",
            "deletes everything that is not in use at this moment, volumes included",
            _VOLUMES,
            flags="--volumes",
        ),
        Rule("docker.system-prune", "system prune", "ask", _UNUSED, "`docker system df` shows it."),
        Rule(
            "docker.system-reset",
            "system reset",
            "deny",
            "deletes all containers, images and volumes",
        ),
        Rule(
            "docker.machine-reset",
            "machine reset|rm",
            "ask",
            "deletes the machine that the containers are in",
        ),
        Rule("docker.volume-rm", "volume rm|remove|prune", "ask", _DATA, _VOLUMES),
        Rule("docker.rm-force", "rm|remove", "ask", _RUNNING, _LIST, flags="-f --force"),
        Rule(
            "docker.container-rm-force",
            "container|pod rm|remove",
            "ask",
            _RUNNING,
            _LIST,
            flags="-f --force",
        ),
        Rule(
            "docker.rmi-force", "rmi", "ask", "deletes images by force", flags="-f --force -a --all"
        ),
        Rule(
            "docker.image-rm-force",
            "image rm|remove",
            "ask",
            "deletes images by force",
            flags="-f --force -a --all",
        ),
        Rule("docker.image-prune-all", "image prune", "ask", _UNUSED, flags="-a --all"),
        Rule("docker.container-prune", "container|network|pod prune", "ask", _UNUSED),
        Rule("docker.stack-rm", "stack rm|remove|down", "ask", "deletes the services of a stack"),
        Rule("docker.service-rm", "service rm|remove", "ask", "deletes a service"),
        Rule(
            "docker.service-scale-to-zero",
            "service scale *=0",
            "ask",
            "stops every copy of a service",
        ),
        Rule(
            "docker.service-update-to-zero",
            "service update",
            "ask",
            "stops every copy of a service",
            flags="--replicas=0",
        ),
        Rule("docker.secret-rm", "secret|config rm|remove", "ask", "deletes a secret or a setting"),
        Rule(
            "docker.node-rm-force",
            "node rm|remove",
            "ask",
            "removes a node of the swarm",
            flags="-f --force",
        ),
        Rule(
            "docker.swarm-leave-force",
            "swarm leave",
            "ask",
            "leaves the swarm, which may end it",
            flags="-f --force",
        ),
    ),
)
_DOCKER_COMPOSE_CONTAINERS = Table(
    "containers",
    (
        Rule("docker-compose.down-volumes", "down", "ask", _DATA, _VOLUMES, flags="-v --volumes"),
        Rule("docker-compose.rm-v", "rm", "ask", _DATA, _VOLUMES, flags="-v"),
    ),
)
_BUILDAH_CONTAINERS = Table(
    "containers",
    (
        Rule("buildah.rm-all", "rm|rmi", "ask", _UNUSED, flags="-a --all -f --force -p --prune"),
        Rule("buildah.prune", "prune", "ask", _UNUSED),
    ),
)
_CRICTL_CONTAINERS = Table(
    "containers",
    (
        Rule(
            "crictl.rm-force", "rm|rmp|rmi", "ask", _RUNNING, flags="-f --force -a --all -q --prune"
        ),
    ),
)
_VAGRANT_CLOUD = Table(
    "cloud",
    (
        Rule("vagrant.destroy", "destroy", "ask", _GONE, _OTHER_LIST),
        Rule("vagrant.delete", "delete", "ask", _GONE, _OTHER_LIST),
    ),
)
_COLIMA_CLOUD = Table("cloud", (Rule("colima.delete", "delete", "ask", _GONE, _OTHER_LIST),))
_MULTIPASS_CLOUD = Table(
    "cloud",
    (
        Rule(
            "multipass.delete-purge",
            "delete",
            "ask",
            _MACHINE,
            _OTHER_LIST,
            flags="-p --purge --all",
        ),
        Rule("multipass.purge", "purge", "ask", _MACHINE, _OTHER_LIST),
    ),
)
_VIRSH_CLOUD = Table(
    "cloud",
    (
        Rule(
            "virsh.undefine",
            "undefine|destroy|vol-delete|vol-wipe|pool-delete|snapshot-delete",
            "ask",
            _MACHINE,
            _OTHER_LIST,
        ),
    ),
)
_LXC_CLOUD = Table(
    "cloud",
    (
        Rule("lxc.delete", "delete|rm", "ask", _GONE, _OTHER_LIST),
        Rule("lxc.resource-delete", "* delete|rm", "ask", _GONE, _OTHER_LIST),
    ),
)
_VBOXMANAGE_CLOUD = Table(
    "cloud",
    (
        Rule(
            "vboxmanage.unregistervm", "unregistervm|closemedium|delete", "ask", _GONE, _OTHER_LIST
        ),
    ),
)
_QM_CLOUD = Table("cloud", (Rule("qm.destroy", "destroy", "deny", _GONE, _OTHER_LIST),))
_DOCKER_CHECKS = (
    Check("docker.host-access", "containers", "gives a container the whole machine"),
    Check("docker.all-listed", "containers", "ends or deletes everything that is listed"),
    Check("docker.privileged", "containers", "gives a container all rights of the administrator"),
)

PROGRAMS = (
    Program(
        "docker podman nerdctl",
        "prints-nothing writes-nothing wraps passes-words container",
        (_DOCKER_PUBLISHES, _DOCKER_CONTAINERS),
        checks=_DOCKER_CHECKS,
        mounts="-v --volume --mount",
    ),
    Program(
        "docker-compose",
        "prints-nothing",
        (_DOCKER_PUBLISHES, _DOCKER_COMPOSE_CONTAINERS),
        mounts="-v --volume --mount",
    ),
    Program(
        "podman-compose",
        "prints-nothing",
        (_DOCKER_COMPOSE_CONTAINERS,),
        mounts="-v --volume --mount",
    ),
    Program(
        "buildah", tables=(_DOCKER_PUBLISHES, _BUILDAH_CONTAINERS), mounts="-v --volume --mount"
    ),
    Program("crictl ctr", tables=(_CRICTL_CONTAINERS,)),
    Program("apptainer singularity", mounts="-B --bind --mount"),
    Program("vagrant", "wraps passes-words", (_VAGRANT_CLOUD,)),
    Program("limactl colima", tables=(_COLIMA_CLOUD,)),
    Program(
        "multipass",
        "other-machine",
        (_MULTIPASS_CLOUD,),
        hosts=(Host(verb="exec", valued="-d --working-directory", operands=1),),
    ),
    Program("virsh", tables=(_VIRSH_CLOUD,)),
    Program(
        "lxc incus",
        "other-machine",
        (_LXC_CLOUD,),
        hosts=(Host(verb="exec", valued="--env --user --group --cwd --mode", operands=1),),
    ),
    Program("vboxmanage prlctl", tables=(_VBOXMANAGE_CLOUD,)),
    Program("qm pct", tables=(_QM_CLOUD,)),
    Program(
        "wsl",
        wraps=Options(
            values="du",
            flags="e",
            names="--distribution --user --cd --shell-type --unregister --set-default --export",
            lenient=True,
        ),
        checks=(Check("wsl.unregister", "disk", "deletes a whole Linux system with its files"),),
    ),
)
