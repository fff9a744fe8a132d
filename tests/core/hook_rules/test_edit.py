"""How hooks are written: what is put in is read back as the same hook, and nothing else moves."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hookd.core.hook_rules import edit
from hookd.core.hook_rules.edit import SettingsShapeError
from hookd.core.hook_rules.model import Hook, Source
from hookd.core.hook_rules.sources import dialect_of
from support.hook_files import EXAMPLES, example, on, parsed, run
from support.parametrize import parametrize_all

DIALECTS = {"gen": ".gen/settings.json", "mycode": ".mycode/settings.json"}
FILES = sorted(path.name for path in EXAMPLES.glob("*.json"))
FORMS = [
    on("Stop", run("a")),
    {"hooks": {"Stop": [run("a")]}},
    {"hooks": [{"event": "stop", "command": "a"}]},
]
KEYS = ["hooks.Stop[0].hooks[0]", "hooks.Stop[0]", "hooks[0]"]
PAIRS = list(zip(FORMS, KEYS, strict=True))


def bare(hook: Hook) -> Hook:
    """Return a hook without where it stands."""
    return replace(hook, source=Source("project", "", ""), chain=None)


@parametrize_all("name", FILES)
def test_hooks_of_any_form_are_the_same_once_they_are_written(name: str) -> None:
    stem = name.partition(".")[0]
    opta = "opta/config.json" if stem == "opta" else f".{stem}/settings.json"
    dialect = dialect_of(DIALECTS.get(stem, opta))
    before = parsed(example(name), dialect)
    assert before.hooks
    after = parsed(edit.add_hooks({}, before.hooks, before.disabled_hooks))
    assert [one for one in after.problems if one.fatal] == []
    assert sorted(map(bare, after.hooks), key=str) == sorted(map(bare, before.hooks), key=str)
    assert list(map(bare, after.disabled_hooks)) == list(map(bare, before.disabled_hooks))


def test_what_runs_in_a_chain_still_does() -> None:
    before = parsed(on("Stop", run("a"), run("b"), sequential=True))
    after = parsed(edit.add_hooks(on("Stop", run("c")), before.hooks))
    chains = {hook.command: hook.chain for hook in after.hooks}
    assert chains["a"] == chains["b"] is not None
    assert chains["c"] is None


def test_a_hook_joins_the_group_of_its_matcher() -> None:
    document = on("PreToolUse", run("a"), matcher="Bash")
    value, key = edit.add_entry(document, "PreToolUse", "Bash", run("b"))
    assert value == on("PreToolUse", run("a"), run("b"), matcher="Bash")
    assert key == "hooks.PreToolUse[0].hooks[1]"


@parametrize_all(
    "group",
    [
        {"matcher": "Edit", "hooks": [run("a")]},
        {"matcher": "Bash", "sequential": True, "hooks": [run("a")]},
        {"matcher": ["Bash"], "hooks": [run("a")]},
        {"matcher": "Bash", **run("a")},
        {"matcher": "Bash", "hooks": "odd"},
        "odd",
    ],
)
def test_a_hook_joins_no_other_group(group: Any) -> None:
    document = {"hooks": {"PreToolUse": [group]}}
    value, key = edit.add_entry(document, "PreToolUse", "Bash", run("b"))
    made = {"matcher": "Bash", "hooks": [run("b")]}
    assert value == {"hooks": {"PreToolUse": [group, made]}}
    assert key == "hooks.PreToolUse[1].hooks[0]"


@parametrize_all("matcher", [None, "", "*"])
def test_all_that_means_everything_is_one_matcher(matcher: str | None) -> None:
    document = {"hooks": {"Stop": [{"matcher": "*", "hooks": [run("a")]}]}}
    value, _ = edit.add_entry(document, "Stop", matcher, run("b"))
    assert len(value["hooks"]["Stop"]) == 1


@parametrize_all("document", [{"hooks": []}, {"hooks": {"Stop": {}}}, {"hooks": "odd"}])
def test_settings_of_an_odd_shape_take_no_hook(document: Any) -> None:
    with pytest.raises(SettingsShapeError):
        edit.add_entry(document, "Stop", None, run("a"))


@parametrize_all(("document", "key"), PAIRS, ids=KEYS)
def test_a_hook_of_any_form_is_taken_out_without_a_rest(document: Any, key: str) -> None:
    assert [hook.source.key for hook in parsed(document).hooks] == [key]
    assert edit.remove_entry({"log": {}, **document}, key) == {"log": {}}


@parametrize_all(("document", "key"), PAIRS, ids=KEYS)
def test_a_hook_of_any_form_is_switched_off_and_on(document: Any, key: str) -> None:
    off = edit.set_enabled(document, key, on=False)
    assert (len(parsed(off).hooks), len(parsed(off).disabled_hooks)) == (0, 1)
    assert edit.set_enabled(off, key, on=True) == document


def test_only_what_is_meant_is_taken_out() -> None:
    document = on("Stop", run("a"), run("b"))
    assert edit.remove_entry(document, "hooks.Stop[0].hooks[0]") == on("Stop", run("b"))
    assert document == on("Stop", run("a"), run("b")), "the value that was given stays"


@parametrize_all("key", ["disabled_hooks[0]", "hooks", "hooks.Stop", "hooks.Stop[0].matcher"])
def test_what_is_no_key_of_a_hook_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="no key of a hook"):
        edit.remove_entry(on("Stop", run("a")), key)


@parametrize_all(
    ("document", "name", "state", "after"),
    [
        ({}, "a", False, {"disabled_hooks": ["a"]}),
        ({"disabled_hooks": ["a"]}, "a", False, {"disabled_hooks": ["a"]}),
        ({"disabled_hooks": ["a", "b"]}, "a", True, {"disabled_hooks": ["b"]}),
        ({"disabled_hooks": ["a"], "log": {}}, "a", True, {"log": {}}),
        ({"disabled_hooks": []}, "a", True, {"disabled_hooks": []}),
        ({"disable": ["a"]}, "b", False, {"disabled_hooks": ["a", "b"]}),
        ({"disable": ["a"]}, "a", True, {}),
        ({"disable": ["a"]}, "b", True, {"disable": ["a"]}),
        (
            {"disable": ["x"], "disabled_hooks": ["a"]},
            "b",
            False,
            {"disabled_hooks": ["a", "b"]},
        ),
        ({}, "a", True, {}),
    ],
)
def test_an_id_is_added_to_the_disabled_hooks_once_and_removed(
    document: Any, name: str, state: bool, after: Any
) -> None:
    assert edit.set_listed_as_disabled(document, name, on=state) == after


@pytest.mark.parametrize("key", ["disabled_hooks", "disable"])
def test_disabled_hooks_that_are_no_list_are_refused(key: str) -> None:
    with pytest.raises(SettingsShapeError, match=f"`{key}` is no list"):
        edit.set_listed_as_disabled({key: "a"}, "a", on=False)


words = st.text(alphabet="ab $'\"\\é\n", min_size=1).filter(str.strip)
hooks = st.builds(
    lambda command, matcher, timeout, failure, flags, args: {
        **run(command, timeout=timeout, on_failure=failure, args=args),
        **dict.fromkeys(flags, True),
        "matcher": matcher,
    },
    words,
    st.sampled_from(["Bash", "Edit|Write", "*"]),
    st.floats(0.1, 600) | st.integers(1, 600),
    st.sampled_from(["warn", "block", "ask"]),
    st.sets(st.sampled_from(["async", "asyncRewake", "always", "inherit_env"])),
    st.lists(words, max_size=2),
)


@given(st.lists(hooks, max_size=4))
def test_whatever_is_put_in_is_read_back(entries: list[dict[str, Any]]) -> None:
    before = parsed({"hooks": {"PreToolUse": entries}}).hooks
    text = json.dumps(edit.add_hooks({"log": {"level": "info"}}, before))
    after = parsed(json.loads(text))
    assert sorted(map(bare, after.hooks), key=str) == sorted(map(bare, before), key=str)
