"""Deprecated settings keys apply under their current names, and each is reported."""

from typing import Any

import pytest

from hookd.config.deprecated_keys import current_settings

LAYER_OF_USER = [
    ({"log": {}}, {"log": {}}, []),
    ({"disable": ["a"]}, {"disabled_hooks": ["a"]}, ["disable: deprecated: use disabled_hooks"]),
    (
        {"disable": ["a"], "disabled_hooks": ["b"]},
        {"disabled_hooks": ["b"]},
        ["disable: deprecated and ignored: disabled_hooks is set too"],
    ),
    (
        {"commands": {"limit": 2, "http_allow": ["*"]}},
        {"user_hooks": {"max_concurrent": 2, "http_allow": ["*"]}},
        ["commands: deprecated: use user_hooks (limit is now max_concurrent)"],
    ),
    (
        {"commands": {"background_limit": 2, "env_sets": ["opta"]}},
        {"user_hooks": {"max_background": 2, "env_profiles": ["opta"]}},
        [
            "commands: deprecated: use user_hooks"
            " (background_limit is now max_background, env_sets is now env_profiles)"
        ],
    ),
    (
        {"commands": {"limit": 2, "claude_settings": "run"}, "user_hooks": {"max_concurrent": 3}},
        {"user_hooks": {"max_concurrent": 3, "claude_settings": "run"}},
        [
            "commands: deprecated: use user_hooks (limit is now max_concurrent)",
            "commands.limit: deprecated and ignored: user_hooks.max_concurrent is set too",
        ],
    ),
    (
        {"commands": {"limit": 2, "max_concurrent": 3}},
        {"user_hooks": {"max_concurrent": 3}},
        [
            "commands: deprecated: use user_hooks (limit is now max_concurrent)",
            "commands.limit: deprecated and ignored: user_hooks.max_concurrent is set too",
        ],
    ),
    (
        {"commands": {"limit": 2}, "user_hooks": 7},
        {"user_hooks": 7},
        ["commands: deprecated and ignored: user_hooks is set too"],
    ),
    ({"commands": 7}, {"user_hooks": 7}, ["commands: deprecated: use user_hooks"]),
    (
        {"policies": {"options": {"todo-continuation-enforcer": {"countdown": 3, "max": 2}}}},
        {"policies": {"options": {"todo-continuation-enforcer": {"max": 2}}}},
        [
            "policies.options.todo-continuation-enforcer.countdown:"
            " deprecated: it has no effect, remove it"
        ],
    ),
    ({"policies": {"options": 7}}, {"policies": {"options": 7}}, []),
]


@pytest.mark.parametrize(("document", "value", "notices"), LAYER_OF_USER, ids=repr)
def test_deprecated_keys_apply_and_are_reported(
    document: dict[str, Any], value: dict[str, Any], notices: list[str]
) -> None:
    before = repr(document)
    current = current_settings(document)
    assert current.value == value
    assert [str(one) for one in current.deprecations] == notices
    assert repr(document) == before


def test_a_section_of_the_user_is_left_in_other_layers() -> None:
    document = {"commands": {"limit": 2}, "disable": ["a"]}
    current = current_settings(document, layer=True)
    assert current.value == {"commands": {"limit": 2}, "disabled_hooks": ["a"]}
    assert [one.key for one in current.deprecations] == ["disable"]


@pytest.mark.parametrize("document", [None, 7, [], "commands"])
def test_what_is_no_object_is_left_as_it_is(document: object) -> None:
    assert current_settings(document).value == document


def test_an_error_names_the_key_that_the_file_has() -> None:
    current = current_settings({"commands": {"limit": 0, "prompt": {}}, "disable": [7]})
    assert {
        key: current.key_in_file(key)
        for key in (
            "user_hooks.max_concurrent",
            "user_hooks.prompt.model",
            "user_hooks.max_concurrent_more",
            "disabled_hooks[0]",
            "log.level",
        )
    } == {
        "user_hooks.max_concurrent": "commands.limit",
        "user_hooks.prompt.model": "commands.prompt.model",
        "user_hooks.max_concurrent_more": "user_hooks.max_concurrent_more",
        "disabled_hooks[0]": "disable[0]",
        "log.level": "log.level",
    }
