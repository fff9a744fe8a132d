"""Layers of settings are joined into one list of hooks, each once and with a name of its own."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules.layers import MergedHooks, merge_layers
from hookd.core.hook_rules.model import Layer
from hookd.core.hook_rules.parse import ParsedHooks, parse_hooks
from hookd.core.hook_rules.sources import LAYERS, HookFileLocation, hook_files
from support.hook_files import example, layer, on, run
from support.parametrize import parametrize_all


def commands(found: MergedHooks) -> list[str]:
    return [hook.command for hook in found.hooks]


def idle(found: MergedHooks) -> list[tuple[str, str]]:
    return [(one.hook.command, one.reason) for one in found.inactive]


def one(name: Layer, command: str, **keys: Any) -> ParsedHooks:
    return layer(name, on("Stop", run(command, **keys)))


def merged(claude: dict[str, Any], gen: dict[str, Any]) -> MergedHooks:
    """Return what holds of the two files of a program that reads Claude Code's settings too."""
    there = HookFileLocation("project", "/p/.claude/settings.json", "gencode")
    return merge_layers(
        [parse_hooks(claude, there), layer("project", gen, "/p/.gen/settings.json", "gencode")]
    )


def pairs(found: MergedHooks) -> list[tuple[str, str | None, str]]:
    assert found.problems == ()
    return [(hook.event, hook.matcher, hook.command) for hook in found.hooks]


EDIT = on("PostToolUse", run("claude"), matcher="Edit")
WRITE = on("PostToolUse", run("gen"), matcher="Write")
MERGES: list[tuple[dict[str, Any], dict[str, Any], list[tuple[str, str | None, str]]]] = [
    ({}, WRITE, [("PostToolUse", "Write", "gen")]),
    (EDIT, {"provider": "google"}, [("PostToolUse", "Edit", "claude")]),
    (EDIT, WRITE, [("PostToolUse", "Edit", "claude"), ("PostToolUse", "Write", "gen")]),
    (EDIT, on("Stop", run("gen")), [("PostToolUse", "Edit", "claude"), ("Stop", None, "gen")]),
    (
        on("SessionStart", run("claude")),
        on("SessionStart", run("gen")),
        [("SessionStart", None, "claude"), ("SessionStart", None, "gen")],
    ),
    (on("Stop", run("done")), on("Stop", run("done")), [("Stop", None, "done")]),
    (
        example("gen.settings.json"),
        on("PostToolUse", run('echo "post bash"'), matcher="Bash"),
        [
            ("PreToolUse", "Bash", 'echo "pre bash"'),
            ("PostToolUse", "Write|Edit", "npm run lint"),
            ("Stop", None, "afplay done.mp3"),
            ("PostToolUse", "Bash", 'echo "post bash"'),
        ],
    ),
]


@parametrize_all(("claude", "gen", "expected"), MERGES)
def test_two_files_of_one_layer_are_joined(
    claude: dict[str, Any], gen: dict[str, Any], expected: list[tuple[str, str | None, str]]
) -> None:
    assert pairs(merged(claude, gen)) == expected


def test_what_a_hook_says_of_itself_survives_the_joining() -> None:
    first, lint, *_ = merged(example("gen.settings.json"), {}).hooks
    assert (first.on_failure, first.timeout) == ("block", 5)
    assert lint.status_message == "Running linter..."


def test_the_weakest_layer_comes_first_whatever_the_order_of_the_files() -> None:
    parts = [one(name, name) for name in reversed(LAYERS)]
    assert commands(merge_layers(parts)) == list(LAYERS)


@parametrize_all(
    ("by", "reach"),
    [
        ("user", {"plugin"}),
        ("plugin", {"user"}),
        ("project", {"user", "plugin"}),
        ("local", {"user", "plugin", "project"}),
        ("cli", {"user", "plugin", "project", "local"}),
        ("managed", {"user", "plugin", "project", "local", "cli"}),
    ],
)
def test_a_layer_switches_off_what_is_weaker_and_the_managed_one_stands(
    by: Layer, reach: set[str]
) -> None:
    parts = [one(name, name) for name in LAYERS]
    found = merge_layers([*parts, layer(by, {"disabled_hooks": ["Stop-*"]}, "/wish.json")])
    assert {hook.command for hook in found.hooks} == set(LAYERS) - reach
    assert idle(found) == [(name, "disabled in /wish.json") for name in LAYERS if name in reach]
    assert found.problems == ()


def test_a_hook_is_switched_off_by_its_id_or_by_a_glob() -> None:
    hooks = on("Stop", run("a", id="lint-a"), run("b", id="lint-b"), run("c", id="test"))
    for wish, left in (("lint-a", ["b", "c"]), ("lint-*", ["c"]), ("*", [])):
        found = merge_layers([layer("user", hooks), layer("project", {"disabled_hooks": [wish]})])
        assert commands(found) == left


def test_a_stronger_layer_replaces_a_hook_by_switching_it_off_and_naming_it_anew() -> None:
    weak = one("user", "make", id="build", timeout=5)
    strong = layer(
        "local", {"disabled_hooks": ["build"]} | on("Stop", run("make", id="build", timeout=9))
    )
    found = merge_layers([weak, strong])
    assert [(hook.id, hook.timeout) for hook in found.hooks] == [("build", 9)]
    assert found.disabled == {}


@parametrize_all(
    ("wish", "sentence"),
    [
        ("bild", "there is no hook 'bild'; did you mean `build`?"),
        ("zzz", "there is no hook 'zzz'"),
        ("must", "hooks of the managed layer cannot be disabled in the project one"),
        ("own", "hooks of the project layer cannot be disabled in the project one"),
    ],
)
def test_a_wish_that_does_nothing_is_told(wish: str, sentence: str) -> None:
    found = merge_layers(
        [
            one("user", "a", id="build"),
            layer("project", {"disabled_hooks": [wish]} | on("Stop", run("b", id="own"))),
            one("managed", "c", id="must"),
        ]
    )
    assert commands(found) == ["a", "b", "c"]
    (problem,) = found.problems
    assert (problem.path, problem.key, problem.fatal) == (
        "/project.json",
        "disabled_hooks[0]",
        False,
    )
    assert problem.sentence == sentence


def test_the_same_hook_is_there_once_and_the_first_one_stays() -> None:
    found = merge_layers(
        [one("user", "a", timeout=5), one("project", "a", timeout=9), one("cli", "a")]
    )
    assert [(hook.source.layer, hook.timeout) for hook in found.hooks] == [("user", 5)]
    assert idle(found) == [("a", "the same as hooks.Stop[0].hooks[0] in /user.json")] * 2


def test_a_managed_hook_stays_where_a_weaker_layer_has_it_too() -> None:
    parts = [one("user", "a", on_failure="warn"), one("managed", "a", on_failure="block")]
    (hook,) = merge_layers(parts).hooks
    assert (hook.source.layer, hook.on_failure) == ("managed", "block")
    assert commands(merge_layers([*parts, layer("local", {"disabled_hooks": ["*"]})])) == ["a"]


def test_forms_do_not_matter_for_what_is_the_same() -> None:
    array = {"hooks": [{"event": "turn.done", "command": "a"}]}
    assert commands(merge_layers([one("user", "a"), layer("project", array, dialect="opta")])) == [
        "a"
    ]


def test_other_matchers_and_conditions_make_other_hooks() -> None:
    entries = [
        on("PreToolUse", run("a"), matcher="Edit"),
        on("PreToolUse", run("a"), matcher="Write"),
        on("PreToolUse", run("a", **{"if": "Edit(*.py)"}), matcher="Write"),
        on("PreToolUse", run("a", args=[]), matcher="Write"),
    ]
    assert len(merge_layers([layer("user", entry) for entry in entries]).hooks) == 4


def test_no_two_hooks_have_one_id() -> None:
    found = merge_layers(
        [one("user", "a", id="x"), one("project", "b", id="x"), one("local", "c", id="x")]
    )
    ids = [hook.id for hook in found.hooks]
    assert ids[0] == "x"
    assert len(set(ids)) == 3
    assert [problem.key for problem in found.problems] == ["hooks.Stop[0].hooks[0].id"] * 2
    told = f"the id 'x' is taken by hooks.Stop[0].hooks[0] in /user.json; {ids[1]} is used"
    assert found.problems[0].sentence == told


def test_an_id_that_looks_like_the_one_of_another_hook_takes_nothing_from_it() -> None:
    derived = merge_layers([one("project", "b")]).hooks[0].id
    found = merge_layers([one("user", "a", id=derived), one("project", "b")])
    assert [hook.id for hook in found.hooks] == [derived, f"{derived}.2"]


def test_a_file_that_is_not_trusted_is_listed_and_has_no_say() -> None:
    untrusted = layer("project", {"disabled_hooks": ["*"]} | on("Stop", run("a"), run("b")))
    found = merge_layers(
        [one("user", "u"), untrusted, one("cli", "a")], {"/project.json": "untrusted"}
    )
    assert commands(found) == ["u", "a"]
    assert idle(found) == [("a", "untrusted"), ("b", "untrusted")]
    assert list(found.disabled.values()) == ["untrusted"]


def test_hooks_of_claude_code_are_listed_and_never_run() -> None:
    place = HookFileLocation("user", "/h/.claude/settings.json", "claude", runs=False)
    found = merge_layers([parse_hooks(on("Stop", run("a")), place), one("project", "a")])
    assert [hook.source.layer for hook in found.hooks] == ["project"]
    assert idle(found) == [("a", "Claude Code runs it itself")]


def test_a_hook_that_its_own_entry_switches_off_is_listed() -> None:
    found = merge_layers([one("user", "a", disabled=True)])
    assert (commands(found), idle(found)) == ([], [("a", "its own entry says disabled")])
    assert list(found.disabled.values()) == ["its own entry says disabled"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(LAYERS),
            st.lists(st.sampled_from("abc"), max_size=3),
            st.sampled_from([[], ["x"], ["Stop-*"], ["*"]]),
        ),
        max_size=6,
    )
)
def test_every_hook_runs_or_is_idle_and_ids_are_never_shared(
    said: Sequence[tuple[Layer, list[str], list[str]]],
) -> None:
    parts = [
        layer(name, {"disabled_hooks": wish} | on("Stop", *map(run, names)), f"/{at}.json")
        for at, (name, names, wish) in enumerate(said)
    ]
    found = merge_layers(parts)
    ids = [hook.id for hook in found.hooks]
    assert len(ids) == len(set(ids))
    assert len(found.hooks) + len(found.inactive) == sum(len(part.hooks) for part in parts)
    managed = {
        hook.command for part in parts for hook in part.hooks if part.place.layer == "managed"
    }
    assert managed <= {hook.command for hook in found.hooks}


def test_the_files_of_all_layers_come_in_their_order() -> None:
    extra = [
        HookFileLocation("cli", "/given.json"),
        HookFileLocation("plugin", "/c/plugins/a/hooks.json"),
    ]
    found = hook_files("/p", "/h", "/c", extra)
    assert [(place.layer, place.path) for place in found] == [
        ("user", "/h/.claude/settings.json"),
        ("user", "/c/settings.json"),
        ("user", "/h/.config/opta/config.json"),
        ("user", "/h/.gen/settings.json"),
        ("plugin", "/c/plugins/a/hooks.json"),
        ("project", "/p/.claude/settings.json"),
        ("project", "/p/.hookd/settings.json"),
        ("project", "/p/.opta/config.json"),
        ("project", "/p/.gen/settings.json"),
        ("project", "/p/.mycode/settings.json"),
        ("local", "/p/.claude/settings.local.json"),
        ("local", "/p/.hookd/settings.local.json"),
        ("local", "/p/.gen/settings.local.json"),
        ("cli", "/given.json"),
        ("managed", "/etc/hookd/settings.json"),
    ]
    assert {place.path for place in found if not place.runs} == {
        "/h/.claude/settings.json",
        "/p/.claude/settings.json",
        "/p/.claude/settings.local.json",
    }
    assert {place.dialect for place in found} == {"claude", "hookd", "opta", "gencode"}


def test_without_a_project_there_are_no_files_of_one() -> None:
    layers = {place.layer for place in hook_files(None, "/h", "/c", macos=True)}
    assert layers == {"user", "managed"}
    last = hook_files(None, "/h", "/c", macos=True)[-1]
    assert last.path == "/Library/Application Support/hookd/settings.json"


def test_a_project_that_is_the_home_folder_has_no_second_copy_of_the_users_files() -> None:
    paths = [place.path for place in hook_files("/h", "/h", "/c")]
    assert len(paths) == len(set(paths))
    by_path = {place.path: place.layer for place in hook_files("/h", "/h", "/c")}
    assert by_path["/h/.gen/settings.json"] == "user"
