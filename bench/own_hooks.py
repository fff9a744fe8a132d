"""Cost of user hooks: without a matching hook, and with a hook that does nothing."""

import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from time import perf_counter

from homes import home
from latency import LatencyError, block, interleaved, link
from rows import Aim, Row, percentile

COMMAND = "/bin/true"
"""Does nothing, without a shell."""

ROUNDS, SPAWNS = 40, 40


def _settings(event: str) -> object:
    hook = {"type": "command", "command": COMMAND, "args": []}
    return {"hooks": {event: [{"hooks": [hook]}]}}


def measure() -> list[Row]:
    """Return the rows of hooks for other events, and of a hook that does nothing."""
    with ExitStack() as stack:
        settings = {"none": {}, "other": _settings("Stop"), "one": _settings("PreToolUse")}
        places = {name: stack.enter_context(home(settings=one)) for name, one in settings.items()}
        links = {name: stack.enter_context(link(one.socket)) for name, one in places.items()}
        sides = {
            name: (links[name], lambda place=place: block(place)) for name, place in places.items()
        }
        idle = interleaved({name: sides[name] for name in ("none", "other")})
        busy, bare = _in_turn(
            lambda: interleaved({n: sides[n] for n in ("none", "one")}, 1, before=0)
        )
        ((ran, failed),) = [
            places["one"].row("SELECT count(*), count(*) - sum(exit_code = 0) FROM hook_runs")
        ]
    if ran < ROUNDS * SPAWNS or failed:
        raise LatencyError(f"{ran} hooks ran, {failed} of them failed")
    none, other = (percentile(idle[name], 50) for name in ("none", "other"))
    added = percentile(busy["one"], 50) - percentile(busy["none"], 50)
    what = "hooks.preToolUse, p50"
    return [
        Row(f"{what}, user's hooks for other events / none", "ms", other, none, Aim(1.02)),
        Row(
            f"{what}, added by a hook that does nothing / its bare fork and exec",
            "ms",
            added,
            percentile(bare, 50),
            Aim(1.3),
        ),
    ]


def _in_turn(
    ask: Callable[[], dict[str, list[float]]],
) -> tuple[dict[str, list[float]], list[float]]:
    """Return what blocks of requests took, and bare runs of the command between them."""
    spent: dict[str, list[float]] = {}
    bare: list[float] = []
    for _ in range(ROUNDS):
        for name, values in ask().items():
            spent.setdefault(name, []).extend(values)
        bare += [_spawned() for _ in range(SPAWNS)]
    return spent, bare


def _spawned() -> float:
    """Return the milliseconds that the command takes alone, with pipes as a hook has them."""
    began = perf_counter()
    subprocess.run([COMMAND], capture_output=True, input=b"{}", start_new_session=True, check=True)
    return (perf_counter() - began) * 1000
