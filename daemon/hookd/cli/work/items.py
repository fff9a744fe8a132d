"""`hookd work`: add, take, finish, block, release and list work items."""

import re
from typing import Any
from uuid import uuid4

import click

from hookd.cli.lib import args, output
from hookd.cli.lib.client import call, call_once, identity
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option, row_number
from hookd.cli.lib.output import Column
from hookd.cli.lib.repository import repository_root
from hookd.core.model.durations import duration
from hookd.display.amounts import local_time

_EMPTY = "No work items here. Add one: hookd work add TITLE"
_STYLES = {"open": "yellow", "taken": "green", "blocked": "red", "done": "dim"}
_JSON = json_option()
_ID = row_number
_KEY = re.compile(r"[A-Za-z0-9_.:-]{8,100}")
_STATES = click.Choice(["open", "taken", "blocked", "done"])
_COLUMNS = (
    Column("item", "id", firm=True, right=True),
    Column("state", "state", firm=True, styles=_STYLES),
    Column("owner", "owner"),
    Column("waits for", "waits"),
    Column("title", "title", least=20),
)


@click.group(
    cls=Commands,
    epilog="""\b
    Examples:
      hookd work add 'Parse the dates of orders'
      hookd work add 'Document the dates' --after 1
      hookd work take
      hookd work done 1 --result 'in src/dates.py, with tests'
      hookd work list
    """,
)
def work() -> None:
    """Add, take and finish work items that agents share.

    A work item belongs to a project. One agent takes it and finishes it; items that wait for it are
    ready then. An item goes back 30 minutes after the last event of its owner.
    """


@work.command(
    epilog="""\b
    Examples:
      hookd work add 'Parse the dates of orders'
      hookd work add 'Document the dates' --after 1 --for docs
      hookd work add 'Fix the build' --before 3 --text - < log.txt
    """
)
@click.argument("title")
@click.option("--text", metavar="TEXT|-", help="Its description; - reads standard input.")
@click.option("--after", type=_ID, multiple=True, metavar="N", help="Wait until item N is done.")
@click.option("--before", type=_ID, multiple=True, metavar="N", help="Let item N wait for it.")
@click.option("--for", "wanted", metavar="AGENT", help="Let only this agent take it.")
@click.option("--key", metavar="KEY", help="Add nothing if a call with this key has.")
@_JSON
def add(title: str, text: str | None, key: str | None, as_json: bool, **options: Any) -> None:
    """Add a work item with TITLE to this project.

    TITLE has at most 200 characters, --text 16,000.

    Without --key each run adds an item. A script that may run twice gives a key of its own, of 8 to
    100 letters, digits and _.:-
    """
    if not title.strip():
        raise Problem("TITLE is empty.", "hookd work add 'Parse the dates of orders'")
    if key is not None and not _KEY.fullmatch(key):
        told = "has not 8 to 100 letters, digits and _.:-"
        raise Problem(f"--key {key!r} {told}.", "hookd work add TITLE --key nightly-7")
    params = {"title": title, **{name: list(options[name]) for name in ("after", "before")}}
    if text is not None:
        params["text"] = args.read_text(text)
    if options["wanted"]:
        params["wanted"] = options["wanted"]
    result = call_once("work.add", params | {"key": key or uuid4().hex})
    if as_json:
        output.show_json(result)
        return
    waits = f"; it waits for {_numbers(result['waitsFor'])}" if result["waitsFor"] else ""
    was = "was added already" if result["again"] and key else "is added"
    click.echo(f"Work item {result['id']} {was}{waits}.")


@work.command(
    epilog="""\b
    Examples:
      hookd work take              your item, else the next ready item
      hookd work take 3
      hookd work take --another    one more, while you have an item
    """
)
@click.argument("number", metavar="[N]", type=_ID, required=False)
@click.option("--another", is_flag=True, help="Take one more than you have.")
@click.option("--lease", metavar="TIME", help="Time without an event until it goes back: 30m, 2h.")
@_JSON
def take(number: int | None, another: bool, lease: str | None, as_json: bool) -> None:
    """Take a work item, for your session.

    Without N it is the item that you have, else the oldest ready item. The exit code is 1 if no
    item is ready.
    """
    params: dict[str, Any] = {"another": another}
    if number is not None:
        params["id"] = number
    if lease is not None:
        params["leaseS"] = _seconds(lease)
    result = call("work.take", params)
    if as_json:
        output.show_json(result)
        return
    verb = "You have" if result["again"] else "You took"
    click.echo(f"{verb} work item {result['id']}, from {output.cell(result['addedBy'])}:")
    click.echo(f"  {output.cell(result['title'])}")
    for line in (result["text"] or "").splitlines():
        click.echo(f"  {output.cell(line)}")
    click.echo(f"When it is finished: hookd work done {result['id']} --result TEXT")


@work.command(
    epilog="""\b
    Examples:
      hookd work done 3
      hookd work done 3 --result 'in src/dates.py, with tests'
    """
)
@click.argument("number", metavar="N", type=_ID)
@click.option("--result", "text", metavar="TEXT|-", help="Its result; - is standard input.")
@_JSON
def done(number: int, text: str | None, as_json: bool) -> None:
    """Mark work item N as done.

    This wakes the agent that added it and the coordinator of its owner. The result has at most
    16,000 characters; of a longer one, name a file that has it.
    """
    params: dict[str, Any] = {"id": number}
    if text is not None:
        params["result"] = args.read_text(text)
    result = call("work.done", params)
    if as_json:
        output.show_json(result)
        return
    was = "was done already" if result["again"] else "is done"
    ready = f" Ready now: {_numbers(result['readyNow'])}." if result["readyNow"] else ""
    click.echo(f"Work item {number} {was}.{ready}")


@work.command(
    epilog="""\b
    Examples:
      hookd work block 3 --why 'the API has no key yet'
      hookd work block 3 --why 'needs the parser' --after 5
    """
)
@click.argument("number", metavar="N", type=_ID)
@click.option("--why", metavar="TEXT", required=True, help="The reason.")
@click.option("--after", type=_ID, multiple=True, metavar="M", help="Wait until item M is done.")
@_JSON
def block(number: int, why: str, after: tuple[int, ...], as_json: bool) -> None:
    """Block work item N until other items are done, or for good."""
    if not why.strip():
        raise Problem("The reason is empty.", f"hookd work block {number} --why TEXT")
    result = call("work.block", {"id": number, "why": why, "after": list(after)})
    if as_json:
        output.show_json(result)
        return
    if result["waitsFor"]:
        click.echo(f"Work item {number} waits for {_numbers(result['waitsFor'])}.")
        return
    click.echo(f"Work item {number} is blocked. To open it: hookd work release {number}")


@work.command(
    epilog="""\b
    Examples:
      hookd work release 3
      hookd work release 3 --why 'another task is more urgent'
    """
)
@click.argument("number", metavar="N", type=_ID)
@click.option("--why", metavar="TEXT", help="The reason.")
@_JSON
def release(number: int, why: str | None, as_json: bool) -> None:
    """Give work item N back, or open a blocked one."""
    result = call("work.release", {"id": number} | ({"why": why} if why else {}))
    if as_json:
        output.show_json(result)
        return
    click.echo(f"Work item {number} is open.")


@work.command(
    name="list",
    epilog="""\b
    Examples:
      hookd work list
      hookd work list --state taken
      hookd work list --all --json    the items of all projects
    """,
)
@click.option("--state", type=_STATES, help="Only items in this state.")
@click.option("--all", "everywhere", is_flag=True, help="List the items of all projects.")
@limit_option(100)
@_JSON
def list_(state: str | None, everywhere: bool, limit: int, as_json: bool) -> None:
    """List work items of this project, the newest first.

    The worktrees of a repository share theirs.
    """
    params: dict[str, Any] = {"limit": limit} | ({"state": state} if state else {})
    if not everywhere:
        params["repository"] = repository_root(identity())
    items = call("work.list", params)["items"]
    rows = items if as_json else [_shown(one) for one in items]
    output.show(rows, _COLUMNS, as_json=as_json, empty=_EMPTY)


@work.command(
    epilog="""\b
    Examples:
      hookd work show 3
      hookd work show 3 --json
    """
)
@click.argument("number", metavar="N", type=_ID)
@_JSON
def show(number: int, as_json: bool) -> None:
    """Show work item N."""
    items = call("work.list", {"id": number, "limit": 1})["items"]
    if not items:
        raise Problem(f"There is no work item {number}.", "hookd work list --all")
    item = items[0]
    if as_json:
        output.show_json(item)
        return
    shown = _shown(item)
    facts = {
        "state": item["state"],
        "owner": shown["owner"] if item["agent"] or item["sessionId"] else None,
        "lease ends": _time(item["leaseUntil"]),
        "for": item["wanted"],
        "waits for": shown["waits"],
        "reason": item["reason"],
        "result": item["result"],
        "added by": item["addedBy"],
        "added": _time(item["createdAt"]),
        "taken": _time(item["takenAt"]),
        "done": _time(item["doneAt"]),
        "project": item["project"],
        "text": item["text"],
    }
    known = {name: value for name, value in facts.items() if value}
    output.show_facts(known, f"work item {number}: {output.cell(item['title'])}")


def _shown(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item with its owner, and what it waits for, as they are shown."""
    window = f"session {item['sessionId']}" if item["sessionId"] else ""
    owner = item["agent"] or window or (f"for {item['wanted']}" if item["wanted"] else None)
    waits = _numbers(item["waitsFor"]) or None
    return {**item, "owner": owner, "waits": waits}


def _time(at: str | None) -> str:
    return local_time(at) if at else ""


def _numbers(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _seconds(text: str) -> int:
    lease = duration(text)
    if lease is None or not 60 <= lease.total_seconds() <= 7 * 86_400:
        raise Problem(f"{text!r} is no lease from 1m to 7d.", "--lease 30m, 2h or 1d")
    return int(lease.total_seconds())
