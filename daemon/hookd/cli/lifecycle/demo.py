"""`hookd demo`: play a recorded session of Claude Code through the real shim and daemon.

The recording is `demo.jsonl`, one step a line: a hook's payload as the client sends it, a command
of hookd's, or a request to the daemon. `$PROJECT` and `$HOME` are folders of the demo's own.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

import click

from hookd import paths
from hookd.cli.lib import client, output, transport
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option
from hookd.core.model.shim_paths import NATIVE
from hookd.lazy_dataclass import dataclass
from hookd.system.socket_peer import pid_of

if TYPE_CHECKING:
    from rich.console import Console

Json = dict[str, Any]

RECORDING = Path(__file__).with_name("demo.jsonl")
_WIDTH = 80
_END_TIMEOUT_S = 20
"""Limit for the demo's daemon to end."""


_STYLES = {"deny": "bold red", "ask": "yellow", "context": "cyan"}
_EVENT_CHARS = 16
_BOARD_LINES = 20
_WEB_FONTS = re.compile(r"@font-face \{.*?\n    \}\n\s*", re.DOTALL)


@click.command(
    epilog="""\b
    Examples:
      hookd demo                     play it; your own daemon is left alone
      hookd demo --home .demo        write its database and its log there
      hookd demo --svg demo.svg      draw the picture that the README shows
      hookd demo --end               end its daemon, which runs until then
    """
)
@click.option("--home", type=click.Path(path_type=Path), metavar="DIR", help="Use this folder.")
@click.option("--svg", type=click.Path(path_type=Path), metavar="FILE", help="Draw a picture, too.")
@click.option("--end", is_flag=True, help="End the demo's daemon.")
@json_option("Print a JSON list.")
def demo(home: Path | None, svg: Path | None, end: bool, as_json: bool) -> None:
    """Play a recorded session, and show the decisions.

    It uses the real shim, a separate daemon and a real database.
    """
    place = (home or paths.paths().state / "demo").absolute()
    if end:
        ended = end_in(place)
        sentence = "The demo's daemon has ended." if ended else "No daemon of the demo runs."
        output.show_done(sentence, {"home": str(place), "ended": ended}, as_json=as_json)
        return
    stage = _stage(place)
    stage.hookd("start")
    stage.install()
    rows, screen = [], output.console(_WIDTH)
    for row in stage.play():
        rows.append(row)
        if not as_json:
            _show(screen, row)
    if as_json:
        output.show_json(rows)
    picture = stage.board()
    if svg is not None:
        _draw(rows, picture, svg)
    if not as_json:
        _show_board(screen, picture)
        click.echo(f"\n{_times(rows, stage)}")
        _tell(stage)


@dataclass(frozen=True)
class Stage:
    """Folders and environment of a demo; all of it is below `home`."""

    home: Path
    carrier: str

    @property
    def project(self) -> Path:
        """The working directory of the recorded agent."""
        return self.home / "orders"

    def env(self, agent: str | None = None) -> dict[str, str]:
        """Return the environment of a process that belongs to the session of `agent`."""
        env = paths.daemon_environment() | {"HOOKD_HOME": str(self.home)}
        return env | ({"AGENT_ID": agent} if agent else {})

    def hookd(self, *args: str, agent: str | None = None, given: Json | None = None) -> str:
        """Run a command of hookd and return its output. Raise Problem if it fails.

        `given` is its standard input, as JSON.
        """
        program = str(transport.hookd())
        done = subprocess.run(
            [program, *args],
            cwd=self.project,
            env=self.env(agent),
            input=json.dumps(given) if given else "",
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise Problem(done.stderr.strip().removeprefix("hookd: ") or "The demo failed.")
        return done.stdout

    def install(self) -> None:
        """Install the shims as a user's are, registered in settings of the demo's own."""
        self.hookd("install", "--settings", str(self.home / "claude.json"), "--no-permissions")

    def link(self, event: str) -> Path:
        """Return the program that the client starts on an event."""
        return next((self.home / "shims").glob(f"*/{event}"))

    def board(self) -> list[str]:
        """Return the board's picture as lines; that of the fleet where it cannot be drawn."""
        command = [sys.executable, "-m", "hookd.cli.board.still", str(_WIDTH), str(_BOARD_LINES)]
        done = subprocess.run(
            command,
            env=self.env() | {"HOME": str(self.home)},
            cwd=self.project,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode == 0:
            return done.stdout.rstrip("\n").split("\n")
        fleet = subprocess.run(
            [str(transport.hookd()), "fleet"],
            env=self.env() | {"COLUMNS": str(_WIDTH)},
            capture_output=True,
            text=True,
            check=True,
        )
        return fleet.stdout.rstrip("\n").split("\n")

    def play(self) -> Iterator[Json]:
        """Play the recording; yield a row of the table for each step."""
        number = 0
        text = RECORDING.read_text("utf-8")
        text = text.replace("$PROJECT", str(self.project)).replace("$HOME", str(self.home))
        for step in map(json.loads, text.splitlines()):
            if "hook" in step:
                number += 1
                yield self._hook(step["hook"], step.get("agent")) | {"number": number}
            else:
                args = step.get("run") or _as_command(*step["rpc"])
                self.hookd(*args, agent=step.get("agent"), given=step.get("stdin"))
                yield _said(f"$ hookd {args[0]}", join(args[1:]))

    def _hook(self, payload: Json, agent: str | None) -> Json:
        """Send one event as Claude Code does; return its row."""
        event = payload["hook_event_name"]
        command = [str(self.link(event))]
        line = json.dumps(payload).encode() + b"\n"
        began = time.perf_counter()
        done = subprocess.run(
            command,
            input=line,
            cwd=self.project,
            env=self.env(agent) | {"CLAUDE_PROJECT_DIR": str(self.project)},
            capture_output=True,
            check=False,
        )
        taken = (time.perf_counter() - began) * 1000
        if done.returncode != 0 or done.stderr:
            raise Problem(f"The hook of {event} failed: {done.stderr.decode(errors='replace')}")
        answer = json.loads(done.stdout) if done.stdout else {}
        decision, sees = _decision(answer)
        sees = sees.replace(f"{self.home}/", "")
        return _said(event, _what(payload, agent), decision, sees, round(taken, 1))


def _stage(home: Path) -> Stage:
    """Return an empty stage: the files of an earlier demo are removed, and nothing else."""
    stage = Stage(home, transport.find()[0])
    if home.exists() and any(home.iterdir()):
        if not is_demo(home):
            raise Problem(f"{home} has other files.", "hookd demo --home SOME_EMPTY_FOLDER")
        end_in(home)
        shutil.rmtree(home)
    stage.project.mkdir(mode=0o700, parents=True)
    # A separate branch: else the picture shows that of a repository around the demo.
    (stage.project / ".git").mkdir()
    (stage.project / ".git/HEAD").write_text("ref: refs/heads/paging\n", "utf-8")
    (stage.project / "orders.py").write_text("def orders(): ...\n", "utf-8")
    home.chmod(0o700)
    mark_file(home).write_text(f"{_MARK}\n", "utf-8")
    return stage


def end_in(home: Path) -> bool:
    """End the daemon of a demo, and wait for its end. Return whether one has answered.

    It gets a signal: `hookd stop` is only for a person, and this daemon guards no session.
    """
    place = paths.under(home).socket
    if client.probe(place) is not client.State.LISTENING:
        return False
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(str(place))
        pid = pid_of(link)
    if pid is None:
        raise Problem(f"The daemon of {home} cannot be found.", f"HOOKD_HOME={home} hookd stop")
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + _END_TIMEOUT_S
    while place.exists():
        if time.monotonic() > end:
            raise Problem(f"The demo's daemon (process {pid}) does not end.", f"kill -9 {pid}")
        time.sleep(0.01)
    return True


def _show(screen: "Console", row: Json) -> None:
    """Print an event in one line, with a second one for what hookd said."""
    from rich.text import Text  # noqa: PLC0415 - slow to import

    what = output.cell(row["what"])
    if row["number"] is None:
        line = Text(output.fitted(f"   {row['event']} {what}", _WIDTH).rstrip(), "dim")
    else:
        took = f"{row['ms']:.1f} ms"
        start = f"{row['number']:>2} {row['event']:<{_EVENT_CHARS}} "
        room = _WIDTH - len(start) - len(took) - 1
        line = Text(f"{start}{output.fitted(what, room)} {took}")
    screen.print(line, soft_wrap=True)
    if row["decision"]:
        said = Text(f"   {row['decision']:<{_EVENT_CHARS}} ", _STYLES.get(row["decision"], ""))
        said.append(output.fitted(output.cell(row["sees"]), _WIDTH - len(said)).rstrip())
        screen.print(said, soft_wrap=True)


def _show_board(screen: "Console", picture: list[str]) -> None:
    from rich.text import Text  # noqa: PLC0415 - as above

    screen.print(Text("\nThe board, as hookd board shows it:", "bold"))
    for line in picture:
        screen.print(Text(line), soft_wrap=True)


def _times(rows: list[Json], stage: Stage) -> str:
    """Return how long the hooks took, with their processes, and through which transport."""
    took = sorted(row["ms"] for row in rows if row["ms"] is not None)
    median, slow = took[len(took) // 2], took[len(took) * 95 // 100]
    native = stage.link("PreToolUse").resolve().name == NATIVE
    carrier = stage.carrier.partition(":")[0]
    way = "the compiled shim" if native else f"the shim of bash and {carrier}"
    return (
        f"{len(took)} hooks took {median:.1f} ms in the median, {slow:.1f} ms at the 95th"
        f" percentile,\neach with its process, through {way}."
    )


def _draw(rows: list[Json], picture: list[str], file: Path) -> None:
    from rich.console import Console  # noqa: PLC0415 - as in table.py

    screen = Console(record=True, width=_WIDTH, file=StringIO(), force_terminal=True)
    for row in rows:
        # The milliseconds differ from run to run, and the picture is kept in git.
        _show(screen, row | {"ms": row["ms"] and float(round(row["ms"]))})
    _show_board(screen, picture)
    svg = screen.export_svg(title="make run", unique_id="hookd")
    file.write_text(without_web_fonts(svg), "utf-8")


def without_web_fonts(svg: str) -> str:
    """Return a picture by rich without the fonts that it would load from another host."""
    return _WEB_FONTS.sub("", svg)


def _as_command(method: str, params: Json) -> list[str]:
    return ["rpc", method, json.dumps(params)]


def _said(
    event: str, what: str, decision: str = "", sees: str = "", ms: float | None = None
) -> Json:
    row = {"event": event, "what": what, "decision": decision, "sees": sees, "ms": ms}
    return {"number": None, **row}


def _what(payload: Json, agent: str | None) -> str:
    """Return the subject of an event, in a few words."""
    given = payload.get("tool_input", {})
    for key in ("command", "file_path", "pattern"):
        if key in given:
            said = str(given[key]).removeprefix(f"{payload['cwd']}/")
            return f"{payload['tool_name']}: {said}"
    if "source" in payload:
        return f"{payload['source']}, AGENT_ID={agent}"
    keys = ("tool_name", "prompt", "reason", "message", "last_assistant_message")
    return next((str(payload[key]) for key in keys if key in payload), "")


def _decision(answer: Json) -> tuple[str, str]:
    """Return the decision in one word, and the text that the model receives."""
    said = answer.get("hookSpecificOutput", {})
    if "permissionDecision" in said:
        return said["permissionDecision"], said.get("permissionDecisionReason", "")
    return ("context", said["additionalContext"]) if "additionalContext" in said else ("", "")


def _tell(stage: Stage) -> None:
    home, program = _near(stage.home), _near(transport.hookd())
    click.echo("\nWithout a decision hookd was silent, and Claude Code continued.")
    click.echo("The daemon is still running, and all data is in one SQLite file. Explore it:")
    sqlite = shutil.which("sqlite3", path=paths.search_path())
    if sqlite:
        click.echo(f"  sqlite3 -box {home / 'hookd.db'} .schema")
    tables = ("query 'SELECT type, name FROM sqlite_schema'",) * (not sqlite)
    for command in ("status", *tables, "query 'SELECT * FROM recent_events'", "stop"):
        click.echo(f"  HOOKD_HOME={home} {program} {command}")
    if stage.carrier.startswith("python3:"):
        click.echo(f"Without nc, socat and perl each hook started Python here: {transport.FASTER}.")


def _near(path: Path) -> Path:
    """Return the path relative to the current folder, if it is inside."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


_MARK = "this folder is made by hookd demo"


def mark_file(home: Path) -> Path:
    """Return the path of the mark in a demo's folder."""
    return home / "README"


def is_demo(home: Path) -> bool:
    """Return whether a demo made this folder."""
    try:
        text = mark_file(home).read_text("utf-8").strip()
    except (OSError, ValueError):
        return False
    # The text of earlier versions is longer.
    return text.startswith("this folder is made") and text.endswith("by hookd demo")
