"""Live: a skill with phases starts its effort, and the cache follows its file."""

from pathlib import Path
from typing import Any

import pytest

from support.flows import PHASED, called, has_run, put, skill, typed, with_templates
from support.home import Home, Window, window_in
from support.payloads import context, verdict


def efforts(window: Window) -> list[Any]:
    """Return the efforts of this project: skill, task, ordinal, state."""
    return window.home.rows(
        "SELECT e.skill, e.task_dir, e.ordinal, e.lifecycle FROM efforts e"
        " JOIN projects p ON p.id = e.project_id WHERE p.path = ? ORDER BY e.id",
        window.project,
    )


def pages(window: Window) -> str:
    """Return the folder of the task that the typed words name."""
    return f"{window.project}/tasks/pages-of-orders"


def test_a_typed_skill_with_phases_begins_its_effort_on_the_task_that_is_named(
    window: Window,
) -> None:
    folder = skill(window, text=PHASED.replace("phases:", "logTemplate: LOG.md\nphases:"))
    put(f"{folder}/LOG.md", "# The log")
    text = context(typed(window, "implement", "pages of orders"))
    assert efforts(window) == [("implement", pages(window), 1, "active")]
    assert "is active: implement on " + pages(window) in text
    assert f"{pages(window)}/1_IMPLEMENT_LOG.md" in text
    assert "Phases: 0: Setup; 1: Build; 2: Check." in text
    assert "hookd effort phase '0'" in text
    assert f"[Preloaded: {folder}/LOG.md]\n# The log" in text
    assert "Skill: implement | Phase: none" in context(window.says("UserPromptSubmit"))


def test_a_called_skill_does_the_same(window: Window) -> None:
    skill(window)
    text = called(window, "implement", "pages of orders")
    assert "is active: implement on " + pages(window) in text
    assert efforts(window) == [("implement", pages(window), 1, "active")]


@pytest.mark.parametrize("call", [typed, called], ids=["typed", "called"])
def test_a_skill_without_phases_or_without_a_file_begins_nothing(window: Window, call: Any) -> None:
    skill(window, "greet", with_templates())
    for name in ("greet", "nowhere", "../../etc", "plugin:implement"):
        assert not call(window, name, "Ann")
    assert efforts(window) == []


def test_called_again_it_goes_on_and_another_skill_gets_the_next_ordinal(window: Window) -> None:
    skill(window)
    skill(window, "review")
    typed(window, "implement", "pages of orders")
    assert "is resumed" in context(typed(window, "implement"))
    text = called(window, "review")
    assert efforts(window) == [
        ("implement", pages(window), 1, "active"),
        ("review", pages(window), 2, "active"),
    ]
    assert f"{pages(window)}/2_REVIEW_LOG.md" in text
    (row,) = window.sessions("effort_id")
    assert row == window.home.rows("SELECT max(id) FROM efforts")[0]


def test_another_conversation_that_names_the_same_task_goes_on_with_it(window: Window) -> None:
    skill(window)
    typed(window, "implement", "pages of orders")
    window.says("SessionEnd", reason="other")
    other = Window(window.home, window.project)
    assert "is resumed" in context(typed(other, "implement", "Pages of ORDERS!"))
    assert efforts(window) == [("implement", pages(window), 1, "active")]


def test_the_words_may_begin_with_a_folder_that_is_there(window: Window) -> None:
    skill(window)
    folder = Path(window.project, "work", "old task")
    folder.mkdir(parents=True)
    (folder.parent / "new").mkdir()
    typed(window, "implement", "work/new with care")
    assert [one[1] for one in efforts(window)] == [str(folder.parent / "new")]


@pytest.mark.parametrize("words", ["../../outside", "/etc", "~/x"])
def test_the_words_lead_to_no_folder_outside_of_the_project(window: Window, words: str) -> None:
    skill(window)
    typed(window, "implement", words)
    ((_, task, _, _),) = efforts(window)
    assert task.startswith(f"{window.project}/tasks/")


def test_without_words_the_task_has_the_skill_s_name(window: Window) -> None:
    skill(window)
    typed(window, "implement")
    assert efforts(window) == [("implement", f"{window.project}/tasks/implement", 1, "active")]


def test_a_subagent_s_skill_begins_nothing(window: Window) -> None:
    skill(window)
    window.says("UserPromptSubmit")
    more = {"tool_name": "Skill", "tool_input": {"skill": "implement"}, "tool_response": {}}
    assert window.says("PostToolUse", agent_id="a1", **more) is None
    assert efforts(window) == []


def test_the_settings_switch_it_off_or_move_the_folder(home: Home) -> None:
    home.settings({"efforts": {"auto": False}})
    home.serves()
    window = window_in(home)
    skill(window)
    assert typed(window, "implement", "pages of orders") is None
    assert called(window, "implement") == ""
    assert efforts(window) == []
    home.settings({"efforts": {"tasks": "work/items"}})
    home.restarts()
    typed(window, "implement", "pages")
    assert [one[1] for one in efforts(window)] == [f"{window.project}/work/items/pages"]


def test_the_cache_follows_the_file(window: Window) -> None:
    folder = skill(window)
    typed(window, "implement", "pages")

    def kept() -> list[Any]:
        rows = window.home.rpc("skill.list", {"project": window.project})["skills"]
        return [(one["name"], [phase["name"] for phase in one["phases"]]) for one in rows]

    assert kept() == [("implement", ["Setup", "Build", "Check"])]
    put(f"{folder}/SKILL.md", PHASED.replace("Setup", "Prepare"))
    assert "Phases: 0: Prepare; 1: Build; 2: Check." in context(typed(window, "implement"))
    assert kept() == [("implement", ["Prepare", "Build", "Check"])]


BROKEN = "---\nphases: [1: a\n---\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BROKEN, "line "),
        ("---\nphases: 3\n---\n", "is not a list"),
        ("---\nx: 1\n", "no end"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_to_the_user(
    window: Window, text: str, said: str
) -> None:
    folder = skill(window, text=text)
    answer = typed(window, "implement", "pages")
    assert context(answer) == ""
    assert answer["systemMessage"].startswith(f"hookd: {folder}/SKILL.md: ")
    assert said in answer["systemMessage"]
    assert efforts(window) == []


def test_a_file_that_breaks_later_is_told_too_and_what_was_known_holds(window: Window) -> None:
    folder = skill(window)
    typed(window, "implement", "pages")
    put(f"{folder}/SKILL.md", BROKEN)
    for answer in (typed(window, "implement"), has_run(window, "Skill", skill="implement")):
        assert f"{folder}/SKILL.md" in answer["systemMessage"]
        assert "Phases: 0: Setup; 1: Build; 2: Check." in context(answer)


def test_a_skill_of_the_user_s_own_holds_before_the_project_s(home: Home) -> None:
    home.serves()
    window = window_in(home)
    skill(window)
    own = home.path / ".claude" / "skills" / "implement" / "SKILL.md"
    put(own, PHASED.replace("Setup", "Own"))
    assert "Phases: 0: Own; " in context(typed(window, "implement", "pages"))


COMMAND = [
    ("start pages implement", "is active: implement on "),
    ("start tasks/pages implement --mode deep", "is active: implement on "),
]


@pytest.mark.parametrize(("words", "said"), COMMAND)
@pytest.mark.parametrize("name", ["effort", "hookd:effort"])
def test_the_effort_command_starts_an_effort_once_the_call_has_gone_through(
    window: Window, words: str, said: str, name: str
) -> None:
    assert window.calls("Skill", skill=name, args=words) is None
    assert efforts(window) == [], "the call may still be denied"
    assert said + f"{window.project}/tasks/pages" in called(window, name, words)
    assert efforts(window) == [("implement", f"{window.project}/tasks/pages", 1, "active")]


def test_the_effort_command_resumes_and_logs(window: Window) -> None:
    called(window, "effort", "start pages implement")
    for turn in range(2):
        window.bash(f"echo {turn}")
    path = f"{window.project}/tasks/pages/1_IMPLEMENT_LOG.md"
    assert called(window, "effort", "log The parser's done.") == f"[hookd:effort] Logged: {path}"
    assert Path(path).read_text().endswith("The parser's done.\n")
    called(window, "effort", "log 'Whole.'")
    assert Path(path).read_text().endswith("] Whole.\n")
    assert window.count == 0
    assert "is resumed" in called(window, "effort", "resume")
    assert "is resumed" in called(window, "effort", "resume pages")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "dance",
        "start",
        "start a b c",
        "start a 'b",
        "resume x y",
        "resume",
        "log",
        "log x",
        "start a\0b implement",
    ],
)
def test_an_effort_command_that_makes_no_sense_is_denied_with_its_usage(
    window: Window, words: str
) -> None:
    decision, reason = verdict(window.calls("Skill", skill="effort", args=words))
    assert decision == "deny"
    assert "Usage: effort start TASK SKILL" in reason
    answer = typed(window, "effort", words)
    assert "Usage: effort start TASK SKILL" in answer["systemMessage"]
    assert efforts(window) == []


def test_a_subagent_starts_no_effort_by_command_and_may_log(window: Window) -> None:
    window.env["AGENT_ID"] = f"agent-{window.id[:8]}"
    effort = window.starts()
    window.says("SessionStart")
    for words in ("start other review", "resume", "resume other"):
        answer = window.calls("Skill", skill="effort", args=words, event={"agent_id": "a1"})
        decision, reason = verdict(answer)
        assert (decision, "a subagent works on its parent's effort" in reason) == ("deny", True)
    answer = window.says(
        "PostToolUse",
        tool_name="Skill",
        agent_id="a1",
        tool_input={"skill": "effort", "args": "log x"},
    )
    assert context(answer) == f"[hookd:effort] Logged: {effort['logPath']}"
    sql = "SELECT effort_id FROM agents WHERE id = ?"
    assert window.home.rows(sql, window.env["AGENT_ID"]) == [(effort["effortId"],)]
    assert len(efforts(window)) == 1


def test_the_session_s_later_tool_calls_belong_to_the_effort_that_began(window: Window) -> None:
    skill(window)
    window.says("SessionStart")
    typed(window, "implement", "pages")
    window.says("UserPromptSubmit", prompt="go on")
    ((effort,),) = window.sessions("effort_id")
    rows = window.home.rows("SELECT role, content FROM messages WHERE effort_id = ?", effort)
    assert rows == [("user", "go on")]


@pytest.mark.parametrize(
    ("words", "task"),
    [
        ("\ud800 \0 x", "x"),
        ("a/\0b", "a-b"),
        ("日本語 ページ", "日本語-ページ"),
        ("-- -", "implement"),
        ("x" * 500_000, "x" * 60),
        (["no", "text"], "implement"),
        (None, "implement"),
    ],
    ids=["surrogate", "NUL", "Japanese", "no words", "long", "a list", "null"],
)
def test_odd_words_name_a_task_all_the_same(window: Window, words: Any, task: str) -> None:
    skill(window)
    has_run(window, "Skill", skill="implement", args=words)
    assert efforts(window) == [("implement", f"{window.project}/tasks/{task}", 1, "active")]
