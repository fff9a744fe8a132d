"""The home of `hookd hooks log`: what your hooks did, run by run."""

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

import click

from hookd import paths
from hookd.cli.hooks.run_history import Stories, begins_only
from hookd.cli.lib import args, output
from hookd.cli.lib.client import Refused, call
from hookd.cli.lib.errors import Problem

_PAUSE = 0.5
_MOST = 1000
"""Runs that are asked for at once where new ones are waited for."""

_LARGEST = 100_000
_EMPTY = "No runs of hooks."
_STOPS = ("Stop", "SubagentStop")
_HOLDS = ("deny", "ask", "block")
_FAILED = "Hook failed with exit code"
_HELD = {
    "PreToolUse": "The tool did not run",
    "PermissionRequest": "The call was not permitted",
    "UserPromptSubmit": "The prompt was not submitted",
    "UserPromptExpansion": "The command was not expanded",
    "PostToolUse": "The model was told to mend this before it goes on",
    "PostToolBatch": "The turn was ended",
    "Stop": "The agent was told to go on",
    "SubagentStop": "The subagent was told to go on",
    "TaskCreated": "The task was not created",
    "PreCompact": "The window was not compacted",
    "PreModelSwitch": "The model was not switched",
    "ConfigChange": "The change of settings was not taken",
}


@click.command(
    epilog="""\b
    Examples:
      hookd hooks log
      hookd hooks log --follow
      hookd hooks log --hook lint -n 5
      hookd hooks log --event PreToolUse --json | jq '.[] | select(.exitCode != 0)'
    """
)
@click.option("-f", "--follow", is_flag=True, help="Go on with new ones, until Ctrl-C.")
@click.option(
    "-n", "--limit", type=click.IntRange(1, _LARGEST), default=20, show_default=True, metavar="N"
)
@click.option("--hook", metavar="ID", help="Of this hook alone.")
@click.option("--event", "name", metavar="NAME", help="On this event alone, such as PreToolUse.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list; one a line to follow.")
def log(follow: bool, limit: int, hook: str | None, name: str | None, as_json: bool) -> None:
    """Show the last runs of your hooks, the newest at the bottom.

    What a hook printed on stderr is kept in its beginning, with secrets taken out.
    """
    which: dict[str, Any] = {"hook": hook} if hook else {}
    if name:
        which["event"] = args.hook_event_name(name)
    # Where none is found, the newest of all is what the new ones come after.
    newest = _runs({"limit": 1}) if follow else []
    kept, stories = _runs(which | {"limit": min(2 * limit, _LARGEST)}), Stories()
    found = stories.tell(kept)[-limit:]
    if not follow:
        if as_json:
            output.show_json(found)
        else:
            _show(found)
            if not found:
                click.echo(_EMPTY)
        return
    after = max((one["id"] for one in (*newest, *kept)), default=0)
    every = chain(found, _new(which, after, stories))
    if as_json:
        for one in every:
            click.echo(output.json_text(one))
    else:
        _show(every)


def _runs(params: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return runs, the oldest first."""
    found: list[dict[str, Any]] = call("userHooks.runs", params)["runs"]
    return sorted(found, key=lambda run: run["id"])


def _new(which: Mapping[str, Any], after: int, stories: Stories) -> Iterator[dict[str, Any]]:
    """Yield the runs that come after this number, for ever."""
    while True:
        try:
            found = _runs({**which, "after": after, "limit": _MOST})
        except Refused:
            raise
        except Problem as gone:
            raise Problem(f"No more runs come. {gone.message}", gone.step) from None
        yield from stories.tell(found)
        if found:
            after = found[-1]["id"]
        time.sleep(_PAUSE)


def _show(runs: Iterable[Mapping[str, Any]]) -> None:
    """Print runs for people, those of one event below one line."""
    event = None
    for run in runs:
        if run["eventId"] != event:
            event = run["eventId"]
            number = f"#{event}, " if event else ""
            click.echo(f"Running hooks... ({number}{output.text(run['at'])})")
        say(told({**run, "letGo": _let_go(run)}))


def _let_go(run: Mapping[str, Any]) -> bool:
    """Whether the agent stopped all the same: hookd lets it, where it was held up too often."""
    held = run["event"] in _STOPS and run["decision"] in _HOLDS
    return held and _answer_to(run["eventId"]) not in (*_HOLDS, "unknown")


@lru_cache(maxsize=100)
def _answer_to(event: int) -> str | None:
    """Return what an event was answered; unknown where it is not kept any more."""
    found = call("events.list", {"id": event, "kind": None})["events"]
    decision: str | None = found[0]["decision"] if found else "unknown"
    return decision


def say(lines: Iterable[str]) -> None:
    """Print lines that may hold colours; none where NO_COLOR is set, or nobody would see them."""
    colour = False if paths.variable("NO_COLOR") else None
    for line in lines:
        click.echo(line, color=colour)


def told(run: Mapping[str, Any]) -> list[str]:
    """Return the lines that tell a person of one run."""
    what = _first(run["statusMessage"] or run["command"])
    lines = [f"▶ {run['event']}: {what}", _came_to(run)]
    lines += [f"  note: {output.cell(note)}" for note in _notes(run)]
    if run["decision"] in _HOLDS:
        lines.append(f"  {_held(run)}")
    return lines


def _came_to(run: Mapping[str, Any]) -> str:
    facts = ", ".join(filter(None, _facts(run)))
    if begins_only(run):
        return f"… has begun  ({facts})"
    stderr = _first(run["stderrHead"])
    if run["fault"] or run["exitCode"]:
        why = output.cell(run["fault"] or "") or stderr or "it failed, and did not say why"
        return click.style("✗ ", fg="red") + f"{why}  ({facts})"
    return click.style("✓ ", fg="green") + "  ".join(filter(None, (stderr, f"({facts})")))


def _notes(run: Mapping[str, Any]) -> list[str]:
    """Return what there is to note of a run, but for what the line above says already."""
    said = run.get("notes") or ()
    notes = said.splitlines() if isinstance(said, str) else said
    return [one for one in notes if one != run["fault"] and not one.startswith(_FAILED)]


def _facts(run: Mapping[str, Any]) -> Iterator[str]:
    yield output.cell(run["hook"])
    yield f"exit {run['exitCode']}" if run["exitCode"] is not None else ""
    yield f"{run['durationMs']:.0f} ms" if run["durationMs"] is not None else ""
    yield run["decision"] or ""
    yield "in the background" if run["background"] else ""
    yield "its output was cut" if run["truncated"] else ""


def _held(run: Mapping[str, Any]) -> str:
    """Return what a run that blocks has blocked, and what to do."""
    what = "You were asked" if run["decision"] == "ask" else _HELD.get(run["event"], "It blocked")
    if run.get("letGo"):
        what = "hookd let the agent stop all the same: it was held up too often since the prompt"
    all_of_it = f"All of it: hookd why {run['eventId']}; n" if run["eventId"] else "N"
    return f"{what}. {all_of_it}ot wanted: hookd hooks disable {output.cell(run['hook'])}"


def _first(text: str | None) -> str:
    """Return the first line of a text, safe to print."""
    lines = (text or "").strip().splitlines()
    return output.cell(lines[0]) if lines else ""
