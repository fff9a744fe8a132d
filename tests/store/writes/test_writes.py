"""Every effect that is a row is written as it says, and nothing secret with it."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection
from typing import Any, get_args

import pytest

from hookd.core.efforts.skill import Skill
from hookd.core.hook_rules.model import Hook, HookExecution, HookRun, Source
from hookd.core.model.claim import Stamp
from hookd.core.model.effects.claims import (
    AddClaim,
    ConfirmViews,
    EndClaims,
    ExtendClaim,
    KeepView,
)
from hookd.core.model.effects.efforts import (
    BindAgent,
    BindSessions,
    DropSkills,
    EnterPhase,
    FinishEffort,
    KeepSkill,
    OpenProject,
    OpenTask,
    SetDirectives,
    SetMetadata,
    SetRepository,
    SetStarter,
)
from hookd.core.model.effects.forget import ForgetSession
from hookd.core.model.effects.messages import (
    AddAllowance,
    AddInjection,
    AddMessage,
    ChangeTodo,
    ConfirmInjections,
    ForgetTeamFiles,
    LoseAnswer,
    MoveInjections,
    OfferInjections,
    Pause,
    RecountEvents,
    RegisterAgent,
    RemoveAgent,
    RemoveAllowances,
    RemoveGuard,
    ReportMissedEvents,
    SetAgentStatus,
    SetFileRules,
    SetTodo,
    SetTodoList,
    Trust,
)
from hookd.core.model.effects.own_calls import AddOwnCall, UseOwnCall
from hookd.core.model.effects.sessions import (
    AddDir,
    AddSeen,
    EndSession,
    ForgetFile,
    OfferHandover,
    OpenSession,
    Remember,
    ReserveHandover,
    SaveHandover,
    SeeProcess,
    SetBranch,
    SetContextUsage,
    SetCwd,
    SetFirstPrompt,
    SetHeartbeat,
    SetLoadedFiles,
    SetModel,
    SetSessionStatus,
)
from hookd.core.model.effects.union import FleetEffect, FleetItemEffect, MailEffect, RowEffect
from hookd.core.model.effects.work_items import (
    AddWorkItem,
    BlockWorkItem,
    FinishWorkItem,
    MoveWorkItems,
    ReleaseWorkItem,
    TakeWorkItem,
)
from hookd.core.model.origin import Origin
from hookd.core.model.verdict import Opinion
from hookd.redaction.redact import record
from hookd.store import writes
from hookd.store.database import open_database
from hookd.store.maintenance import unreported_events
from support.database_rows import AT, LATER, effort, event, fill, guard, session, write

WORK = (
    AddWorkItem(1, 1, "Parse", None, None, "person"),
    AddWorkItem(2, 1, "Build", None, None, "person"),
    AddWorkItem(3, 1, "Document", None, None, "person"),
    TakeWorkItem(2, "plain", 1, None, 1_800),
    BlockWorkItem(3, "no key"),
    AddOwnCall(6, 2, "built", None, None, "fleet", "e" * 64, AT),
)
KEY = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "hookd.db")) as connection:
        fill(connection)
        write(connection, WORK)
        yield connection


def one(db: Connection, sql: str) -> Any:
    return db.execute(sql).fetchall()


SESSION = session(
    9,
    "next",
    agent_id="sub",
    agent_type="Explore",
    owner="idler",
    project_id=2,
    effort_id=3,
    parent_session_id=1,
    prev_session_id=4,
    source="compact",
    model="opus",
    pid=4711,
    cwd="/work/orders",
    transcript_path="/t.jsonl",
)

CLAIM = AddClaim("/work", "path", "a.py", "plain", 1, None, 1, None, False, None)

WORK_STATE = "state, conversation, session_id, agent, reason"
WRITTEN: list[tuple[RowEffect, str, Any]] = [
    (
        OpenProject(9, "/work/shop", "shop"),
        "SELECT * FROM projects WHERE id = 9",
        [(9, "/work/shop", "shop", LATER, "/work/shop")],
    ),
    (
        SetRepository(1, "/work"),
        "SELECT id, repository FROM projects ORDER BY id",
        [(1, "/work"), (2, "/work/orders/api")],
    ),
    (
        replace(CLAIM, why="token ghp_" + "a1B2" * 9),
        "SELECT kind, pattern, conversation, session_id, why, automatic, created_at, expires_at,"
        " released_at FROM claims WHERE id = 3",
        [("path", "a.py", "plain", 1, "token [redacted:github-token]", 0, LATER, None, None)],
    ),
    (
        ExtendClaim(1, LATER, "more"),
        "SELECT why, expires_at FROM claims WHERE id = 1",
        [("more", LATER)],
    ),
    (
        EndClaims((2,), "holder"),
        "SELECT id, released_at, released_by FROM claims",
        [(1, None, None), (2, LATER, "holder")],
    ),
    (
        KeepView("plain", 1, "/work/a.py", Stamp(4, 6, 6), "call 2"),
        "SELECT call, path, size, mtime_ns, at FROM file_views ORDER BY call",
        [
            ("", "/work/a.py", 4, 5, AT),
            ("call", "/work/b.py", 4, 5, AT),
            ("call 2", "/work/a.py", 4, 6, LATER),
        ],
    ),
    (
        ConfirmViews("plain", "call"),
        "SELECT call, path, at FROM file_views ORDER BY path",
        [("", "/work/a.py", AT), ("", "/work/b.py", LATER)],
    ),
    (
        OpenTask("/work/orders/search", 1, "Search"),
        "SELECT task_dir, project_id, title, keywords_json, created_at FROM tasks"
        " WHERE title = 'Search'",
        [("/work/orders/search", 1, "Search", "[]", LATER)],
    ),
    (
        effort(9, "/work/orders/pagination", 9, mode="deep", agent="idler", metadata={"x": [1]}),
        "SELECT task_dir, project_id, skill, mode, ordinal, lifecycle, metadata_json,"
        " efforts.created_at, finished_at, agents.id FROM efforts"
        " JOIN agents ON effort_id = efforts.id WHERE efforts.id = 9",
        [
            (
                "/work/orders/pagination",
                None,
                "implement",
                "deep",
                9,
                "active",
                '{"x":[1]}',
                LATER,
                None,
                "idler",
            )
        ],
    ),
    (
        effort(9, "/work/orders/pagination", 9),
        "SELECT id, effort_id FROM agents ORDER BY id",
        [("builder", 2), ("idler", None)],
    ),
    (
        BindSessions(3, 1, None, None),
        "SELECT id, effort_id FROM sessions ORDER BY id",
        [(1, 3), (2, 2), (3, 2), (4, None)],
    ),
    (
        BindSessions(3, None, 1, None),
        "SELECT id, effort_id FROM sessions ORDER BY id",
        [(1, 3), (2, 2), (3, 2), (4, None)],
    ),
    (
        BindSessions(3, None, 1, "builder"),
        "SELECT id, effort_id FROM sessions ORDER BY id",
        [(1, 1), (2, 3), (3, 2), (4, None)],
    ),
    (
        BindSessions(3, None, None, None),
        "SELECT id, effort_id FROM sessions ORDER BY id",
        [(1, 1), (2, 2), (3, 2), (4, None)],
    ),
    (
        BindSessions(3, None, 1, None, "8:90"),
        "SELECT id, effort_id FROM sessions ORDER BY id",
        [(1, 3), (2, 2), (3, 2), (4, None)],
    ),
    (
        SetStarter(2, Origin("7:80", "8:90", "%3 7 /tmp/s")),
        "SELECT starter_json FROM efforts WHERE id = 2",
        [('{"terminal": "7:80", "client": "8:90", "pane": "%3 7 /tmp/s"}',)],
    ),
    (
        FinishEffort(2),
        "SELECT lifecycle, finished_at, (SELECT effort_id FROM agents WHERE id = 'builder'),"
        " (SELECT count(*) FROM sessions WHERE effort_id = 2) FROM efforts WHERE id = 2",
        [("finished", LATER, None, 0)],
    ),
    (
        SESSION,
        "SELECT claude_session_id, agent_id, agent_type, owner, project_id, effort_id,"
        " parent_session_id, prev_session_id, source, model, pid, cwd, transcript_path,"
        " heartbeat_counter, loaded_files_json, created_at, last_event_at, ended_at"
        " FROM sessions WHERE id = 9",
        [
            (
                *("next", "sub", "Explore", "idler", 2, 3, 1, 4, "compact", "opus", 4711),
                *("/work/orders", "/t.jsonl", 0, "[]", LATER, LATER, None),
            )
        ],
    ),
    (
        EndSession(2, "clear"),
        "SELECT id, ended_at, end_reason FROM sessions ORDER BY id",
        [(1, None, None), (2, LATER, "clear"), (3, LATER, "clear"), (4, None, None)],
    ),
    (EndSession(1, "other"), "SELECT * FROM policy_state", []),
    (
        SetHeartbeat(2, 7, "Edit /x", 2),
        "SELECT heartbeat_counter, last_counted, last_heartbeat, tool_calls FROM sessions"
        " WHERE id = 2",
        [(7, "Edit /x", LATER, 2)],
    ),
    (
        SetContextUsage(2, 0.5, "statusline", 1.25),
        "SELECT context_usage, context_source, cost FROM sessions WHERE id = 2",
        [(0.5, "statusline", 1.25)],
    ),
    (
        SetSessionStatus(1, "attention", 12),
        "SELECT status, status_event_id, status_at FROM sessions WHERE id = 1",
        [("attention", 12, LATER)],
    ),
    (
        SetBranch(1, "main"),
        "SELECT branch FROM sessions WHERE id = 1",
        [("main",)],
    ),
    (
        SetFirstPrompt(1, "Add pages."),
        "SELECT first_prompt FROM sessions WHERE id = 1",
        [("Add pages.",)],
    ),
    (
        SetModel(2, "claude-sonnet-5-5"),
        "SELECT model FROM sessions WHERE id = 2",
        [("claude-sonnet-5-5",)],
    ),
    (
        SetCwd(2, "/work/orders/web"),
        "SELECT cwd FROM sessions WHERE id = 2",
        [("/work/orders/web",)],
    ),
    (
        SetLoadedFiles(2, ("/a", "/\u00e9")),
        "SELECT loaded_files_json FROM sessions WHERE id = 2",
        [('["/a", "/\\u00e9"]',)],
    ),
    (
        AddDir(2, "/work/lib"),
        "SELECT id, added_dirs_json FROM sessions ORDER BY id",
        [(1, "[]"), (2, '["/work/lib"]'), (3, '["/work/lib"]'), (4, "[]")],
    ),
    (
        ForgetFile(1, "/work/a"),
        "SELECT loaded_files_json FROM sessions WHERE id = 1",
        [('["/work/b"]',)],
    ),
    (
        AddSeen(2, ("/a",), ("/", "/b")),
        "SELECT preloaded_files_json, touched_dirs_json FROM sessions WHERE id = 2",
        [('["/a"]', '["/","/b"]')],
    ),
    (
        SaveHandover(1, '{"summary":"x"}'),
        "SELECT handover_json, handover_at, handover_offers, handover_delivered_at FROM sessions"
        " WHERE id = 1",
        [('{"summary":"x"}', LATER, 0, None)],
    ),
    (
        OfferHandover(2),
        "SELECT handover_offers FROM sessions WHERE id = 2",
        [(1,)],
    ),
    (
        ReserveHandover(2, "7d1f"),
        "SELECT handover_run, handover_offers, handover_delivered_at FROM sessions WHERE id = 2",
        [("7d1f", 0, None)],
    ),
    (
        BindAgent("idler", 3),
        "SELECT id, effort_id FROM agents ORDER BY id",
        [("builder", 2), ("idler", 3)],
    ),
    (
        EnterPhase(2, "1: Plan", {"read": True}, "the user said so"),
        "SELECT current_phase, phase_label, proof_json, reason, phase_history.created_at"
        " FROM efforts JOIN phase_history ON effort_id = efforts.id WHERE effort_id = 2",
        [("1: Plan", "1: Plan", '{"read":true}', "the user said so", LATER)],
    ),
    (
        SetMetadata(2, {"loading": True}),
        "SELECT metadata_json FROM efforts WHERE id = 2",
        [('{"loading":true}',)],
    ),
    (
        SetDirectives(2, ("/a/AGENTS.md",)),
        "SELECT discovered_directives_json FROM efforts WHERE id = 2",
        [('["/a/AGENTS.md"]',)],
    ),
    (
        KeepSkill(1, Skill("implement", "Builds", "3"), "/s/SKILL.md", "4-5-6"),
        "SELECT name, description, version, path, stamp, updated_at FROM skills",
        [("implement", "Builds", "3", "/s/SKILL.md", "4-5-6", LATER)],
    ),
    (
        DropSkills(1),
        "SELECT name, path, stamp, updated_at FROM skills",
        [("implement", "/work/SKILL.md", "", AT)],
    ),
    (
        SetTodo(1, "1", "Write the parser", None, "completed"),
        "SELECT session_id, todo_id, subject, description, status, updated_at FROM todos",
        [(1, "1", "Write the parser", None, "completed", LATER)],
    ),
    (
        RemoveAgent("builder"),
        "SELECT count(*) FROM agents WHERE id = 'builder'",
        [(0,)],
    ),
    (
        SeeProcess(1),
        "SELECT id FROM sessions WHERE process_seen",
        [(1,)],
    ),
    (
        SetTodoList(1, (("Plan", "completed"), ("Build", "pending"))),
        "SELECT todo_id, subject, status FROM todos",
        [("list-001", "Plan", "completed"), ("list-002", "Build", "pending")],
    ),
    (
        ChangeTodo(1, "none", "completed", None),
        "SELECT count(*) FROM todos",
        [(0,)],
    ),
    (
        AddInjection(1, "r", "text", offered_by=7),
        "SELECT source, content, path, offers, offered_by, offered_at, delivered_at"
        " FROM injections WHERE source = 'r'",
        [("r", "text", None, 1, 7, LATER, None)],
    ),
    (
        OfferInjections((1,), 7),
        "SELECT offers, offered_by, offered_at FROM injections",
        [(1, 7, LATER)],
    ),
    (ConfirmInjections(1), "SELECT delivered_at FROM injections", [(None,)]),
    (MoveInjections(1, 4), "SELECT session_id, offered_at FROM injections", [(4, None)]),
    (LoseAnswer(7), "SELECT offered_at FROM injections", [(None,)]),
    (
        RegisterAgent("new", "src/*", "src/api/*", "tester", "lead", "%3", "/tmp/fleet", 12),
        "SELECT * FROM agents WHERE id = 'new'",
        [
            (
                *("new", "new", "src/*", "src/api/*", "tester", "lead", None, "idle"),
                *(None, None, "%3", "/tmp/fleet", 12, LATER),
            )
        ],
    ),
    (
        SetAgentStatus("builder", "attention", 12),
        "SELECT status, status_event_id, status_at FROM agents WHERE id = 'builder'",
        [("attention", 12, LATER)],
    ),
    (
        SetAgentStatus("builder", "error", 13),
        "SELECT id, status, status_event_id FROM sessions WHERE owner = 'builder'",
        [(2, "error", 13)],
    ),
    (
        AddMessage(1, 1, "user", "Go on", "AskUserQuestion", "toolu_1"),
        "SELECT session_id, effort_id, role, content, tool_name, ref, timestamp FROM messages"
        " WHERE ref = 'toolu_1'",
        [(1, 1, "user", "Go on", "AskUserQuestion", "toolu_1", LATER)],
    ),
    (
        guard(9, "here", "project", project_id=2, rule='{"ruleId":"here"}'),
        "SELECT name, scope, project_id, effort_id, rule_json, created_at FROM guards WHERE id = 9",
        [("here", "project", 2, None, '{"ruleId":"here"}', LATER)],
    ),
    (
        guard(9, "everywhere"),
        "SELECT id, name, scope FROM guards ORDER BY id",
        [(2, "in-orders", "project"), (3, "on-effort-2", "effort"), (9, "everywhere", "user")],
    ),
    (
        guard(9, "everywhere", "project", project_id=1),
        "SELECT count(*) FROM guards WHERE name = 'everywhere'",
        [(2,)],
    ),
    (
        Trust("/work/orders", "abc"),
        "SELECT root, digest, created_at FROM trusts",
        [("/work/orders", "abc", LATER)],
    ),
    (
        Pause(LATER),
        "SELECT value FROM meta WHERE key = 'paused_until'",
        [(LATER,)],
    ),
    (ReportMissedEvents(7), "SELECT count, told_at, told_by FROM unjudged", [(3, LATER, 7)]),
    (RemoveGuard(2), "SELECT id FROM guards ORDER BY id", [(1,), (3,)]),
    (
        AddAllowance("self-guard", "key", "Bash", "hookd restart", "", 8, LATER),
        "SELECT guard, call, tool, text, folder, event_id, until, created_at FROM allowances",
        [("self-guard", "key", "Bash", "hookd restart", None, 8, LATER, LATER)],
    ),
    (
        SetFileRules("/w/r.yaml", "project", "/w", "abc", (("a", "{}"), ("b", "{}")), ("b",)),
        "SELECT g.name, scope, p.path, rule_json, layer, source, loosens FROM guards g"
        " JOIN projects p ON p.id = g.project_id WHERE source IS NOT NULL ORDER BY g.name",
        [
            ("a", "project", "/w", "{}", "project", "/w/r.yaml", 0),
            ("b", "project", "/w", "{}", "project", "/w/r.yaml", 1),
        ],
    ),
    (ForgetTeamFiles(()), "SELECT count(*) FROM guards WHERE layer = 'team'", [(0,)]),
    (
        RecountEvents(),
        "SELECT key, value FROM meta WHERE key LIKE 'recount%' ORDER BY key",
        [("recount_clearing", "1"), ("recount_from", ""), ("recount_to", "0")],
    ),
    (RemoveAllowances(8), "SELECT count(*) FROM allowances", [(0,)]),
    (
        AddWorkItem(4, 1, f"Parse {KEY}", "\x1b[1mdates", "ada", "person"),
        "SELECT id, project_id, state, wanted, added_by, created_at, text, instr(title, 'abcdef')"
        " FROM work_items WHERE id = 4",
        [(4, 1, "open", "ada", "person", LATER, "[1mdates", 0)],
    ),
    (
        AddWorkItem(4, 1, "Parse", None, None, "person", after=(1, 2), before=(3,)),
        "SELECT * FROM work_dependencies ORDER BY 1, 2",
        [(3, 4), (4, 1), (4, 2)],
    ),
    (
        TakeWorkItem(1, "built", 2, "builder", 600),
        f"SELECT {WORK_STATE}, lease_s, taken_at FROM work_items ORDER BY id",
        [
            ("taken", "built", 2, "builder", None, 600, LATER),
            ("taken", "plain", 1, None, None, 1800, AT),
            ("blocked", None, None, None, "no key", 1800, None),
        ],
    ),
    (
        TakeWorkItem(2, "built", 2, "builder", 600),  # it is another's
        f"SELECT {WORK_STATE} FROM work_items WHERE id = 2",
        [("taken", "plain", 1, None, None)],
    ),
    (
        FinishWorkItem(2, "in src"),
        "SELECT state, conversation, result, done_at FROM work_items WHERE id = 2",
        [("done", "plain", "in src", LATER)],
    ),
    (
        BlockWorkItem(2, "no key"),
        f"SELECT {WORK_STATE} FROM work_items WHERE id = 2",
        [("blocked", None, None, None, "no key")],
    ),
    (
        BlockWorkItem(2, "needs it", after=(1,)),
        f"SELECT {WORK_STATE}, (SELECT group_concat(item_id || '-' || after_id)"
        " FROM work_dependencies) FROM work_items WHERE id = 2",
        [("open", None, None, None, "needs it", "2-1")],
    ),
    (
        ReleaseWorkItem(2, "lost"),
        f"SELECT {WORK_STATE} FROM work_items WHERE id = 2",
        [("open", None, None, None, "lost")],
    ),
    (
        MoveWorkItems("plain", "built", 2),
        "SELECT id, conversation, session_id FROM work_items WHERE state = 'taken'",
        [(2, "built", 2)],
    ),
    (
        AddOwnCall(7, 3, "built", "sub", "toolu_1", "log", "d" * 64, LATER),
        "SELECT at, event_id, session_id, conversation, agent_id, tool_use_id, tool, digest,"
        " used_at FROM own_calls",
        [(LATER, 7, 3, "built", "sub", "toolu_1", "log", "d" * 64, None)],
    ),
    (UseOwnCall(1), "SELECT used_at FROM own_calls", [(LATER,)]),
    (ForgetSession(1), "SELECT count(*) FROM sessions WHERE id = 1", [(0,)]),
    (
        Remember(1, "overflow", ["again"]),
        "SELECT * FROM policy_state",
        [(1, "overflow", '["again"]', LATER, 0)],
    ),
]


@pytest.mark.parametrize(("effect", "sql", "rows"), WRITTEN, ids=lambda value: type(value).__name__)
def test_an_effect_is_written_as_it_says(
    effect: RowEffect, sql: str, rows: Any, db: Connection
) -> None:
    write(db, [effect], LATER)
    assert one(db, sql) == rows


def test_every_effect_that_is_a_row_stands_in_this_table() -> None:
    # See test_mail.py, test_fleet.py, test_fleet_items.py.
    unions = (MailEffect, FleetEffect, FleetItemEffect)
    elsewhere = {one for union in unions for one in get_args(union)}
    assert {type(effect) for effect, _, _ in WRITTEN} == set(get_args(RowEffect)) - elsewhere


def test_a_call_has_one_rule_for_a_guard_the_latest(db: Connection) -> None:
    rule = AddAllowance("self-guard", "key", "Bash", "curl -u me:hunter2 x", "/w", 8, LATER)
    other = AddAllowance("secrets-guard", "key", "Bash", "x", "/w", 8, None)
    write(db, [rule, other, replace(rule, event_id=9, until=None)], LATER)
    rows = one(db, "SELECT guard, event_id, until, text FROM allowances ORDER BY guard")
    assert rows == [
        ("secrets-guard", 8, None, "x"),
        ("self-guard", 9, None, "curl -u me:[redacted:flag] x"),
    ]
    write(db, [RemoveAllowances(8)])
    assert one(db, "SELECT guard FROM allowances") == [("self-guard",)]


def test_a_cost_that_is_not_told_stays_as_it_was(db: Connection) -> None:
    write(db, [SetContextUsage(2, 0.5, "a", 1.25), SetContextUsage(2, 0.6, "b")])
    assert one(db, "SELECT context_usage, cost FROM sessions WHERE id = 2") == [(0.6, 1.25)]


@pytest.mark.parametrize(
    ("process", "conversation", "counted"),
    [
        ("7:1", "next", 0.5),  # after /clear
        (None, "next", 0.5),
        ("8:1", "next", 2.5),  # the agent was started again
        ("8:1", "first", 0.5),  # the conversation was resumed
    ],
)
def test_a_cost_is_counted_from_where_the_client_counts_from(
    db: Connection, process: str | None, conversation: str, counted: float
) -> None:
    first = replace(opens(20, "first"), client_process="7:1")
    silent = replace(first, id=21, claude_session_id="between", prev_session_id=20)
    own = {"id": 22, "claude_session_id": conversation, "client_process": process}
    before = 20 if conversation == "first" else 21
    write(db, [first, SetContextUsage(20, 0.5, "a", 2.0), silent])
    write(db, [replace(first, **own, prev_session_id=before), SetContextUsage(22, 0.1, "a", 2.5)])
    assert one(db, "SELECT usd FROM costs WHERE session_id = 22") == [(counted,)]


def test_an_agent_that_comes_again_keeps_what_it_does_not_say_anew(db: Connection) -> None:
    first = RegisterAgent("builder", claims="src/*", parent="lead", tmux_pane="%1")
    write(db, [first, SetAgentStatus("builder", "working", 1)])
    write(db, [RegisterAgent("builder", tmux_pane="%2")], LATER)
    assert one(
        db,
        "SELECT claims, parent, tmux_pane, effort_id, status, created_at FROM agents"
        " WHERE id = 'builder'",
    ) == [("src/*", "lead", "%2", 2, "working", AT)]


def test_what_was_offered_is_delivered_once_the_window_is_heard_and_a_handover_with_its_last_piece(
    db: Connection,
) -> None:
    pieces = [AddInjection(4, "handover", "one", handover_of=2, offered_by=5)]
    write(db, [*pieces, AddInjection(4, "handover", "two", handover_of=2)])
    state = "SELECT handover_delivered_at FROM sessions WHERE id = 2"
    write(db, [ConfirmInjections(4)])
    assert one(db, state) == [(None,)]
    write(db, [OfferInjections((3,), 6), ConfirmInjections(4)], LATER)
    assert one(db, state) == [(LATER,)]
    delivered = "SELECT content, delivered_at FROM injections WHERE session_id = 4 ORDER BY id"
    assert one(db, delivered) == [("one", AT), ("two", LATER)]


def test_what_a_window_has_seen_is_gathered_in_its_order_and_once(db: Connection) -> None:
    write(
        db,
        [
            AddSeen(2, ("/z", "/a"), ("/",)),
            AddSeen(2, ("/b", "/z"), ()),
            AddSeen(2, (), ("/x", "/")),
        ],
    )
    sql = "SELECT preloaded_files_json, touched_dirs_json FROM sessions WHERE id = 2"
    assert one(db, sql) == [('["/z","/a","/b"]', '["/","/x"]')]


def test_a_folder_is_added_once_and_what_was_touched_there_before_is_looked_into(
    db: Connection,
) -> None:
    touched = ("/work", "/work/lib", "/work/lib/deep", "/work/library")
    write(
        db,
        [
            AddSeen(2, (), touched),
            *[AddDir(2, "/work/lib")] * 2,
            AddDir(2, "/a"),
        ],
    )
    sql = "SELECT added_dirs_json, touched_dirs_json FROM sessions WHERE id = 2"
    assert one(db, sql) == [('["/work/lib","/a"]', '["/work","/work/library"]')]


def test_a_file_that_changed_leaves_the_open_windows_of_its_conversation_and_no_others(
    db: Connection,
) -> None:
    has = [AddSeen(number, ("/a/x", "/a/y"), ("/", "/a")) for number in (1, 2, 3)]
    read = [SetLoadedFiles(number, ("/a/x", "/b")) for number in (2, 3)]
    write(db, [*has, *read, EndSession(3, "other"), ForgetFile(2, "/a/x")])
    sql = (
        "SELECT id, loaded_files_json, preloaded_files_json, touched_dirs_json FROM sessions"
        " WHERE id < 4 ORDER BY id"
    )
    kept = ('["/a/x","/a/y"]', '["/","/a"]')
    assert one(db, sql) == [
        (1, '["/work/a", "/work/b"]', *kept),
        (2, '["/b"]', '["/a/y"]', '["/"]'),
        (3, '["/a/x", "/b"]', *kept),
    ]


DROPPED = [
    (DropSkills(1), ["other"]),
    (DropSkills(None, "/s/build.md"), ["implement", "other"]),
    (DropSkills(2, "/s/build.md"), ["implement"]),
    (DropSkills(None, "/s"), ["build", "implement", "other"]),
    (DropSkills(None), ["build", "implement", "other"]),
]


@pytest.mark.parametrize(("effect", "kept"), DROPPED)
def test_skills_are_dropped_by_their_project_or_their_file(
    effect: DropSkills, kept: list[str], db: Connection
) -> None:
    write(db, [KeepSkill(1, Skill("build"), "/s/build.md", "1")])
    write(db, [KeepSkill(2, Skill("other"), "/s/other.md", "1"), effect])
    found = one(db, "SELECT name FROM skills WHERE stamp <> '' ORDER BY name")
    assert [name for (name,) in found] == kept


@pytest.mark.parametrize(
    ("lost", "waiting"),
    [(LoseAnswer(5), ["five"]), (LoseAnswer(), ["five", "six"])],
)
def test_what_is_lost_waits_again_and_what_was_delivered_does_not(
    lost: LoseAnswer, waiting: list[str], db: Connection
) -> None:
    write(db, [AddInjection(4, "r", "old", offered_by=4), ConfirmInjections(4)])
    for number, name in ((5, "five"), (6, "six")):
        write(db, [AddInjection(4, "r", name, offered_by=number)])
    write(db, [lost])
    sql = "SELECT content FROM injections WHERE session_id = 4 AND offered_at IS NULL ORDER BY id"
    assert [row[0] for row in one(db, sql)] == waiting


def test_what_was_lost_waits_again_though_another_event_was_heard_in_between(
    db: Connection,
) -> None:
    piece = AddInjection(4, "handover", "one", handover_of=2, offered_by=5)
    write(db, [piece, ConfirmInjections(4), LoseAnswer(5)])
    assert one(db, "SELECT delivered_at FROM injections WHERE session_id = 4") == [(None,)]
    assert one(db, "SELECT handover_delivered_at FROM sessions WHERE id = 2") == [(None,)]


def test_a_missed_event_is_told_again_if_the_answer_that_told_it_was_lost(db: Connection) -> None:
    write(db, [ReportMissedEvents(7), LoseAnswer(6)])
    assert unreported_events(db) == ()
    write(db, [LoseAnswer(7)])
    assert [(missed.event, missed.count) for missed in unreported_events(db)] == [("Stop", 3)]


def test_a_session_that_has_ended_is_not_ended_again(db: Connection) -> None:
    write(db, [EndSession(3, "other")], AT)
    write(db, [EndSession(2, "clear")], LATER)
    ended = "SELECT ended_at, end_reason FROM sessions WHERE id = 3"
    assert one(db, ended) == [(AT, "other")]


SAID = [
    (AddMessage(1, None, "user", "x", ref="p"), 1),
    (AddMessage(1, None, "log", "x", ref="p"), 2),
    (AddMessage(2, None, "user", "x", ref="p"), 2),
    (AddMessage(1, None, "user", "x"), 2),
]


@pytest.mark.parametrize(("second", "count"), SAID)
def test_a_thing_is_said_once_by_its_ref(second: AddMessage, count: int, db: Connection) -> None:
    write(db, [AddMessage(1, None, "user", "first", ref="p"), second])
    assert one(db, "SELECT count(*) FROM messages") == [(count,)]


def test_an_event_is_kept_with_its_answer_and_its_session_was_heard_from(db: Connection) -> None:
    kept = writes.Event(
        id=5,
        at=LATER,
        event="PreToolUse",
        record=record({"tool_name": "Bash"}),
        session_id=1,
        claude_session_id="plain",
        agent_id="sub",
        tool_name="Bash",
        tool_use_id="toolu_1",
        prompt_id="p",
        decision="deny",
        rule="heartbeat",
        answer='{"a":1}',
        result='{"b":2}',
        delivery_key="k",
        duration_us=700,
        stages='{"parse":30}',
        resolved='{"1a":true}',
    )
    writes.record(db, kept)
    assert one(db, "SELECT * FROM events") == [
        (
            *(5, LATER, "PreToolUse", "hook", 1, "plain", "sub", "Bash", "toolu_1", "p", "deny"),
            *("heartbeat", '{"tool_name":"Bash"}', None, '{"a":1}', '{"b":2}', "k", 0),
            *(None, 0, 0, None, 700, '{"parse":30}', '{"1a":true}'),
        )
    ]
    assert one(db, f"SELECT id FROM sessions WHERE last_event_at = '{LATER}'") == [(1,)]


SECRET: list[dict[str, Any]] = [
    {"token": True},
    {"password": None},
    {"api_key": 12.5e30},
    {"note": "-----BEGIN PRIVATE KEY-----\nabc"},
    {"note": f'the key is "{KEY}"'},
    {"note": 'Cookie: session=abcdef"ghi'},
    {"list": [{"deep": f"token={KEY}"}]},
    {KEY: 1},
]


@pytest.mark.parametrize("value", SECRET, ids=str)
def test_what_is_kept_as_json_is_json_without_its_secrets(value: Any, db: Connection) -> None:
    text = json.dumps(value)
    writes.record(db, event(5, answer=text, result=text))
    write(db, [effort(9, "/work/orders/pagination", 9, metadata=value)])
    texts = (
        *one(db, "SELECT answer, result FROM events")[0],
        *one(db, "SELECT metadata_json FROM efforts WHERE id = 9")[0],
    )
    for kept in texts:
        assert KEY not in kept
        assert len(json.loads(kept)) == len(value)


def test_what_people_say_is_kept_without_its_secrets(db: Connection) -> None:
    said = f"use {KEY} for it"
    write(db, [AddMessage(1, None, "user", said), OpenTask("/work/x", None, said)])
    texts = one(db, "SELECT content FROM messages UNION ALL SELECT title FROM tasks")
    assert all(KEY not in text for (text,) in texts)


def test_an_event_that_waited_for_hooks_is_settled_with_what_they_did(db: Connection) -> None:
    hook = Hook("lint", "PreToolUse", "command", Source("user", "/s", "k"), command=f"lint {KEY}")
    ran = HookExecution(hook, exit_code=2, stderr=f"no: {KEY}", milliseconds=12.5)
    writes.record(db, replace(event(5, session_id=1), pending=True))
    assert one(db, "SELECT pending FROM events") == [(1,)]
    told = replace(event(5, session_id=1), answer="{}", decision="deny", rule="lint")
    writes.settle(db, told, [HookRun(ran, Opinion("deny", "no"))], LATER)
    assert one(db, "SELECT pending, decision, decided_by, answer FROM events") == [
        (0, "deny", "lint", "{}")
    ]
    ((command, code, decision, said),) = one(
        db, "SELECT command, exit_code, decision, stderr_excerpt FROM hook_run_overview"
    )
    assert (code, decision) == (2, "deny")
    assert KEY not in command + said


def test_a_trust_takes_the_place_of_the_one_before_and_can_be_taken_back(db: Connection) -> None:
    write(db, [Trust("/w", "a"), Trust("/w", "b")])
    assert one(db, "SELECT digest FROM trusts") == [("b",)]
    write(db, [Trust("/w", None)])
    assert one(db, "SELECT digest FROM trusts") == []


def test_a_file_s_rules_keep_their_confirmation_while_they_are_unchanged(db: Connection) -> None:
    rules, changed = (("a", "1"), ("b", "2")), (("a", "1"), ("b", "3"))
    first = SetFileRules("/r", "team", None, "x", rules, ("a", "b"))
    write(db, [first, SetFileRules("/r", "team", None, "y", changed)])
    said = "SELECT name, rule_json, loosens FROM guards WHERE source = '/r' ORDER BY name"
    assert one(db, said) == [("a", "1", 1), ("b", "3", 0)]
    assert one(db, "SELECT digest FROM trusts WHERE root = '/r'") == [("y",)]
    write(db, [ForgetTeamFiles(("/r",))])
    assert len(one(db, said)) == 2
    write(db, [ForgetTeamFiles(())])
    assert one(db, said) == []
    assert one(db, "SELECT digest FROM trusts WHERE root = '/r'") == []


def test_a_pause_takes_the_place_of_the_one_before_and_can_be_ended(db: Connection) -> None:
    found = "SELECT value FROM meta WHERE key = 'paused_until'"
    write(db, [Pause(AT), Pause(LATER)])
    assert one(db, found) == [(LATER,)]
    write(db, [Pause(None)])
    assert one(db, found) == []


def opens(number: int, conversation: str, agent: str | None = None) -> OpenSession:
    parent = 1 if agent else None
    return OpenSession(
        number, conversation, agent, None, None, None, None, parent, None, "compact", *[None] * 4
    )


@pytest.mark.parametrize(
    ("reason", "kept"),
    [("compact", ["stop"]), ("restart", ["stop"]), ("superseded", ["stop"]), ("other", [])],
)
def test_what_lasts_goes_over_to_the_next_window_of_the_conversation(
    reason: str, kept: list[str], db: Connection
) -> None:
    write(db, [opens(20, "talk")], LATER)
    write(db, [Remember(20, "stop", 1, lasts=True), Remember(20, "level", 2)], LATER)
    write(db, [EndSession(20, reason)], LATER)
    write(db, [opens(21, "talk", "sub"), opens(22, "other")], LATER)
    assert one(db, "SELECT policy FROM policy_state WHERE session_id = 20") == [
        (name,) for name in kept
    ]
    write(db, [opens(23, "talk")], LATER)
    assert one(db, "SELECT policy FROM policy_state WHERE session_id = 23") == [
        (name,) for name in kept
    ]
    assert one(db, "SELECT policy FROM policy_state WHERE session_id IN (20, 21, 22)") == []


def test_what_is_remembered_for_a_subagent_goes_with_its_window(db: Connection) -> None:
    write(db, [opens(20, "talk", "sub"), Remember(20, "a", 1)], LATER)
    write(db, [EndSession(1, "other")], LATER)
    assert one(db, "SELECT * FROM policy_state WHERE session_id = 20") == []


def test_what_is_nothing_is_forgotten(db: Connection) -> None:
    write(db, [Remember(1, "a", 1), Remember(1, "a", None)], LATER)
    assert one(db, "SELECT * FROM policy_state WHERE policy = 'a'") == []


def test_a_session_has_the_client_of_its_latest_event(db: Connection) -> None:
    def seen() -> tuple[str | None, str | None]:
        row: tuple[str | None, str | None] = db.execute(
            "SELECT client, client_version FROM session_overview WHERE id = 1"
        ).fetchone()
        return row

    writes.record(db, event(101, "SessionStart", session_id=1))
    assert seen() == (None, None)
    known = replace(
        event(102, "Stop", session_id=1), client="claude-code", client_version="2.1.330"
    )
    writes.record(db, known)
    assert seen() == ("claude-code", "2.1.330")
    writes.record(db, replace(known, id=103, client_version=None))
    assert seen() == ("claude-code", "2.1.330")
    writes.record(db, replace(known, id=104, client_version="2.1.331"))
    assert seen() == ("claude-code", "2.1.331")
