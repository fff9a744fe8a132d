"""`hookd checkpoint`: save and restore the files of a git working tree, outside of branches.

A checkpoint is a commit under refs/hookd/checkpoints. It is made with a temporary index, so that
HEAD, the index and the files do not change.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import count
from pathlib import Path
from typing import Any

import click

from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.git import git, top
from hookd.cli.lib.groups import Commands
from hookd.cli.lib.options import json_option, limit_option
from hookd.cli.lib.output import Column, moment

_REFS = "refs/hookd/checkpoints/"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,59}", re.ASCII)
_REF = re.compile(r"[0-9]{8}T[0-9]{6}Z(?:\.[0-9]+)?(?:-[A-Za-z0-9_-]{1,60})?", re.ASCII)
_WHO = {
    "GIT_AUTHOR_NAME": "hookd",
    "GIT_AUTHOR_EMAIL": "hookd@localhost",
    "GIT_COMMITTER_NAME": "hookd",
    "GIT_COMMITTER_EMAIL": "hookd@localhost",
    "TZ": "UTC",
}
_FORMAT = "%(refname:strip=3)%00%(creatordate:iso-strict)%00%(objectname)%00%(parent)"
_OTHERWISE = {"ls": "list", "rm": "remove", "delete": "remove"}
_JSON = json_option("Print JSON.")


class _SaveFirst(Commands):
    """A group that saves a checkpoint of this name for an argument that is not a command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # a shell asks for completions
            return super().parse_args(ctx, args)
        if not args or (args[0] not in self.commands and args[0] not in ("-h", "--help")):
            _expect_no_slip(args[:1], list(self.commands))
            args = ["save", *args]
        return super().parse_args(ctx, args)


def _expect_no_slip(given: list[str], commands: list[str]) -> None:
    """Raise Problem for a name that looks like a misspelt command."""
    for name in given:
        near = (
            [_OTHERWISE[name]] if name in _OTHERWISE else get_close_matches(name, commands, 1, 0.8)
        )
        if near:
            sentence = f"There is no command {name}; did you mean {near[0]}?"
            raise Problem(sentence, f"for a checkpoint of that name: hookd checkpoint save {name}")


@click.group(
    cls=_SaveFirst,
    epilog="""\b
    Examples:
      hookd checkpoint                         saves the files
      hookd checkpoint before-the-migration    ... under a name
      hookd checkpoint list
      hookd checkpoint restore before-the-migration --to /tmp/before
    """,
)
def checkpoint() -> None:
    """Save and restore the files of a git working tree.

    Tracked and untracked files are saved, ignored ones and nested repositories are not. HEAD, the
    index, the branches and the files do not change, and a normal push leaves checkpoints out.
    """


@checkpoint.command(
    epilog="""\b
    Examples:
      hookd checkpoint save
      hookd checkpoint save before-the-migration --json
    """
)
@click.argument("name", required=False)
@_JSON
def save(name: str | None, as_json: bool) -> None:
    """Save the files; the same as `hookd checkpoint NAME`."""
    if name is not None and not _NAME.fullmatch(name):
        sentence = f"{name!r} cannot name a checkpoint: letters, digits, - and _ can, 60 at most."
        raise Problem(sentence, "hookd checkpoint before-the-change")
    saved = _save(top(Path.cwd()), name)
    if as_json:
        output.show_json(saved)
    else:
        click.echo(f"Saved as {saved['name']}: hookd checkpoint show {saved['name']}")


@checkpoint.command(
    name="list",
    epilog="""\b
    Examples:
      hookd checkpoint list
      hookd checkpoint list --json
    """,
)
@limit_option()
@_JSON
def list_(limit: int, as_json: bool) -> None:
    """List the checkpoints of this repository, the newest first."""
    columns = (
        Column("name", "name", firm=True),
        Column("commit", "commit", lambda text: text[:12], firm=True),
        Column("on top of", "base", lambda text: text[:12] if text else "-", firm=True),
        moment("at", "at"),
    )
    rows = _known(top(Path.cwd()))[:limit]
    empty = "No checkpoints here yet: hookd checkpoint NAME"
    output.show(rows, columns, as_json=as_json, empty=empty)


@checkpoint.command(
    epilog="""\b
    Examples:
      hookd checkpoint show before-the-migration
      hookd checkpoint show 20260131T080000Z --json
    """
)
@click.argument("ref")
@_JSON
def show(ref: str, as_json: bool) -> None:
    """Show the changes of a checkpoint to its base commit."""
    tree = top(Path.cwd())
    one = _chosen(tree, ref)
    rows = _changes(tree, one)
    if as_json:
        output.show_json({**one, "changes": rows})
        return
    output.show_facts(
        {"commit": one["commit"], "onTopOf": one["base"], "at": one["at"]}, one["name"]
    )
    columns = (Column("change", "change", firm=True), Column("path", "path"))
    click.echo()
    output.show(
        rows, columns, as_json=False, empty="No changes: the base commit has the same files."
    )


@checkpoint.command(
    epilog="""\b
    Examples:
      hookd checkpoint restore before-the-migration --to /tmp/before
      hookd checkpoint restore before-the-migration     print how, with git
    """
)
@click.argument("ref")
@click.option("--to", type=click.Path(path_type=Path), metavar="DIR", help="A new folder.")
@_JSON
def restore(ref: str, to: Path | None, as_json: bool) -> None:
    """Write the files of a checkpoint into a new folder.

    No file is overwritten. Without --to, the git commands are printed that restore the files in the
    working tree itself.
    """
    tree = top(Path.cwd())
    one = _chosen(tree, ref)
    if to is None:
        commands = [
            f"git diff --stat {one['commit'][:12]}",
            f"git restore --source={one['commit'][:12]} --worktree -- :/",
        ]
        lines = ["These overwrite files of the working tree; the first shows which:", *commands]
        output.show_done("\n  ".join(lines), {**one, "commands": commands}, as_json=as_json)
        return
    folder = to.expanduser().absolute()
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise Problem(f"{folder} already exists.", "give a folder that does not exist")
    folder.mkdir(parents=True, exist_ok=True)
    with _index() as env:
        git(tree, "read-tree", one["commit"], env=env)
        git(tree, "checkout-index", "--all", f"--prefix={folder}/", env=env)
    sentence = f"The files of {one['name']} are in {output.cell(str(folder))}."
    output.show_done(sentence, {**one, "folder": str(folder)}, as_json=as_json)


@checkpoint.command(
    epilog="""\b
    Examples:
      hookd checkpoint remove before-the-migration
      hookd checkpoint list --json | jq -r '.[10:][].name' |
        xargs -n 1 hookd checkpoint remove
    """
)
@click.argument("ref")
@_JSON
def remove(ref: str, as_json: bool) -> None:
    """Remove a checkpoint.

    Git's garbage collection deletes its files.
    """
    tree = top(Path.cwd())
    one = _chosen(tree, ref)
    git(tree, "update-ref", "-d", f"{_REFS}{one['name']}", one["commit"])
    sentence = f"Removed {one['name']}; until garbage collection it is {one['commit']}."
    output.show_done(sentence, one, as_json=as_json)


def _save(tree: Path, name: str | None) -> dict[str, Any]:
    """Commit the files of a working tree as a checkpoint."""
    with _index() as env:
        own = Path(git(tree, "rev-parse", "--git-path", "index"))
        if (tree / own).is_file():  # it has the unchanged files, and those of a sparse tree
            shutil.copyfile(tree / own, env["GIT_INDEX_FILE"])
        git(tree, "add", "--all", "--", ".", env=env)
        files = git(tree, "write-tree", env=env)
    base = _head(tree)
    words = (*(("-p", base) if base else ()), "-m", f"hookd checkpoint {name or ''}".strip())
    commit = git(tree, "commit-tree", files, *words, env=_WHO)
    date = "--date=format-local:%Y%m%dT%H%M%SZ"
    stamp = git(tree, "show", "-s", "--format=%cd", date, commit, env=_WHO)
    return _named(tree, commit, stamp, f"-{name}" if name else "")


def _named(tree: Path, commit: str, stamp: str, name: str) -> dict[str, Any]:
    """Give a commit a free name: several may be made in one second."""
    taken = {one["name"] for one in _known(tree)}
    free = next(one for one in _names(stamp, name) if one not in taken)
    # The zeros: git refuses a name that another process takes meanwhile.
    git(tree, "update-ref", f"{_REFS}{free}", commit, "0" * len(commit))
    return _chosen(tree, free)


def _names(stamp: str, name: str) -> Iterator[str]:
    yield f"{stamp}{name}"
    yield from (f"{stamp}.{number}{name}" for number in count(2))


def _head(tree: Path) -> str | None:
    """Return the commit of HEAD, None before the first."""
    try:
        return git(tree, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    except Problem:
        return None


def _known(tree: Path) -> list[dict[str, Any]]:
    printed = git(tree, "for-each-ref", f"--format={_FORMAT}", "--sort=-refname", _REFS, env=_WHO)
    rows = [line.split("\0") for line in printed.splitlines()]
    return [
        {"name": name, "at": at.replace("+00:00", "Z"), "commit": commit, "base": base or None}
        for name, at, commit, base in rows
        if _REF.fullmatch(name)
    ]


def _chosen(tree: Path, ref: str) -> dict[str, Any]:
    """Return the checkpoint of this name; without its time, the newest of that name."""
    rows = _known(tree)
    exact = next((one for one in rows if one["name"] == ref), None)
    one = exact or next((one for one in rows if one["name"].partition("-")[2] == ref), None)
    if one is None:
        raise Problem(f"There is no checkpoint {ref} here.", "hookd checkpoint list")
    return one


def _changes(tree: Path, one: dict[str, Any]) -> list[dict[str, str]]:
    """Return the changes of a checkpoint to its base commit; without one, all its files."""
    between = (one["base"], one["commit"]) if one["base"] else ("--root", one["commit"])
    words = ("-r", "-z", "--no-commit-id", "--no-renames", "--name-status")
    parts = git(tree, "diff-tree", *words, *between).split("\0")[:-1]
    kinds = {"A": "added", "D": "deleted", "M": "modified", "T": "other kind"}
    pairs = zip(parts[::2], parts[1::2], strict=False)
    return [{"change": kinds.get(kind, kind), "path": path} for kind, path in pairs]


@contextmanager
def _index() -> Iterator[dict[str, str]]:
    """Yield an environment with a temporary index for git."""
    with tempfile.TemporaryDirectory(prefix="hookd-") as folder:
        yield {"GIT_INDEX_FILE": f"{folder}/index"}
