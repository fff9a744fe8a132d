"""Areas of paths: inside the project, outside, system, scratch, or unknown.

Only the text counts; symlinks are not resolved.
"""

import posixpath
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, get_args

from hookd.lazy_pattern import lazy_compile
from hookd.risk.model import CallContext
from hookd.risk.variable_values import NEW_FOLDER, with_values
from hookd.shell.argv import Item
from hookd.shell.quoting import names

Area = Literal[
    "root",  # the file system itself
    "system",  # the operating system
    "home",  # the whole of it
    "above",  # a folder that contains the project
    "device",  # a disk, or a part of one
    "outside",
    "unset",  # the root of the file system, if a variable has no value
    "unknown",
    "repository",  # the data of version control
    "project",  # the whole of it, or of a folder that was added
    "inside",
    "rebuildable",  # inside, and recreated by a build
    "scratch",  # temporary files
]
"""The areas, the worst first."""

_ORDER: tuple[Area, ...] = get_args(Area)

FAR: frozenset[Area] = frozenset({"root", "system", "home", "above", "device", "outside"})
"""Areas where a loss is permanent."""

PHRASES: dict[Area, str] = {
    "root": "the whole file system",
    "system": "a part of the system",
    "home": "the home folder",
    "above": "a folder that contains the project",
    "device": "a device",
    "outside": "outside of the project",
    "unset": "at the root of the file system if TMPDIR is not set",
    "unknown": "a place that is not known from the text",
    "repository": "the data of version control",
    "project": "the whole project",
    "inside": "a part of the project",
    "rebuildable": "recreated by a build",
    "scratch": "scratch space",
}
"""A phrase for each area."""

_SYSTEM = names(
    "bin sbin usr lib lib32 lib64 libx32 etc boot dev proc sys run var root opt srv mnt media"
    " home snap nix efi lost+found system library applications users volumes private cores"
    " windows"
)
_OPEN = lazy_compile(
    r"/(?:opt|srv|mnt|media|home|users|volumes|usr/local|var/www|var/log|var/cache|run/user|snap"
    r"|applications)/"
)
"""Folders whose subfolders are no part of the system itself."""

_OWN_DATA = lazy_compile(
    r"/(?:root)(?:/|$)|/var/(?!(?:lib|log|cache|spool|run|lock|mail|tmp|local|opt|account|crash|games"
    r"|www|yp|db|at|root|vm|folders|audit|empty|rpc|msgs|jb|adm|sadm|preserve|nis)(?:/|$))[^/*?\[{]+(?:/|$)"
)
"""Root's home, and folders in /var that no standard names: data of a program of the user."""

_DEVICES = lazy_compile(
    r"/dev/(?:(?:x?v|s|h)d[a-z]+\d*|nvme\d.*|mmcblk.*|r?disk\d.*|loop\d.*|dm-.*|md\d.*|mapper/.*"
    r"|disk/.*|zvol/.*|ram\d+|mem|kmem|port|sg\d+|sr\d+|vg.*/.*|[hs]d|nbd\d.*|xvd.*)"
)
_HARMLESS = lazy_compile(
    r"/dev/(?:null|zero|full|u?random|tty\w*|stdin|stdout|stderr|fd/\d+|pts/\d+|console|ptmx)"
    r"|/proc/(?:self|\d+)/fd/\d+"
)
_CACHES = lazy_compile(
    r"(?:\.cache/(?!huggingface(?:/|$)|torch(?:/|$))[^/*?\[]+|library/caches/[^/*?\[]+"
    r"|library/developer/xcode/deriveddata"
    r"|\.npm/(?:_cacache|_npx|_logs)|\.yarn(?:/berry)?/cache|\.yarn-cache|\.pnpm-store"
    r"|\.local/share/pnpm/store|\.bun/install/cache|\.node-gyp|\.electron(?:-gyp)?"
    r"|\.gradle/(?:caches|daemon|wrapper/dists)|\.m2/repository|\.ivy2/cache|\.sbt/boot"
    r"|\.cargo/(?:registry|git)|\.rustup/(?:downloads|tmp)|go/pkg/mod|go/pkg/sumdb"
    r"|\.nuget/packages|\.pub-cache|\.composer/cache|\.cocoapods/repos|\.bundle/cache"
    r"|\.ccache|\.sccache|\.conda/pkgs|\.terraform\.d/plugin-cache|\.hex/packages|\.cpanm/work"
    r"|\.android/(?:build-)?cache|\.expo/cache|\.deno/gen|\.stack/pantry)(?:/.*)?"
)
"""Folders of a home that programs fill again; models are too large to fetch twice."""

_PACKAGE_CACHES = lazy_compile(
    r"/var/(?:lib/apt/lists|cache/(?:apt|dnf|yum|libdnf5|apk|zypp|pacman/pkg|man|fontconfig))"
    r"(?:/.*)?|/etc/apk/cache(?:/.*)?"
)
"""Indexes and packages that the package manager of the system fetches again."""

_STREAM = lazy_compile(
    r"/+dev/+(?:null|zero|full|u?random|tty|stdin|stdout|stderr|fd/+\d+)|/+proc/+self/+fd/+\d+"
)
_REBUILDABLE = names(
    "node_modules dist build out target .venv venv __pycache__ .pytest_cache .mypy_cache"
    " .ruff_cache .hypothesis coverage htmlcov .nyc_output .next .nuxt .output .turbo .cache"
    " tmp .tmp temp .parcel-cache .svelte-kit .angular .vite .docusaurus .tox .nox .eggs"
    " .gradle .terraform .dart_tool .sass-cache .ipynb_checkpoints _build obj pods"
    " deriveddata storybook-static test-results playwright-report elm-stuff .stack-work"
    " dist-newstyle zig-cache zig-out .zig-cache .aws-sam .serverless .import_linter_cache"
    " .pnpm-store bower_components .expo .wrangler .astro cmakefiles"
    " _site .jekyll-cache .nx .swc .rollup.cache .rpt2_cache .build .swiftpm .symlinks nimcache"
    " autom4te.cache .libs .deps .pytype .scannerwork allure-results lcov-report testresults"
    " .bloop .metals"
)
_REBUILT = ("cmake-build-", "bazel-", "dist-")
_LITTER = names(
    ".pyc .pyo .o .obj .a .so .class .log .tmp .temp .swp .swo .bak .orig .rej .map"
    " .tsbuildinfo .cache .snap .pid .gcda .gcno .profraw .prof .out .elc .beam .hi"
    " .lo .la .jar .war .ear .dylib .dll .exe .lib .pdb .gch .pch .dwo .rlib .rmeta .whl .nupkg"
    " .cmo .cmi .cmx .cma .cmxa .aux .toc .blg .bbl .fls .fdb_latexmk .tfplan"
)
_LITTERED = frozenset(
    {".ds_store", "thumbs.db", ".coverage", "*~", "npm-debug.log*", "tfplan", ".eslintcache"}
    | {".stylelintcache"}
)
_REPOSITORY = frozenset({".git", ".hg", ".svn", ".jj"})
_HOME = lazy_compile(r"~(?=/|$)|\$HOME\b|\$\{HOME\}")
_TMPDIR = lazy_compile(r"\$(?:TMPDIR|RUNNER_TEMP)\b|\$\{(?:TMPDIR|RUNNER_TEMP)\}")
"""Folders of temporary files, also that of a step of GitHub's."""

_TMPDIR_SET = lazy_compile(r"\$\{TMPDIR:(?:\?[^{}]*|[-=]\"?(?:/private)?(?:/var)?/tmp/?\"?)\}")
"""Expressions that fail, or mean a temporary folder, if TMPDIR is not set."""

_FIRST = lazy_compile(r"/+([\w.@+-]+)(/|$)?")
_HERE = lazy_compile(r"\$\(\s*pwd\s*\)|`\s*pwd\s*`|\$PWD\b|\$\{PWD\}|~\+|/proc/(?:self|\$\$)/cwd")
_TOP = lazy_compile(r"\$\(\s*git rev-parse --show-toplevel\s*\)|`git rev-parse --show-toplevel`")
_FRESHLY = "/tmp/fresh"  # noqa: S108
_TEMPORARY = "/tmp"  # noqa: S108
_WILD = lazy_compile(r"[*?\[{]")
_ALL = lazy_compile(r"(?=[^*?]*[*?])[*.?{},!\[\]]+")
_UNKNOWN = lazy_compile(r"[$`]")


def area(item: Item, place: CallContext) -> Area:
    """Return the area of an argument; the worst if it may have several."""
    if item.text.startswith(("<(", ">(", "=(")) and item.unknown:
        return "scratch"  # a pipe
    where = worst(_area(text, item, place) for text in _texts(item, place))
    return worst((where, "unset")) if depends_on_tmpdir(item, place) else where


def depends_on_tmpdir(item: Item, place: CallContext) -> bool:
    """Return whether a path below TMPDIR is worth keeping if that variable is unset.

    A path whose first folder exists on no machine is harmless: `$TMPDIR/shop-test` is `/shop-test`.
    """
    if not item.unknown or "TMPDIR" in place.values or _TMPDIR.search(item.text) is None:
        return False
    texts = (_TMPDIR.sub("", text) for text in with_values(item.text, place.values))
    return any(_leads_out(text, item, place) for text in texts if text[:1] == "/")


def _leads_out(text: str, item: Item, place: CallContext) -> bool:
    match = _FIRST.match(text)
    if match is None or ".." in text.split("/"):
        return _area(text, item, place) not in ("scratch", "rebuildable")
    first = match[1].lower()
    if match[2] is None:
        return any(name.startswith(first) for name in _SYSTEM)
    return first in _SYSTEM or _known(f"/{match[1]}", place) in FAR - {"outside"}


def area_of(path: str, place: CallContext) -> Area:
    """Return the area of a path that is completely known."""
    return area(Item(path, 0), place)


def worst(areas: Iterable[Area]) -> Area:
    """Return the worst of several areas."""
    return min(areas, key=_ORDER.index, default="unknown")


def paths(item: Item, place: CallContext) -> tuple[str, ...]:
    """Return the possible absolute paths of an argument, as far as known; globs stay."""
    absolutes = (_absolute(text, place) for text in _texts(item, place) if not _cut(text, item)[1])
    return tuple(path for path in absolutes if path is not None)


def known_paths(item: Item, place: CallContext) -> tuple[str, ...]:
    """Return the possible absolute paths of an argument; nothing if not all of them are known."""
    texts = tuple(_texts(item, place))
    if item.unknown and any(_cut(text, item)[1] or _WILD.search(text) for text in texts):
        return ()
    found = paths(item, place)
    return found if len(found) == len(texts) else ()


def is_recreated_file(name: str) -> bool:
    """Return whether the name of a file, or a glob of names, is one of files that are recreated."""
    low = name.lower()
    suffix = low[low.rfind(".") :] if "." in low else ""
    return low in _LITTERED or suffix in _LITTER or is_recreated_folder(low)


@lru_cache(maxsize=1024)
def is_recreated_folder(name: str) -> bool:
    """Return whether a build, an installation or a test recreates a folder of this name."""
    low = name.lower()
    return low in _REBUILDABLE or low.startswith(_REBUILT) or low.endswith(".egg-info")


def is_stream(path: str) -> bool:
    """Return whether an absolute path is a stream of the process or a null device, not a file."""
    return _STREAM.fullmatch(path) is not None


def means_everything(text: str) -> bool:
    """Return whether the last part of a path is a glob for everything: `*`, `.*`, `**`."""
    return _ALL.fullmatch(text.rstrip("/").rpartition("/")[2]) is not None


def home(place: CallContext) -> str:
    """Return the user's home; a placeholder path if it is unknown."""
    return place.home or "/home/user"


def _texts(item: Item, place: CallContext) -> Iterator[str]:
    """Yield the texts that the word may be, with the known values of its variables."""
    if not item.unknown:
        yield _HOME.sub(lambda _: home(place), item.text) if item.text[:1] == "~" else item.text
        return
    for text in with_values(item.text, place.values):
        value = _HOME.sub(lambda _: home(place), text)
        for pattern, folder in (
            *((_HERE, place.cwd), (_TOP, place.project)),
            (NEW_FOLDER, _FRESHLY if "mktemp" not in place.values else None),
            (_TMPDIR, _FRESHLY if "TMPDIR" not in place.values else None),
            (_TMPDIR_SET, _TEMPORARY if "TMPDIR" not in place.values else None),
        ):
            value = pattern.sub(lambda _, to=folder: to, value) if folder else value  # type: ignore[misc]
        yield value


def _cut(text: str, item: Item) -> tuple[str, bool]:
    """Return the text before its first unknown part, and whether there is one."""
    if item.hole is None:
        return text, False
    if match := _UNKNOWN.search(text):
        return text[: match.start()], True
    if item.hole.spread in ("glob", "home") or text != item.text:
        return text, False
    head = item.hole.head
    return (text[: len(head)], True) if not _WILD.search(text) or "{}" in text else (text, False)


def _area(text: str, item: Item, place: CallContext) -> Area:
    if text[:1] == "~" and text[:2] != "~/" and item.unknown:
        return "outside"  # another user's home
    head, open_end = _cut(text, item)
    if open_end:
        return _beyond(head, text, item, place)
    if not item.unknown:
        return _known(text, place)
    return _globbed(text, place)


def _beyond(head: str, text: str, item: Item, place: CallContext) -> Area:
    """Return the area of an argument of which only the beginning is known."""
    if ".." in text[len(head) :].split("/"):
        return "unknown"
    name = text.rstrip("/").rpartition("/")[2]
    named = name and "/" in text and not _UNKNOWN.search(name) and is_recreated_folder(name)
    if "/" not in head:
        return "rebuildable" if named and item.hole and item.hole.tail else "unknown"
    base = _known(head.rpartition("/")[0] or "/", place)
    if base in ("inside", "project"):
        return "rebuildable" if named else "inside"
    return "scratch" if _is_scratch(head, place) else base


def _globbed(text: str, place: CallContext) -> Area:
    """Return the area of a path with a glob; a folder's whole content counts as the folder."""
    parts = text.rstrip("/").split("/")
    first = next((at for at, part in enumerate(parts) if _WILD.search(part)), len(parts))
    if text[:1] == "/" and first <= 1:
        return "root"
    if all(_ALL.fullmatch(part) for part in parts[first:]) and first < len(parts):
        base = "/".join(parts[:first]) or "."
        return "scratch" if _is_scratch(f"{base}/", place) else _known(base, place)
    return _known(text, place)


def _is_scratch(text: str, place: CallContext) -> bool:
    path = _absolute(text, place)
    return path is not None and any(_scratched(path, folder, place) for folder in place.scratch)


def _scratched(path: str, scratch: str, place: CallContext) -> bool:
    """Return whether a path is in a scratch folder, apart from a home or project inside of it.

    What contains the home or a project is not scratch either: it would be deleted with them.
    """
    if not _within(path, scratch) or path == place.home:
        return False
    roots = (root for root in (place.project, *place.owned) if root and root != scratch)
    if any(_within(root, path) for root in roots):
        return False
    if not place.home or place.home == scratch or not _within(place.home, scratch):
        return True
    return not _within(path, place.home) and not _within(place.home, path)


def _known(text: str, place: CallContext) -> Area:
    path = _absolute(text, place)
    if path is None:
        climbs = text.startswith("..") or "/.." in text
        return "rebuildable" if not climbs and _rebuilt(text) else "unknown"
    if _HARMLESS.fullmatch(path):
        return "scratch"
    for root in (place.project, *place.owned):
        if root and root != "/" and _within(path, root) and not _is_private(path, place):
            return _inside(path, root)
    if any(_scratched(path, root, place) for root in place.scratch):
        return "scratch"
    if _DEVICES.fullmatch(path):
        return "device"
    return _elsewhere(path, place)


def _is_private(path: str, place: CallContext) -> bool:
    """Return whether a path is a private folder of the home, if the whole home is the project."""
    home = place.home
    return path == home or (bool(home) and place.project == home and path.startswith(f"{home}/."))


def _inside(path: str, root: str) -> Area:
    parts = path[len(root) :].lower().strip("/").split("/")
    if parts == [""]:
        return "project"
    if not _REPOSITORY.isdisjoint(parts):
        return "repository"
    return "rebuildable" if any(map(is_recreated_folder, parts)) else "inside"


def _elsewhere(path: str, place: CallContext) -> Area:
    own = home(place)
    if path == "/":
        return "root"
    if _within(own, path):
        return "home" if path == own else "system"
    if place.project and _within(place.project, path):
        return "above"
    if _within(path, own):
        return "rebuildable" if _CACHES.fullmatch(path[len(own) + 1 :].lower()) else "outside"
    return _of_machine(path.lower())


def _of_machine(path: str) -> Area:
    """Return the area of a path in lower case that is in no home."""
    top = path.split("/")[1]
    if _PACKAGE_CACHES.fullmatch(path):
        return "rebuildable"
    if _OPEN.match(path) or _OWN_DATA.match(path):
        return "outside"
    return "system" if top in _SYSTEM or _WILD.search(top) else "outside"


def _rebuilt(text: str) -> bool:
    return any(map(is_recreated_folder, text.strip("/").split("/")))


def _absolute(text: str, place: CallContext) -> str | None:
    if text[:2] == "~/" or text == "~":
        text = home(place) + text[1:]
    if not text.startswith("/"):
        if place.cwd is None:
            return None
        text = f"{place.cwd}/{text}"
    text = text.replace("/proc/self/root", "/")
    if text.startswith("/proc/self/cwd"):
        text = (place.cwd or "/proc/self/cwd") + text[len("/proc/self/cwd") :]
    path = posixpath.normpath(text)
    return path[1:] if path.startswith("//") else path


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
