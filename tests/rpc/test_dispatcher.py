"""One request after another against a real database: who answers, with what, and what is kept."""

import asyncio
import json
import logging
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

import pytest

from hookd.config.models import PolicyOptions
from hookd.core.model.daemon_state import RuntimeConfig
from hookd.core.model.effects.union import AfterCommitEffect
from hookd.core.model.errors import DomainError
from hookd.core.model.facts import Facts
from hookd.core.model.method import Change, ChangeMethod
from hookd.core.model.policy import Policy
from hookd.core.model.renamed_methods import current_method, method_deprecation
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.log.slow import SLOW_S
from hookd.methods import HOOKS, METHODS
from hookd.pipeline.evaluation import PolicyEngine
from hookd.pipeline.time_limit import TimeLimit
from hookd.policies import POLICIES
from hookd.rpc.jsonrpc import Request, RpcError
from hookd.store.database import WriterThread, open_database
from hookd.store.reader import Reader
from support.dispatcher import QuietDispatcher, make_dispatcher


@pytest.fixture
async def hookd(tmp_path: Path) -> AsyncIterator[QuietDispatcher]:
    path = tmp_path / "state" / "hookd.db"
    done: list[AfterCommitEffect] = []

    async def late(effect: AfterCommitEffect) -> None:
        done.append(effect)

    with closing(WriterThread(open_database(path))) as writer:
        reader = Reader(path)
        yield make_dispatcher(writer, reader, PolicyEngine(RuntimeConfig()), after_commit=late)
        await reader.close()


async def call(hookd: QuietDispatcher, method: str, params: Any = None) -> Any:
    value = await hookd.call(Request(method, params, 1, notification=False))
    return json.loads(value) if isinstance(value, bytes) else value


async def event(hookd: QuietDispatcher, env: dict[str, str] | None = None, **more: Any) -> Any:
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": "/work/orders",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    body = json.dumps(payload | more).encode()
    return json.loads((await hookd.event("PreToolUse", env or {}, body)).answer)


async def rows(hookd: QuietDispatcher, sql: str) -> list[Any]:
    return await hookd.writer.run(lambda db: db.execute(sql).fetchall())


async def guard(hookd: QuietDispatcher, urgency: str = "block") -> None:
    rule = {"id": "no-rm", "toolFilter": {"include": ["Bash(rm *)"]}, "urgency": urgency}
    await call(hookd, "guards.add", {"rule": rule})


@pytest.mark.parametrize("env", [{"CWD": "/home/user"}, {"CLAUDE_PROJECT_DIR": "/work"}, {}])
async def test_a_task_outside_of_every_project_can_be_worked_on_twice(
    env: dict[str, str], hookd: QuietDispatcher
) -> None:
    asked = {"taskDir": "/work/orders/x", "skill": "test", "env": env}
    first, second = [await call(hookd, "effort.start", asked) for _ in range(2)]
    assert (first["ordinal"], second["ordinal"]) == (1, 2)
    assert await rows(hookd, "SELECT count(*) FROM projects") == [(1,)]


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Return a folder that a link beside it leads to."""
    found = tmp_path.resolve() / "orders"
    found.mkdir()
    found.with_name("link").symlink_to(found)
    return str(found)


async def test_a_folder_is_one_project_whatever_way_leads_to_it(
    hookd: QuietDispatcher, folder: str
) -> None:
    link = folder.replace("orders", "link")
    for number, way in enumerate([link, folder, f"{folder}/", f"{link}/../orders/."]):
        assert await event(hookd, session_id=f"s{number}", cwd=way) is None
    assert await rows(hookd, "SELECT path FROM projects") == [(folder,)]
    assert await rows(hookd, "SELECT DISTINCT project_id, cwd FROM sessions") == [(1, folder)]


async def test_an_event_delivered_again_gets_its_first_answer_and_moves_nothing(
    hookd: QuietDispatcher,
) -> None:
    await guard(hookd)
    dangerous = {"tool_input": {"command": "rm x"}, "tool_use_id": "toolu_1"}
    first = await event(hookd, **dangerous)
    assert first["hookSpecificOutput"]["permissionDecision"] == "deny"
    await call(hookd, "guards.remove", {"ruleId": "no-rm"})
    assert await event(hookd, **dangerous) == first
    assert await event(hookd, **dangerous, cwd="/elsewhere") == first
    assert await rows(hookd, "SELECT count(*) FROM events") == [(1,)]
    assert await rows(hookd, "SELECT heartbeat_counter FROM sessions") == [(1,)]


async def test_an_answer_that_holds_a_secret_is_an_answer_when_it_is_given_again(
    hookd: QuietDispatcher,
) -> None:
    questions = [{"question": "Key?", "options": []}]
    asked = {
        "session_id": "s",
        "tool_name": "AskUserQuestion",
        "tool_input": {"questions": questions},
        "tool_response": {"answers": {"Key?": "-----BEGIN PRIVATE KEY-----\nhunter2"}},
        "tool_use_id": "toolu_1",
    }
    first = await call(hookd, "hooks.postToolUse", asked)
    assert "hunter2" in first["dialogueEntry"]["questions"][0]["answer"]
    again = await call(hookd, "hooks.postToolUse", asked)
    assert again["dialogueEntry"]["questions"][0]["question"] == "Key?"
    assert "hunter2" not in json.dumps(again)


UNREADABLE = [
    b"",
    b"no JSON",
    b"[]",
    b"null",
    b'{"hook_event_name":"PreToolUse","tool_name":"Bash"}',
    b'{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"rm x"}',
    b'{"hook_event_name":7,"tool_name":7,"tool_input":{}}',
]


@pytest.mark.parametrize("body", UNREADABLE)
async def test_a_call_that_cannot_be_read_is_asked_about_where_guards_are_set(
    body: bytes, hookd: QuietDispatcher
) -> None:
    with pytest.raises(DomainError) as caught:
        await hookd.event("PreToolUse", {}, body)
    assert caught.value.code == "UNREADABLE"
    await guard(hookd)
    answer = json.loads((await hookd.event("PreToolUse", {}, body)).answer)
    assert answer["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert await rows(hookd, "SELECT event, decision, decided_by FROM events") == [
        ("PreToolUse", None, "unreadable"),
        ("PreToolUse", "ask", "unreadable"),
    ]


async def test_an_event_whose_method_cannot_be_imported_is_logged_and_left_to_the_judge(
    hookd: QuietDispatcher, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(HOOKS, "_imported", {})
    monkeypatch.setitem(sys.modules, "hookd.methods.hooks.pre_tool_use", None)
    with caplog.at_level(logging.ERROR), pytest.raises(DomainError) as caught:
        await event(hookd)
    assert caught.value.code == "FAILED"
    assert "event failed" in caplog.text
    await guard(hookd)
    answer = await event(hookd)
    assert answer["hookSpecificOutput"]["permissionDecision"] == "ask"


async def test_an_event_that_decides_nothing_is_silent_even_when_it_cannot_be_read(
    hookd: QuietDispatcher,
) -> None:
    assert (await hookd.event("Notification", {}, b"no JSON")).answer == b"null"


def policy(name: str, **more: Any) -> Policy:
    given: dict[str, Any] = {
        "name": name,
        "priority": 1,
        "events": frozenset({"PreToolUse"}),
        "options": PolicyOptions,
        "on_error": "ask",
        "opine": lambda *_: None,
        "examples": (),
    }
    return Policy(**(given | more))


async def test_what_a_rule_makes_of_a_call_is_judged_by_the_guards(hookd: QuietDispatcher) -> None:
    def rewrite(event: PreToolUse, _facts: Facts, _options: PolicyOptions) -> Opinion | None:
        return Opinion("allow", updated_input={"command": "rm x"})

    house = PolicyEngine(
        RuntimeConfig(), (*POLICIES, policy("rewriter", opine=rewrite, on_error="silence"))
    )
    other = hookd.with_engine(house)
    said = (await event(other))["hookSpecificOutput"]
    assert (said["permissionDecision"], said["updatedInput"]) == ("allow", {"command": "rm x"})
    await guard(other)
    said = (await event(other))["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert "updatedInput" not in said


async def test_policies_that_fail_take_long_or_talk_garbage_are_logged_and_the_others_are_heard(
    hookd: QuietDispatcher, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> Opinion | None:
        raise RuntimeError("a fault of the rule")

    def linger(*_: Any) -> Opinion | None:
        began = perf_counter()
        while perf_counter() - began <= SLOW_S:
            pass
        return Opinion(context="[hookd:slow] It took a while.")

    odd = [
        policy("broken", opine=fail, on_error="silence"),
        policy("garbled", opine=lambda *_: "deny", on_error="silence"),
        policy("slow", opine=linger, on_error="silence"),
        policy("sound", opine=lambda *_: Opinion("deny", "Not here.")),
    ]
    other = hookd.with_engine(PolicyEngine(RuntimeConfig(), tuple(odd)))
    said = (await event(other))["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny"
    assert said["permissionDecisionReason"].startswith("Not here.")
    assert "It took a while." in said["additionalContext"]
    told = {(one.message, one.__dict__["about"]["policy"]) for one in caplog.records}
    assert told == {
        ("policy failed", "broken"),
        ("policy failed", "garbled"),
        ("slow policy", "slow"),
    }


async def test_a_guard_that_fails_asks_and_what_was_decided_is_kept(hookd: QuietDispatcher) -> None:
    def fail(*_: Any) -> Opinion | None:
        raise RuntimeError("a fault of the rule")

    other = hookd.with_engine(PolicyEngine(RuntimeConfig(), (policy("broken", opine=fail),)))
    said = (await event(other))["hookSpecificOutput"]
    assert said["permissionDecision"] == "ask"
    assert said["permissionDecisionReason"].endswith("(hookd #1)")
    assert await rows(hookd, "SELECT id, decision, decided_by FROM events") == [
        (1, "ask", "broken")
    ]


PARAMS: list[tuple[str, Any, str]] = [
    ("no.method", {}, "no method 'no.method'"),
    ("hooks.dispatch", {}, "params are"),
    ("hooks.dispatch", {"event": []}, "params are"),
    ("hooks.dispatch", {"event": {}, "env": []}, "params are"),
    ("daemon.status", {"env": 7}, "env is an object"),
    ("daemon.status", {"x": 1}, "x: "),
    ("daemon.query", ["SELECT 1", [], 10, 11], "at most 3 params"),
    ("daemon.query", {"sql": 7}, "sql: "),
    ("session.updateContextUsage", {"usage": 1.5}, "usage is too large"),
    ("session.updateContextUsage", {"usage": float("nan")}, "usage: "),
    ("effort.start", {"taskDir": "relative", "skill": "x"}, "taskDir has another form"),
    ("hooks.preToolUse", {"tool_name": "Bash"}, "tool_input: "),
]


@pytest.mark.parametrize(("method", "params", "said"), PARAMS, ids=str)
async def test_params_that_do_not_fit_are_refused_by_name(
    method: str, params: Any, said: str, hookd: QuietDispatcher
) -> None:
    with pytest.raises(RpcError) as caught:
        await call(hookd, method, params)
    assert said in caught.value.detail
    assert caught.value.number in (-32601, -32602)


async def test_params_go_by_name_or_by_position(hookd: QuietDispatcher) -> None:
    expected = {"columns": ["a"], "rows": [[7]], "more": False}
    named = {"sql": "SELECT ? AS a", "params": [7]}
    assert await call(hookd, "daemon.query", named) == expected
    assert await call(hookd, "daemon.query", ["SELECT ? AS a", [7]]) == expected


async def test_a_direct_call_walks_the_same_road(hookd: QuietDispatcher) -> None:
    await guard(hookd, "ask")
    asked = {"toolName": "Bash", "toolInput": {"command": "rm x"}, "sessionId": "s"}
    result = await call(hookd, "hooks.preToolUse", asked)
    assert (result["allow"], result["heartbeatCount"]) == (False, 1)
    assert [rule["ruleId"] for rule in result["firedRules"]] == ["no-rm"]
    assert result["hookOutput"]["hookSpecificOutput"]["permissionDecision"] == "ask"
    inline = {"event": asked | {"hookEventName": "PreToolUse"}}
    answer = await call(hookd, "hooks.dispatch", inline)
    assert answer["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert await rows(hookd, "SELECT count(*) FROM events") == [(2,)]


async def test_a_deprecated_name_of_a_method_works_and_is_logged_once(
    hookd: QuietDispatcher, caplog: pytest.LogCaptureFixture
) -> None:
    for old in ("commands.list", "commands.log"):
        answers = [await call(hookd, name) for name in (old, old, current_method(old))]
        assert answers[0] == answers[1] == answers[2]
    notices = [method_deprecation(old) for old in ("commands.list", "commands.log")]
    assert [one.message for one in caplog.records] == notices


@pytest.fixture
def inner(folder: str) -> str:
    """Return a folder of a repository."""
    Path(folder, ".git").mkdir()
    Path(folder, "sub").mkdir()
    return f"{folder}/sub"


async def test_another_client_below_claude_code_has_its_own_project_and_process(
    hookd: QuietDispatcher, folder: str, inner: str
) -> None:
    """It inherits the variables of that Claude Code, and sets none of its own."""
    env = {"CLAUDE_PID": "7", "CLAUDE_CODE_SESSION_ID": "a", "CLAUDE_PROJECT_DIR": "/elsewhere"}
    for session, client in (("a", "claude-code"), ("b", "windsurf")):
        begun = {"hook_event_name": "SessionStart", "source": "startup", "session_id": session}
        asked = {"event": begun | {"cwd": inner}, "env": env | {"CWD": inner}, "client": client}
        await call(hookd, "hooks.dispatch", asked)
    sql = "SELECT claude_session_id, pid, path FROM sessions s JOIN projects p ON p.id = project_id"
    assert await rows(hookd, sql) == [("a", 7, "/elsewhere"), ("b", None, folder)]


@pytest.fixture
def limit() -> Iterator[TimeLimit]:
    """A limit of what computes on this thread."""
    before = signal.getsignal(signal.SIGALRM)
    one = TimeLimit()
    one.begin()
    yield one
    signal.signal(signal.SIGALRM, before)


def refused(path: Path, limit: TimeLimit, method: str, params: Any) -> DomainError:
    """Return the refusal of a request that is decided on this thread, as in the daemon."""
    with ThreadPoolExecutor(1) as other:
        writer = WriterThread(open_database(path), thread=False)

        async def ask() -> DomainError:
            engine = PolicyEngine(RuntimeConfig(), limit=limit)
            try:
                with pytest.raises(DomainError) as raised:
                    await call(make_dispatcher(writer, Reader(path), engine), method, params)
            finally:
                writer.close()
            return raised.value

        answer = other.submit(asyncio.run, ask())
        writer.serve()
        return answer.result()


def test_a_decision_that_takes_too_long_is_refused(
    tmp_path: Path, limit: TimeLimit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_params: object, _facts: Facts) -> Change:
        end = thread_time() + 5  # without a limit the test is to fail, not to hang
        while thread_time() < end:
            pass
        raise AssertionError("nothing has interrupted the decision")

    method = METHODS["claims.add"]
    assert isinstance(method, ChangeMethod)
    table = {**METHODS, method.name: replace(method, decide=endless)}
    monkeypatch.setattr("hookd.rpc.dispatcher.METHODS", table)
    monkeypatch.setattr("hookd.rpc.dispatcher._LIMIT_S", 0.1)
    error = refused(tmp_path / "hookd.db", limit, "claims.add", {"patterns": ["/work/**"]})
    assert str(error) == "claims.add takes more than 0.1 s with these parameters"
    assert error.code == "TOO_SLOW"
