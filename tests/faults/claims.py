"""Faults of claims: kill -9 in the middle of claims and releases of several agents."""

import json
import os
import signal
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from faults.scene import Scene, Told
from support.home import Window, until, window_in

_ROUNDS = 8
_AGENTS = 5
_PARTS = tuple(map(str, range(12)))
"""Names of one request: its transaction takes a while."""

Answer = dict[str, Any]


def killed_in_a_claim(scene: Scene) -> Told:
    """Killed while five agents claim the same, no claim is half there, and one agent holds it."""
    agents, lost, seconds = _agents(scene), 0, 0.0
    for number in range(_ROUNDS):
        patterns = [f"{number}/{part}" for part in _PARTS]
        given = [{"patterns": patterns}] * len(agents)
        answers = _killed(scene, agents, "claims.add", number, given)
        lost += sum(not one for one in answers)
        seconds = scene.heals()
        granted = _granted(agents, answers)
        held = _held(scene, number)
        assert len(granted) <= 1, f"{granted} were told that they hold it"
        assert held in ({}, *({name: len(_PARTS)} for name in granted or _names(agents))), held
        assert not granted or held, "an answered claim is lost"
        # Who got no answer asks again.
        again = [_ask(scene, one, "claims.add", patterns=patterns) for one in agents]
        (winner,) = _granted(agents, again)
        assert _held(scene, number) == {winner: len(_PARTS)}
        assert not held or [winner] == list(held), "it has got another holder"
    return Told(f"{_ROUNDS} times one holder; {lost} calls were asked again", seconds)


def killed_in_a_release(scene: Scene) -> Told:
    """Killed while agents release, each holds all that it held, or nothing of what it released."""
    agents, lost, seconds = _agents(scene), 0, 0.0
    for number in range(_ROUNDS):
        words = {name: [f"{number}/{name}-{part}" for part in _PARTS] for name in _names(agents)}
        for one, named in zip(agents, words.values(), strict=True):
            _ask(scene, one, "claims.add", patterns=named)
        assert _held(scene, number) == dict.fromkeys(words, len(_PARTS))
        given = [{"claims": named[1:]} for named in words.values()]
        answers = _killed(scene, agents, "claims.release", number, given)
        lost += sum(not one for one in answers)
        seconds = scene.heals()
        held = _held(scene, number)
        for name in words:
            allowed = {1} if name in _granted(agents, answers) else {1, len(_PARTS)}
            assert held[name] in allowed, f"{name} holds {held[name]} of {len(_PARTS)}"
        for one, named in zip(agents, words.values(), strict=True):
            again = _ask(scene, one, "claims.release", claims=named[1:])
            gone = "NOT_FOUND" in json.dumps(again)
            assert gone == (held[one.env["AGENT_ID"]] == 1), again
        assert _held(scene, number) == dict.fromkeys(words, 1)
        other = _ask(scene, agents[0], "claims.add", patterns=words["agent1"][1:])
        assert "result" in other, "what was released cannot be claimed"
        for one in agents:
            _ask(scene, one, "claims.release", all=True)
    return Told(f"{_ROUNDS} times released whole; {lost} calls were asked again", seconds)


def _agents(scene: Scene) -> list[Window]:
    scene.home.serves()
    first = window_in(scene.home, AGENT_ID="agent0")
    others = (
        Window(scene.home, first.project, env={"AGENT_ID": f"agent{number}"})
        for number in range(1, _AGENTS)
    )
    agents = [first, *others]
    for one in agents:
        one.says("SessionStart", source="startup")
    for number in range(_ROUNDS + 1):
        first.home.path.joinpath(first.project, str(number)).mkdir()
    return agents


def _names(agents: list[Window]) -> list[str]:
    return [one.env["AGENT_ID"] for one in agents]


def _granted(agents: list[Window], answers: list[Answer]) -> list[str]:
    pairs = zip(_names(agents), answers, strict=True)
    return [name for name, answer in pairs if "result" in answer]


def _held(scene: Scene, number: int) -> dict[str, int]:
    """Return how many claims of a round are open, for each holder."""
    return dict(
        scene.home.rows(
            "SELECT agent, count(*) FROM claims WHERE released_at IS NULL"
            " AND pattern LIKE '%/' || ? || '/%' GROUP BY agent",
            number,
        )
    )


def _killed(
    scene: Scene, agents: list[Window], method: str, number: int, params: Sequence[dict[str, Any]]
) -> list[Answer]:
    """Have all agents ask at once, and kill the daemon meanwhile; return the answers.

    Each round kills later than the one before: from before the first call to after most of them.
    """
    daemon, began = scene.one(), time.monotonic()
    _ask(scene, agents[0], "claims.add", patterns=[f"{_ROUNDS}/{part}" for part in _PARTS])
    took = (time.monotonic() - began) * len(agents) * 2
    with ThreadPoolExecutor(len(agents)) as pool:
        asked = [
            pool.submit(_ask, scene, one, method, **given)
            for one, given in zip(agents, params, strict=True)
        ]
        time.sleep(number / _ROUNDS * took)
        os.kill(daemon, signal.SIGKILL)
        until(lambda: daemon not in scene.daemons())
        return [one.result() for one in asked]


def _ask(scene: Scene, agent: Window, method: str, **params: Any) -> Answer:
    """Call a method as an agent does; return the answer, {} if there was none."""
    env = agent.identity | {"CLAUDE_CODE_SESSION_ID": agent.id, "CWD": agent.project}
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params | {"env": env}}
    with suppress(OSError):
        line = scene.home.line(json.dumps(request).encode())
        answer: Answer = json.loads(line) if line else {}
        return answer
    return {}
