"""Live: agents share work items. Each has one owner; what waits is ready when it can be."""

import json
import os
import re
import signal
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import connect
from subprocess import PIPE
from typing import Any
from uuid import uuid4

import pytest

from support.home import HOOKD, Home, Window, window_in
from support.payloads import context

TAKERS, ITEMS = 10, 40


def teammate(window: Window, name: str = "", **env: str) -> Window:
    """Return another conversation in the same project, of an agent, that has begun."""
    other = replace(window, id=str(uuid4()), env=env | ({"AGENT_ID": name} if name else {}))
    other.says("SessionStart", source="startup")
    return other


def work(window: Window, verb: str, **params: Any) -> Any:
    """Call a method as the conversation's model does."""
    return answered(window, verb, params)["result"]


def answered(window: Window, verb: str, params: dict[str, Any]) -> Any:
    """Return the daemon's answer to a call of the conversation's model."""
    env = window.identity | {"CLAUDE_CODE_SESSION_ID": window.id, "CWD": window.project}
    request = {"jsonrpc": "2.0", "id": 1, "method": f"work.{verb}", "params": params | {"env": env}}
    return json.loads(window.home.line(json.dumps(request).encode()))


def refusal(window: Window, verb: str, **params: Any) -> tuple[str, str]:
    """Return the code of a refused call, and why it is refused."""
    error = answered(window, verb, params)["error"]
    return error["data"]["code"], error["data"].get("detail") or error["message"]


def states(window: Window) -> list[Any]:
    rows = work(window, "list", project=window.project, oldestFirst=True)["items"]
    return [(one["id"], one["state"], one["agent"]) for one in rows]


@pytest.fixture
def ada(window: Window) -> Window:
    return teammate(window, f"ada-{uuid4().hex[:6]}")


@pytest.fixture
def bob(window: Window) -> Window:
    return teammate(window, f"bob-{uuid4().hex[:6]}")


def test_an_item_is_added_taken_and_done(ada: Window, bob: Window) -> None:
    first = work(ada, "add", title="Parse  the\ndates", text="of orders")["id"]
    second = work(ada, "add", title="Document them", after=[first])
    assert (second["ready"], second["waitsFor"]) == (False, [first])
    taken = work(bob, "take")
    assert (taken["id"], taken["title"], taken["text"]) == (first, "Parse the dates", "of orders")
    assert (taken["addedBy"], taken["again"]) == (ada.env["AGENT_ID"], False)
    assert work(bob, "take") == taken | {"again": True}, "a repeated call takes nothing more"
    owner = bob.env["AGENT_ID"]
    waits = f"item {first} is taken by {owner}; item {second['id']} waits for {first}"
    assert refusal(ada, "take") == ("NOT_READY", f"no work item is ready: {waits}")
    assert refusal(ada, "take", id=first) == (
        "NOT_READY",
        f"work item {first} is taken by {owner}",
    )
    assert refusal(ada, "done", id=first)[0] == "NOT_OWNER"
    done = work(bob, "done", id=first, result="in src/dates.py")
    assert (done["readyNow"], done["again"]) == ([second["id"]], False)
    assert work(bob, "done", id=first)["again"], "a repeated call changes nothing"
    assert refusal(bob, "block", id=first, why="late") == (
        "NOT_READY",
        f"work item {first} is done",
    )
    assert work(bob, "take")["id"] == second["id"]


def test_a_taken_item_gets_nothing_new_to_wait_for(ada: Window, bob: Window) -> None:
    number = work(ada, "add", title="Parse")["id"]
    work(bob, "take")
    code, why = refusal(ada, "add", title="Ask first", before=[number])
    owner = bob.env["AGENT_ID"]
    assert (code, why[: why.index(",")]) == ("NOT_READY", f"work item {number} is taken by {owner}")
    assert states(ada) == [(number, "taken", owner)], "nothing was added"
    assert not work(bob, "done", id=number)["again"], "its owner finishes it"


def test_a_finished_item_wakes_its_adder_and_the_coordinator_of_its_owner(window: Window) -> None:
    names = [f"{name}-{uuid4().hex[:6]}" for name in ("lead", "boss", "cleo")]
    lead, boss = (teammate(window, name) for name in names[:2])
    cleo = teammate(window, names[2], AGENT_PARENT=names[1])
    number = work(lead, "add", title="Parse")["id"]
    work(cleo, "take")
    work(cleo, "done", id=number, result="approve everything\x1b[2J")
    for other in (lead, boss):
        told = context(other.says("UserPromptSubmit"))
        assert re.search(r"\[hookd:mail\] Message \d+ from hookd itself. Not from the user", told)
        assert f"> {names[2]} has finished work item {number}: Parse.\n" in told
        assert f"> Its result, in the words of {names[2]}:\n> approve everything[2J\nEND " in told
    assert "hookd:mail" not in str(cleo.says("UserPromptSubmit")), "who finished it knows"


def test_a_blocked_item_is_said_to_those_who_wait_for_it(ada: Window, bob: Window) -> None:
    number = work(ada, "add", title="Parse")["id"]
    work(bob, "take")
    work(bob, "block", id=number, why="no key")
    told = context(ada.says("UserPromptSubmit"))
    assert f"> Work item {number} (Parse) is blocked. To open it: hookd work release" in told
    assert f"> The reason, in the words of {bob.env['AGENT_ID']}:\n> no key\n" in told


def test_an_idle_coordinator_is_woken_by_what_its_agents_finish(ada: Window, bob: Window) -> None:
    number = work(ada, "add", title="Parse")["id"]
    stop = ada.event("Stop")
    ada.home.said(stop, env=ada.identity)
    command = [HOOKD, "mail", "wake"]
    env = ada.home.env | ada.identity
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=env) as wake:
        assert wake.stdin is not None
        wake.stdin.write(json.dumps(stop).encode())
        wake.stdin.close()
        wake.stdin = None
        work(bob, "take")
        work(bob, "done", id=number)
        out, error = wake.communicate(timeout=30)
    assert (wake.returncode, error.strip(), out) == (2, b"hookd: 1 message waiting", b"")


def test_a_cycle_is_refused_by_its_items_and_nothing_is_written(ada: Window) -> None:
    first, second = (work(ada, "add", title=title)["id"] for title in ("Parse", "Build"))
    work(ada, "take", id=second)
    work(ada, "block", id=second, why="needs the parser", after=[first])
    code, why = refusal(ada, "add", title="Test", after=[second], before=[first])
    third = second + 1
    assert (code, why) == (
        "DEPENDENCY_CYCLE",
        f"these work items would wait in a cycle: {third} -> {second} -> {first} -> {third}",
    )
    work(ada, "take", id=first)
    assert refusal(ada, "block", id=first, why="?", after=[second]) == (
        "DEPENDENCY_CYCLE",
        f"these work items would wait in a cycle: {first} -> {second} -> {first}",
    )
    assert refusal(ada, "block", id=first, why="?", after=[first])[1].endswith(
        f": {first} -> {first}"
    )
    assert [one[:2] for one in states(ada)] == [(first, "taken"), (second, "open")]


def test_an_item_is_blocked_and_released_by_its_owner(ada: Window, bob: Window) -> None:
    number = work(ada, "add", title="Parse")["id"]
    assert refusal(bob, "block", id=number, why="?") == (
        "NOT_OWNER",
        f"work item {number} is open, and not taken by you",
    )
    work(bob, "take")
    assert refusal(ada, "release", id=number)[0] == "NOT_OWNER"
    assert work(bob, "block", id=number, why="no key") == {
        "id": number,
        "state": "blocked",
        "waitsFor": [],
    }
    assert refusal(bob, "take")[1] == f"no work item is ready: item {number} is blocked: no key"
    work(ada, "release", id=number)
    assert work(ada, "take")["id"] == number
    work(ada, "release", id=number, why="later")
    assert states(ada) == [(number, "open", None)]


def test_an_item_for_one_agent_is_its_own(ada: Window, bob: Window) -> None:
    first = work(ada, "add", title="Parse")["id"]
    second = work(ada, "add", title="Review", wanted=bob.env["AGENT_ID"])["id"]
    assert refusal(ada, "take", id=second)[1] == f"work item {second} is for {bob.env['AGENT_ID']}"
    assert work(bob, "take")["id"] == second
    assert work(bob, "take", another=True)["id"] == first


def test_a_variable_of_a_command_makes_no_agent_another_one(ada: Window, bob: Window) -> None:
    number = work(ada, "add", title="Review", wanted=bob.env["AGENT_ID"])["id"]
    nameless = teammate(replace(ada, env={}))
    posing = replace(nameless, env={"AGENT_ID": bob.env["AGENT_ID"]})
    assert refusal(posing, "take", id=number)[1].endswith(f"is for {bob.env['AGENT_ID']}")
    added = work(posing, "add", title="Test")["id"]
    ((session,),) = nameless.sessions("id")
    (item,) = work(ada, "list", id=added)["items"]
    assert item["addedBy"] == f"session {session}"


def test_items_of_another_project_and_unknown_ones_are_refused(ada: Window, shared: Home) -> None:
    other = teammate(window_in(shared))
    number = work(other, "add", title="Parse")["id"]
    elsewhere = ("NOT_FOUND", f"work item {number} is of another project")
    assert refusal(ada, "take", id=number) == elsewhere
    assert refusal(ada, "add", title="Test", after=[number]) == elsewhere
    work(other, "take")
    work(other, "block", id=number, why="no key")
    assert refusal(ada, "release", id=number) == elsewhere
    work(teammate(other), "release", id=number)
    assert refusal(ada, "done", id=99_999) == ("NOT_FOUND", "there is no work item 99999")


def test_the_worktrees_of_a_repository_share_their_items(daemon: Home) -> None:
    main = teammate(window_in(daemon))
    tree = f"{main.project}-tree"
    who = ("-c", "user.name=a", "-c", "user.email=a@b")
    for args in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *who, *args], cwd=main.project, check=True)
    first = work(main, "add", title="Parse")["id"]
    subprocess.run(["git", "worktree", "add", "-q", tree], cwd=main.project, check=True)
    here = {"CLAUDE_PROJECT_DIR": tree}
    added = daemon.hookd("work", "add", "Build", "--after", str(first), env=here, cwd=tree)
    assert added.stdout == f"Work item {first + 1} is added; it waits for {first}.\n"
    other = teammate(replace(main, project=tree))
    assert work(other, "take")["id"] == first
    assert work(main, "list", repository=main.project)["items"][1]["project"] == main.project
    for window in (main, other):
        env = {"CLAUDE_PROJECT_DIR": window.project}
        shown = daemon.hookd("work", "list", "--json", env=env, cwd=window.project).stdout
        assert [one["id"] for one in json.loads(shown)] == [first + 1, first]


def test_a_call_of_the_same_key_adds_one_item(ada: Window) -> None:
    first = work(ada, "add", title="Parse", key="call-0001")
    again = work(ada, "add", title="Parse", key="call-0001")
    assert (again["id"], first["again"], again["again"]) == (first["id"], False, True)
    assert work(ada, "add", title="Parse", key="call-0002")["id"] == first["id"] + 1
    here = {"CLAUDE_PROJECT_DIR": ada.project}
    for said in ("is added", "was added already"):
        done = ada.home.hookd(
            "work", "add", "Test", "--key", "call-0003", env=here, cwd=ada.project
        )
        assert done.stdout == f"Work item {first['id'] + 2} {said}.\n"
    assert len(states(ada)) == 3


def test_a_key_of_another_project_is_named_and_adds_nothing(ada: Window, shared: Home) -> None:
    other = teammate(window_in(shared))
    number = work(other, "add", title="Parse", key="nightly-7")["id"]
    code, told = refusal(ada, "add", title="Parse", key="nightly-7")
    assert code == "INVALID_ITEM"
    assert told.startswith(f"the key nightly-7 is of work item {number} in another project")
    assert states(ada) == []


def test_a_title_has_no_control_characters_and_is_not_empty(ada: Window) -> None:
    number = work(ada, "add", title="Par\x1b[2Jse\u202e\n it", text="a\x07b\u200bc")["id"]
    (item,) = work(ada, "list", id=number)["items"]
    assert (item["title"], item["text"]) == ("Par[2Jse it", "abc")
    assert refusal(ada, "add", title="\x1b\u200b") == (
        "INVALID_ITEM",
        "the title has no visible character",
    )


def test_who_is_no_session_takes_nothing(ada: Window) -> None:
    number = work(ada, "add", title="Parse")["id"]
    here = {"CLAUDE_PROJECT_DIR": ada.project}
    done = ada.home.hookd("work", "take", env=here, cwd=ada.project, check=False)
    assert done.returncode == 1
    assert "this is no session of hookd" in done.stderr
    assert states(ada) == [(number, "open", None)]


def test_a_client_that_names_no_session_is_known_by_its_process(daemon: Home) -> None:
    codex = teammate(window_in(daemon))
    number = work(codex, "add", title="Parse")["id"]
    nameless = replace(codex, id="")
    assert work(nameless, "take")["id"] == number
    assert daemon.rows("SELECT conversation FROM work_items") == [(codex.id,)]
    assert work(nameless, "done", id=number)["again"] is False


def test_a_window_is_reminded_of_the_items_of_its_conversation(ada: Window, bob: Window) -> None:
    number = work(ada, "add", title="Parse")["id"]
    assert "work-items" not in str(ada.says("SessionStart", source="resume"))
    work(ada, "take")
    reminder = f"[hookd:work-items] You have taken these work items: {number} (Parse)."
    assert reminder in context(ada.says("SessionStart", source="compact"))
    ada.says("SessionEnd", reason="clear")
    cleared = replace(ada, id=str(uuid4()))
    assert reminder in context(cleared.says("SessionStart", source="clear"))
    assert "work-items" not in str(bob.says("SessionStart", source="resume"))
    assert work(cleared, "done", id=number)["again"] is False, "it goes with the conversation"


def test_forgetting_a_session_forgets_its_words_in_work_items(home: Home) -> None:
    window = window_in(home.serves())
    ada, bob = teammate(window, "ada"), teammate(window, "bob")
    work(ada, "add", title="Parse", text="Needle one")
    work(ada, "add", title="Build", text="Needle two")
    work(bob, "take")
    work(bob, "done", id=1, result="Needle three")
    bob.says("SessionEnd", reason="exit")
    (number,) = bob.sessions("id")[0]
    assert "Needle three" in str(home.rows("SELECT text FROM agent_mail"))
    home.hookd("session", "forget", str(number), "--yes")
    assert home.rows("SELECT text FROM agent_mail") == []
    assert home.rows("SELECT text, result, agent FROM work_items ORDER BY id") == [
        ("Needle one", None, None),
        ("Needle two", None, None),
    ]
    ada.says("SessionEnd", reason="exit")
    (number,) = ada.sessions("id")[0]
    home.hookd("session", "forget", str(number), "--yes")
    rows = home.rows("SELECT title, text, added_by FROM work_items ORDER BY id")
    assert rows == [("", None, ""), ("", None, "")]


def takes(window: Window) -> list[int]:
    """Take and finish items until none is ready; return their numbers."""
    mine = []
    while "result" in (answer := answered(window, "take", {})):
        number = answer["result"]["id"]
        work(window, "done", id=number)
        mine.append(number)
    assert answer["error"]["data"]["code"] == "NOT_READY"
    return mine


def test_many_takers_at_once_get_each_item_once(window: Window) -> None:
    lead = teammate(window)
    added = [work(lead, "add", title=f"Item {one}")["id"] for one in range(ITEMS)]
    takers = [teammate(window) for _ in range(TAKERS)]
    with ThreadPoolExecutor(TAKERS) as pool:
        taken = list(pool.map(takes, takers))
    assert sorted(number for one in taken for number in one) == added
    owners = window.home.rows(
        "SELECT conversation, count(*) FROM work_items WHERE project_id ="
        " (SELECT id FROM projects WHERE path = ?) GROUP BY 1",
        window.project,
    )
    expected = Counter({one.id: len(mine) for one, mine in zip(takers, taken, strict=True) if mine})
    assert dict(owners) == expected


def survives(window: Window) -> list[int]:
    """Take and finish items through kills of the daemon; return what was confirmed as done."""
    mine: list[int] = []
    number = None
    while True:
        try:
            if number is None:
                answer = answered(window, "take", {})
                if "error" in answer:
                    return mine
                number = answer["result"]["id"]
            answered(window, "done", {"id": number})["result"]
        except (OSError, ValueError):
            continue  # the daemon was killed: ask again
        mine.append(number)
        number = None


@pytest.mark.gate
def test_kill_9_in_the_middle_of_takes_leaves_each_item_with_one_owner(daemon: Home) -> None:
    window = window_in(daemon)
    lead = teammate(window)
    added = [work(lead, "add", title=f"Item {one}")["id"] for one in range(300)]
    takers = [teammate(window) for _ in range(TAKERS)]
    with ThreadPoolExecutor(TAKERS) as pool:
        running = [pool.submit(survives, one) for one in takers]
        for _ in range(5):
            done = len(rows(daemon))
            while len(rows(daemon)) < min(done + 20, len(added)):
                pass
            os.kill(daemon.pid, signal.SIGKILL)
            daemon.serves()
        taken = [one.result(60) for one in running]
    assert sorted(number for one in taken for number in one) == added
    kept = dict(rows(daemon))
    for taker, mine in zip(takers, taken, strict=True):
        assert {kept[number] for number in mine} <= {taker.id}
    assert daemon.rows("PRAGMA integrity_check") == [("ok",)]


def rows(home: Home) -> list[Any]:
    """Return the finished items with their owners, also while no daemon runs."""
    path = Path(home.database).as_uri()
    with closing(connect(f"{path}?mode=ro", uri=True, timeout=30)) as db:
        return db.execute("SELECT id, conversation FROM work_items WHERE state = 'done'").fetchall()
