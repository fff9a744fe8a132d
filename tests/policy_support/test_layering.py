"""Which policies hold, and why, where several layers of settings have a word in it."""

from typing import Any

import pytest

from hookd.config.models import Mode, Policies, PolicyOptions, Section
from hookd.core.model.policy import BY_NAME, WORKFLOW, Policy
from hookd.policy_support.layering import choose
from support.parametrize import parametrize_all


class Usual(PolicyOptions):
    first: int = 1
    second: int = 2


class Quiet(Usual):
    mode: Mode = "off"


class Soft(Usual):
    mode: Mode = "warn"


def policy(name: str, options: type[PolicyOptions], **more: Any) -> Policy:
    return Policy(name, 1, frozenset({"Stop"}), options, "silence", lambda *_: None, (), **more)


TABLE = (
    policy("usual", Usual),
    policy("quiet", Quiet, profiles=BY_NAME),
    policy("soft", Soft),
    policy("helpful", Usual, profiles=WORKFLOW),
)


def section(path: str = "mine", *, final: bool = False, **said: Any) -> Section:
    return Section(Policies.model_validate(said), path, final)


def modes(*sections: Section) -> dict[str, tuple[str, str]]:
    return {name: (one.options.mode, one.why) for name, one in choose(TABLE, sections).items()}


ON, OFF, WARN = ("enforce", "by default"), ("off", "by default"), ("warn", "by default")
HELPFUL = ("off", "not in the profile guards")
BY = {"usual": ON, "quiet": OFF, "soft": WARN, "helpful": HELPFUL}
MANAGED = {"path": "/etc", "final": True}

WORDS = [
    ([], {}),
    ([section(enabled=["quiet"])], {"quiet": ("enforce", "enabled in mine")}),
    (
        [section(profile="workflow")],
        {"helpful": ("enforce", "in the profile workflow in mine")},
    ),
    (
        [section(profile="workflow"), section("project", profile="guards")],
        {"helpful": ("off", "not in the profile guards in project")},
    ),
    ([section(enabled=["helpful"])], {"helpful": ("enforce", "enabled in mine")}),
    (
        [section(profile="workflow", disabled=["helpful"])],
        {"helpful": ("off", "disabled in mine")},
    ),
    (
        [section(profile="workflow", options={"helpful": {"mode": "warn"}})],
        {"helpful": ("warn", "by its mode in mine")},
    ),
    ([section(enabled=["soft"])], {"soft": ("warn", "enabled in mine")}),
    ([section(disabled=["usual"])], {"usual": ("off", "disabled in mine")}),
    ([section(enabled=["usual"], disabled=["usual"])], {"usual": ("off", "disabled in mine")}),
    (
        [section(disabled=["usual"]), section("theirs", enabled=["usual"])],
        {"usual": ("off", "disabled in mine")},
    ),
    (
        [section(disabled=["usual"]), section(**MANAGED, enabled=["usual"])],
        {"usual": ("enforce", "enabled in /etc")},
    ),
    (
        [section(disabled=["usual"]), section(**MANAGED, options={"usual": {"mode": "warn"}})],
        {"usual": ("warn", "by its mode in /etc")},
    ),
    (
        [
            section("p", options={"usual": {"mode": "off"}}),
            section(**MANAGED, enabled=["usual"], options={"usual": {"first": 1}}),
        ],
        {"usual": ("enforce", "enabled in /etc")},
    ),
    (
        [section(options={"soft": {"mode": "off"}}), section(**MANAGED, enabled=["soft"])],
        {"soft": ("warn", "enabled in /etc")},
    ),
    (
        [section(enabled=["quiet"]), section(**MANAGED, disabled=["quiet"])],
        {"quiet": ("off", "disabled in /etc")},
    ),
    (
        [section(options={"quiet": {"mode": "warn"}}, enabled=["quiet"])],
        {"quiet": ("warn", "by its mode in mine")},
    ),
    (
        [section(options={"usual": {"mode": "warn"}}), section("p", options={"usual": {}})],
        {"usual": ("warn", "by its mode in mine")},
    ),
]


@parametrize_all(("sections", "changed"), WORDS)
def test_a_policy_holds_as_the_layers_say(
    sections: list[Section], changed: dict[str, tuple[str, str]]
) -> None:
    assert modes(*sections) == BY | changed


def test_options_are_taken_one_by_one_the_strongest_layer_s_first() -> None:
    weak = section(options={"usual": {"first": 5, "second": 6}})
    strong = section("project", options={"usual": {"second": 7}})
    found = choose(TABLE, [weak, strong])["usual"].options
    assert found.model_dump() == {
        "mode": "enforce",
        "clients": (),
        "first": 5,
        "second": 7,
    }


@parametrize_all("key", ["enabled", "disabled"])
def test_a_name_that_there_is_not_is_told_with_those_that_there_are(key: str) -> None:
    with pytest.raises(
        ValueError, match="unknown policy 'ususal'; available are helpful, quiet, soft, usual"
    ):
        choose(TABLE, [section(**{key: ["ususal"]})])


def test_an_option_that_does_not_hold_is_told_by_its_key() -> None:
    with pytest.raises(ValueError, match=r"policies\.options\.usual\.first: "):
        choose(TABLE, [section(options={"usual": {"first": "x"}})])


CODEX, BOTH_OF_THEM = {"usual": {"clients": ["codex"]}}, {"usual": {"clients": ["codex", "qwen"]}}


@parametrize_all(
    ("sections", "clients"),
    [
        ([section(options=CODEX)], ("codex",)),
        ([section(options=CODEX), section("p", options=BOTH_OF_THEM)], ("codex", "qwen")),
        ([section(options=CODEX), section("p", options={"usual": {"clients": []}})], ()),
        ([section(options=CODEX), section(**MANAGED, options={"usual": {"first": 2}})], ("codex",)),
        ([section(options=CODEX), section(**MANAGED, enabled=["usual"])], ()),
        ([section(options=CODEX), section(**MANAGED, options={"usual": {"mode": "warn"}})], ()),
        (
            [section(options=BOTH_OF_THEM), section(**MANAGED, enabled=["usual"], options=CODEX)],
            ("codex",),
        ),
    ],
)
def test_the_strongest_layer_says_for_which_clients(
    sections: list[Section], clients: tuple[str, ...]
) -> None:
    assert choose(TABLE, sections)["usual"].options.clients == clients


@parametrize_all(
    ("name", "said"),
    [
        ("codx", "policies.options.usual.clients: 'codx' is no client; did you mean `codex`?"),
        ("Codex", "policies.options.usual.clients: 'Codex' is no client; did you mean `codex`?"),
        ("zzz", "'zzz' is no client: write one of claude-code, codex"),
    ],
)
def test_an_unknown_client_is_an_error(name: str, said: str) -> None:
    with pytest.raises(ValueError, match="is no client") as failure:
        choose(TABLE, [section(options={"usual": {"clients": [name]}})])
    assert said in str(failure.value)
