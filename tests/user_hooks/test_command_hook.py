"""Hooks that are commands, as real processes: who waits for whom, and nothing outlives its end."""

import asyncio
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvloop

from hookd.core.hook_rules.environment import event_variables, process_environment
from hookd.core.hook_rules.model import Hook, HookExecution, Source
from hookd.core.hook_rules.path_policy import PathPolicy
from hookd.events.model import PreToolUse
from hookd.user_hooks.command_hook import CommandRunner, HookRunContext
from hookd.user_hooks.program import leads_to
from support.home import until as wait_until

T = TypeVar("T")
Play = Callable[[Coroutine[Any, Any, T]], T]

SOURCE = Source("user", "/home/user/.hookd/settings.json", "hooks.PreToolUse[0].hooks[0]")
EVENT = b'{"hook_event_name":"PreToolUse"}\n'
LONG = 60
"""Seconds that nothing here takes, unless something is wrong."""


LOOPS = {"asyncio": asyncio.new_event_loop, "uvloop": uvloop.new_event_loop}


def by(loop: str) -> Play[Any]:
    """Return what runs a coroutine by such an event loop; it must end."""

    def run(it: Coroutine[Any, Any, T]) -> T:
        with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
            return runner.run(asyncio.wait_for(it, LONG))

    return run


@pytest.fixture
def play() -> Play[Any]:
    """Run a coroutine by the event loop that the daemon has where it can."""
    return by("uvloop")


@pytest.fixture(params=LOOPS)
def by_either(request: pytest.FixtureRequest) -> Play[Any]:
    """Run a coroutine by each loop, for what their pipes, threads and cancelling may differ in."""
    return by(request.param)


def hook(command: str = "", **more: Any) -> Hook:
    return Hook(more.pop("id", "h"), "PreToolUse", "command", SOURCE, command=command, **more)


class Hooks:
    """Hooks with one event for all of them; `ended` are the background ones."""

    def __init__(self, place: Path, **limits: int) -> None:
        self.place = place
        self.limits = limits
        self.env = {"PATH": os.environ["PATH"], "HOME": str(place)}
        self.ended: list[HookExecution] = []

    def runner(self) -> CommandRunner:
        return CommandRunner(**self.limits)

    def occasion(self, **more: Any) -> HookRunContext:
        place = {"cwd": str(self.place), "fallback": "/"}
        given = {"payload": EVENT, "deadline": LONG, "later": self.ended.append}
        return HookRunContext(**(place | given | more))

    async def ask(
        self, runner: CommandRunner, *hooks: Hook, **more: Any
    ) -> tuple[HookExecution, ...]:
        return await runner.run(hooks, [self.env] * len(hooks), self.occasion(**more))

    async def run(self, *hooks: Hook, **more: Any) -> tuple[HookExecution, ...]:
        async with self.runner() as runner:
            return await self.ask(runner, *hooks, **more)

    async def one(self, command: str, **more: Any) -> HookExecution:
        (ran,) = await self.run(hook(command, **more))
        return ran

    def noted(self, name: str) -> str:
        """Return what a hook wrote into a file, once it is complete."""
        path = self.place / name
        return wait_until(lambda: path.exists() and path.read_text().endswith("\n")) and (
            path.read_text().strip()
        )


@pytest.fixture
def hooks(tmp_path: Path) -> Hooks:
    return Hooks(tmp_path)


async def until(condition: Callable[[], Any]) -> None:
    """Wait until it is true, without holding up the loop."""
    await asyncio.to_thread(wait_until, condition)


def alive(pid: int) -> bool:
    """Return whether a process runs; a zombie does not."""
    try:
        os.kill(pid, 0)
        if not Path("/proc/self").exists():
            return True
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


def opened() -> int:
    """Return how many files this process has open."""
    return sum(1 for _ in Path("/dev/fd").iterdir())


def gone(*pids: int | str) -> None:
    wait_until(lambda: not any(alive(int(pid)) for pid in pids))


def test_a_hook_reads_the_event_and_its_answer_is_kept(
    hooks: Hooks, by_either: Play[HookExecution]
) -> None:
    ran = by_either(hooks.one("cat; cat /dev/stdin; echo oops >&2; exit 3"))
    assert (ran.exit_code, ran.stdout, ran.stderr) == (3, EVENT.decode(), "oops\n")
    assert (ran.fault, ran.timed_out, ran.truncated, ran.notes) == ("", False, False, ())
    assert ran.milliseconds > 0


def test_a_hook_may_open_its_stdin_by_name(hooks: Hooks, play: Play[HookExecution]) -> None:
    assert play(hooks.one("cat /dev/stdin")).stdout == EVENT.decode()


def test_a_hook_is_given_its_environment_and_no_other(
    hooks: Hooks, by_either: Play[HookExecution]
) -> None:
    hooks.env = {"PATH": os.environ["PATH"], "HOOKD_COMMAND": "ls 'x' \n é"}
    ran = by_either(hooks.one(sys.executable, args=("-c", "import os; print(dict(os.environ))")))
    assert eval(ran.stdout).items() >= hooks.env.items()
    assert set(eval(ran.stdout)) - set(hooks.env) <= {"LC_CTYPE", "PWD", "SHLVL", "_"}


def test_a_hook_inherits_nothing_that_the_daemon_has_open(
    hooks: Hooks, by_either: Play[HookExecution]
) -> None:
    secret = os.open(__file__, os.O_RDONLY)
    os.set_inheritable(secret, True)
    try:
        ran = by_either(
            hooks.one(sys.executable, args=("-c", "import os; print(os.listdir('/dev/fd'))"))
        )
    finally:
        os.close(secret)
    assert {int(fd) for fd in eval(ran.stdout)} - {3} == {0, 1, 2}  # 3 is what it lists them by


def test_what_is_in_a_name_is_never_run(hooks: Hooks, play: Play[Any]) -> None:
    name = "a'; touch pwned; '$(touch pwned)`touch pwned`.txt"
    event = PreToolUse(
        hook_event_name="PreToolUse",
        tool_name="Read",
        tool_input={"file_path": f"{hooks.place}/{name}"},
    )
    one = hook('echo "$FILE_PATH"; echo $FILE_PATH', env_sets=("plain",))
    hooks.env = process_environment(one, event_variables(event, {}), hooks.env)
    (ran,) = play(hooks.run(one))
    assert ran.stdout.splitlines()[0] == f"{hooks.place}/{name}"
    assert list(hooks.place.iterdir()) == []


def test_arguments_meet_no_shell(hooks: Hooks, play: Play[HookExecution]) -> None:
    hooks.env["CLAUDE_PROJECT_DIR"] = "/a b"
    ran = play(hooks.one("printf", args=("%s|", "$HOME", "*; ls", "${CLAUDE_PROJECT_DIR}/x")))
    assert ran.stdout == "$HOME|*; ls|/a b/x|"


def test_a_program_is_found_from_the_events_folder(hooks: Hooks, play: Play[HookExecution]) -> None:
    script = hooks.place / "check.sh"
    script.write_text("#!/bin/sh\npwd\n")
    script.chmod(0o700)
    assert play(hooks.one("./check.sh", args=())).stdout.strip() == str(hooks.place.resolve())


FOLDERS = [("{}/gone", "{}", "{}"), ("", "{}", "{}"), ("relative", "{}/file", "{}/home")]


@pytest.mark.parametrize(("cwd", "fallback", "ran_in"), FOLDERS)
def test_a_hook_runs_elsewhere_where_its_folder_is_gone(
    hooks: Hooks, play: Play[Any], cwd: str, fallback: str, ran_in: str
) -> None:
    (hooks.place / "home").mkdir()
    (hooks.place / "file").touch()
    hooks.env["HOME"] = f"{hooks.place}/home"
    place = [one.format(hooks.place) for one in (cwd, fallback, ran_in)]
    (ran,) = play(hooks.run(hook("pwd"), cwd=place[0], fallback=place[1]))
    assert ran.stdout.strip() == os.path.realpath(place[2])
    assert ran.notes == (f"it ran in {place[2]}: its own is no folder",)


def test_the_notes_of_the_event_go_with_every_run(hooks: Hooks, play: Play[Any]) -> None:
    rans = play(hooks.run(hook("true"), hook("no-such-program", args=()), notes=("so it is",)))
    assert [ran.notes for ran in rans] == [("so it is",)] * 2


FAULTS = [
    (hook("no-such-program", args=()), "no-such-program: there is no such program on its PATH"),
    (hook("/no/such/program", args=()), "/no/such/program: No such file or directory"),
    (hook("", args=()), ": there is no such program on its PATH"),
    (hook("echo a\0b"), "embedded null byte"),
    (hook("/etc/hosts", args=()), "/etc/hosts is in /etc, where a hook's program must not be"),
    (hook("/etc/x.sh | cat"), "/etc/x.sh is in /etc, where a hook's program must not be"),
    (hook("../x", args=()), "the path ../x has .. in it; write it without"),
    (hook("/bin/../bin/true", args=()), "the path /bin/../bin/true has .. in it"),
]


@pytest.mark.parametrize(("one", "fault"), FAULTS, ids=lambda it: getattr(it, "command", ""))
def test_what_cannot_be_started_is_a_fault(
    hooks: Hooks, by_either: Play[Any], one: Hook, fault: str
) -> None:
    (ran,) = by_either(hooks.run(one))
    assert ran.fault.startswith(f"could not be started: {fault}")
    assert (ran.exit_code, ran.stdout, ran.timed_out) == (None, "", False)


def test_a_program_has_to_be_one(hooks: Hooks, play: Play[Any]) -> None:
    script = hooks.place / "x.sh"
    script.write_text("echo no program")
    assert "Permission denied" in play(hooks.one(str(script), args=())).fault
    script.chmod(0o700)
    assert "Exec format error" in play(hooks.one(str(script), args=())).fault


def test_a_link_into_a_blocked_folder_is_refused(hooks: Hooks, play: Play[Any]) -> None:
    (hooks.place / "x.sh").symlink_to("/etc/hosts")
    assert "is in /etc" in play(hooks.one("./x.sh", args=())).fault
    assert "is in /etc" in play(hooks.one("./x.sh")).fault


def test_a_link_in_a_blocked_folder_is_refused(hooks: Hooks, play: Play[Any]) -> None:
    (hooks.place / "blocked").mkdir()
    (hooks.place / "blocked" / "true").symlink_to("/bin/true")
    reach = PathPolicy(blocked=(f"{hooks.place}/blocked",))
    (ran,) = play(hooks.run(hook("blocked/true", args=()), reach=reach))
    assert "where a hook's program must not be" in ran.fault


def test_programs_may_be_held_to_some_folders(hooks: Hooks, play: Play[Any]) -> None:
    mine, other = hooks.place / "mine", hooks.place / "other"
    for folder in (mine, other):
        folder.mkdir()
        (folder / "x.sh").write_text("#!/bin/sh\necho here\n")
        (folder / "x.sh").chmod(0o700)
    reach = PathPolicy(allowed=(str(mine.resolve()),))
    named = [hook(f"{folder}/x.sh", args=()) for folder in (mine, other)]
    by_shell = [hook(f"{folder}/x.sh") for folder in (mine, other)]
    rans = play(hooks.run(*named, *by_shell, hook("printf", args=("x",)), reach=reach))
    assert [ran.stdout for ran in rans] == ["here\n", "", "here\n", "", ""]
    assert all("`allowed_paths`" in rans[at].fault for at in (1, 3, 4))


def test_one_that_wants_no_input_is_not_at_fault(hooks: Hooks, by_either: Play[Any]) -> None:
    large = b'"' + b"x" * 1_000_000 + b'"\n'
    closed, ignored = by_either(
        hooks.run(hook("exec <&-; echo closed"), hook("echo ignored"), payload=large)
    )
    assert (closed.exit_code, closed.stdout, closed.fault) == (0, "closed\n", "")
    assert (ignored.exit_code, ignored.stdout, ignored.fault) == (0, "ignored\n", "")


def test_a_large_event_arrives_whole(hooks: Hooks, by_either: Play[Any]) -> None:
    (ran,) = by_either(hooks.run(hook("wc -c"), payload=b"x" * 3_000_000))
    assert ran.stdout.strip() == "3000000"


def test_output_without_end_is_read_and_not_kept(
    hooks: Hooks, by_either: Play[HookExecution]
) -> None:
    ran = by_either(hooks.one("head -c 5000000 /dev/zero | tr '\\0' x; echo done >done; exit 4"))
    assert (ran.exit_code, ran.truncated, ran.stdout) == (4, True, "x" * 30 * 1024)
    assert hooks.noted("done") == "done"


def test_a_character_is_not_cut(hooks: Hooks, play: Play[HookExecution]) -> None:
    ran = play(hooks.one("printf x; yes é | tr -d '\\n' | head -c 100000"))
    assert ran.stdout == "x" + "é" * 15_359


def test_output_may_be_anything(hooks: Hooks, play: Play[HookExecution]) -> None:
    ran = play(hooks.one(r"printf 'a\377\0b'; printf '\300' >&2"))
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, "a\ufffd\0b", "\ufffd")


@pytest.mark.gate
def test_one_that_takes_too_long_is_ended_with_all_its_children(
    hooks: Hooks, play: Play[HookExecution]
) -> None:
    ran = play(
        hooks.one("echo begun; sleep 100 & echo $$ $! >pids; wait", timeout=1.5, on_failure="block")
    )
    assert (ran.exit_code, ran.timed_out, ran.fault) == (None, True, "timed out after 1.5 s")
    assert ran.stdout == "begun\n"
    gone(*hooks.noted("pids").split())


@pytest.mark.gate
def test_one_that_is_stopped_is_killed(hooks: Hooks, play: Play[HookExecution]) -> None:
    assert play(hooks.one("echo $$ >pid; kill -STOP $$", timeout=1.5)).timed_out
    gone(hooks.noted("pid"))


@pytest.mark.gate
def test_one_that_ignores_the_asking_is_killed_and_the_answer_does_not_wait(
    hooks: Hooks, play: Play[Any]
) -> None:
    async def scene() -> None:
        async with hooks.runner() as runner:
            stubborn = "trap '' TERM; echo $$ >pid; while :; do sleep 0.1; done"
            (ran,) = await hooks.ask(runner, hook(stubborn, timeout=1.5))
            assert ran.timed_out
            assert alive(int(hooks.noted("pid")))

    play(scene())
    gone(hooks.noted("pid"))


def test_no_hook_is_waited_for_longer_than_the_shim_waits(hooks: Hooks, play: Play[Any]) -> None:
    (ran,) = play(hooks.run(hook("sleep 100"), deadline=1.2))
    assert ran.fault is not None
    assert re.fullmatch(r"timed out after 0\.(7|6\d+) s", ran.fault), "less what went by till then"
    (late,) = play(hooks.run(hook("true"), deadline=0.2))
    assert late.timed_out


def test_many_children_are_ended_with_their_parent(hooks: Hooks, play: Play[HookExecution]) -> None:
    bomb = "for i in $(seq 50); do sleep 100 & echo $! >>pids; done; echo whole"
    assert play(hooks.one(bomb)).stdout == "whole\n"
    pids = hooks.noted("pids").split()
    assert len(pids) == 50
    gone(*pids)


def test_what_holds_the_streams_is_not_waited_for(
    hooks: Hooks, by_either: Play[HookExecution]
) -> None:
    ran = by_either(hooks.one("sleep 100 & echo $! >pid; echo said"))
    assert (ran.exit_code, ran.stdout, ran.fault) == (0, "said\n", "")
    gone(hooks.noted("pid"))


def test_what_has_left_the_group_is_not_waited_for(hooks: Hooks, play: Play[HookExecution]) -> None:
    away = (
        "import os, time; os.setsid(); print(os.getpid(), file=open('pid', 'w')); time.sleep(100)"
    )
    command = f'{sys.executable} -c "{away}" & while [ ! -s pid ]; do sleep 0.05; done; echo said'
    try:
        ran = play(hooks.one(command))
        assert (ran.exit_code, ran.stdout) == (0, "said\n")
    finally:
        os.kill(int(hooks.noted("pid")), signal.SIGKILL)


def test_one_whose_shell_is_killed_has_ended(hooks: Hooks, by_either: Play[HookExecution]) -> None:
    ran = by_either(hooks.one("sh -c 'echo $$ >pid; kill -9 $PPID; sleep 100'; echo never"))
    assert (ran.exit_code, ran.fault, ran.timed_out) == (None, "was ended by SIGKILL", False)
    gone(hooks.noted("pid"))


def test_answers_come_in_the_order_of_the_hooks(hooks: Hooks, by_either: Play[Any]) -> None:
    slow = "while [ ! -e quick ]; do sleep 0.05; done; echo slow"
    rans = by_either(hooks.run(hook(slow), hook("touch quick; echo quick"), hook("exit 2")))
    assert [ran.stdout for ran in rans] == ["slow\n", "quick\n", ""]
    assert [ran.exit_code for ran in rans] == [0, 0, 2]


def test_those_of_a_chain_run_one_after_the_other(hooks: Hooks, play: Play[Any]) -> None:
    # Were they beside each other, the first would come last.
    chain = [
        hook("sleep 0.3; echo 1 >>order", chain="a"),
        hook("echo 2 >>order", chain="a"),
        hook("cat order; echo 3 >>order", chain="a"),
    ]
    rans = play(hooks.run(*chain))
    assert rans[2].stdout == "1\n2\n"


@pytest.mark.gate
def test_one_of_a_chain_begins_when_the_last_is_gone(hooks: Hooks, play: Play[Any]) -> None:
    stubborn = "trap '' TERM; echo $$ >pid; while :; do sleep 0.1; done"
    after = "kill -0 $(cat pid) 2>/dev/null && echo beside || echo behind"
    chain = [hook(stubborn, chain="a", timeout=1.5), hook(after, chain="a")]
    assert play(hooks.run(*chain))[1].stdout == "behind\n"


def test_a_chain_ends_with_the_shims_patience(hooks: Hooks, play: Play[Any]) -> None:
    chain = [hook("sleep 100", chain="a"), hook("touch never", chain="a")]
    rans = play(hooks.run(*chain, deadline=1.5))
    assert [ran.timed_out for ran in rans] == [True, True]
    assert not (hooks.place / "never").exists()


COUNTING = "echo $$ >>now; wc -l <now >>most; sleep 0.2; sed -i 1d now"


def test_no_more_run_at_once_than_may(tmp_path: Path, play: Play[Any]) -> None:
    hooks = Hooks(tmp_path, limit=1)
    rans = play(hooks.run(*[hook(COUNTING)] * 4))
    assert [ran.exit_code for ran in rans] == [0] * 4
    assert hooks.noted("most").split() == ["1"] * 4


def test_waiting_for_a_turn_counts(tmp_path: Path, play: Play[Any]) -> None:
    hooks = Hooks(tmp_path, limit=1)
    rans = play(hooks.run(hook("sleep 100", timeout=1.5), hook("touch never", timeout=0.3)))
    assert rans[1].fault == "timed out after 0.3 s, waiting for other hooks to end"
    assert not (tmp_path / "never").exists()


def test_one_in_the_background_is_not_waited_for(hooks: Hooks, by_either: Play[Any]) -> None:
    async def scene() -> HookExecution:
        async with hooks.runner() as runner:
            waiting = "while [ ! -e go ]; do sleep 0.05; done; cat; exit 2"
            (began,) = await hooks.ask(runner, hook(waiting, background=True), deadline=1)
            assert (began.started_background, began.exit_code, began.fault) == (True, None, "")
            assert hooks.ended == []
            (hooks.place / "go").touch()
            await until(lambda: hooks.ended)
        return hooks.ended[0]

    ran = by_either(scene())
    assert (ran.exit_code, ran.stdout, ran.started_background) == (2, EVENT.decode(), False)


def test_what_one_in_the_background_starts_may_stay(hooks: Hooks, play: Play[Any]) -> None:
    async def scene() -> int:
        async with hooks.runner() as runner:
            await hooks.ask(
                runner, hook("sleep 100 >/dev/null 2>&1 & echo $! >pid", background=True)
            )
            await until(lambda: hooks.ended)
        return int(hooks.noted("pid"))

    pid = play(scene())
    assert alive(pid)
    os.kill(pid, signal.SIGKILL)


def test_one_in_the_background_has_its_time_too(hooks: Hooks, play: Play[Any]) -> None:
    async def scene() -> None:
        async with hooks.runner() as runner:
            lasting = hook("echo $$ >pid; sleep 100", background=True, timeout=1.5)
            await hooks.ask(runner, lasting)
            await until(lambda: hooks.ended)

    play(scene())
    assert hooks.ended[0].fault == "timed out after 1.5 s"
    gone(hooks.noted("pid"))


def test_those_in_the_background_take_turns(tmp_path: Path, play: Play[Any]) -> None:
    hooks = Hooks(tmp_path, background_limit=1)

    async def scene() -> None:
        async with hooks.runner() as runner:
            await hooks.ask(runner, *[hook(COUNTING, background=True)] * 3)
            await until(lambda: len(hooks.ended) == 3)

    play(scene())
    assert hooks.noted("most").split() == ["1"] * 3


MARKS = ['{"async":true}', '{"async": true, "asyncTimeout": 30000}', '{"async":true,"x":{"y":1}}']


@pytest.mark.parametrize("mark", MARKS)
def test_one_that_says_so_goes_on_by_itself(hooks: Hooks, play: Play[Any], mark: str) -> None:
    async def scene() -> None:
        async with hooks.runner() as runner:
            going = f"echo '{mark}'; while [ ! -e go ]; do sleep 0.05; done; echo later; exit 2"
            (began,) = await hooks.ask(runner, hook(going))
            assert began.started_background
            (hooks.place / "go").touch()
            await until(lambda: hooks.ended)

    play(scene())
    assert (hooks.ended[0].exit_code, hooks.ended[0].stdout) == (2, f"{mark}\nlater\n")


def test_one_that_goes_on_names_its_time(hooks: Hooks, play: Play[Any]) -> None:
    async def scene() -> None:
        async with hooks.runner() as runner:
            mark = json.dumps({"async": True, "asyncTimeout": 500})
            await hooks.ask(runner, hook(f"echo '{mark}'; echo $$ >pid; sleep 100"))
            await until(lambda: hooks.ended)

    play(scene())
    assert hooks.ended[0].timed_out
    gone(hooks.noted("pid"))


ANSWERS = ['{"async":false}', 'x\\n{"async":true}', '{"a":{"async":true}}', "[{}]", '{"async":1}']


@pytest.mark.parametrize("answer", ANSWERS)
def test_any_other_answer_is_waited_for(
    hooks: Hooks, play: Play[HookExecution], answer: str
) -> None:
    ran = play(hooks.one(f"printf '{answer}'; echo; exit 3"))
    assert (ran.exit_code, ran.started_background) == (3, False)


def test_those_that_go_on_still_count(tmp_path: Path, play: Play[Any]) -> None:
    hooks = Hooks(tmp_path, limit=1, background_limit=1)

    async def scene() -> tuple[HookExecution, ...]:
        async with hooks.runner() as runner:
            going = hook("echo '{\"async\":true}'; sleep 100")
            await hooks.ask(runner, going)  # it takes the one place in the background
            await hooks.ask(runner, going)  # it keeps its own
            return await hooks.ask(runner, hook("true", timeout=0.5))

    assert play(scene())[0].fault.endswith("waiting for other hooks to end")


def stubborn(name: str, **more: Any) -> Hook:
    return hook(f"trap '' TERM; echo $$ >{name}; while :; do sleep 0.1; done", **more)


@pytest.mark.gate
def test_the_end_of_the_daemon_ends_all(hooks: Hooks, by_either: Play[Any]) -> None:
    async def scene() -> Sequence[HookExecution]:
        async with hooks.runner() as runner, asyncio.TaskGroup() as beside:
            await hooks.ask(runner, stubborn("behind", background=True))
            asked = beside.create_task(hooks.ask(runner, stubborn("waited"), hook("sleep 100")))
            await until(lambda: (hooks.noted("behind"), hooks.noted("waited")))
            async with asyncio.timeout(10):  # it is promised within two
                await runner.close()
            (after,) = await hooks.ask(runner, hook("touch never"))
            return [*await asked, after]

    rans = by_either(scene())
    assert [ran.fault for ran in rans] == [
        "was ended: its event is over",
        "was ended: its event is over",
        "could not be started: the daemon ends",
    ]
    assert [ran.fault for ran in hooks.ended] == ["was ended: its event is over"]
    gone(hooks.noted("behind"), hooks.noted("waited"))
    assert not (hooks.place / "never").exists()


def test_where_nobody_waits_any_more_the_hooks_are_ended(
    hooks: Hooks, by_either: Play[Any]
) -> None:
    async def scene() -> None:
        async with hooks.runner() as runner, asyncio.TaskGroup() as beside:
            asked = beside.create_task(hooks.ask(runner, hook("echo $$ >pid; sleep 100")))
            await until(lambda: hooks.noted("pid"))
            asked.cancel()
            await until(lambda: not alive(int(hooks.noted("pid"))))
            (ran,) = await hooks.ask(runner, hook("echo well"))
            assert ran.stdout == "well\n"

    by_either(scene())


def test_no_hooks_are_no_work(hooks: Hooks, play: Play[Any]) -> None:
    assert play(hooks.run()) == ()


@pytest.mark.parametrize("command", ["touch began", "touch began; exec sleep 60"])
def test_a_result_that_cannot_be_reported_does_not_end_the_others(
    hooks: Hooks, by_either: Play[Any], command: str
) -> None:
    def fail(_ran: HookExecution) -> None:
        raise RuntimeError("the database is gone")

    async def scene() -> HookExecution:
        async with hooks.runner() as runner:
            await hooks.ask(runner, hook(command, background=True), later=fail)
            await until((hooks.place / "began").exists)
            (ran,) = await hooks.ask(runner, hook("echo well"))
            return ran

    assert by_either(scene()).stdout == "well\n"


def test_many_hooks_leave_nothing_open(hooks: Hooks, by_either: Play[Any]) -> None:
    async def scene() -> tuple[int, int]:
        async with hooks.runner() as runner:
            await hooks.ask(runner, hook("true"))
            before = opened()
            for _ in range(5):
                await hooks.ask(runner, *[hook("cat")] * 8, hook("no-such", args=()))
            await until(lambda: opened() <= before)

    by_either(scene())


def test_where_a_path_leads_is_read_from_the_disk(tmp_path: Path, by_either: Play[Any]) -> None:
    (tmp_path / "x").symlink_to("/etc/hosts")
    (tmp_path / "loop").symlink_to("loop")
    assert by_either(leads_to("x", str(tmp_path))) == os.path.realpath("/etc/hosts")
    assert by_either(leads_to("loop", str(tmp_path))) == os.path.realpath(tmp_path / "loop")
    assert by_either(leads_to("a\0b", str(tmp_path))) is None


@pytest.mark.gate
@pytest.mark.parametrize("turns", [*range(10), *range(50, 2_000, 100)])
def test_a_hook_can_be_given_up_at_any_moment(
    hooks: Hooks, by_either: Play[Any], turns: int
) -> None:
    async def scene() -> None:
        before = opened()
        async with hooks.runner() as runner, asyncio.TaskGroup() as beside:
            asked = beside.create_task(hooks.ask(runner, hook("sleep 100")))
            for _ in range(turns):
                await asyncio.sleep(0)
            asked.cancel()
            await until(lambda: opened() <= before + 1)  # asyncio's way to wake itself

    by_either(scene())
