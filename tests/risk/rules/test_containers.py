"""Rules for containers: data loss and access to the host, against everyday use."""

from dataclasses import replace

from hookd.risk.analyze import assess
from hookd.risk.rules.containers import RULES
from hookd.risk.variable_values import values_in
from hookd.shell.commands import read
from support.parametrize import parametrize_all
from support.risk_rules import PLACE, told

LOST = [
    *["docker run -v /dev:/dev x"],
    *["docker kill $(docker ps -q)", "docker stop $(docker ps -aq)", "docker rm `docker ps -aq`"],
    *[
        "docker rmi $(docker images -q)",
        "podman kill $(podman ps -q)",
        "docker ps -q | xargs docker stop",
    ],
    *["docker container stop $(docker container ls -q)", 'docker rm "$(docker ps -aq)"'],
    *["docker volume rm $(docker volume ls -q)", "docker restart $(sudo docker ps -q)"],
    *[
        "docker rm -f x",
        "docker rm -fv x",
        "docker rm --force $(docker ps -aq)",
        "docker container rm -f x",
    ],
    *[
        "docker ps -aq | xargs docker rm -f",
        "podman rm -f x",
        "podman pod rm -f x",
        "docker rmi -f x",
    ],
    *["docker images -q | xargs docker rmi -f", "docker image rm --force x", "docker volume rm x"],
    *["docker volume rm $(docker volume ls -q)", "docker volume prune", "docker volume prune -f"],
    *[
        "docker system prune",
        "docker system prune -af",
        "docker container prune -f",
        "docker image prune -a",
    ],
    *[
        "docker network prune -f",
        "docker compose down -v",
        "docker compose -f a.yml -p x down --volumes",
    ],
    *[
        "docker-compose down -v",
        "docker-compose -f a.yml down --volumes",
        "docker compose rm -fsv",
        "podman-compose down -v",
    ],
    *[
        "docker stack rm x",
        "docker swarm leave --force",
        "docker service rm x",
        "docker secret rm x",
    ],
    *[
        "docker --context prod volume rm x",
        "docker -H tcp://h:1 volume prune -f",
        "sudo docker rm -f x",
    ],
    *["buildah rm -a", "crictl rmi --prune", "nerdctl volume rm x", "podman machine rm x"],
    *[
        "docker run --privileged x",
        "docker run -d --privileged --name y x",
        "docker run -v /:/host:ro x",
    ],
    *["docker run --mount type=bind,source=/,target=/h,readonly x", "docker run --cap-add=ALL x"],
    *["docker run -v /etc:/e:ro x"],
]
OWNS_THE_MACHINE = [
    "docker run -v /:/host x sh -c x --help",
    *[
        "docker run -v /:/host x",
        "docker run --rm -it -v /:/host alpine sh",
        "docker run -v/:/host x",
    ],
    *[
        "docker run --volume=/:/host x",
        "docker run --mount type=bind,src=/,dst=/h x",
        "docker create -v /:/h x",
    ],
    *[
        "docker run --volume /etc/:/e x",
        "docker run --privileged --pid=host x",
        "podman run -itv /:/h x",
    ],
    *["docker run --pid host --privileged x nsenter -t 1 -m sh", "docker run -v //:/host x"],
]
HARMLESS = [
    *[
        "docker ps -a",
        "docker rm x",
        "docker kill web",
        "docker stop $(docker ps -q --filter name=web)",
        "docker rm $(docker ps -aqf name=web)",
        "docker logs $(docker ps -lq)",
        "docker kill $CONTAINER",
        'docker stop "$(cat web.cid)"',
        "docker stop x",
        "docker rmi x",
        "docker images",
        "docker system df",
        "docker info",
    ],
    *[
        "docker build -t a .",
        "docker build -f Dockerfile .",
        "docker compose up -d",
        "docker compose down",
        "docker logs -f x",
    ],
    *[
        "docker compose down --remove-orphans",
        "docker-compose down",
        "docker compose -f a.yml down",
        "docker compose logs -f",
    ],
    *[
        "docker compose rm x",
        "docker compose stop",
        "docker compose exec db ls -v",
        "docker volume ls",
        "docker volume create x",
    ],
    *[
        "docker run --rm x",
        'docker run --rm -v "$PWD":/app -w /app node npm test',
        "docker run -v data:/data x",
    ],
    *[
        "docker run -v /home/me/shop:/app x",
        "docker run -v ./etc:/etc x",
        "docker run -v /etc/hosts:/etc/hosts:ro x",
    ],
    *[
        "docker run --mount type=volume,source=x,target=/y z",
        "docker run --privileged=false x",
        "docker run --pid=host x",
    ],
    *[
        "docker exec x ls",
        "docker exec -it x rm -f /a",
        "docker inspect x",
        "docker network ls",
        "docker builder prune -f",
    ],
    *[
        "docker swarm leave",
        "docker stack ls",
        "docker service ls",
        "docker system prune --help",
        "docker cp x:/a b",
    ],
    *[
        "podman ps",
        "podman system df",
        "buildah bud .",
        "crictl ps",
        "nerdctl ps",
        "docker image ls",
        "docker run --rm rm",
    ],
]


@parametrize_all("text", LOST)
def test_loss_of_container_data_is_asked_about(text: str) -> None:
    assert told(RULES, text) == {"containers ask"}


@parametrize_all("text", OWNS_THE_MACHINE)
def test_a_container_with_access_to_the_host_is_denied(text: str) -> None:
    assert told(RULES, text) == {"containers deny"}


@parametrize_all(
    "text",
    [
        *["docker system prune -a --volumes -f", "docker system prune --volumes"],
        *["podman system reset --force", "podman system reset"],
    ],
)
def test_deletion_of_everything_is_denied(text: str) -> None:
    assert told(RULES, text) == {"containers deny"}


@parametrize_all(
    ("text", "asked"),
    [
        ('c=$(docker run -d x); docker rm -f "$c"', False),
        ("c=$(docker create x)\ntrap 'docker rm -fv $c' EXIT", False),
        ("c=$(podman container run -d x) && podman container rm -f $c", False),
        ("docker rm -f $c", True),
        ("c=$(docker ps -q); docker rm -f $c", True),
        ("c=$(docker run -d x); docker rm -f $c db", True),
        ("docker rm -f $c; c=$(docker run -d x)", True),
        ("c=$(docker run -d x); read c; docker rm -f $c", True),
        ("c=$(docker run -d x | cat - ids); docker rm -f $c", True),
        ("c=$(docker run -d x); docker volume rm $c", True),
    ],
)
def test_a_container_that_the_text_started_may_be_removed(text: str, asked: bool) -> None:
    risks = assess(read(text), replace(PLACE, values=values_in(text)))
    assert any(risk.kind == "containers" for risk in risks) == asked


@parametrize_all("text", HARMLESS)
def test_everyday_use_of_containers_passes(text: str) -> None:
    assert told(RULES, text) == set()
