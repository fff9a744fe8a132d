"""Scripted work of a coding agent in a git repository: the calls of one session of `make day`."""

import asyncio
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from clients.install import ROOT
from clients.models.turn import Turn, bash, call

Run = Callable[..., str]
LOG_EVERY = 4
"""Calls after which an agent with an effort writes a log entry."""


@dataclass(frozen=True)
class Repository:
    """A git repository with real content and a bare remote."""

    name: str
    path: Path
    code: str  # a Python file, relative to the path
    folder: str  # a folder with Python files


def repositories(home: Path, run: Run) -> list[Repository]:
    """Make three repositories with commits and remotes: this checkout and two libraries."""
    remotes = home / "remotes"
    remotes.mkdir()
    run("git", "clone", "--quiet", "--bare", str(ROOT), str(remotes / "hookd.git"))
    run("git", "clone", "--quiet", str(remotes / "hookd.git"), str(home / "hookd"))
    run("git", "-C", str(home / "hookd"), "checkout", "--quiet", "-B", "main")
    run("git", "-C", str(home / "hookd"), "push", "--quiet", "--force", "origin", "main")
    made = [Repository("hookd", home / "hookd", "daemon/hookd/app.py", "daemon/hookd/core")]
    for library, code in ((click, "core.py"), (asyncio, "events.py")):
        made.append(_library(home, run, library.__name__, Path(str(library.__file__)).parent, code))
    for one in made:
        (one.path / ".git/info/exclude").write_text("tasks/\n")  # logs of efforts
    return made


def _library(home: Path, run: Run, name: str, source: Path, code: str) -> Repository:
    path, remote = home / name, home / f"remotes/{name}.git"
    run("git", "init", "--quiet", "--initial-branch", "main", str(path))
    run("git", "init", "--quiet", "--initial-branch", "main", "--bare", str(remote))
    run("git", "-C", str(path), "remote", "add", "origin", str(remote))
    (path / "src").mkdir()
    (path / ".gitignore").write_text("build/\n__pycache__/\n")
    for file in sorted(source.glob("*.py")):
        shutil.copy(file, path / "src")
        run("git", "-C", str(path), "add", "--all")
        run("git", "-C", str(path), "commit", "--quiet", "--message", f"Add {file.name}")
    run("git", "-C", str(path), "push", "--quiet", "--set-upstream", "origin", "main")
    return Repository(name, path, f"src/{code}", "src")


def chapter(where: Repository, number: int, logs: bool = False) -> list[Turn]:
    """Return the turns of one piece of work: branch, edits, commits, merge; `logs` adds entries.

    It begins and ends on a clean main branch.
    """
    turns = [*_reads(where), *_edits(where, number), *_publishes(where, number)]
    if not logs:
        return turns
    entries = {at: bash(f"hookd log 'Step {at} of piece {number}.'") for at in range(len(turns))}
    return [
        one
        for at, turn in enumerate(turns)
        for one in ([entries[at]] if at % LOG_EVERY == LOG_EVERY - 1 else []) + [turn]
    ]


def _reads(where: Repository) -> list[Turn]:
    code, folder = where.code, where.folder
    script = f"import ast\nprint(len(ast.parse(open({code!r}).read()).body))"
    return [
        bash("git status --short && git log --oneline -5"),
        call("Read", file_path=str(where.path / code), limit=40),
        Turn(bash(f"sed -n '1,20p' {code}").content + bash(f"wc -l {code}").content),
        bash(f"grep -rn 'import' {folder} --include='*.py' | head -20"),
        bash(f"python3 - <<'EOF'\n{script}\nEOF"),
        bash('for f in $(git ls-files "*.py" | head -3); do head -1 "$f"; done'),
        bash(f"git blame -L 1,3 {code} | cut -c1-40; git log -3 --format=%s -- {code}"),
        bash("env | cut -d= -f1 | sort | head -3; df -h . | tail -1; ps | head -2"),
        bash(f"awk 'NR < 4' {code} 2>/dev/null | tr a-z A-Z >/dev/null && echo read"),
    ]


def _edits(where: Repository, number: int) -> list[Turn]:
    code, made = where.code, f"{where.folder}/note_{number}.py"
    path = str(where.path / made)
    return [
        bash(f"git checkout -q -b topic-{number}"),
        call("Write", file_path=path, content=f'"""Note."""\n\nVALUE = {number}\n'),
        call("Edit", file_path=path, old_string=f"= {number}", new_string=f"= {number} + 1"),
        bash(f"python3 -m py_compile {made} && python3 {made}"),
        bash(f"printf '\\n# note {number}\\n' >> {code} && git diff --stat"),
        bash(f"sed -i 's/^# note {number}$/# remark {number}/' {code} && git diff | tail -3"),
        bash(f'git add -A && git commit -q -m "Add note {number}" && git log -1 --stat | cat'),
        bash(f"mkdir -p build/out && cp {code} build/out/ && ls -la build/out"),
        bash("rm -rf build"),
        bash("find . -name __pycache__ -type d -prune -exec rm -rf {} +"),
        bash(f"touch scratch-{number}.txt && rm scratch-{number}.txt"),
        bash(f"echo '- {number}' | tee notes-{number}.md >/dev/null && cat notes-{number}.md"),
        bash("git stash -q -u && git stash pop -q && git status --short"),
        bash(f"rm notes-{number}.md"),
        bash('TMP=$(mktemp -d) && cp .gitignore "$TMP" && ls "$TMP" && rm -rf "$TMP"'),
        bash(f"cp {code} /tmp/day-{number}.py && rm /tmp/day-{number}.py"),
    ]


def _publishes(where: Repository, number: int) -> list[Turn]:
    topic = f"topic-{number}"
    return [
        bash(f"git push -q -u origin {topic}"),
        bash("git fetch -q origin && git diff origin/main --name-only"),
        bash(f"git checkout -q main && git merge -q --no-ff -m 'Merge {topic}' {topic}"),
        bash(f"git branch -d {topic}"),
        bash("git push -q origin main"),
        bash(f"git worktree add -q ../tree-{number} HEAD && git -C ../tree-{number} status -s"),
        bash(f"git worktree remove ../tree-{number}"),
        bash(f"tar czf /dev/null {where.folder} && du -sh .git | cut -f1"),
        bash("sleep 0.2 & wait; timeout 5 true; echo waited"),
        bash("git log --oneline --graph -6 | cat; git status --short --branch"),
    ]


def guarded(home: Path) -> Turn:
    """Return a call that is denied: it removes what is outside of every project."""
    return bash(f"rm -rf {shlex.quote(str(home / 'keep'))}")


def asked(number: int) -> Sequence[Turn]:
    """Return calls of which the two that remove what git cannot restore are asked about."""
    clean = (bash(f"touch untracked-{number}"), bash("git clean -fd"), bash("rm untracked-*"))
    return [*clean, bash(f"git tag day-{number}"), bash(f"git tag -d day-{number}")]


def clean(where: Repository) -> str:
    """Return what is not committed in a repository."""
    command = ["git", "-C", str(where.path), "status", "--porcelain"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
