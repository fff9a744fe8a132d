"""Live: an agent cannot approve its own permission request, however it asks."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from live.test_person_only import ASK, TWICE, call, inside
from support.approvals import HOLD, Viewer, answer_of, answers, asking, looking, status
from support.home import Home, place, until, window_in
from support.programs import needed

REFUSED = "is for a person: this was asked from inside Claude Code"
ANSWER = call("approvals.answer", '{"id":1,"answer":"allow","via":"web"}')
DENY = call("approvals.answer", '{"id":1,"answer":"deny"}')
LOOK = call("approvals.subscribe", '{"canAnswer":true}')
RUN = 'import sys, runpy; sys.argv[1:] = ["approval", "allow", "1"]; runpy.run_module("hookd")'
SERVER = "import subprocess, sys; subprocess.run(sys.argv[1:], input=b'{}')"

WAYS = {
    "by Bash": '"$HOOKD" approval allow 1',
    "by Bash, without the client's mark": 'env -u CLAUDECODE "$HOOKD" approval allow 1',
    "as a server of MCP": f'"$PYTHON" -c "{SERVER}" "$HOOKD" approval allow 1',
    "by another module": f"""HOOKD_HOME=./ "$PYTHON" -c '{RUN}'""",
    "on the socket": f"$ASK {ANSWER}",
    "on the socket, a denial": f"$ASK {DENY}",
    "on the socket, in a batch": f'$ASK "[$(printf %s {ANSWER})]"',
    "without an environment": f'env -i $ASK {ANSWER} "$SOCKET"',
    "in a session of its own": f"setsid -w $ASK {ANSWER}",
    "from an orphan": f"$TWICE env -i $ASK {ANSWER} $SOCKET | cat",
    "from an orphan that leads a session": f"CLAUDECODE=1 $TWICE setsid $ASK {ANSWER} | cat",
    "at a terminal": "script -qec '\"$HOOKD\" approval allow 1' /dev/null",
    "as a viewer": f"$ASK {LOOK}",
    "as a viewer of the command line": '"$HOOKD" approval --follow --json',
    "as a viewer by another name": '(exec -a vim "$HOOKD" approval -f)',
}


@dataclass
class Scene:
    """A request of an agent that waits for a person."""

    home: Home
    viewer: Viewer
    row: dict[str, Any]


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    """A request that waits; whatever the agent tried, a person still can allow it."""
    with place() as home:
        home.settings(HOLD)
        home.serves()
        for name, text in {"ask.py": ASK, "twice.py": TWICE}.items():
            (home.path / name).write_text(text)
        (home.path / "claude").symlink_to("/bin/bash")
        given = {"tool_name": "Bash", "tool_input": {"command": "touch x"}}
        with looking(home) as viewer, asking(window_in(home), **given) as shim:
            row = viewer.pending()
            yield Scene(home, viewer, row)
            assert status(home, row["id"]) == "pending"
            assert answers(home, "allow", row["id"])[0] == 0
            assert answer_of(shim) == {"behavior": "allow"}


@pytest.mark.parametrize("command", WAYS.values(), ids=WAYS)
def test_an_agent_cannot_answer(scene: Scene, command: str) -> None:
    if command.startswith("script"):
        needed("script")
    said = inside(scene.home, command)
    assert REFUSED in said, said
    assert status(scene.home, scene.row["id"]) == "pending"


def test_a_terminal_that_the_agent_starts_is_the_agent_s(scene: Scene) -> None:
    tmux, out = needed("tmux"), scene.home.path / "said"
    socket = scene.home.path / "tmux"
    shell = f"{sys.executable} -S -E {scene.home.path}/ask.py"
    run = f"{shell} {ANSWER} > {out}.part; mv {out}.part {out}"
    (scene.home.path / "run.sh").write_text(f"{run}\n")
    where = f"{tmux} -f /dev/null -S {socket}"
    inside(scene.home, f"CLAUDECODE=1 {where} new -d 'sh {scene.home.path}/run.sh'")
    until(out.exists)
    assert "is for a person" in out.read_text()
    assert status(scene.home, scene.row["id"]) == "pending"


def test_the_attempts_are_reported(scene: Scene) -> None:
    inside(scene.home, f"$ASK {ANSWER}")
    found = scene.home.hookd("doctor", check=False).stdout
    assert "approvals.answer was refused to an agent" in found
    assert scene.home.logged("request refused")
