"""Options choose the settings file: the user's, the project's, its local one, or a named one."""

import json
import sys
from pathlib import Path

import pytest

from hookd.cli.install.scope import project_root
from support.installation import done, furnish, hookd, program

GIT = """#!{python}
import sys
from pathlib import Path
at = sys.argv.index("-C")
root, asked, file = Path(sys.argv[at + 1]), sys.argv[at + 2 : -1], Path(sys.argv[-1])
if asked != ["check-ignore", "--quiet", "--no-index", "--"]:
    sys.exit(f"git was asked something else: {{asked}}")
if not (root / ".git").exists():
    sys.exit(128)
ignored = root / ".gitignore"
lines = ignored.read_text().splitlines() if ignored.exists() else []
sys.exit(str(file.relative_to(root)) not in lines)
"""
LOCAL, SHARED = ".claude/settings.local.json", ".claude/settings.json"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the user's own .claude, and a git that ignores the names in .gitignore."""
    (tmp_path / ".claude").mkdir()
    program(tmp_path, "git", GIT.format(python=sys.executable))
    return furnish(tmp_path, monkeypatch)


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository below the home; the working directory is a folder of it."""
    inner = home / "work" / "orders" / "src" / "api"
    inner.mkdir(parents=True)
    (home / "work" / "orders" / ".git").mkdir()
    monkeypatch.chdir(inner)
    return home / "work" / "orders"


def test_local_is_the_file_of_this_project_that_is_yours(home: Path, project: Path) -> None:
    facts = done("install", "--scope", "local")
    assert (facts["settings"], facts["scope"]) == (str(project / LOCAL), "local")
    assert "PreToolUse" in json.loads((project / LOCAL).read_text())["hooks"]
    assert not (home / SHARED).exists()
    assert done("uninstall", "--scope", "local")["restored"] is True
    assert not (project / LOCAL).exists()


def test_project_is_the_shared_file_and_warns_of_it(project: Path) -> None:
    result = hookd("install", "--scope", "project", "--json")
    facts = json.loads(result.stdout)
    assert (facts["settings"], facts["scope"]) == (str(project / SHARED), "project")
    (warning,) = facts["notes"]
    assert "shared with others" in warning
    assert "--scope local" in warning
    assert result.stderr == f"hookd: {warning}\n"
    again = hookd("install", "--scope", "project")
    assert again.stderr == result.stderr
    assert "  note " not in again.stdout
    assert hookd("install", "--scope", "project", "--dry-run").stderr == result.stderr
    gone = hookd("uninstall", "--scope", "project")
    assert (gone.stderr, (project / SHARED).exists()) == ("", False)


@pytest.mark.parametrize("command", ["install", "uninstall"])
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--project", "--local"), "--local and --project exclude each other."),
        (("--local", "--settings", "x"), "--settings and --scope exclude each other."),
        (("--settings", "x", "--scope", "user"), "--settings and --scope exclude each other."),
        (("--project-dir", "/"), "--project-dir goes with --scope project or --scope local."),
    ],
)
def test_contradicting_options_are_refused(
    home: Path, command: str, words: tuple[str, ...], sentence: str
) -> None:
    result = hookd(command, *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert list((home / ".claude").iterdir()) == []


def test_project_dir_names_another_project(home: Path, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    facts = done("install", "--scope", "local", "--project-dir", str(other))
    assert (facts["settings"], facts["scope"]) == (str(other / LOCAL), "local")
    assert not (project / LOCAL).exists()


def test_the_former_options_print_one_line_of_deprecation(project: Path) -> None:
    result = hookd("install", "--local", "--send", "CI", "--json")
    assert json.loads(result.stdout)["settings"] == str(project / LOCAL)
    assert sorted(result.stderr.splitlines()) == [
        "hookd: --local is deprecated; use --scope local",
        "hookd: --send is deprecated; use --forward-env",
    ]


def test_each_scope_is_taken_out_by_itself(home: Path, project: Path) -> None:
    for scope in ([], ["--scope", "local"], ["--scope", "project"]):
        done("install", *scope)
    shims = home / "hookd-home" / "shims"
    both = done("uninstall")["shims"]
    assert [f"{project / name} names them in its hooks" in both for name in (LOCAL, SHARED)] == [
        1,
        1,
    ]
    assert (project / LOCAL).exists()
    assert done("uninstall", "--scope", "project")["shims"].startswith(
        f"kept: {project / LOCAL} names them"
    )
    assert done("uninstall", "--scope", "local")["shims"] == "removed"
    assert not shims.exists()


def test_a_scope_keeps_its_own_events(project: Path) -> None:
    done("install", "--events", "Stop")
    assert len(done("install", "--scope", "local")["events"]) == 30
    assert done("install")["events"] == ["Stop"]


# what git would take


def test_a_local_file_that_git_does_not_ignore_is_noted_with_the_line(project: Path) -> None:
    (note,) = done("install", "--scope", "local")["notes"]
    assert note == (
        f"git does not ignore {project / LOCAL}; the line for {project / '.gitignore'}: {LOCAL}"
    )
    # It stood there before: whoever keeps it knows what git does with it.
    assert done("install", "--scope", "local")["notes"] == []


def test_a_dry_run_tells_of_git_before_the_file_is_made(project: Path) -> None:
    assert "git does not ignore" in hookd("install", "--scope", "local", "--dry-run").stdout
    assert not (project / ".claude").exists()


def test_a_local_file_that_git_ignores_is_no_matter(project: Path) -> None:
    (project / ".gitignore").write_text(f"{LOCAL}\n")
    assert done("install", "--scope", "local")["notes"] == []


def test_a_backup_that_git_would_take_is_noted(project: Path) -> None:
    (project / ".claude").mkdir()
    (project / LOCAL).write_text("{}")
    (note,) = done("install", "--scope", "local")["notes"]
    assert note.endswith(f": {LOCAL}.hookd-backup")


@pytest.mark.parametrize("git", ["none", "no repository", "broken"])
def test_without_git_or_a_repository_nothing_is_said(home: Path, project: Path, git: str) -> None:
    if git == "none":
        (home / "bin" / "git").unlink()
    elif git == "no repository":
        (project / ".git").rmdir()
        (project / ".claude").mkdir()
    else:
        program(home, "git", "#!/nowhere/git\n")
    facts = done("install", "--scope", "local")
    assert (facts["settings"], facts["notes"]) == (str(project / LOCAL), [])


def test_the_user_s_own_file_is_never_asked_about(home: Path) -> None:
    (home / ".git").mkdir()
    assert done("install")["notes"] == []


# where a project begins


@pytest.mark.parametrize(
    ("made", "stands", "root"),
    [
        ([], "work/orders", "work/orders"),
        (["work/.git"], "work/orders", "work"),
        (["work/.claude"], "work/orders", "work"),
        (["work/.git", "work/orders/.claude"], "work/orders/src", "work/orders"),
        (["work/.claude", "work/orders/.git"], "work/orders/src", "work/orders"),
        ([".git"], "work", ""),
        ([], "", ""),
    ],
)
def test_a_project_is_the_nearest_folder_with_git_or_claude(
    home: Path, made: list[str], stands: str, root: str
) -> None:
    start = home / stands
    start.mkdir(parents=True, exist_ok=True)
    for folder in made:
        (home / folder).mkdir(parents=True)
    assert project_root(start, home) == home / root


def test_a_worktree_is_a_project_though_its_git_is_a_file(home: Path) -> None:
    tree = home / "trees" / "one"
    (tree / "src").mkdir(parents=True)
    (tree / ".git").write_text("gitdir: /elsewhere\n")
    assert project_root(tree / "src", home) == tree


def test_a_linked_home_is_the_same_home(home: Path) -> None:
    (home / "work").mkdir()
    link = home.with_name(home.name + "-link")
    link.symlink_to(home)
    assert project_root(home / "work", link) == home / "work"


def test_in_the_home_folder_the_project_s_file_is_the_user_s_own(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    result = hookd("install", "--scope", "project", "--json")
    facts = json.loads(result.stdout)
    assert (facts["settings"], facts["scope"]) == (str(home / SHARED), "user")
    assert (facts["notes"], result.stderr) == ([], "")


def test_a_project_behind_a_linked_folder_is_written_through_the_link(
    home: Path, project: Path
) -> None:
    (home / "elsewhere").mkdir()
    (project / ".claude").symlink_to(home / "elsewhere")
    facts = done("install", "--scope", "local")
    assert facts["settings"] == str(home / "elsewhere" / "settings.local.json")
    assert facts["notes"] == []
