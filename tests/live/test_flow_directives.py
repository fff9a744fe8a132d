"""Live: texts that say how to work in a folder come once, when a file there is touched."""

import json
from pathlib import Path

import pytest

from support.flows import after_clear, has_read, has_run, put, skill, told
from support.home import Home, Window, window_in
from support.payloads import context

ROOT, SRC = "Rules of the whole.", "Rules of src."


@pytest.fixture
def working(window: Window) -> Window:
    """A window at work in a project with directive files in its root and in src."""
    put(f"{window.project}/AGENTS.md", ROOT)
    put(f"{window.project}/src/AGENTS.md", SRC)
    put(f"{window.project}/src/x.py", "x = 1")
    window.starts()
    window.says("SessionStart")
    return window


def test_they_come_once_and_the_root_s_come_first(working: Window) -> None:
    root = working.project
    text = has_read(working, f"{root}/src/x.py")
    assert (
        text == f"[Preloaded: {root}/AGENTS.md]\n{ROOT}\n\n[Preloaded: {root}/src/AGENTS.md]\n{SRC}"
    )
    assert has_read(working, f"{root}/src/x.py") == ""
    assert has_read(working, f"{root}/src/y.py") == ""
    ((kept,),) = working.home.rows(
        "SELECT e.discovered_directives_json FROM efforts e JOIN sessions s ON s.effort_id = e.id"
        " WHERE s.claude_session_id = ?",
        working.id,
    )
    assert json.loads(kept) == [f"{root}/AGENTS.md", f"{root}/src/AGENTS.md"]


def test_what_the_client_gives_itself_is_left_to_it_from_window_to_window(working: Window) -> None:
    root = working.project
    put(f"{root}/src/INVARIANTS.md", "Never touch v1.")
    assert SRC in has_read(working, f"{root}/src/x.py"), "an older client gives none"
    working.env["AI_AGENT"] = "claude-code_2-1-330_harness"
    following, text = after_clear(working)
    assert "Never touch v1." in text
    assert ROOT not in text
    assert SRC not in text
    assert has_read(following, f"{root}/src/x.py") == ""
    said = context(following.says("SubagentStart", agent_id="a1", agent_type="general-purpose"))
    assert ROOT not in said
    said = context(following.says("SubagentStart", agent_id="a2", agent_type="Explore"))
    assert ROOT in said
    put(f"{root}/CLAUDE.md", "The client reads this instead.")
    assert ROOT in after_clear(following)[1]


@pytest.mark.parametrize(
    ("tool", "field", "given"),
    [
        ("Edit", "file_path", "src/x.py"),
        ("Write", "file_path", "src/deep/er/new.py"),
        ("NotebookEdit", "notebook_path", "src/n.ipynb"),
        ("Grep", "path", "src"),
        ("Glob", "path", "src"),
    ],
)
def test_every_tool_that_touches_a_file_brings_them(
    working: Window, tool: str, field: str, given: str
) -> None:
    text = context(has_run(working, tool, **{field: f"{working.project}/{given}"}))
    assert ROOT in text
    assert SRC in text


def test_a_tool_that_touches_no_file_brings_none(working: Window) -> None:
    assert has_run(working, "Bash", command="cat src/x.py") is None


def test_nothing_above_the_project_is_looked_at(working: Window) -> None:
    above = put(Path(working.project).parent / "AGENTS.md", "of somebody else")
    put(Path(working.project).parent / "other" / "AGENTS.md", "of somebody else")
    has_read(working, f"{working.project}/src/x.py")
    for path in (above, f"{working.project}/../other/x.py", "/etc/passwd", "../other/x.py"):
        assert "of somebody else" not in has_read(working, path)


def test_a_link_out_of_the_project_is_not_followed(working: Window) -> None:
    secret = put(working.home.path / "outside" / f"{working.id}.md", "the user's own")
    project = Path(working.project)
    (project / "lib").mkdir()
    (project / "lib" / "AGENTS.md").symlink_to(secret)
    (project / "away").symlink_to(Path(secret).parent)
    put(Path(secret).parent / "AGENTS.md", "the user's own")
    for path in ("lib/x.py", "away/x.py"):
        assert "the user's own" not in has_read(working, str(project / path))


def test_a_link_within_the_project_is_the_same_file(working: Window) -> None:
    project = Path(working.project)
    (project / "lib").mkdir()
    (project / "lib" / "AGENTS.md").symlink_to("../AGENTS.md")
    (project / "linked").symlink_to("src")
    text = has_read(working, str(project / "lib" / "x.py"))
    assert text.count(ROOT) == 1
    assert has_read(working, str(project / "linked" / "x.py")).count(SRC) == 1
    assert has_read(working, str(project / "src" / "x.py")) == ""


def test_a_file_that_the_model_has_read_itself_is_not_brought_again(working: Window) -> None:
    has_read(working, f"{working.project}/AGENTS.md")
    assert has_read(working, f"{working.project}/y.py") == ""


def test_after_compaction_they_come_with_the_start(working: Window) -> None:
    has_read(working, f"{working.project}/src/x.py")
    text = context(working.says("SessionStart", source="compact"))
    assert ROOT in text
    assert SRC in text
    assert has_read(working, f"{working.project}/src/x.py") == ""
    second, text = after_clear(working)
    assert ROOT in text
    assert has_read(second, f"{working.project}/src/x.py") == ""


def test_a_skill_may_name_more_of_them(window: Window) -> None:
    skill(window, "plan", "---\ndirectives: [HOUSE, '*.rules.md']\n---\n")
    for name in ("HOUSE.md", "style.rules.md", "OTHER.md"):
        put(f"{window.project}/{name}", f"text of {name}")
    window.starts("plan")
    window.says("SessionStart")
    text = has_read(window, f"{window.project}/x.py")
    assert [name in text for name in ("HOUSE.md", "style.rules.md", "OTHER.md")] == [1, 1, 0]


def test_long_ones_come_in_pieces_or_wait_for_the_next_event(working: Window) -> None:
    put(f"{working.project}/AGENTS.md", "\n".join(f"root {n:05}" for n in range(2_000)))
    put(f"{working.project}/src/AGENTS.md", "\n".join(f"src {n:05}" for n in range(500)))
    pieces = [has_read(working, f"{working.project}/src/x.py"), *told(working)]
    assert all(len(piece) <= 10_000 for piece in pieces)
    lines = [line for piece in pieces for line in piece.splitlines()]
    found = [line for line in lines if line.startswith(("root ", "src "))]
    assert found == [f"root {n:05}" for n in range(2_000)] + [f"src {n:05}" for n in range(500)]


@pytest.mark.parametrize(
    ("when", "brought"), [("effort", False), ("always", True), ("never", False)]
)
def test_without_an_effort_the_settings_decide(home: Home, when: str, brought: bool) -> None:
    home.settings({"directives": {"when": when}})
    home.serves()
    window = window_in(home)
    put(f"{window.project}/AGENTS.md", ROOT)
    window.says("SessionStart")
    assert (ROOT in has_read(window, f"{window.project}/x.py")) == brought
    window.says("SessionStart", source="compact")
    assert (ROOT in has_read(window, f"{window.project}/x.py")) == brought


def test_with_never_an_effort_changes_nothing(home: Home) -> None:
    home.settings({"directives": {"when": "never"}})
    home.serves()
    window = window_in(home)
    put(f"{window.project}/AGENTS.md", ROOT)
    window.starts()
    assert has_read(window, f"{window.project}/x.py") == ""


def test_a_subagent_s_window_is_its_own(working: Window) -> None:
    path = f"{working.project}/src/x.py"
    has_read(working, path)
    more = {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_response": {}}
    assert SRC in context(working.says("PostToolUse", agent_id="a1", **more))
    assert working.says("PostToolUse", agent_id="a1", **more) is None


def test_a_secret_that_would_be_cut_in_two_is_kept_nowhere(working: Window) -> None:
    key = "sk-ant-api03-" + "a1B2" * 24
    for before in range(7_880, 8_100, 20):
        put(f"{working.project}/{before}/AGENTS.md", "w " * (before // 2) + key + " x" * 3_000)
        has_read(working, f"{working.project}/{before}/x.py")
        told(working)
    sql = "SELECT i.content FROM injections i JOIN sessions s ON s.id = i.session_id"
    texts = working.home.rows(f"{sql} WHERE s.claude_session_id = ?", working.id)
    assert len(texts) > 20
    assert "a1B2a1B2" not in str(texts)
