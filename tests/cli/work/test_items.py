"""`hookd work`: what people and models read of it, with the next command after an error."""

import json
from dataclasses import replace
from uuid import uuid4

import pytest

from support.home import Home, Window, window_in


@pytest.fixture
def agent(window: Window) -> Window:
    """An agent that has begun, in a project of its own."""
    window.env["AGENT_ID"] = f"ada-{uuid4().hex[:6]}"
    window.says("SessionStart", source="startup")
    return window


def run(window: Window, *args: str, code: int = 0, text: str = "") -> str:
    """Run a command of the conversation's model; return what it prints."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id}
    home: Home = window.home
    done = home.hookd("work", *args, env=env, cwd=window.project, check=False, input=text)
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def test_an_item_from_its_beginning_to_its_end(agent: Window) -> None:
    first = int(run(agent, "add", "Parse the dates", "--text", "-", text="of\norders").split()[2])
    second = first + 1
    added = run(agent, "add", "Document them", "--after", str(first))
    assert added == f"Work item {second} is added; it waits for {first}.\n"
    name = agent.env["AGENT_ID"]
    assert run(agent, "take") == (
        f"You took work item {first}, from {name}:\n  Parse the dates\n  of\n  orders\n"
        f"When it is finished: hookd work done {first} --result TEXT\n"
    )
    assert run(agent, "take").startswith(f"You have work item {first}, from {name}:")
    rows = run(agent, "list").splitlines()
    assert rows[0].split() == ["item", "state", "owner", "waits", "for", "title"]
    assert rows[1].split() == [str(second), "open", "-", str(first), "Document", "them"]
    assert rows[2].split() == [str(first), "taken", name, "-", "Parse", "the", "dates"]
    done = run(agent, "done", str(first), "--result", "in src")
    assert done == f"Work item {first} is done. Ready now: {second}.\n"
    assert run(agent, "done", str(first)) == f"Work item {first} was done already.\n"
    shown = run(agent, "show", str(first))
    assert all(part in shown for part in ("done", "in src", name, "of", agent.project))
    run(agent, "take", "--lease", "2h")
    blocked = run(agent, "block", str(second), "--why", "no key")
    released = f"To open it: hookd work release {second}"
    assert blocked == f"Work item {second} is blocked. {released}\n"
    assert run(agent, "release", str(second)) == f"Work item {second} is open.\n"


def test_everything_is_json_too(agent: Window) -> None:
    number = json.loads(run(agent, "add", "Parse", "--json"))["id"]
    assert json.loads(run(agent, "take", "--json"))["title"] == "Parse"
    item = json.loads(run(agent, "show", str(number), "--json"))
    assert (item["state"], item["waitsFor"], item["ready"]) == ("taken", [], False)
    assert [one["id"] for one in json.loads(run(agent, "list", "--json"))] == [number]
    blocked = run(agent, "block", str(number), "--why", "x", "--json")
    assert json.loads(blocked) == {"id": number, "state": "blocked", "waitsFor": []}
    assert json.loads(run(agent, "release", str(number), "--json"))["id"] == number
    assert run(agent, "list", "--state", "done", "--json").strip() == "[]"


def test_an_error_names_what_is_wrong_and_the_next_command(agent: Window) -> None:
    assert run(agent, "take", code=1) == (
        "hookd: No work item is unfinished in this project.\n  next: hookd work list\n"
    )
    assert run(agent, "list") == "No work items here. Add one: hookd work add TITLE\n"
    number = run(agent, "add", "Parse").split()[2]
    run(agent, "take")
    assert run(agent, "block", number, "--why", "?", "--after", number, code=1) == (
        f"hookd: These work items would wait in a cycle: {number} -> {number}.\n"
        "  next: hookd work show N, which lists what an item waits for\n"
    )
    assert run(agent, "show", "99999", code=1) == (
        "hookd: There is no work item 99999.\n  next: hookd work list --all\n"
    )
    assert "no lease from 1m to 7d" in run(agent, "take", "--lease", "5s", code=1)
    assert "TITLE is empty" in run(agent, "add", " ", code=1)
    assert run(agent, "add", "x" * 5_000, code=1) == (
        "hookd: Title is too long: it has at most 200 characters.\n  next: hookd work add --help\n"
    )
    assert "--key 'k1' has not 8 to 100 letters" in run(agent, "add", "x", "--key", "k1", code=1)
    assert "'0' is no number: 1, 2, 3, ..." in run(agent, "show", "0", code=2)
    assert "9223372036854775807" not in run(agent, "add", "--help")
    wanted = run(agent, "add", "Review", "--for", "cyd").split()[2]
    shown = run(agent, "show", wanted)
    assert "for " in shown
    assert "owner" not in shown, "nobody has it"
    run(agent, "done", wanted, code=1)
    assert "The reason is empty" in run(agent, "block", number, "--why", " ", code=1)
    other = replace(agent, id="unknown", env={})
    assert run(other, "take", code=1) == (
        "hookd: Only an agent in an open session takes work items; this is no session of hookd.\n"
        "  next: run it in an agent's session; a person marks items: hookd work done N\n"
    )


def test_a_person_finishes_any_item(agent: Window, shared: Home) -> None:
    number = run(agent, "add", "Parse").split()[2]
    run(agent, "take")
    person = {"CLAUDE_PROJECT_DIR": agent.project}
    done = shared.hookd("work", "done", number, env=person, cwd=agent.project)
    assert done.stdout == f"Work item {number} is done.\n"
    elsewhere = window_in(shared)
    assert run(elsewhere, "list") == "No work items here. Add one: hookd work add TITLE\n"
