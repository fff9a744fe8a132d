"""Live: what weakens the guards is refused to whoever a coding agent started, however it asks."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from support.home import HOOKD, SHIM, Home, place
from support.payloads import payload

ASK = """
import json, os, socket, sys
link = socket.socket(socket.AF_UNIX)
link.connect(os.environ.get("SOCKET") or sys.argv[2])
link.sendall(sys.argv[1].encode() + b"\\n")
print(link.makefile().readline().strip())
"""
TWICE = """
import os, sys
if not os.fork():
    parent = os.getpid()
    if os.fork():
        os._exit(0)
    while os.getppid() == parent:
        pass
    os.execvp(sys.argv[1], sys.argv[1:])
os.wait()
"""


@pytest.fixture(scope="module")
def scene() -> Iterator[Home]:
    """A daemon with a guard, and a coding agent's program beside it."""
    with place() as home:
        home.serves().hookd("guard", "add", "keep", "Bash(rm *)", "--deny", "No.")
        for name, text in {"ask.py": ASK, "twice.py": TWICE}.items():
            (home.path / name).write_text(text)
        (home.path / "claude").symlink_to("/bin/bash")
        yield home


def inside(scene: Home, command: str, *client: str) -> str:
    """Return what a command says that a client runs, as the leader of a session, and waits for."""
    client = client or (f"{scene.path}/claude", "-c")
    names = {
        "HOOKD": str(HOOKD),
        "PYTHON": sys.executable,
        "SOCKET": str(scene.socket),
        "ASK": f"{sys.executable} -S -E {scene.path}/ask.py",
        "TWICE": f"{sys.executable} -S -E {scene.path}/twice.py",
    }
    done = subprocess.run(
        [*client, f"{command}\n:"],
        env=scene.env | names,
        cwd=scene.path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        timeout=60,
        check=False,
    )
    return done.stdout.decode()


def call(method: str, params: str = "{}", number: str = '"id":1,') -> str:
    """Return a request as one word for a shell."""
    return f"""'{{"jsonrpc":"2.0",{number}"method":"{method}","params":{params}}}'"""


STOP = call("daemon.stop")
PAUSE = call("daemon.pause", '{"until":"2999-01-01T00:00:00Z"}')
RESUME = call("daemon.resume")
REMOVE = call("guards.remove", '{"ruleId":"keep"}')
DISTRUST = call("userHooks.untrust", '{"root":"/x"}')
REPLACE = call("guards.add", '{"rule":{"id":"keep","payload":{"text":"x"}}}')
TRUST = call("guards.trust", f'{{"path":"/x/.hookd/rules.yaml","digest":"{"0" * 64}"}}')
MAIL = call("mail.allow", '{"id":1}')
FORGET = call("session.forget", '{"sessionId":1}')
RUN = 'import sys, runpy; sys.argv[1:] = ["stop", "--yes"]; runpy.run_module("hookd")'

WAYS = {
    "directly": '"$HOOKD" stop --yes',
    "to end a pause": '"$HOOKD" resume --yes',
    "to end a pause on the socket": f"$ASK {RESUME}",
    "by a shell": """sh -c '"$HOOKD" policies disable destructive-guard; :'""",
    "in a session of its own": 'setsid -w "$HOOKD" guard remove keep',
    "to hide what it did": '"$HOOKD" session forget 1 --yes --force',
    "to hide what it did on the socket": f"$ASK {FORGET}",
    "to let held mail pass": '"$HOOKD" mail allow 1',
    "to let held mail pass on the socket": f"$ASK {MAIL}",
    "to drop mail": '"$HOOKD" mail drop 1',
    "through a module": f"""HOOKD_HOME=./ "$PYTHON" -c '{RUN}'""",
    "by another name": '(exec -a vim "$HOOKD" trust --remove)',
    "with another home": 'HOOKD_HOME=/nowhere "$HOOKD" uninstall --settings x.json',
    "with another socket": 'XDG_RUNTIME_DIR=/nowhere HOOKD_HOME= HOME=/nowhere "$HOOKD" stop --yes',
    "to loosen by a rules file": '"$HOOKD" trust --loosen x --yes',
    "to trust a rules file on the socket": f"$ASK {TRUST}",
    "on the socket": f"$ASK {STOP}",
    "without its parent's hang-up": f"nohup $ASK {PAUSE}",
    "without an environment": f'env -i $ASK {REMOVE} "$SOCKET"',
    "through xargs": f"echo {REMOVE} | xargs -d '\\n' $ASK",
    "in the background": f"$ASK {DISTRUST} & wait",
    "in a batch": f'$ASK "[$(printf %s {STOP}),$(printf %s {PAUSE})]"',
    "in another rule's place": f"$ASK {REPLACE}",
    "from an orphan": f"$TWICE env -i $ASK {REMOVE} $SOCKET | cat",
    "from an orphan that leads a session": f"CLAUDECODE=1 $TWICE setsid $ASK {REMOVE} | cat",
}


@pytest.mark.parametrize("command", WAYS.values(), ids=WAYS)
def test_a_client_cannot_do_what_is_for_a_person(scene: Home, command: str) -> None:
    said = inside(scene, command)
    assert "is for a person: this was asked from inside Claude Code" in said, said
    assert scene.rpc("daemon.status")["pausedUntil"] is None
    assert [one["ruleId"] for one in scene.rpc("guards.list")["guards"]] == ["keep"]
    assert not scene.stopped.exists()
    assert not (scene.path / "settings.json").exists()


def test_a_request_that_wants_no_answer_is_refused_too(scene: Home) -> None:
    both = f"{call('daemon.stop', number='')}$'\\n'{call('daemon.status')}"
    assert json.loads(inside(scene, f"$ASK {both}"))["result"]["pid"] == scene.pid


def test_a_client_by_an_unknown_name_is_known_by_the_hooks_that_it_fires(scene: Home) -> None:
    event = json.dumps(payload("SessionEnd", session_id="a"))
    fire = '--event SessionEnd --socket "$SOCKET" --deadline 9'
    agent = "import subprocess, sys; subprocess.run(['sh', '-c', sys.argv[1]])"
    command = f"echo '{event}' | {SHIM} {fire}; $ASK {STOP}"
    said = inside(scene, command, sys.executable, "-c", agent)
    assert "this was asked from inside a program that fires hooks" in said


def test_work_of_every_day_is_no_person_s_act(scene: Home) -> None:
    rule = '{"rule":{"id":"more","urgency":"block","payload":{"text":"x"}},"scope":"project"}'
    where = f'{{"env":{{"CLAUDE_PROJECT_DIR":"{scene.path}","CWD":"{scene.path}"}},'
    asked = [
        call("effort.start", where + f'"taskDir":"{scene.path}/t","skill":"x"}}'),
        call("effort.log", where + '"text":"done"}'),
        call("guards.add", where + rule[1:]),
        call("guards.add", where + rule[1:]),
        call("effort.finish", where[:-1] + "}"),
    ]
    for one in asked:
        answer = json.loads(inside(scene, f"$ASK {one}"))
        assert "error" not in answer, answer
    scene.hookd("guard", "remove", "more", "--scope", "local", cwd=scene.path)


@pytest.mark.gate
def test_a_client_may_register_hookd_but_not_loosen_it(scene: Home) -> None:
    install = f'cd {scene.path}; "$HOOKD" install --settings x.json'
    assert "is registered with Claude Code" in inside(scene, f"{install} --fail-closed")
    for loose in ("--fail-open", "--events Stop", "--profile workflow"):
        assert "is for a person: this was asked from inside" in inside(scene, f"{install} {loose}")
    assert "Nothing changed" in inside(scene, install)


def test_a_person_can(scene: Home) -> None:
    scene.hookd("guard", "add", "gone", "Bash", "--tell", "x")
    assert scene.hookd("guard", "remove", "gone").stdout.startswith("gone: no longer applies")
