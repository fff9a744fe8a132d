"""What a call does, for guard rules: the files it changes, the hosts it reaches, what it pushes.

Each question has three answers: `yes`, `no`, and `maybe` if the call does not say enough, so that
the rule has to ask.
"""

from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import islice
from typing import Literal

from hookd.core.model.fact_requests import FileText, GitBranch, RealPath
from hookd.core.model.facts import Facts
from hookd.events.tool_pattern import ToolCall
from hookd.risk.changed_files import changed_files
from hookd.risk.model import CallContext
from hookd.risk.path_areas import is_recreated_file
from hookd.risk.pushed_branches import EVERY, Push, pushes
from hookd.risk.reached_hosts import Reach, reached_hosts, remote_hosts
from hookd.risk.variable_values import values_in
from hookd.risk.written_files import TouchedFile
from hookd.shell.globs import GlobRoots, host_fits
from hookd.shell.path_globs import GlobContext, denies, may_deny

Match = Literal["no", "maybe", "yes"]

_MAX_FILES = 128
"""Files of one call that are looked at; with more it is asked about."""

_MAX_PATH_CHARS = 4_096
_UNKNOWN = frozenset("$`")


def weakest(answers: Iterable[Match]) -> Match:
    """Return the weakest of several answers, `yes` without any: all must be true."""
    maybe = False
    for answer in answers:
        if answer == "no":
            return "no"
        maybe = maybe or answer == "maybe"
    return "maybe" if maybe else "yes"


def strongest(answers: Iterable[Match]) -> Match:
    """Return the strongest of several answers, `no` without any: one is enough."""
    maybe = False
    for answer in answers:
        if answer == "yes":
            return "yes"
        maybe = maybe or answer == "maybe"
    return "maybe" if maybe else "no"


def context_of_call(call: ToolCall, places: GlobRoots, facts: Facts) -> CallContext:
    """Return the context in which a rule reads a call."""
    command = call.primary if call.name == "Bash" else None
    return CallContext(
        cwd=call.cwd or None,
        project=places.project or None,
        home=places.home,
        owned=facts.session.added_dirs if facts.session else (),
        values=values_in(command) if command and not call.shell.unreadable else {},
    )


def changes(globs: Sequence[str], call: ToolCall, place: CallContext, facts: Facts | None) -> Match:
    """Return whether a call changes a file that the globs name. Raise MissingFacts.

    Links are resolved; without `facts` they are not.
    """
    files = tuple(islice(changed_files(call, place), _MAX_FILES + 1))
    if not files:
        return "no"
    if len(files) > _MAX_FILES or any(_endless(file) for file in files):
        return "maybe"
    return files_match(globs, files, place, facts)


def files_match(
    globs: Sequence[str], files: Sequence[TouchedFile], place: CallContext, facts: Facts | None
) -> Match:
    """Return whether one of these files is named by the globs. Raise MissingFacts."""
    root, home = place.project or "/", place.home or "/home/user"

    def real(path: str) -> str | None:
        return path if facts is None else facts.require(RealPath(path))

    land = GlobContext(root, home, real)
    if facts is not None:
        bases = {land.glob(glob.removeprefix("!")).base for glob in globs}
        paths = {path for file in files for path in file.paths}
        facts.require_all(*map(RealPath, sorted({root, *paths, *bases})))
    return strongest(_file(globs, file, land) for file in files)


def _endless(file: TouchedFile) -> bool:
    return any(len(path) > _MAX_PATH_CHARS for path in (*file.paths, *file.wild, file.text))


def _file(globs: Sequence[str], file: TouchedFile, land: GlobContext) -> Match:
    if file.named and all(map(is_recreated_file, file.named)):
        return "no"  # find deletes only what a build makes again
    whole = file.how == "removes"
    if file.paths:
        hits = [_named(globs, path, land, whole=whole) for path in file.paths]
        return "yes" if all(hits) else "maybe" if any(hits) else "no"
    wild = file.wild or (_guess(file.text, land),)
    flat = GlobContext(land.root, land.home, lambda path: path)
    if file.wild and all(_named(globs, path, flat, whole=False) for path in wild):
        return "yes"
    return "maybe" if any(_may_be_named(globs, path, land, whole=whole) for path in wild) else "no"


def _guess(text: str, land: GlobContext) -> str:
    """Return a path of which only parts are known, with `**` for the others."""
    if text.startswith("~/"):
        text = f"{land.home}{text[1:]}"
    names = text.split("/")
    known = ["**" if not name or not _UNKNOWN.isdisjoint(name) else name for name in names]
    known = known[1:] if text.startswith("/") else ["**", *known]
    return f"/{'/'.join(known or ['**'])}"


def _named(globs: Sequence[str], path: str, land: GlobContext, *, whole: bool) -> bool:
    """Return whether the last glob that matches a path, or where it leads, is no exception."""
    found = False
    seen = {path, land.real(path) or path}
    for text in globs:
        glob = land.glob(text.removeprefix("!"))
        if text.startswith("!"):
            found = found and not all(denies(glob, one, land) for one in seen)
        else:
            found = found or any(denies(glob, one, land, whole=whole) for one in seen)
    return found


def _may_be_named(globs: Sequence[str], path: str, land: GlobContext, *, whole: bool) -> bool:
    found = False
    for text in globs:
        glob = land.glob(text.removeprefix("!"))
        if text.startswith("!"):
            # All files that the wildcards match are inside of what the glob names.
            found = found and not ("**" not in path.split("/") and denies(glob, path, land))
        else:
            found = found or may_deny(glob, path, land, whole=whole)
    return found


def reaches(hosts: Sequence[str], call: ToolCall, place: CallContext, facts: Facts) -> Match:
    """Return whether a call reaches a host that the globs name. Raise MissingFacts."""
    return strongest(_reached(hosts, one, place, facts) for one in reached_hosts(call, place))


def _reached(hosts: Sequence[str], one: Reach, place: CallContext, facts: Facts) -> Match:
    if one.remote:
        return _by_remote(hosts, one, place, facts)
    if not one.host:
        return "maybe"
    if not _host_named(hosts, one.host):
        return "no"
    return "yes" if one.certain else "maybe"


def _by_remote(hosts: Sequence[str], one: Reach, place: CallContext, facts: Facts) -> Match:
    """Return whether a remote of git, which the command names, is on one of the hosts."""
    roots = dict.fromkeys(root for root in (one.folder, place.project) if root)
    requests = [FileText(f"{root.rstrip('/')}/.git/config", root) for root in roots]
    facts.require_all(*requests)
    configs = [file for request in requests if (file := facts.require(request))]
    if not configs:
        return "maybe"
    found = tuple(remote_hosts(configs[0].text, one.remote))
    return strongest("yes" if _host_named(hosts, host) else "no" for host in found)


def _host_named(globs: Sequence[str], host: str) -> bool:
    found = False
    for glob in globs:
        bare = glob.removeprefix("!").strip("[]")
        fits = host_fits(bare, host) or ("*" not in bare and host_fits(f"*.{bare}", host))
        found = (found and not fits) if glob.startswith("!") else (found or fits)
    return found


def pushes_to(branches: Sequence[str], call: ToolCall, place: CallContext, facts: Facts) -> Match:
    """Return whether a call pushes to one of the branches. Raise MissingFacts."""
    found = list(pushes(call, place))
    folders = {folder for push in found if push.branch is None for folder in push.folders if folder}
    facts.require_all(*(GitBranch(folder) for folder in sorted(folders)))
    unread = call.name == "Bash" and call.shell.unreadable is not None
    said = strongest(_pushed(branches, push, facts) for push in found)
    return "maybe" if unread and said == "no" else said


def _pushed(branches: Sequence[str], push: Push, facts: Facts) -> Match:
    if push.branch is not None:
        return _branch(branches, push.branch, certain=push.certain)
    names = [] if push.surely else list(_current(push.folders, facts))
    said = {_branch(branches, name, certain=name != EVERY) for name in (*names, *push.switched)}
    if said == {"yes"}:
        return "yes"
    unknown = not push.surely and None in push.folders
    return "maybe" if unknown or said & {"yes", "maybe"} else "no"


def _current(folders: Iterable[str | None], facts: Facts) -> Iterator[str]:
    for folder in folders:
        name = facts.require(GitBranch(folder)) if folder else None
        if name:
            yield name


def _branch(branches: Sequence[str], name: str, *, certain: bool = True) -> Match:
    """Return whether a branch, or a glob of branches, is one of those that are named."""
    if name == EVERY or (certain and "*" in name):
        return "yes" if certain else "maybe"
    if not certain:
        head = name.rstrip("*")
        heads = (glob.split("*", 1)[0].split("?", 1)[0] for glob in branches)
        may = any(head.startswith(one) or one.startswith(head) for one in heads)
        return "maybe" if may else "no"
    return "yes" if any(fnmatchcase(name, glob) for glob in branches) else "no"
