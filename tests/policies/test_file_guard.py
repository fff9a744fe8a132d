"""A window that delegates is advised to delegate changes of files that are not its own as well."""

from typing import Any

from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Effort, Facts, Project, Session
from hookd.core.model.verdict import Opinion
from hookd.events.model import PreToolUse
from hookd.policies.file_guard import Options, opine
from support.parametrize import parametrize_all

DELEGATES = {"delegates": True}


def said(
    tool: str, path: Any = None, state: Any = DELEGATES, *, agent: str | None = None, **options: Any
) -> Opinion:
    named = "notebook_path" if tool == "NotebookEdit" else "file_path"
    event = PreToolUse(tool_name=tool, tool_input={named: path}, cwd="/w/sub", agent_id=agent)
    facts = Facts(
        session=Session(1, "s", agent_id=agent),
        project=Project(1, "/w"),
        effort=Effort(1, "/w/work/demo", "implement"),
        policy_state={} if state is None else {"file-guard": state},
    )
    return opine(event, facts, Options(**options)) or Opinion()


@parametrize_all("tool", ["Agent", "Task"])
def test_a_window_is_known_to_delegate_from_its_first_delegated_call_on(tool: str) -> None:
    assert said(tool, state=None) == Opinion(effects=(Remember(1, "file-guard", DELEGATES),))
    assert said(tool, state="odd").effects == (Remember(1, "file-guard", DELEGATES),)
    assert said(tool) == Opinion()
    assert said("Edit", "/w/src/a.py", state=None) == Opinion()


@parametrize_all("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit"])
def test_a_change_of_another_file_is_advised_on_and_never_decided(tool: str) -> None:
    opinion = said(tool, "/w/src/a.ipynb")
    assert (opinion.verdict, opinion.updated_input) == (None, None)
    assert opinion.context.startswith(
        "[hookd:file-guard] This window delegates work: consider delegating the change of /w/src/"
    )
    assert opinion.effects == (
        Remember(1, "file-guard", {"delegates": True, "at": "2026-01-31T08:00:00.000Z"}),
    )


@parametrize_all(
    ("path", "own"),
    [
        ("/w/plans/a.txt", True),
        ("/w/.hookd/settings.json", True),
        ("/w/.claude/agents/a.json", True),
        ("/w/CLAUDE.md", True),
        ("/w/sub/deep/NOTES.md", True),
        ("/w/work/demo/1_LOG.txt", True),
        ("/elsewhere/a.py", True),
        ("/w/plans/../src/a.py", False),
        ("/w/work/demo2/a.py", False),
        ("/w/plans.py", False),
        ("a.py", False),
        ("../plans/a.txt", True),
        ("", True),
        (None, True),
        (7, True),
    ],
)
def test_which_files_of_the_project_are_the_windows_own(path: Any, own: bool) -> None:
    assert (said("Edit", path) == Opinion()) == own


def test_which_files_are_its_own_is_the_users_to_say() -> None:
    assert said("Edit", "/w/src/a.py", own=("src/**",)) == Opinion()
    assert said("Edit", "/w/CLAUDE.md", own=("src/**",)).context
    assert said("Edit", "/w/CLAUDE.md", own=()).context


@parametrize_all(
    ("at", "every", "silent"),
    [
        ("2026-01-31T07:55:00.000Z", 10, True),
        ("2026-01-31T07:45:00.000Z", 10, False),
        ("2026-01-31T07:59:59.000Z", 0, False),
    ],
)
def test_a_window_is_told_once_in_so_many_minutes(at: str, every: int, silent: bool) -> None:
    state = {"delegates": True, "at": at}
    assert (said("Edit", "/w/src/a.py", state, every=every) == Opinion()) == silent


def test_subagents_and_other_tools_are_left_alone() -> None:
    assert said("Edit", "/w/src/a.py", agent="a1") == Opinion()
    assert said("Agent", state=None, agent="a1") == Opinion()
    assert said("Read", "/w/src/a.py") == Opinion()
    assert opine(PreToolUse(tool_name="Agent", tool_input={}), Facts(), Options()) is None


def test_without_a_project_the_working_folder_is_the_place() -> None:
    event = PreToolUse(tool_name="Edit", tool_input={"file_path": "/x/a.py"}, cwd="/x")
    facts = Facts(session=Session(1, "s"), policy_state={"file-guard": DELEGATES})
    assert opine(event, facts, Options()) is not None
    nowhere = event.model_copy(update={"cwd": None})
    assert opine(nowhere, facts, Options()) is None
