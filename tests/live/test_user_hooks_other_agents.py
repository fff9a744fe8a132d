"""Live: settings and scripts of other agents run as they did, on every event that they knew."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from support.home import Home, Window, until, window_in
from support.payloads import context, payload, verdict

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def entry(command: str, **more: Any) -> dict[str, Any]:
    return {"type": "command", "command": command, **more}


def runs_with(window: Window, settings: Any, name: str = ".hookd/settings.json") -> None:
    """Let the window's project have settings of its own, and trust them."""
    path = Path(window.project, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(settings if isinstance(settings, str) else json.dumps(settings))
    page = window.rpc("userHooks.list", root=window.project)
    window.rpc("userHooks.trust", root=window.project, digest=page["digest"])


def program(folder: Path, name: str, script: str) -> str:
    """Write a program; return the PATH on which it is found first."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(f"#!/bin/bash\n{script}\n")
    (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines() if path.exists() else []


KNOWN = [
    ("SessionStart", {}),
    ("SessionStart.resume", {}),
    ("SessionStart.clear", {}),
    ("SessionStart.compact", {}),
    ("SessionStart", {"source": "fork"}),
    ("UserPromptSubmit", {"prompt": "mend the 'parser'\nand \"its\" tests"}),
    ("PreToolUse.Edit", {}),
    ("PostToolUse.Bash", {}),
    ("PostToolUseFailure.Bash", {}),
    ("Notification", {}),
    ("PreCompact", {}),
    ("PostCompact", {}),
    ("SubagentStart", {}),
    ("SubagentStop", {}),
    ("Stop", {}),
    ("StopFailure", {}),
    ("SessionEnd", {}),
]


def test_a_hook_reads_every_event_whole_as_the_client_sent_it(window: Window) -> None:
    group = [{"hooks": [entry('cat >>told; echo "$HOOKD_EVENT" >>names')]}]
    names = dict.fromkeys(name.partition(".")[0] for name, _ in KNOWN)
    runs_with(window, {"hooks": dict.fromkeys(names, group)})
    sent = [window.event(name, **more) for name, more in KNOWN]
    for event in sent:
        window.home.said(event, env=window.identity)
    assert [json.loads(line) for line in lines(Path(window.project, "told"))] == sent
    told = lines(Path(window.project, "names"))
    assert told == [event["hook_event_name"] for event in sent]


def test_the_settings_and_the_scripts_of_opta_do_what_they_did(window: Window) -> None:
    project = Path(window.project)
    folder = project / ".opta" / "hooks"
    folder.mkdir(parents=True)
    for name in ("block-rm.sh", "auto-lint.sh"):
        shutil.copy(EXAMPLES / "hooks" / name, folder)
    window.env["PATH"] = program(project / "bin", "ruff", 'echo "$OPTA_EVENT $*" >>linted')
    program(project / "bin", "git", 'echo "$OPTA_EVENT $*" >>committed')
    settings = (EXAMPLES / "settings" / "opta.config.json").read_text()
    runs_with(window, settings, ".opta/config.json")
    decision, reason = verdict(window.bash("rm -rf build"))
    assert (decision, "Blocked: destructive rm" in reason) == ("deny", True)
    assert window.bash("ls") is None
    (project / "a.py").touch()
    edit = {"file_path": f"{project}/a.py"}
    assert window.says("PostToolUse", tool_name="Edit", tool_input=edit) is None
    assert lines(project / "linted") == [f"tool.post check --fix --quiet {project}/a.py"]
    window.says("SessionEnd")
    done = ["session.end add -A", "session.end commit -m opta: done"]
    until(lambda: lines(project / "committed") == done)


def test_flat_settings_with_the_plain_variables_do_what_they_did(window: Window) -> None:
    project = Path(window.project)
    window.env["PATH"] = program(project / "bin", "npm", 'echo "$*" >>linted; exit 1')
    program(project / "bin", "afplay", 'echo "$*" >>played')
    settings = (EXAMPLES / "settings" / "mycode.settings.json").read_text()
    runs_with(window, settings, ".mycode/settings.json")
    assert "Welcome!" in context(window.says("SessionStart"))
    edit = {"file_path": f"{project}/a.ts"}
    assert window.says("PostToolUse", tool_name="Edit", tool_input=edit) is None
    assert lines(project / "linted") == [f"run lint:fix {project}/a.ts"]
    assert window.says("Stop") is None
    assert lines(project / "played") == [f"{window.home.path}/.mycode/sounds/done.mp3"]


def test_flat_settings_of_hookd_s_own_lint_a_file_and_play_a_sound(window: Window) -> None:
    project = Path(window.project)
    window.env["PATH"] = program(project / "bin", "afplay", 'echo "$*" >>played')
    program(project / ".hookd" / "hooks", "run-linter.sh", 'echo "$*" >>linted')
    runs_with(window, (EXAMPLES / "settings" / "settings.flat.json").read_text())
    edit = {"file_path": f"{project}/a.ts"}
    assert window.says("PostToolUse", tool_name="Write", tool_input=edit) is None
    assert lines(project / "linted") == [f"{project}/a.ts"]
    assert window.says("Notification") is None
    assert lines(project / "played") == [f"{window.home.path}/.hookd/sounds/notify.mp3"]


def alive(pid: str) -> bool:
    """Return whether there is such a process, and it has not ended."""
    done = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, check=False)
    return bool(done.stdout.strip()) and not done.stdout.startswith(b"Z")


@pytest.mark.gate
def test_a_hook_that_will_not_end_is_gone_with_what_it_started(window: Window) -> None:
    deaf = "trap '' TERM; echo $$ >>pids; while :; do sleep 0.1; done"
    (Path(window.project) / "deaf.sh").write_text(deaf)
    command = f"sh deaf.sh & until [ -s pids ]; do sleep 0.05; done; {deaf}"
    runs_with(window, {"hooks": {"PreToolUse": [{"hooks": [entry(command, timeout=1.5)]}]}})
    assert window.bash() is None
    pids = lines(Path(window.project, "pids"))
    assert len(pids) == 2
    until(lambda: not any(map(alive, pids)))


def test_a_hook_is_the_user_and_has_no_secret_of_his(window: Window) -> None:
    window.env |= {"ANTHROPIC_API_KEY": "k", "OPTA_MODEL": "of another", "FILE_PATH": "/other"}
    runs_with(window, {"hooks": {"PreToolUse": [{"hooks": [entry("id -u >who; env >told")]}]}})
    window.bash()
    assert lines(Path(window.project, "who")) == [str(os.getuid())]
    given = {line.partition("=")[0] for line in lines(Path(window.project, "told"))}
    assert "HOOKD_EVENT" in given
    assert not given & {"ANTHROPIC_API_KEY", "OPTA_MODEL", "FILE_PATH"}


def test_a_file_that_leads_into_a_blocked_folder_is_not_named(window: Window) -> None:
    link = Path(window.project, "hosts")
    link.symlink_to("/etc/hosts")
    command = 'echo "<$HOOKD_FILE_PATH>" >>told'
    runs_with(window, {"hooks": {"PreToolUse": [{"hooks": [entry(command)]}]}})
    for path in ("hosts", "/etc/hosts", "own"):
        window.calls("Read", file_path=path)
    assert lines(Path(window.project, "told")) == ["<>", "<>", "<own>"]


def test_one_handler_under_two_matchers_runs_once_for_a_call(window: Window) -> None:
    twice = [{"matcher": one, "hooks": [entry("echo ran >>told")]} for one in ("Bash", "B.*")]
    runs_with(window, {"hooks": {"PreToolUse": twice}})
    assert window.bash() is None
    assert lines(Path(window.project, "told")) == ["ran"]


def test_a_hook_runs_in_the_folder_of_its_event_and_where_that_is_gone_in_the_project(
    window: Window,
) -> None:
    folder = Path(window.project, "src")
    folder.mkdir()
    told = Path(window.project, "told")
    runs_with(window, {"hooks": {"PreToolUse": [{"hooks": [entry(f"pwd >>{told}")]}]}})
    window.bash(cwd=str(folder))
    folder.rmdir()
    window.bash(cwd=str(folder))
    assert lines(told) == [os.path.realpath(one) for one in (folder, window.project)]


def test_no_hook_holds_up_the_end_of_a_session_longer_than_the_client_waits(window: Window) -> None:
    hook = entry("sleep 100", timeout=60, id=Path(window.project).name)
    runs_with(window, {"hooks": {"SessionEnd": [{"hooks": [hook]}]}})
    assert window.says("SessionEnd") is None
    ((fault,),) = window.home.rows("SELECT error FROM hook_runs WHERE hook_id = ?", hook["id"])
    *words, seconds, unit = fault.split()
    assert (words, unit) == (["timed", "out", "after"], "s")
    assert float(seconds) <= 0.5, "one second, less what the answer takes"


def test_what_a_hook_prints_to_stderr_is_in_the_log_though_all_went_well(window: Window) -> None:
    name = Path(window.project).name
    hook = entry("echo took a look >&2", id=name)
    runs_with(window, {"hooks": {"PreToolUse": [{"hooks": [hook]}]}})
    assert window.bash() is None
    told = window.home.hookd("hook", "log", "--hook", name).stdout.splitlines()
    assert told[2].startswith(f"✓ took a look  ({name}, exit 0, ")


@pytest.fixture
def user(home: Home) -> Home:
    """A daemon whose user has hooks in every file of his own, and settings for all of them."""
    stop = [{"hooks": [entry("echo hookd >>heard")]}]
    passed = 'echo "$CI_ONE $CI_TWO $SECRET_KEY" >passed'
    reached = [entry("/bin/true", args=[]), entry(f"{home.path}/mine/x.sh", args=[])]
    (home.path / "mine").mkdir()
    program(home.path / "mine", "x.sh", "echo here >reached")
    home.settings(
        {
            "user_hooks": {
                "env_passthrough": ["CI_*", "SECRET_*"],
                "env_profiles": ["plain"],
                "allowed_paths": [f"{home.path}/mine"],
                "blocked_paths": [f"{home.path}/private"],
            },
            "hooks": {
                "Stop": stop,
                "PreToolUse": [
                    {"matcher": "Bash", "hooks": [entry(passed)]},
                    {"matcher": "Edit", "hooks": reached},
                    {"matcher": "Read", "hooks": [entry('echo "<$FILE_PATH>" >>read')]},
                ],
            },
        }
    )
    theirs = {
        ".config/opta/config.json": [{"event": "turn.done", "command": "echo opta >>heard"}],
        ".gen/settings.json": {"Stop": [entry("echo gen >>heard")]},
        "plugins/notes/hooks.json": {"Stop": [{"hooks": [entry("echo plugin >>heard")]}]},
    }
    for name, hooks in theirs.items():
        path = home.path / name
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps({"hooks": hooks}))
    home.serves()
    return home


def test_the_user_s_own_files_hold_without_trust_and_his_settings_for_all(user: Home) -> None:
    window = window_in(user)
    project = Path(window.project)
    assert window.says("Stop") is None
    assert sorted(lines(project / "heard")) == ["gen", "hookd", "opta", "plugin"]

    event = window.event("PreToolUse.Bash")
    env = window.identity | {"CI_ONE": "1", "CI_TWO": "2", "SECRET_KEY": "3"}
    user.hook(event, "--send", "CI_ONE", "--send", "SECRET_KEY", env=env)
    assert lines(project / "passed") == ["1  "], "what the shim sends and the settings name, both"

    assert window.calls("Edit", file_path=f"{project}/x") is None
    assert lines(project / "reached") == ["here"]
    faults = user.rows("SELECT error FROM hook_runs WHERE error IS NOT NULL")
    assert len(faults) == 1
    assert "`allowed_paths`" in faults[0][0]

    for path in (user.path / "private" / "a", "/etc/hosts"):
        window.calls("Read", file_path=str(path))
    assert lines(project / "read") == ["<>", "</etc/hosts>"]


LINTED = {
    "a.ts": "npx --no-install eslint --fix",
    "a.tsx": "npx --no-install eslint --fix",
    "a.js": "npx --no-install eslint --fix",
    "a b.jsx": "npx --no-install eslint --fix",
    "a.py": "ruff check --fix --quiet",
    "a.md": None,
    "gone.py": None,
}
TESTED = {"a.ts": True, "a.tsx": True, "a.js": False, "a.py": False, "": False}


def script(place: Path, name: str, path: str) -> list[str]:
    """Run an example with programs that fail; return what it called. It always ends well."""
    for one in ("npx", "ruff", "npm"):
        env_path = program(place / "bin", one, f'echo "{one} $*" >>called; seq 9; exit 2')
    env = {"PATH": env_path} | ({"HOOKD_FILE_PATH": path} if path else {})
    done = subprocess.run(
        [EXAMPLES / "hooks" / name],
        env=env,
        cwd=place,
        input=json.dumps(payload("PostToolUse")),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")
    if name == "auto-test.sh" and lines(place / "called"):
        assert done.stderr.split() == ["5", "6", "7", "8", "9"], "the end of it is enough"
    return lines(place / "called")


@pytest.mark.parametrize(("name", "called"), LINTED.items())
def test_a_file_is_linted_by_its_kind(tmp_path: Path, name: str, called: str | None) -> None:
    path = tmp_path / name
    if not name.startswith("gone"):
        path.touch()
    assert script(tmp_path, "auto-lint.sh", str(path)) == ([f"{called} {path}"] if called else [])


def test_without_a_file_nothing_is_linted(tmp_path: Path) -> None:
    assert script(tmp_path, "auto-lint.sh", "") == []


@pytest.mark.parametrize(("name", "called"), TESTED.items())
def test_tests_run_for_the_files_that_have_some(tmp_path: Path, name: str, called: bool) -> None:
    expected = ["npm test -- --run --reporter=dot"] if called else []
    assert script(tmp_path, "auto-test.sh", name) == expected


def test_every_event_tells_the_model_of_its_session_and_when(window: Window) -> None:
    told = "$HOOKD_EVENT $HOOKD_MODEL $OPTA_MODEL ${HOOKD_TIME%%[0-9][0-9]-*}"
    hook = entry(f'echo "{told}" >>told', env_compat=["opta"])
    names = ("SessionStart", "PreToolUse", "Stop")
    runs_with(window, {"hooks": {name: [{"hooks": [hook]}] for name in names}})
    window.says("SessionStart", model="claude-opus-5")
    window.bash()
    window.says("Stop")
    expected = [f"{name} claude-opus-5 claude-opus-5 20" for name in names]
    assert lines(Path(window.project, "told")) == expected
