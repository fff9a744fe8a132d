"""Directive files: found from the project's root down to the touched folder, each once a window."""

from typing import Any, Literal

from hookd.config.models import DirectiveOptions, Settings
from hookd.core.context_window.directives import Discovered, discover
from hookd.core.model.effects.efforts import SetDirectives
from hookd.core.model.effects.sessions import AddSeen
from hookd.core.model.facts import Effort, Facts, Project, Session
from hookd.events.model import PostToolUse
from support.fact_lookup import PHASED, ROOT, SKILL, ask, here
from support.parametrize import parametrize_all

EFFORT = Effort(4, f"{ROOT}/tasks/x", "build", directives=(f"{ROOT}/OLD.md",))
FILES = {
    f"{ROOT}/AGENTS.md": "root",
    f"{ROOT}/README.md": "no directive",
    f"{ROOT}/api/AGENTS.md": "api",
    f"{ROOT}/api/INVARIANTS.md": "always",
    f"{ROOT}/api/v1/AGENTS.md": "v1",
    f"{ROOT}/web/AGENTS.md": "web",
    "/work/AGENTS.md": "above",
    f"{ROOT}-old/AGENTS.md": "old",
}


def event(tool: str, *, cwd: str | None = ROOT, **told: Any) -> PostToolUse:
    return PostToolUse(tool_name=tool, tool_input=told, cwd=cwd)


def found(event: PostToolUse, facts: Facts | None = None, **files: str) -> Discovered:
    return ask(lambda known: discover(event, known), facts or here(effort=EFFORT), FILES | files)


def paths(one: Discovered) -> list[str]:
    return [str(fresh.path).removeprefix(f"{ROOT}/") for fresh in one.fresh]


DEEP = ["AGENTS.md", "api/AGENTS.md", "api/INVARIANTS.md", "api/v1/AGENTS.md"]
TOUCHED: list[tuple[PostToolUse, list[str]]] = [
    (event("Read", file_path=f"{ROOT}/api/v1/a.py"), DEEP),
    (event("Edit", file_path=f"{ROOT}/api/v1/a.py"), DEEP),
    (event("MultiEdit", file_path=f"{ROOT}/api/v1/a.py"), DEEP),
    (event("Write", file_path=f"{ROOT}/api/v1/a.py"), DEEP),
    (event("NotebookEdit", notebook_path=f"{ROOT}/api/v1/a.ipynb"), DEEP),
    (event("Read", file_path="api/v1/a.py"), DEEP),
    (event("Read", file_path="v1/a.py", cwd=f"{ROOT}/api"), DEEP),
    (event("Read", file_path=f"{ROOT}/web/../api/v1/a.py"), DEEP),
    (event("Glob", pattern="*.py", path=f"{ROOT}/api/v1"), DEEP),
    (event("Grep", pattern="x", path="api/v1"), DEEP),
    (event("Grep", pattern="x", cwd=f"{ROOT}/api/v1"), DEEP),
    (event("Grep", pattern="x"), DEEP[:1]),
    (event("Read", file_path=f"{ROOT}/a.py"), DEEP[:1]),
    (event("Read", file_path=f"{ROOT}/docs/new/a.py"), DEEP[:1]),
    (event("Read", file_path="/work/a.py"), []),
    (event("Read", file_path=f"{ROOT}/../a.py"), []),
    (event("Read", file_path=f"{ROOT}-old/a.py"), []),
    (event("Read", file_path="/etc/passwd"), []),
    (event("Read", file_path=""), []),
    (event("Read", file_path=3), []),
    (event("Read"), []),
    (event("Grep", pattern="x", cwd=None), []),
    (event("Bash", command=f"cat {ROOT}/api/a.py"), []),
    (event("Skill", skill="build"), []),
]


@parametrize_all(("event", "given"), TOUCHED)
def test_what_stands_above_a_touched_file_is_found_from_the_root_down(
    event: PostToolUse, given: list[str]
) -> None:
    assert paths(found(event)) == given


READ = event("Read", file_path=f"{ROOT}/api/a.py")


def test_it_is_kept_for_the_window_and_for_the_effort() -> None:
    one = found(READ)
    files = tuple(f"{ROOT}/{name}" for name in DEEP[:3])
    assert one.effects == (
        AddSeen(3, files, (ROOT, f"{ROOT}/api")),
        SetDirectives(4, (f"{ROOT}/OLD.md", *files)),
    )
    assert {fresh.rule_id for fresh in one.fresh} == {"directive"}


def test_a_folder_is_looked_into_once_in_a_window() -> None:
    session = Session(3, "s", touched_dirs=(ROOT, f"{ROOT}/api"))
    facts = here(effort=EFFORT, session=session)
    assert discover(READ, facts) == Discovered()
    assert paths(found(event("Read", file_path=f"{ROOT}/api/v1/a"), facts)) == DEEP[3:]


def test_a_folder_without_directives_is_not_looked_into_again() -> None:
    one = found(event("Read", file_path=f"{ROOT}/docs/a.md"), here(effort=EFFORT))
    assert isinstance(one.effects[0], AddSeen)
    assert one.effects[0].dirs == (ROOT, f"{ROOT}/docs")


def test_a_file_that_the_window_has_had_is_not_given_again() -> None:
    session = Session(3, "s", loaded_files=(f"{ROOT}/AGENTS.md",))
    assert paths(found(READ, here(effort=EFFORT, session=session))) == DEEP[1:3]


ADDED = {"/lib/AGENTS.md": "lib", "/lib/src/AGENTS.md": "src", "/etc/AGENTS.md": "etc"}
LIB = here(effort=EFFORT, session=Session(3, "s", added_dirs=("/lib",)))
BELOW: list[tuple[str, list[str]]] = [
    ("/lib/src/a.py", ["/lib/AGENTS.md", "/lib/src/AGENTS.md"]),
    ("/lib/a.py", ["/lib/AGENTS.md"]),
    ("/lib/../etc/a.py", []),
    ("/library/a.py", []),
    (f"{ROOT}/api/a.py", DEEP[:3]),
]


@parametrize_all(("path", "given"), BELOW)
def test_a_folder_that_was_added_is_a_root_of_its_own(path: str, given: list[str]) -> None:
    assert paths(found(event("Read", file_path=path), LIB, **ADDED)) == given


def test_what_an_added_folder_says_is_this_window_s_and_not_the_effort_s() -> None:
    one = found(event("Read", file_path="/lib/a.py"), LIB, **ADDED)
    assert one.effects == (AddSeen(3, ("/lib/AGENTS.md",), ("/lib",)),)


def test_a_folder_inside_of_the_project_that_was_added_is_still_the_project_s() -> None:
    facts = here(effort=EFFORT, session=Session(3, "s", added_dirs=(f"{ROOT}/api",)))
    assert paths(found(READ, facts)) == DEEP[:3]


@parametrize_all("added", ["/", "/home"])
def test_an_added_folder_brings_nothing_of_the_client_s_own(added: str) -> None:
    facts = here(effort=EFFORT, session=Session(3, "s", added_dirs=(added,)))
    path = f"{facts.daemon.claude}/AGENTS.md"
    one = found(event("Read", file_path=f"{facts.daemon.claude}/a.json"), facts, **{path: "x"})
    assert one.fresh == ()


WHEN: list[tuple[Literal["effort", "always", "never"], Effort | None, int]] = [
    ("effort", EFFORT, 3),
    ("effort", None, 0),
    ("always", EFFORT, 3),
    ("always", None, 3),
    ("never", EFFORT, 0),
]


@parametrize_all(("when", "effort", "count"), WHEN)
def test_the_setting_says_when(
    when: Literal["effort", "always", "never"], effort: Effort | None, count: int
) -> None:
    settings = Settings(directives=DirectiveOptions(when=when))
    assert len(found(READ, here(effort=effort, settings=settings)).fresh) == count


def test_without_a_window_or_a_project_nothing_is_looked_for() -> None:
    assert discover(READ, here(effort=EFFORT, session=None)) == Discovered()
    assert discover(READ, here(effort=EFFORT, project=None)) == Discovered()


def test_the_names_are_those_of_the_settings_and_of_the_skill() -> None:
    settings = Settings(directives=DirectiveOptions(files=("README.md",)))
    text = PHASED.replace("templates:\n  log: LOG.md\n", "directives: [INVARIANTS, 'R*.md']\n")
    one = found(READ, here(effort=EFFORT, settings=settings), **{SKILL: text})
    assert paths(one) == ["README.md", "api/INVARIANTS.md"]


def test_with_the_whole_disk_as_the_project_nothing_is_brought() -> None:
    facts = here(effort=EFFORT, project=Project(1, "/"))
    assert found(event("Read", file_path="/work/a"), facts).fresh == ()


def test_of_a_very_deep_folder_the_upper_ones_are_looked_into() -> None:
    deep = event("Read", file_path=f"{ROOT}/{'d/' * 500}a.py")
    (seen, *_) = found(deep).effects
    assert isinstance(seen, AddSeen)
    assert len(seen.dirs) == 30
    assert seen.dirs[0] == ROOT
