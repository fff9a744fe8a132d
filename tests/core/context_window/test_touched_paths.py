"""What a file that changed is called by, and what the events about files and settings cause."""

from typing import Any

from hookd.config.models import EffortOptions, Settings
from hookd.core.context_window.touched_paths import path_aliases, touched_files, touched_folders
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.effects.after_commit import ReloadSettings
from hookd.core.model.effects.efforts import DropSkills, FinishEffort
from hookd.core.model.effects.sessions import AddDir, ForgetFile
from hookd.core.model.effects.union import Effect
from hookd.core.model.fact_requests import DirListing, File, FileText, Folder, OpenTodos
from hookd.core.model.facts import Effort, Facts, Session
from hookd.core.model.verdict import Outcome
from hookd.events.model import PostToolUse
from hookd.methods import HOOKS
from support.fact_lookup import CLAUDE, ROOT, SKILL, ask, here
from support.parametrize import parametrize_all
from support.patches import add, delete, patch, update

REAL = "/disk/orders"


def linked(path: str) -> Facts:
    """Return facts that know that the folder of a path is a link, and the file is there no more."""
    folder, name = path.rsplit("/", 1)
    return Facts().with_facts(
        {FileText(path, "/", 1): None, DirListing(folder, "/"): Folder(REAL, (name,))}
    )


def test_a_file_is_known_by_its_real_name_too() -> None:
    there = {
        FileText("/l/a.md", "/", 1): File(f"{REAL}/a.md", "x", "1"),
        DirListing("/l", "/"): None,
    }
    assert path_aliases("/l/a.md", Facts().with_facts(there)) == ("/l/a.md", f"{REAL}/a.md")


def test_of_a_file_that_is_gone_the_folder_s_links_are_followed() -> None:
    assert path_aliases("/l/a.md", linked("/l/a.md")) == ("/l/a.md", f"{REAL}/a.md")
    told = "/l/x/../a.md"
    assert path_aliases(told, linked("/l/a.md")) == (told, "/l/a.md", f"{REAL}/a.md")


def test_a_patch_touches_each_of_its_files() -> None:
    given = {"command": patch(add("a/x"), update("/b/y", "a/z"), delete("c"))}
    event = PostToolUse(tool_name="ApplyPatch", tool_input=given, cwd="/w")
    assert touched_files(event) == ("/w/a/x", "/b/y", "/w/a/z", "/w/c")
    assert touched_folders(event) == ("/w/a", "/b", "/w")
    read = PostToolUse(tool_name="Read", tool_input={"file_path": "x"}, cwd="/w")
    assert (touched_files(read), touched_folders(read)) == (("/w/x",), ("/w",))


def test_what_is_no_whole_path_is_looked_for_nowhere() -> None:
    assert path_aliases("a.md", Facts()) == ("a.md",)


def heard(name: str, facts: Facts, *, rows: Any = None, **told: Any) -> tuple[Any, Any]:
    """Return what an event causes, and its result as the wire shows it."""
    method = HOOKS[name]
    event = method.params.model_validate({"hook_event_name": name, "session_id": "s"} | told)

    def both(known: Facts) -> tuple[tuple[Effect, ...], dict[str, Any]]:
        decision = method.decide(event, known)
        assert decision.opinion is None, "it says nothing to the client"
        result = method.answer(event, decision.facts, Outcome())
        return decision.effects, result.model_dump(by_alias=True, exclude={"hook_output"})

    files = {SKILL: "---\n---\n", f"{ROOT}/AGENTS.md": "x", "/lib/AGENTS.md": "x"}
    return ask(both, facts, files, rows)


SILENT = ("Setup", "DirectoryAdded", "FileChanged", "ConfigChange", "WorktreeRemove")


@parametrize_all("name", SILENT)
def test_an_event_that_tells_nothing_causes_nothing(name: str) -> None:
    assert heard(name, Facts())[0] == ()


def test_a_folder_that_is_added_is_kept_once_and_only_if_it_is_there() -> None:
    assert heard("DirectoryAdded", here(), directory="/lib") == (
        (AddDir(3, "/lib"),),
        {"added": True},
    )
    again = here(session=Session(3, "s", added_dirs=("/lib",)))
    for facts, folder in ((again, "/lib"), (here(), "/gone"), (here(), "lib"), (here(), "")):
        assert heard("DirectoryAdded", facts, directory=folder) == ((), {"added": False})


def test_a_changed_file_is_forgotten_and_so_is_the_skill_in_it() -> None:
    had = here(session=Session(3, "s", preloaded_files=(SKILL,)))
    effects = (ForgetFile(3, SKILL), DropSkills(None, SKILL))
    assert heard("FileChanged", had, file_path=SKILL) == (effects, {"forgotten": True})
    assert heard("FileChanged", here(), file_path=SKILL) == (effects, {"forgotten": False})
    read = here(session=Session(3, "s", loaded_files=("/x.py",)))
    assert heard("FileChanged", read, file_path="/x.py", event="unlink") == (
        (ForgetFile(3, "/x.py"),),
        {"forgotten": True},
    )


OURS = "/home/ada/.config/hookd/settings.json"
CHANGED: list[tuple[dict[str, Any], tuple[Effect, ...], bool, bool]] = [
    ({"source": "skills"}, (DropSkills(1),), False, True),
    (
        {"source": "skills", "file_path": SKILL},
        (DropSkills(1), DropSkills(None, SKILL)),
        False,
        True,
    ),
    ({"source": "user_settings", "file_path": f"{CLAUDE}/settings.json"}, (), False, False),
    ({"source": "user_settings"}, (), False, False),
    ({"source": "user_settings", "file_path": OURS}, (ReloadSettings(),), True, False),
    (
        {"source": "x", "file_path": "/home/ada/.config/x/../hookd/settings.json"},
        (ReloadSettings(),),
        True,
        False,
    ),
]


@parametrize_all(("told", "effects", "reloaded", "dropped"), CHANGED, ids=str)
def test_a_changed_configuration_is_read_again_where_it_is_ours(
    told: dict[str, Any], effects: tuple[Effect, ...], reloaded: bool, dropped: bool
) -> None:
    facts = here(daemon=DaemonState(claude=CLAUDE, settings=OURS))
    assert heard("ConfigChange", facts, **told) == (
        effects,
        {"reloaded": reloaded, "skillsDropped": dropped},
    )


WORK = Effort(4, f"{ROOT}/tasks/x", "build")
ON = Settings(efforts=EffortOptions(finish_on_tasks=True))
DONE = [
    ("the last one", ON, WORK, 0, True),
    ("one is left", ON, WORK, 1, False),
    ("it is off", Settings(), WORK, 0, False),
    ("there is no effort", ON, None, 0, False),
    ("it is finished", ON, Effort(4, "/t", "build", lifecycle="finished"), 0, False),
]


@parametrize_all(
    ("_way", "settings", "effort", "left", "ends"), DONE, ids=[way for way, *_ in DONE]
)
def test_the_last_item_finishes_the_effort_where_the_settings_say_so(
    _way: str, settings: Settings, effort: Effort | None, left: int, ends: bool
) -> None:
    facts, rows = here(effort=effort, settings=settings), {OpenTodos(3, "1"): left}
    effects, result = heard("TaskCompleted", facts, rows=rows, task_id="1", task_subject="x")
    assert result == {"todoUpdated": True, "effortFinished": ends}
    assert effects[2:] == ((FinishEffort(4),) if ends else ())
