"""The terminal's way to the daemon, against a small real server on a Unix socket."""

import json
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from hookd import __version__
from hookd.cli import main
from hookd.cli.lib import client
from hookd.cli.lib.client import Refused, State, call, probe
from hookd.cli.lib.errors import Problem
from hookd.display.amounts import local_time
from hookd.paths import IDENTITY
from hookd.system import ancestry, stop_marker
from hookd.system.ancestry import Caller

Reply = Callable[[dict[str, Any]], bytes]
STATUS = {
    "pid": 7,
    "version": __version__,
    "startedAt": "2026-01-31T08:00:00.123Z",
    "socket": "/s",
    "database": "/d",
    "log": "/l",
    "settings": "/c",
    "events": 12,
    "problem": None,
}


def result(value: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": value}).encode() + b"\n"


def error(code: int, message: str, data: Any = None) -> bytes:
    body = {"code": code, "message": message} | ({"data": data} if data else {})
    return json.dumps({"jsonrpc": "2.0", "id": 1, "error": body}).encode() + b"\n"


def well(**more: Any) -> Reply:
    """Return the replies of a daemon of a host in no fleet: its status, and no membership."""
    known = {"fleet.membership": {"membership": None}}
    return lambda message: result(known.get(message["method"], STATUS | more))


class Server:
    """Answers each line with `reply`; keeps what it was asked, pings apart."""

    def __init__(self, place: Path) -> None:
        self.reply: Reply = lambda _: result({})
        self.asked: list[dict[str, Any]] = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(place))
        self.listener.listen()
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                peer, _ = self.listener.accept()
                self.threads.append(threading.Thread(target=self.serve, args=(peer,)))
                self.threads[-1].start()

    def serve(self, peer: socket.socket) -> None:
        with suppress(OSError), peer, peer.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                if message["method"] != "daemon.status":
                    self.asked.append(message)
                answer = self.reply(message)
                if not answer:
                    return
                peer.sendall(answer)

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        for thread in self.threads:
            thread.join()

    @property
    def params(self) -> dict[str, Any]:
        """What the last request asked, without who asked."""
        return {name: value for name, value in self.asked[-1]["params"].items() if name != "env"}


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A short home of hookd's own, and no identity."""
    with tempfile.TemporaryDirectory(prefix="hookd-") as folder:
        monkeypatch.setenv("HOOKD_HOME", folder)
        for name in (*IDENTITY, "NO_COLOR"):
            monkeypatch.delenv(name, raising=False)
        # A person types these commands, though an agent may run the tests.
        monkeypatch.setattr(ancestry, "caller_of", lambda _: Caller())
        Path(folder, "run").mkdir()
        yield Path(folder).resolve()


@pytest.fixture
def place(home: Path) -> Path:
    return home / "run" / "hookd.sock"


@pytest.fixture
def server(place: Path) -> Iterator[Server]:
    server = Server(place)
    yield server
    server.close()


@pytest.fixture
def deaf(place: Path) -> Iterator[socket.socket]:
    """A socket that lets callers queue up, and accepts none."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen(0)
        yield listener


def hookd(*arguments: str, **options: Any) -> Result:
    ran = CliRunner().invoke(main, arguments, **options)
    assert ran.exception is None or isinstance(ran.exception, SystemExit), ran.exc_info
    return ran


def printed(*arguments: str, **options: Any) -> str:
    ran = hookd(*arguments, **options)
    assert (ran.exit_code, ran.stderr) == (0, "")
    return ran.stdout


class TestProbe:
    def test_listening(self, server: Server, place: Path) -> None:
        assert probe(place) is State.LISTENING

    def test_who_answers_with_an_error_listens(self, server: Server, place: Path) -> None:
        server.reply = lambda _: error(-32603, "Internal error")
        assert probe(place) is State.LISTENING

    def test_asks_for_the_status(self, server: Server, place: Path) -> None:
        asked: list[dict[str, Any]] = []

        def reply(message: dict[str, Any]) -> bytes:
            asked.append(message)
            return result({})

        server.reply = reply
        probe(place)
        assert asked == [{"jsonrpc": "2.0", "id": 1, "method": "daemon.status", "params": {}}]

    def test_hung(self, deaf: socket.socket, place: Path) -> None:
        assert probe(place, 0.1) is State.HUNG

    def test_hung_with_a_full_queue(self, deaf: socket.socket, place: Path) -> None:
        callers = [socket.socket(socket.AF_UNIX) for _ in range(3)]
        for caller in callers:
            caller.setblocking(False)
            with suppress(BlockingIOError):
                caller.connect(str(place))
        assert probe(place, 0.1) is State.HUNG
        for caller in callers:
            caller.close()

    def test_who_hangs_up_is_hung(self, server: Server, place: Path) -> None:
        server.reply = lambda _: b""
        assert probe(place) is State.HUNG

    def test_dead_socket(self, place: Path) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place))
        assert probe(place) is State.DEAD

    def test_no_socket(self, place: Path) -> None:
        assert probe(place) is State.NONE

    def test_no_folder(self, home: Path) -> None:
        (home / "file").touch()
        assert probe(home / "nothing" / "hookd.sock") is State.NONE
        assert probe(home / "file" / "hookd.sock") is State.NONE

    @pytest.mark.parametrize("make", [Path.touch, Path.mkdir])
    def test_not_a_socket(self, place: Path, make: Callable[[Path], None]) -> None:
        make(place)
        assert probe(place) is State.FOREIGN

    def test_somebody_elses(
        self, server: Server, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("os.getuid", lambda: 12345)
        assert probe(place) is State.FOREIGN


class TestCall:
    def test_result(self, server: Server) -> None:
        server.reply = lambda _: result({"a": [1, "ä"]})
        assert call("x.y", {"b": 2}) == {"a": [1, "ä"]}
        assert server.asked[-1]["method"] == "x.y"
        assert server.params == {"b": 2}

    def test_a_null_result(self, server: Server) -> None:
        server.reply = lambda _: result(None)
        assert call("x") is None

    def test_params_by_position_have_no_place_for_who_asks(self, server: Server) -> None:
        call("x", [1])
        assert server.asked[-1]["params"] == [1]

    def test_a_given_env_stays(self, server: Server) -> None:
        call("x", {"env": {"AGENT_ID": "ben"}})
        assert server.asked[-1]["params"]["env"] == {"AGENT_ID": "ben"}

    def test_a_notification_comes_before_the_answer(self, server: Server) -> None:
        notice = b'{"jsonrpc":"2.0","method":"hooks.accepted"}\n'
        server.reply = lambda _: notice + result(3)
        assert call("x") == 3

    def test_a_long_answer(self, server: Server) -> None:
        server.reply = lambda _: result("x" * 8_000_000)
        assert len(call("x")) == 8_000_000

    def test_an_answer_that_is_too_long(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(client, "LIMIT", 1_000_000)
        server.reply = lambda _: result("x" * 5_000_000)
        with pytest.raises(Problem, match="longer than 16 MiB"):
            call("x")

    def test_a_request_that_is_too_long(self, server: Server) -> None:
        with pytest.raises(Problem, match="16 MiB of one request"):
            call("x", {"text": "x" * client.LIMIT})
        assert server.asked == []

    @pytest.mark.parametrize("line", [b"hello\n", b"[]\n", b"\n"])
    def test_an_answer_of_something_else(self, server: Server, line: bytes) -> None:
        server.reply = lambda _: line
        with pytest.raises(Problem, match="does not speak JSON-RPC"):
            call("x")

    def test_a_slow_answer_is_waited_for(
        self, server: Server, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(client, "_SILENCE_S", 0.05)
        pings = threading.Semaphore(0)

        def reply(message: dict[str, Any]) -> bytes:
            if message["method"] == "daemon.status":
                pings.release()
            else:
                for _ in range(3):
                    pings.acquire()
            return result("late")

        server.reply = reply
        assert call("x") == "late"

    def test_hanging_up(self, server: Server) -> None:
        server.reply = lambda _: b""
        with pytest.raises(Problem, match="ended the connection before it answered") as problem:
            call("x.y")
        assert problem.value.step == "hookd daemon logs"


class TestCallOnce:
    def test_a_lost_answer_is_asked_for_again_with_the_same_key(self, server: Server) -> None:
        server.reply = lambda _: b"" if len(server.asked) < 2 else result(7)
        assert client.call_once("work.add", {"title": "x", "key": "k"}) == 7
        assert [one["params"]["key"] for one in server.asked] == ["k", "k"]

    def test_the_key_is_named_if_there_is_no_answer_at_all(self, server: Server) -> None:
        server.reply = lambda _: b""
        with pytest.raises(Problem, match="and none answers since") as problem:
            client.call_once("work.add", {"key": "k-1"})
        assert problem.value.step.endswith("the same with the key k-1 does it only once")
        assert len(server.asked) == 2

    @pytest.mark.parametrize("words", [("send", "ben", "x"), ("reply", "7", "x")])
    def test_mail_whose_answer_was_lost_is_sent_again_with_the_same_key(
        self, server: Server, words: tuple[str, ...]
    ) -> None:
        server.reply = lambda _: b"" if len(server.asked) < 2 else result({})
        assert hookd(*words, "--json").exit_code == 0
        first, second = (one["params"]["key"] for one in server.asked)
        assert first == second

    def test_without_a_daemon_nothing_is_repeated(self) -> None:
        with pytest.raises(Problem, match="Nothing was done"):
            client.call_once("work.add", {"key": "k"})


class TestAbsent:
    def test_hung(self, deaf: socket.socket, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(client, "_SILENCE_S", 0.05)
        assert self.problem("does not answer on") == "hookd daemon logs -n 20"
        place.with_suffix(".pid").write_text("4711\n")
        assert self.problem("does not answer on").startswith("kill 4711")

    def test_dead_socket(self, place: Path) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(place))
        assert self.problem("no process listens on") == "hookd start"

    def test_no_socket(self) -> None:
        assert self.problem("there is no socket") == "hookd start"

    def test_stopped_by_the_user(self, place: Path) -> None:
        stop_marker.write(place.with_suffix(".stopped"))
        assert self.problem("is stopped, by hookd stop") == "hookd start"

    def test_not_ours(self, place: Path) -> None:
        place.touch()
        assert self.problem("is not a socket of yours").startswith("ls -ld")

    def problem(self, sentence: str) -> str:
        with pytest.raises(Problem, match=sentence) as problem:
            call("effort.list")
        return problem.value.step


@pytest.mark.parametrize(
    ("method", "answer", "sentence", "step", "code"),
    [
        (
            "effort.log",
            error(-32005, "no effort is active here", {"code": "NO_ACTIVE_EFFORT"}),
            "No effort is active here.",
            "hookd effort start TASK_DIR SKILL",
            "NO_ACTIVE_EFFORT",
        ),
        (
            "guards.remove",
            error(-32001, "no user guard is called 'x' here", {"code": "NOT_FOUND"}),
            "No user guard is called 'x' here.",
            "hookd guard list, which shows the scope of each rule",
            "NOT_FOUND",
        ),
        (
            "guards.add",
            error(-32007, "toolFilter.include.0: not closed", {"code": "INVALID_RULE"}),
            "The daemon refuses this rule: toolFilter.include.0: not closed.",
            "hookd guard add --help",
            "INVALID_RULE",
        ),
        (
            "x.y",
            error(-32601, "Method not found"),
            "The daemon has no method x.y.",
            "check its name; hookd restart, if hookd was upgraded since it started",
            "-32601",
        ),
        (
            "x.y",
            error(-32602, "Invalid params", {"detail": "limit: too small"}),
            "The daemon refuses these params: limit: too small.",
            "fix the params; hookd restart, if hookd was upgraded since it started",
            "-32602",
        ),
        (
            "x.y",
            error(-32602, "Invalid params", {"detail": "to is empty", "code": "INVALID_VALUE"}),
            "To is empty.",
            "",
            "INVALID_VALUE",
        ),
        (
            "x.y",
            error(-32031, "src/a.py is claimed", {"code": "CLAIMED"}),
            "src/a.py is claimed.",
            "hookd claim list",
            "CLAIMED",
        ),
        (
            "claims.add",
            error(-32034, "claims.add takes more than 2 s", {"code": "TOO_SLOW"}),
            "claims.add takes more than 2 s.",
            "name fewer, then run it again",
            "TOO_SLOW",
        ),
        (
            "x.y",
            error(-32603, "Internal error"),
            "The daemon failed at x.y; its log has the reason.",
            "hookd daemon logs -n 20",
            "-32603",
        ),
        ("x.y", error(-1, "what", "text"), "What.", "", "-1"),
        ("x.y", b'{"id":1,"error":"odd"}\n', "Odd.", "", "None"),
        ("x.y", b'{"id":1,"error":{}}\n', "Without a reason.", "", "None"),
    ],
)
def test_errors(  # noqa: PLR0917
    server: Server, method: str, answer: bytes, sentence: str, step: str, code: str
) -> None:
    server.reply = lambda _: answer
    with pytest.raises(Refused) as refused:
        call(method)
    assert (refused.value.message, refused.value.step, refused.value.code) == (sentence, step, code)


class TestIdentity:
    def test_the_variables_and_the_folder(
        self, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(home)
        monkeypatch.setenv("AGENT_ID", "ana")
        monkeypatch.setenv("CLAUDE_PROJECT_DIR", "/elsewhere")
        monkeypatch.setenv("API_TOKEN", "secret")
        expected = {"AGENT_ID": "ana", "CLAUDE_PROJECT_DIR": "/elsewhere", "CWD": str(home)}
        assert client.identity() == expected

    @pytest.mark.parametrize("make", [Path.mkdir, Path.touch])
    def test_the_project_is_the_nearest_repository(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
    ) -> None:
        (home / "a" / "b" / "c").mkdir(parents=True)
        (home / ".git").mkdir()
        make(home / "a" / ".git")  # a file, in a worktree
        monkeypatch.chdir(home / "a" / "b" / "c")
        assert client.identity()["CLAUDE_PROJECT_DIR"] == str(home / "a")

    def test_no_repository(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(home)
        assert client.identity() == {"CWD": str(home)}

    def test_a_folder_that_is_gone(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (home / "gone").mkdir()
        monkeypatch.chdir(home / "gone")
        (home / "gone").rmdir()
        with pytest.raises(Problem, match="no longer exists"):
            client.identity()


class TestGuard:
    def test_add(self, server: Server) -> None:
        said = printed("guard", "add", "no-force", "Bash(git push --force *)", "--deny", "No.")
        assert said == (
            "no-force now denies Bash(git push --force *), everywhere. "
            "Remove it: hookd guard remove no-force\n"
        )
        rule = {
            "toolFilter": {"include": ["Bash(git push --force *)"]},
            "payload": {"text": "No."},
            "urgency": "block",
            "id": "no-force",
        }
        assert server.params == {"rule": rule, "scope": "user"}

    @pytest.mark.parametrize(
        ("flags", "params", "away"),
        [
            (
                ["--scope", "user"],
                {"scope": "user"},
                "everywhere. Remove it: hookd guard remove x\n",
            ),
            (
                ["--scope", "local"],
                {"scope": "project"},
                "hookd guard remove x --scope local\n",
            ),
            (["--effort"], {"scope": "effort"}, "in your effort. "),
            (["--effort", "3"], {"scope": "effort", "effortId": 3}, "remove x --effort 3\n"),
        ],
    )
    @pytest.mark.parametrize("last", [True, False])
    def test_where(
        self, server: Server, flags: list[str], params: dict[str, Any], away: str, last: bool
    ) -> None:
        rest = ["x", "Bash", "--ask", "Sure?"]
        assert away in printed("guard", "add", *(rest + flags if last else flags + rest))
        assert server.params == {"rule": server.params["rule"], **params}
        assert "no longer applies" in printed("guard", "remove", "x", *flags)
        assert server.params == {"ruleId": "x", **params}

    def test_former_flags(self, server: Server) -> None:
        done = hookd("guard", "add", "x", "Bash", "--deny", "No.", "--user")
        assert done.stderr == "hookd: --user is deprecated; use --scope user\n"
        assert server.params["scope"] == "user"

    def test_another_project(self, server: Server, home: Path) -> None:
        where = ("--scope", "local", "--project-dir", str(home))
        said = printed("guard", "add", "x", "Bash", "--deny", "No.", *where)
        assert f", in {home}. Remove it: hookd guard remove x --scope local --proj" in said
        assert server.asked[-1]["params"]["env"]["CLAUDE_PROJECT_DIR"] == str(home)

    def test_a_rule_with_more_to_it(self, server: Server) -> None:
        rule = {"condition": {"field": "context_usage"}, "toolFilter": {"exclude": ["Bash(ls)"]}}
        said = printed(
            "guard", "add", "x", "Bash", "--tell", "T", "--rule", "-", input=json.dumps(rule)
        )
        assert said.startswith("x now comments on Bash on its condition, everywhere.")
        assert server.params["rule"] == {
            "condition": {"field": "context_usage"},
            "toolFilter": {"exclude": ["Bash(ls)"], "include": ["Bash"]},
            "payload": {"text": "T"},
            "urgency": "allow",
            "id": "x",
        }

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["x", "Bash"], "Say what it does"),
            (["x", "Bash", "--ask", "a", "--deny", "b"], "by one of"),
            (["x", "--deny", "a"], "Say which calls"),
            (["x", "Bash", "--deny", "a", "--scope", "user", "--effort"], "in one place"),
            (["x", "Bash", "--deny", "a", "--effort=y"], "the number of an effort"),
            (["x", "--rule", "[]"], "a JSON object"),
            (["x", "--rule", '{"a":'], "line 1, column 6"),
        ],
    )
    def test_refused_before_asking(
        self, server: Server, arguments: list[str], sentence: str
    ) -> None:
        ran = hookd("guard", "add", *arguments)
        assert ran.exit_code in (1, 2)
        assert sentence in ran.stderr
        assert server.asked == []

    def test_list(self, server: Server) -> None:
        where = {"project": None, "effortId": None}
        kept = {"toolFilter": {"include": ["Edit", "Write"]}, "payload": {"text": "T"}}
        guards = [
            {"ruleId": "a", "scope": "user", "rule": {"urgency": "block"}, **where},
            {"ruleId": "b", "scope": "effort", "rule": kept, **where, "effortId": 2},
            {"ruleId": "c", "scope": "project", "rule": {}, **where, "project": "/p"},
        ]
        server.reply = lambda _: result({"guards": guards})
        assert printed("guard", "list").splitlines() == [
            "everywhere:",
            "name  does    calls       text",
            "a     denies  every call  -",
            "",
            "project /p:",
            "name  does         calls       text",
            "c     comments on  every call  -",
            "",
            "effort 2:",
            "name  does         calls        text",
            "b     comments on  Edit, Write  T",
        ]
        assert json.loads(printed("guard", "list", "--json")) == guards


class TestEffort:
    def test_start(self, server: Server, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (home / "real").mkdir()
        (home / "link").symlink_to("real")
        monkeypatch.chdir(home)
        answer = {"effortId": 3, "taskDir": "/t", "ordinal": 1, "logPath": "/t/1.md"}
        here = {"project": str(home), "asker": False, "sessions": []}
        server.reply = lambda asked: result(here if asked["method"] == "effort.preview" else answer)
        said = printed("effort", "start", "link/task", "build", "--title", "T", "--warn-after", "0")
        assert said.startswith("Effort 3 is active: build.\n")
        assert server.params == {
            "taskDir": str(home / "real" / "task"),
            "skill": "build",
            "title": "T",
            "metadata": {"warnAfter": 0},
        }

    def test_list_shows_what_is_active(self, server: Server) -> None:
        server.reply = lambda _: result({"efforts": []})
        assert printed("effort", "list").startswith("No effort is active.")
        assert server.params == {"lifecycle": "active", "limit": 50}
        assert printed("effort", "list", "--all").startswith("No efforts yet.")
        assert server.params == {"limit": 50}
        assert printed("effort", "list", "--json") == "[]\n"

    def test_show_what_is_not_there(self, server: Server) -> None:
        server.reply = lambda _: result({"efforts": []})
        assert "There is no effort 7." in hookd("effort", "show", "7").stderr

    def test_finish(self, server: Server) -> None:
        done = {"effortId": 3, "skill": "build", "taskDir": "/t", "efforts": []}
        server.reply = lambda _: result(done)
        assert printed("effort", "finish") == "Effort 3 is finished: build on /t.\n"
        assert server.params == {}
        printed("effort", "finish", "3")
        assert server.params == {"effortId": 3}

    def test_log(self, server: Server) -> None:
        server.reply = lambda _: result({"effortId": 3, "logPath": "/t/1.md", "sessionsReset": 1})
        assert printed("log", "Parser", "done.") == "Logged for effort 3: /t/1.md\n"
        assert server.params == {"text": "Parser done."}
        printed("log", "--effort", "4", "-", input="two\nlines\n")
        assert server.params == {"text": "two\nlines", "effortId": 4}
        assert "log entry is empty" in hookd("log", "-", input=" \n").stderr
        assert "not UTF-8: see byte 1" in hookd("log", "-", input=b"a\xff").stderr


class TestQuery:
    def answer(self, server: Server, rows: list[list[Any]], *, more: bool = False) -> None:
        server.reply = lambda _: result({"columns": ["a", "b", "a"], "rows": rows, "more": more})

    def test_params(self, server: Server) -> None:
        self.answer(server, [])
        wanted = ["5", "-1.5", "05", "x", "9" * 30, ""]
        assert printed("query", "SELECT ?", "--limit", "9", "--", *wanted) == "No rows.\n"
        params = [5, -1.5, "05", "x", "9" * 30, ""]
        assert server.params == {"sql": "SELECT ?", "params": params, "limit": 9}

    def test_table(self, server: Server) -> None:
        self.answer(server, [[1, None, "2026-01-31T08:00:00.000Z"]])
        assert printed("query", "-", input="SELECT") == (
            "a  b     a:2\n1  NULL  2026-01-31T08:00:00.000Z\n"
        )
        assert server.params["sql"] == "SELECT"

    def test_tsv(self, server: Server) -> None:
        self.answer(server, [["x\ty\n", None, "\\t"]])
        assert printed("query", "S", "--tsv") == "a\tb\ta:2\nx\\ty\\n\t\t\\\\t\n"

    def test_json(self, server: Server) -> None:
        self.answer(server, [[1, None, "x"]])
        assert json.loads(printed("query", "S", "--json")) == [{"a": 1, "b": None, "a:2": "x"}]

    def test_says_where_rows_were_cut(self, server: Server) -> None:
        self.answer(server, [[1, 2, 3]], more=True)
        ran = hookd("query", "S", "--tsv")
        assert ran.stderr == "hookd: there are more than these 1 rows: --limit N\n"


class TestRpc:
    def test_result(self, server: Server) -> None:
        server.reply = lambda _: result({"ä": 1})
        assert printed("rpc", "x.y", '{"b":1}') == '{"ä": 1}\n'
        assert server.params == {"b": 1}
        printed("rpc", "x.y", "-", input="[1]")
        assert server.asked[-1]["params"] == [1]

    def test_an_error_has_its_code(self, server: Server) -> None:
        server.reply = lambda _: error(-32005, "no effort is here", {"code": "NO_ACTIVE_EFFORT"})
        ran = hookd("rpc", "x.y")
        assert (ran.exit_code, ran.stdout) == (1, "")
        assert ran.stderr.startswith("hookd: No effort is here (NO_ACTIVE_EFFORT).\n  next: ")

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [
            ('{"a":\n 1,}', "line 2, column 4"),
            ("NaN", "NaN is no JSON value"),
            ("[" * 100_000, "nested too deeply"),
            ("5", "Params are a JSON object"),
        ],
    )
    def test_bad_params(self, server: Server, text: str, sentence: str) -> None:
        ran = hookd("rpc", "x.y", "-", input=text)
        assert ran.exit_code == 1
        assert sentence in ran.stderr
        assert server.asked == []


class TestStatus:
    def test_running(self, server: Server, place: Path) -> None:
        server.reply = well()
        lines = printed("status").splitlines()
        assert "  state     listening" in lines
        assert "  since     2026-01-31 09:00:00+01:00" in lines
        assert not any("next" in line for line in lines)
        whole = {
            "state": "listening",
            **STATUS,
            "unread": [],
            "rules": [],
            "damaged": [],
            "unjudged": None,
            "fleet": {"membership": None, "process": None, "problem": None, "next": None},
        }
        none = {"stopped": False, "stoppedAt": None, "withoutDaemon": None, "hooksWarn": None}
        none |= {"noVerdict": {}, "installed": __version__, "upgrade": []}
        none |= {"shim": {}, "shimProblem": "", "clients": [], "wake": []}
        assert json.loads(printed("status", "--json")) == whole | none

    def test_a_daemon_that_no_hook_asks(self, server: Server, place: Path) -> None:
        server.reply = well()
        stop_marker.write(place.with_suffix(".stopped"))
        shown = printed("status")
        assert "hookd.stopped is there, so the hooks do not ask the daemon" in shown
        assert "  next      hookd start\n" in shown
        assert json.loads(printed("status", "--json"))["stopped"] is True

    def test_an_older_daemon(self, server: Server) -> None:
        server.reply = well(version="0.0.1")
        assert f"hookd restart, since hookd {__version__} is installed" in printed("status")

    def test_settings_that_do_not_hold(self, server: Server) -> None:
        server.reply = well(problem="no JSON")
        step = "fix the settings: they are reloaded within a second"
        assert f"  next      {step}" in printed("status")

    def test_not_running(self, place: Path) -> None:
        ran = hookd("status")
        assert ran.exit_code == 3
        assert ran.stdout.startswith("No daemon is running: there is no socket")
        assert "  next    hookd start\n" in ran.stdout
        ran = hookd("status", "--json")
        assert ran.exit_code == 3
        facts = {"state": "no socket", "socket": str(place), "damaged": []}
        facts |= {
            "installed": __version__,
            "upgrade": [],
            "stopped": False,
            "stoppedAt": None,
            "unjudged": None,
            "withoutDaemon": None,
            "noVerdict": {},
            "hooksWarn": None,
            "shim": {},
            "shimProblem": "",
            "clients": [],
            "wake": [],
        }
        assert json.loads(ran.stdout) == facts

    def test_stopped(self, place: Path) -> None:
        stop_marker.write(place.with_suffix(".stopped"))
        said = hookd("status").stdout.splitlines()
        written = place.with_suffix(".stopped").read_text("ascii").splitlines()[1]
        at = local_time(written)
        assert said[0] == f"hookd is stopped, by hookd stop, since {at}: every call runs unchecked."
        assert f"  stopped  since {at}" in said
        told = json.loads(hookd("status", "--json").stdout)
        assert (told["stopped"], told["stoppedAt"]) == (True, written)


class TestLogs:
    def line(self, number: int, **more: Any) -> str:
        at = "2026-01-31T08:00:00.123Z"
        return json.dumps({"at": at, "level": "info", "message": f"line {number}", **more}) + "\n"

    def test_none_yet(self, home: Path) -> None:
        ran = hookd("daemon", "logs")
        assert ran.exit_code == 1
        assert ran.stderr.startswith(f"hookd: There is no log yet: {home / 'hookd.log'}")

    def test_the_last_lines_reach_into_older_parts(self, home: Path) -> None:
        (home / "hookd.log.2").write_text(self.line(1) + self.line(2))
        (home / "hookd.log.1").write_text(self.line(3))
        (home / "hookd.log").write_text(self.line(4))
        assert [line[-6:] for line in printed("daemon", "logs", "-n", "3").splitlines()] == [
            "line 2",
            "line 3",
            "line 4",
        ]
        assert printed("daemon", "logs", "-n", "1", "--json") == self.line(4)
        assert printed("daemon", "logs", "-n", "0") == ""

    def test_what_a_line_is_about(self, home: Path) -> None:
        trace = "Traceback:\n  \x1b[31mError"
        (home / "hookd.log").write_text(self.line(1, pid=3, path="a b", traceback=trace) + "odd\n")
        assert printed("daemon", "logs").splitlines() == [
            '2026-01-31 09:00:00+01:00 info line 1 pid=3 path="a b"',
            "  traceback:",
            "    Traceback:",
            "      \\x1b[31mError",
            "odd",
        ]

    def test_the_former_command_prints_one_line_of_deprecation(self, home: Path) -> None:
        (home / "hookd.log").write_text(self.line(1))
        ran = hookd("logs", "--json")
        assert (ran.exit_code, ran.stdout) == (0, self.line(1))
        assert ran.stderr == "hookd: hookd logs is deprecated; use hookd daemon logs\n"
        assert "  logs " not in printed("--help")

    def test_follows_across_rotation_until_interrupted(self, home: Path) -> None:
        log = home / "hookd.log"
        log.write_text(self.line(1) + self.line(2))
        command = [sys.executable, "-m", "hookd", "daemon", "logs", "-f", "-n", "1", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as follower:
            assert follower.stdout is not None
            seen = [follower.stdout.readline()]
            with log.open("a") as file:
                file.write(self.line(3))
            seen.append(follower.stdout.readline())
            log.rename(home / "hookd.log.1")
            log.write_text(self.line(4))
            seen.append(follower.stdout.readline())
            follower.send_signal(2)
            rest = follower.communicate(timeout=10)
        assert [json.loads(line)["message"] for line in seen] == ["line 2", "line 3", "line 4"]
        assert (follower.returncode, *rest) == (130, b"", b"")


def test_a_reader_that_leaves_is_no_trouble(server: Server) -> None:
    rows = [[number, "x" * 100] for number in range(5000)]
    server.reply = lambda _: result({"columns": ["a", "b"], "rows": rows, "more": False})
    command = f"{sys.executable} -m hookd query S --tsv | head -1"
    ran = subprocess.run(command, shell=True, capture_output=True, check=True)
    assert (ran.stdout, ran.stderr) == (b"a\tb\n", b"")


def test_a_full_disk_is_said_in_one_sentence(server: Server) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    command = f"{sys.executable} -m hookd rpc x > /dev/full"
    ran = subprocess.run(command, shell=True, capture_output=True, check=False, text=True)
    assert ran.returncode != 0
    assert ran.stderr.startswith("hookd: The output: No space left on device.\n  next: ")
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("command", ["status", "fleet", "daemon logs"])
def test_nothing_slow_is_imported(server: Server, command: str, home: Path) -> None:
    (home / "hookd.log").touch()
    server.reply = well(agents=[])
    code = (
        "import sys\n"
        "from hookd.cli import main\n"
        f"main({command.split()!r}, standalone_mode=False)\n"
        "slow = {'pydantic', 'pydantic_core', 'rich', 'asyncio', 'aiosqlite', 'sqlite3'}\n"
        "sys.exit(str(slow & set(sys.modules) or ''))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.strip() == ""
