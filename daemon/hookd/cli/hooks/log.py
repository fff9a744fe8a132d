"""`hookd hook log`: the runs of user hooks, one by one."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

import click

from hookd import paths
from hookd.cli.lib import args, output
from hookd.cli.lib.client import call
from hookd.cli.lib.follow import new_pages
from hookd.cli.lib.options import follow_option, json_option, limit_option

_MAX_PENDING = 1000
"""Runs whose other half is awaited, while new ones are followed."""

_MAX_ROWS = 100_000
_EMPTY = "No runs of hooks."
_STOPS = ("Stop", "SubagentStop")
_BLOCKING = ("deny", "ask", "block")
_FAILED = "Hook failed with exit code"
_BLOCKED = {
    "PreToolUse": "The tool did not run",
    "PermissionRequest": "The call was not permitted",
    "UserPromptSubmit": "The prompt was not submitted",
    "UserPromptExpansion": "The command was not expanded",
    "PostToolUse": "The model was asked to fix this first",
    "PostToolBatch": "The turn was ended",
    "Stop": "The agent was asked to continue",
    "SubagentStop": "The subagent was asked to continue",
    "TaskCreated": "The task was not created",
    "PreCompact": "The window was not compacted",
    "PreModelSwitch": "The model was not switched",
    "ConfigChange": "The change of settings was not accepted",
}

Run = Mapping[str, Any]
_Key = tuple[Any, Any]


class RunHistory:
    """Join the two records of a background run: its start, stored with the event, and its end.

    The end may be stored first. Runs arrive in the order of their numbers.
    """

    def __init__(self) -> None:
        self._started: deque[_Key] = deque(maxlen=_MAX_PENDING)
        self._ended: deque[_Key] = deque(maxlen=_MAX_PENDING)

    def join(self, runs: Iterable[Run]) -> list[dict[str, Any]]:
        """Return each run once: start and end as one, in the place of the start."""
        runs = list(runs)
        starts = {_key(run) for run in runs if is_start(run)}
        ends: dict[_Key, Run] = {}
        for run in runs:
            if _key(run) in starts and not is_start(run):
                ends.setdefault(_key(run), run)
        joined = {run["id"] for run in ends.values()}
        rest = (run for run in runs if run["id"] not in joined)
        return [row for run in rest if (row := self._row(run, ends)) is not None]

    def _row(self, run: Run, ends: Mapping[_Key, Run]) -> dict[str, Any] | None:
        """Return the run with its end, if it is in `ends`; None if its end was returned before."""
        key = _key(run)
        if is_start(run):
            if end := ends.get(key):
                return {**end, "background": run["background"], "at": run["at"]}
            if key in self._ended:
                return None
            self._started.append(key)
            return dict(run)
        if key not in self._started:
            self._ended.append(key)
            return dict(run)
        self._started.remove(key)
        return {**run, "background": True}


def is_start(run: Run) -> bool:
    """Return whether a record says that a background run started, and not yet how it ended."""
    return run["background"] and run["exitCode"] is None and not run["fault"]


def _key(run: Run) -> _Key:
    return run["eventId"], run["hook"]


@click.command(
    epilog="""\b
    Examples:
      hookd hook log
      hookd hook log --follow
      hookd hook log --hook lint -n 5
      hookd hook log --event PreToolUse --json | jq '.[] | select(.exitCode != 0)'
    """
)
@follow_option()
@limit_option()
@click.option("--hook", metavar="ID", help="Only this hook.")
@click.option("--event", "name", metavar="NAME", help="Only this event, such as PreToolUse.")
@json_option("Print a JSON list; one a line to follow.")
def log(follow: bool, limit: int, hook: str | None, name: str | None, as_json: bool) -> None:
    """Show the last runs of your hooks, the newest at the bottom.

    The beginning of a hook's stderr is stored, without secrets.
    """
    which: dict[str, Any] = {"hook": hook} if hook else {}
    if name:
        which["event"] = args.hook_event_name(name)
    # If no run matches, new ones come after the newest run of all.
    newest = _runs({"limit": 1}) if follow else []
    runs, history = _runs(which | {"limit": min(2 * limit, _MAX_ROWS)}), RunHistory()
    rows = history.join(runs)[-limit:]
    if not follow:
        if as_json:
            output.show_json(rows)
        else:
            _show(rows)
            if not rows:
                click.echo(_EMPTY)
        return
    after = max((run["id"] for run in (*newest, *runs)), default=0)
    following = chain(rows, _new(which, after, history))
    if as_json:
        for run in following:
            click.echo(output.json_text(run))
    else:
        _show(following)


def _runs(params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return runs, the oldest first."""
    runs: list[dict[str, Any]] = call("userHooks.runs", params)["runs"]
    return sorted(runs, key=lambda run: run["id"])


def _new(which: Mapping[str, Any], after: int, history: RunHistory) -> Iterator[dict[str, Any]]:
    """Yield the runs after this number, forever. Raise Problem when the daemon is gone."""
    for page in new_pages("userHooks.runs", which, after, key="runs", noun="runs"):
        yield from history.join(page)


def _show(runs: Iterable[Run]) -> None:
    """Print runs for people, those of one event below one line."""
    event = None
    for run in runs:
        if run["eventId"] != event:
            event = run["eventId"]
            number = f"#{event}, " if event else ""
            click.echo(f"Running hooks... ({number}{output.text(run['at'])})")
        echo(run_lines({**run, "letGo": _stopped_anyway(run)}))


def _stopped_anyway(run: Run) -> bool:
    """Return whether the agent stopped although the run blocked it, by the stop limit."""
    blocked = run["event"] in _STOPS and run["decision"] in _BLOCKING
    return blocked and _decision_of(run["eventId"]) not in (*_BLOCKING, "unknown")


@lru_cache(maxsize=100)
def _decision_of(event: int) -> str | None:
    """Return an event's decision; "unknown" if the event is no longer stored."""
    events = call("events.list", {"id": event, "kind": None})["events"]
    decision: str | None = events[0]["decision"] if events else "unknown"
    return decision


def echo(lines: Iterable[str]) -> None:
    """Print lines with colours; without, if NO_COLOR is set or stdout is not a terminal."""
    colour = False if paths.variable("NO_COLOR") else None
    for line in lines:
        click.echo(line, color=colour)


def run_lines(run: Run) -> list[str]:
    """Return the lines that describe a run to a person."""
    what = _first_line(run["statusMessage"] or run["command"])
    lines = [f"▶ {run['event']}: {what}", _result(run)]
    lines += [f"  note: {output.cell(note)}" for note in _notes(run)]
    if run["decision"] in _BLOCKING:
        lines.append(f"  {_blocked(run)}")
    return lines


def _result(run: Run) -> str:
    facts = ", ".join(filter(None, _facts(run)))
    if is_start(run):
        return f"… has started  ({facts})"
    stderr = _first_line(run["stderrHead"])
    if run["fault"] or run["exitCode"]:
        why = output.cell(run["fault"] or "") or stderr or "it failed without a message"
        return click.style("✗ ", fg="red") + f"{why}  ({facts})"
    return click.style("✓ ", fg="green") + "  ".join(filter(None, (stderr, f"({facts})")))


def _notes(run: Run) -> list[str]:
    """Return the notes of a run, less those that the line of its result has already."""
    notes = run.get("notes") or ()
    lines = notes.splitlines() if isinstance(notes, str) else notes
    return [line for line in lines if line != run["fault"] and not line.startswith(_FAILED)]


def _facts(run: Run) -> Iterator[str]:
    yield output.cell(run["hook"])
    yield f"exit {run['exitCode']}" if run["exitCode"] is not None else ""
    yield f"{run['durationMs']:.0f} ms" if run["durationMs"] is not None else ""
    yield run["decision"] or ""
    yield "in the background" if run["background"] else ""
    yield "its output was cut" if run["truncated"] else ""


def _blocked(run: Run) -> str:
    """Return what a run blocked, and the next step."""
    asked = run["decision"] == "ask"
    what = "You were asked" if asked else _BLOCKED.get(run["event"], "It blocked")
    if run.get("letGo"):
        what = "The agent stopped anyway: it was blocked too often since the prompt"
    details = f" Details: hookd why {run['eventId']}." if run["eventId"] else ""
    return f"{what}.{details} To turn it off: hookd hook disable {output.cell(run['hook'])}"


def _first_line(text: str | None) -> str:
    """Return the first line of a text, safe to print."""
    lines = (text or "").strip().splitlines()
    return output.cell(lines[0]) if lines else ""
