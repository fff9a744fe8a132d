"""AGENTS.md of a touched folder: found up to the root, given once, never from outside."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookd.config.models import DirectiveOptions, Settings
from hookd.core.model.effects.sessions import Remember
from hookd.core.model.facts import Effort, Guard
from hookd.events.model import PostToolUse
from hookd.events.protocol import utf16_length
from hookd.policies.directory_agents_injector import POLICY, Options
from support.disk import Disk
from support.parametrize import parametrize_all

FILES = {
    "AGENTS.md": "of the root",
    "README.md": "readme of the root",
    "api/AGENTS.md": "of the api",
    "api/README.md": "readme of the api",
    "api/v1/AGENTS.md": "of v1",
    "api/v1/pages.py": "x",
    "web/app.ts": "x",
}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path / "orders", FILES)


def event(disk: Disk, tool: str, name: str = "", **more: Any) -> PostToolUse:
    field = {"NotebookEdit": "notebook_path", "Grep": "path", "Glob": "path"}.get(tool, "file_path")
    told = {field: disk.path(name)} if name else {}
    return PostToolUse(
        hook_event_name="PostToolUse", tool_name=tool, tool_input=told, cwd=str(disk.root), **more
    )


def given(disk: Disk, text: str) -> list[str]:
    mark = "[Directory Context: "
    lines = [line for line in text.splitlines() if line.startswith(mark)]
    return [str(Path(line[len(mark) : -1]).relative_to(disk.root)) for line in lines]


BOTH = ["api/AGENTS.md", "api/v1/AGENTS.md"]
TOUCHED = [
    *((tool, "api/v1/pages.py", BOTH) for tool in ("Read", "Edit", "MultiEdit", "Write")),
    ("NotebookEdit", "api/v1/pages.ipynb", BOTH),
    ("Grep", "api/v1", BOTH),
    ("Glob", "api", BOTH[:1]),
    ("Grep", "", []),
    ("Read", "pages.py", []),
    ("Read", "web/app.ts", []),
    ("Read", "api/gone/for/good.py", BOTH[:1]),
    ("Read", "../elsewhere/a.py", []),
    ("Bash", "api/v1/pages.py", []),
]


@pytest.mark.parametrize(("tool", "name", "expected"), TOUCHED)
def test_what_stands_above_a_touched_file_is_given_from_below_the_root_down(
    tool: str, name: str, expected: list[str], disk: Disk
) -> None:
    assert given(disk, disk.says(POLICY, event(disk, tool, name))) == expected


def test_the_text_stands_below_its_path_and_says_who_brought_it(disk: Disk) -> None:
    text = disk.says(POLICY, event(disk, "Read", "api/pages.py"))
    head = "[hookd:directory-agents-injector] Instructions for the touched folders:"
    assert text == f"{head}\n\n[Directory Context: {disk.path('api/AGENTS.md')}]\nof the api"


def test_each_file_is_given_once_in_a_window_and_again_in_the_next(disk: Disk) -> None:
    first = disk.facts
    assert given(disk, disk.says(POLICY, event(disk, "Read", "api/a.py"))) == BOTH[:1]
    assert disk.says(POLICY, event(disk, "Read", "api/b.py")) == ""
    assert disk.rounds == 0, "a folder that was looked into is not looked at again"
    assert given(disk, disk.says(POLICY, event(disk, "Edit", "api/v1/c.py"))) == BOTH[1:]
    disk.facts = first  # what a compaction leaves
    assert given(disk, disk.says(POLICY, event(disk, "Read", "api/a.py"))) == BOTH[:1]


def test_what_the_window_has_by_other_ways_is_not_given(disk: Disk) -> None:
    session = disk.facts.session
    assert session is not None
    loaded, had = (disk.path("api/AGENTS.md"),), (disk.path("api/v1/AGENTS.md"),)
    known = replace(session, loaded_files=loaded, preloaded_files=had)
    disk.facts = replace(disk.facts, session=known)
    assert disk.says(POLICY, event(disk, "Read", "api/v1/a.py")) == ""


def test_a_file_that_was_just_read_is_not_given_a_second_time(disk: Disk) -> None:
    assert disk.says(POLICY, event(disk, "Read", "api/AGENTS.md")) == ""


def test_it_holds_where_the_setting_directives_does_not_bring_the_file(disk: Disk) -> None:
    read, effort = event(disk, "Read", "api/a.py"), Effort(1, "/work/demo", "build")
    disk.facts = replace(disk.facts, effort=effort)
    assert disk.asks(POLICY, read) is None
    never = Settings(directives=DirectiveOptions(when="never"))
    others = Settings(directives=DirectiveOptions(when="always", files=("RULES.md",)))
    for settings in (never, others):
        again = replace(disk.facts, settings=settings, policy_state={})
        disk.facts = replace(again, session=replace(again.session, preloaded_files=()))
        assert given(disk, disk.says(POLICY, read)) == BOTH[:1]
    always = Settings(directives=DirectiveOptions(when="always"))
    disk.facts = replace(disk.facts, effort=None, settings=always, policy_state={})
    assert disk.asks(POLICY, read) is None


def test_names_and_depth_are_options(disk: Disk) -> None:
    read = event(disk, "Read", "api/v1/a.py")
    names = ("AGENTS.md", "README.md")
    assert given(disk, disk.says(POLICY, read, names=names, max_depth=1)) == BOTH[1:]
    above = event(disk, "Read", "api/a.py")
    both = ["api/AGENTS.md", "api/README.md"]
    assert given(disk, disk.says(POLICY, above, names=names)) == both


@parametrize_all("name", ["", "..", "a/b.md", "../AGENTS.md", "a\0b"])
def test_a_name_is_the_name_of_a_file(name: str) -> None:
    with pytest.raises(ValueError, match="without a folder"):
        Options(names=(name,))


def test_a_link_leads_to_no_file_outside_of_the_project(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (disk.root / "web/AGENTS.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "away").mkdir()
    (tmp_path / "away/AGENTS.md").write_text("away")
    (disk.root / "out").symlink_to(tmp_path / "away")
    assert disk.says(POLICY, event(disk, "Read", "web/app.ts")) == ""
    assert disk.says(POLICY, event(disk, "Read", "out/a.py")) == ""


def test_a_project_that_is_called_by_a_link_is_the_same_project(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(disk.root)
    told = {"file_path": str(tmp_path / "link/api/a.py")}
    read = PostToolUse(hook_event_name="PostToolUse", tool_name="Read", tool_input=told)
    assert given(disk, disk.says(POLICY, read)) == BOTH[:1]
    assert disk.says(POLICY, read) == ""
    assert disk.rounds == 0


def test_what_lies_outside_is_looked_at_once(disk: Disk) -> None:
    away = event(disk, "Read", "../elsewhere/a.py")
    disk.asks(POLICY, away)
    assert disk.rounds == 1
    assert disk.asks(POLICY, away) is None
    assert disk.rounds == 0


def test_a_folder_that_was_added_is_a_root(disk: Disk, tmp_path: Path) -> None:
    more = Disk(tmp_path / "more", {"AGENTS.md": "root", "lib/AGENTS.md": "of the lib"})
    added = replace(disk.facts.session, added_dirs=(str(more.root),))
    disk.facts = replace(disk.facts, session=added)
    text = disk.says(POLICY, event(disk, "Read", "../more/lib/a.py"))
    assert given(more, text) == ["lib/AGENTS.md"]


@pytest.mark.parametrize("urgency", ["block", "ask"])
def test_a_file_that_a_rule_holds_back_is_not_brought(urgency: str, disk: Disk) -> None:
    rule = (
        '{"id": "shut", "urgency": "%s", "payload": {"text": "No."},'
        ' "toolFilter": {"include": ["Read(*AGENTS.md)"]}}'
    )
    disk.facts = replace(disk.facts, guards=(Guard(1, "shut", "user", rule % urgency),))
    assert disk.says(POLICY, event(disk, "Read", "api/a.py")) == ""


def test_long_files_share_the_room_and_say_where_the_rest_is(disk: Disk) -> None:
    disk.write({"api/AGENTS.md": "é😀\n" * 3_000, "api/v1/AGENTS.md": "b\n" * 9_000})
    text = disk.says(POLICY, event(disk, "Read", "api/v1/a.py"), budget=2_000)
    assert given(disk, text) == BOTH
    assert utf16_length(text) <= 2_100
    for name in BOTH:
        assert f"[cut: the whole text is in {disk.path(name)}]" in text


def test_a_secret_is_not_cut_in_two(disk: Disk) -> None:
    key = "sk-ant-api03-" + "abcdefghijklmnopqrstuvwxyz0123456789" * 2
    for ahead in range(300, 420, 20):
        disk.facts = replace(disk.facts, policy_state={}, session=Disk(disk.root, {}).facts.session)
        disk.write({"api/AGENTS.md": "x" * ahead + f" {key} " + "y" * 900})
        text = disk.says(POLICY, event(disk, "Read", "api/a.py"), budget=500)
        assert "sk-ant-api03-abc" not in text


def test_a_window_keeps_no_more_than_its_last_folders(disk: Disk) -> None:
    kept = {POLICY.name: {"folders": [f"/x/{number}" for number in range(300)]}}
    disk.facts = replace(disk.facts, policy_state=kept)
    opinion = disk.asks(POLICY, event(disk, "Read", "api/a.py"))
    assert opinion is not None
    (one,) = [effect for effect in opinion.effects if isinstance(effect, Remember)]
    assert (len(one.value["folders"]), one.lasts) == (300, False)
    assert one.value["folders"][-1] == disk.path("api")


def test_it_is_silent_where_there_is_no_window_or_no_project(disk: Disk) -> None:
    read = event(disk, "Read", "api/a.py")
    for lacking in ({"session": None}, {"project": None}):
        other = Disk(disk.root, {})
        other.facts = replace(other.facts, **lacking)
        assert other.asks(POLICY, read) is None


def test_few_looks_are_enough(disk: Disk) -> None:
    disk.says(POLICY, event(disk, "Read", "api/v1/a.py"))
    assert disk.rounds == 1
