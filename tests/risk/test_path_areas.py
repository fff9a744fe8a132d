"""The area of a command's argument is known from its text, or reported as unknown."""

from dataclasses import replace

from hookd.risk.model import CallContext, CommandCall
from hookd.risk.path_areas import Area, area, area_of, is_recreated_file, means_everything
from hookd.risk.variable_values import values_in
from hookd.shell.commands import read
from support.parametrize import parametrize_all

PLACE = CallContext(cwd="/home/me/work/shop", project="/home/me/work/shop", home="/home/me")

WORDS: list[tuple[str, Area]] = [
    *[("/", "root"), ("/*", "root"), ("//", "root"), ("/.", "root"), ("/../..", "root")],
    *[
        ("/home/../*", "root"),
        ("/{bin,usr}/..", "root"),
        ("/u*", "root"),
        ("/proc/self/root", "root"),
    ],
    *[("/etc", "system"), ("/etc/", "system"), ("/etc/passwd", "system"), ("/usr/lib/x", "system")],
    *[("/usr/*", "system"), ("/home", "system"), ("/home/*", "system"), ("/boot/x", "system")],
    *[("/opt", "system"), ("/var/lib/x", "system"), ("/ETC/hosts", "system"), ("/var", "system")],
    *[("~", "home"), ("~/", "home"), ("~/*", "home"), ("~/.*", "home"), ("$HOME", "home")],
    *[('"$HOME"', "home"), ("${HOME}/*", "home"), ("/home/me/.", "home"), ("../..", "home")],
    *[("..", "above"), ("../", "above"), ("../*", "above"), ("/home/me/work", "above")],
    *[("/proc/self/cwd/..", "above"), ("$PWD/..", "above")],
    *[("/dev/sda", "device"), ("/dev/nvme0n1p2", "device"), ("/dev/disk2", "device")],
    *[("/dev/mapper/vg-root", "device"), ("/dev/null", "scratch"), ("/dev/stderr", "scratch")],
    *[("~/notes.txt", "outside"), ("../other", "outside"), ("/opt/x", "outside")],
    *[("/home/you/x", "outside"), ("~you/x", "outside"), ("/usr/local/bin/x", "outside")],
    *[("/Root/x", "outside"), ("/root", "outside"), ("/var/app/x", "outside")],
    *[
        ("/var/app", "outside"),
        ("/var/lib", "system"),
        ("/var/*", "system"),
        ("/var/spool/cron/x", "system"),
        ("/var/lib/app/x", "system"),
    ],
    *[("/data/x", "outside"), ("~/.ssh", "outside"), ("$HOME/.cache/pip", "rebuildable")],
    *[("~/.npm/_cacache", "rebuildable"), ("~/.gradle/caches/x", "rebuildable")],
    *[
        ("~/Library/Developer/Xcode/DerivedData", "rebuildable"),
        ("~/.m2/repository", "rebuildable"),
    ],
    *[("~/.cargo/registry", "rebuildable"), ("~/.cargo/bin/x", "outside"), ("~/.npm", "outside")],
    *[("~/.cache", "outside"), ("~/.cache/*", "outside"), ("~/.cache/$X", "outside")],
    *[("~/.cache/huggingface/hub", "outside"), ("~/.cache/pip/../../x", "outside")],
    *[("/var/lib/apt/lists/*", "rebuildable"), ("/var/cache/apt/x", "rebuildable")],
    *[("/var/lib/apt", "system"), ("/var/cache/x", "outside")],
    *[('"$X"', "unknown"), ('"$X"/', "unknown"), ("$X", "unknown"), ("$X/src", "unknown")],
    *[("${X:?}/src", "unknown"), ("$(pick)", "unknown"), ("`pick`/x", "unknown")],
    *[(".git", "repository"), (".git/", "repository"), ("web/.git/config", "repository")],
    *[(".", "project"), ("./", "project"), ("*", "project"), ("./*", "project")],
    *[(".*", "project"), ("/home/me/work/shop", "project"), ("$PWD", "project")],
    *[("$(pwd)/*", "project"), ("../shop", "project"), ("**", "project")],
    *[("$(git rev-parse --show-toplevel)", "project")],
    *[("src", "inside"), ("./src/", "inside"), ("src/*", "inside"), ("*.ts", "inside")],
    *[("src/../web", "inside"), ("src/$X", "inside"), ("./$X", "inside"), ("{a,b}", "inside")],
    *[("'*'", "inside"), ("'$X'", "inside"), (".github", "inside"), ("a*", "inside")],
    *[("node_modules", "rebuildable"), ("./dist/", "rebuildable"), ("web/.next", "rebuildable")],
    *[("dist/*", "rebuildable"), ("packages/*/dist", "rebuildable"), ("x.egg-info", "rebuildable")],
    *[("build/$X", "rebuildable"), ('"$X"/node_modules', "rebuildable")],
    *[("*.egg-info", "rebuildable"), ("target/../src", "inside"), ("dist/../..", "above")],
    *[
        ("/tmp/x", "scratch"),
        ("/tmp", "scratch"),
        ("/tmp/*", "scratch"),
        ("/tmp/$X", "scratch"),
        ("/tmp/../etc", "system"),
    ],
    *[("/var/tmp/x", "scratch"), ("$(mktemp -d)", "scratch"), ("$TMPDIR/x", "scratch")],
    *[("<(ls)", "scratch")],
]


@parametrize_all(("word", "expected"), WORDS)
def test_an_argument_has_one_area(word: str, expected: Area) -> None:
    items = CommandCall(read(f"rm {word}").commands[0], PLACE).items
    assert {area(item, PLACE) for item in items} == {expected}


@parametrize_all(
    ("path", "expected"),
    [
        ("src", "unknown"),
        ("/etc", "system"),
        ("node_modules", "rebuildable"),
        ("../dist", "unknown"),
    ],
)
def test_a_relative_path_from_an_unknown_folder_is_known_by_its_name_alone(
    path: str, expected: Area
) -> None:
    assert area_of(path, replace(PLACE, cwd=None)) == expected


def test_hidden_folders_of_the_home_are_outside_if_the_home_is_the_project() -> None:
    place = CallContext(cwd="/home/me", project="/home/me", home="/home/me")
    assert [area_of(path, place) for path in ("~", "~/x", "~/.ssh/x")] == [
        "home",
        "inside",
        "outside",
    ]


TEMPORARY = CallContext(cwd="/tmp/ci/me/shop", project="/tmp/ci/me/shop", home="/tmp/ci/me")
BELOW_SCRATCH: list[tuple[str, Area]] = [
    *[("~", "home"), ("/tmp/ci/me", "home"), ("~/*", "home"), ("~/notes", "outside")],
    *[("/tmp", "system"), ("/tmp/*", "system"), ("/tmp/ci", "system"), ("/tmp/$X", "system")],
    *[("src", "inside"), (".", "project"), ("..", "home")],
    *[("/tmp/x", "scratch"), ("/tmp/ci/you", "scratch"), ("/tmp/ci/me2/x", "scratch")],
    *[("/tmp/x-$X", "scratch"), ("/var/tmp/x", "scratch"), ("$(mktemp -d)", "scratch")],
]


@parametrize_all(("word", "expected"), BELOW_SCRATCH)
def test_a_home_below_tmp_is_not_scratch(word: str, expected: Area) -> None:
    (item,) = CommandCall(read(f"rm {word}").commands[0], TEMPORARY).items
    assert area(item, TEMPORARY) == expected


def test_a_folder_that_contains_the_project_is_not_scratch() -> None:
    place = replace(TEMPORARY, home="/home/me")
    assert [area_of(path, place) for path in ("/tmp", "/tmp/ci", "/tmp/ci/me")] == ["above"] * 3
    assert area_of("/tmp/ci/other", place) == "scratch"


def test_if_tmp_is_the_home_files_in_it_are_scratch() -> None:
    place = CallContext(cwd="/app", project="/app", home="/tmp")
    assert (area_of("/tmp/x", place), area_of("/tmp", place)) == ("scratch", "home")


def test_a_scratch_folder_of_the_users_own_may_be_in_the_home() -> None:
    place = replace(PLACE, scratch=("/home/me/scratch",))
    assert area_of("~/scratch/x", place) == "scratch"


def test_a_tilde_is_a_home_even_if_the_home_is_unknown() -> None:
    assert area_of("~", CallContext(cwd="/w", project="/w")) == "home"
    assert area_of("~/x", CallContext(cwd="/w", project="/w")) == "outside"


def test_an_added_folder_is_like_the_project() -> None:
    place = replace(PLACE, owned=("/srv/lib",))
    assert [area_of(path, place) for path in ("/srv/lib", "/srv/lib/x", "/srv/libx")] == [
        "project",
        "inside",
        "outside",
    ]


def test_the_whole_file_system_is_never_a_project() -> None:
    assert area_of("/etc/x", CallContext(cwd="/", project="/")) == "system"


VALUES = [
    ('T=$(mktemp -d); ls "$T"', {"T": ("/tmp/fresh",)}),
    ('cd x && T="$(mktemp -d)" && ls "$T"', {"T": ("/tmp/fresh",)}),
    ("cd x && T=$(mktemp -d); ls $T", {}),
    ("T=$(mktemp -d); read T; ls $T", {"T": ()}),
    ("ls $T; T=$(mktemp -d)", {}),
    ("(T=$(mktemp -d)); ls $T", {}),
    ("T=$(mktemp -d) ls $T", {}),
    ("T=$(mktemp -d -p /home/me); ls $T", {"T": ()}),
    ('echo "; T=$(mktemp -d)"; ls $T', {}),
    ("# T=$(mktemp -d)\nls $T", {}),
    *[
        ("a=$(mktemp -d) b=$(mktemp); ls $a", {"a": ("/tmp/fresh",), "b": ("/tmp/fresh",)}),
        ("a=$(mktemp -d) b=/; ls $a", {"a": ("/tmp/fresh",), "b": ("/",)}),
        ("a=$(mktemp -d) b=$(mktemp -d) ls; ls $a", {}),
        ("a=$(mktemp -d) b=$(cat x); ls $a", {"b": ()}),
        ("T=$(mktemp -d) || exit 1; ls $T", {"T": ("/tmp/fresh",)}),
        ("T=$(mktemp -d) || T=/; ls $T", {}),
        ("T=$(mktemp -d) || true; ls $T", {}),
        ("f() { local T; T=$(mktemp -d); ls $T; }; f", {"T": ("/tmp/fresh",)}),
        ("f() { local T U=/; T=$(mktemp -d); ls $T; }; f", {"T": ("/tmp/fresh",)}),
        ("unset T; T=$(mktemp -d); ls $T", {}),
        ("T=$(mktemp -d)\ncat > $T/x <<E\nit's $T\nE\nls $T", {"T": ("/tmp/fresh",)}),
        ("T=$(mktemp -d)\nbash <<'E'\nrm $T/x\nE", {}),
        ("T=$(mktemp -d)\nbash <<E\nrm \\$T/x\nE", {}),
        ("T=$(mktemp -d)\n. /dev/stdin <<E\nT=/\nE\nls $T", {}),
        ("T=$(mktemp -d)\ncat <<E\nT=/\nE\nls $T", {}),
        ("echo '<<E\n'; T=/; echo '\nE'; T=$(mktemp -d); ls $T", {"T": ("/", "/tmp/fresh")}),
        ("c=$(docker run -d x); ls $c", {"c": ("$(docker run -d x)",)}),
        ("c=$(docker ps -q); c=$(docker run -d x); ls $c", {"c": ()}),
    ],
    ("cat <<E\nT=$(mktemp -d)\nE\nls $T", {}),
    ("for d in dist build; do ls $d; done", {"d": ("dist", "build")}),
    ("for d in dist $x; do ls $d; done", {}),
    ("for d in dist; do d=/; ls $d; done", {}),
    ("D=~/old; ls $D", {"D": ("~/old",)}),
    ("D=build; while read x; do ls; done; ls $D", {"D": ("build",), "x": ()}),
    ("D='/tmp/x.txt'; f() { local a; }; ls $D", {"D": ("/tmp/x.txt",)}),
    ("D=/; if true; then D=src; fi; ls $D", {}),
    ("D=/; read D; ls $D", {"D": ()}),
    ("D=/; eval 'D=x'; ls $D", {}),
    ("D=/; unset D; ls $D", {}),
    ("D=a*; ls $D", {}),
    ('D="a b"; ls $D', {}),
    ('D="$HOME/old"; ls $D', {"D": ("$HOME/old",)}),
    ("; ".join(f"a{n}=~/x" for n in range(60)) + "; ls $a1", {}),
    ("ls", {}),
]


@parametrize_all(("text", "expected"), VALUES)
def test_a_variable_is_known_only_where_the_text_leaves_no_doubt(
    text: str, expected: dict[str, tuple[str, ...]]
) -> None:
    assert values_in(text) == expected


@parametrize_all(
    ("text", "expected"),
    [
        ("*", True),
        ("src/.*", True),
        ("a/**/", True),
        ("*.ts", False),
        ("a*", False),
        ("...", False),
    ],
)
def test_a_glob_means_all_or_some(text: str, expected: bool) -> None:
    assert means_everything(text) is expected


def test_files_that_a_build_recreates() -> None:
    assert all(map(is_recreated_file, ("x.pyc", "*.o", ".DS_Store", "node_modules", "npm.log")))
    assert all(map(is_recreated_file, (".eslintcache", "prod.tfplan", "tfplan", "_site", ".build")))
    assert all(map(is_recreated_file, ("*.lo", "x.la", "*.jar", "libx.dylib", "x.whl")))
    assert not any(map(is_recreated_file, ("x.py", "*", "core", "yarn.lock", "conf.d", "")))
