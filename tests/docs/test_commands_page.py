"""The examples of docs/guides/user-hooks.md work: settings, answers, command lines."""

import json
import re
import shlex
from typing import Any

import click
import pytest

from hookd.cli.hooks.hooks import hook
from hookd.cli.hooks.trust import trust
from hookd.cli.settings.settings import settings
from hookd.config.models import Settings
from hookd.core.hook_rules.dialects import EVENT_ALIASES
from hookd.core.hook_rules.field_reader import COMMON_KEYS
from hookd.core.hook_rules.model import Hook, HookExecution, Source
from hookd.core.hook_rules.parse import parse_hooks
from hookd.core.hook_rules.sources import MANAGED, MANAGED_MACOS, HookFileLocation, hook_files
from hookd.user_hooks.hook_reply import reply_of
from support.paths import ROOT

PAGE = (ROOT / "docs" / "guides" / "user-hooks.md").read_text("utf-8")
JSON = [json.loads(text) for text in re.findall(r"(?s)```json\n(.*?)```", PAGE)]
FILES = [one for one in JSON if "hooks" in one]
ANSWERS = [one for one in JSON if "hookSpecificOutput" in one]
LINES = [
    line
    for text in re.findall(r"(?s)```sh\n(.*?)```", PAGE)
    for line in text.splitlines()
    if line.startswith(("hookd hook", "hookd trust", "hookd settings"))
]
GROUPS: dict[str, click.Command] = {"hook": hook, "settings": settings, "trust": trust}


@pytest.mark.parametrize("value", FILES, ids=range(len(FILES)))
def test_the_settings_on_the_page_hold(value: Any) -> None:
    found = parse_hooks(value, HookFileLocation("user", "/settings.json"))
    assert found.hooks
    assert found.problems == ()
    Settings.model_validate(value)


@pytest.mark.parametrize("value", ANSWERS, ids=range(len(ANSWERS)))
def test_the_answers_on_the_page_are_taken(value: Any) -> None:
    hook = Hook("a", "PreToolUse", "command", Source("user", "/settings.json", "hooks"))
    heard = reply_of(HookExecution(hook, exit_code=0, stdout=json.dumps(value)), "PreToolUse")
    assert heard.opinion is not None
    assert heard.notes == ()


@pytest.mark.parametrize("line", LINES)
def test_the_command_lines_on_the_page_are_understood(line: str) -> None:
    _, name, *args = shlex.split(line, comments=True)
    command = GROUPS[name]
    context = click.Context(command, info_name=name)
    if isinstance(command, click.Group):
        command = command.commands[args.pop(0)]
    # Values may name missing files; only the options are checked.
    given = [arg for arg in args if arg.startswith("--")]
    known = {option for one in command.params for option in one.opts}
    assert set(given) <= known
    takes = sum(isinstance(one, click.Argument) and one.required for one in command.params)
    flags = {opt for one in command.params if getattr(one, "is_flag", False) for opt in one.opts}
    words = len(args) - len(given) - sum(one not in flags for one in given)
    assert words >= takes, context.get_usage()


def test_there_is_much_to_look_at() -> None:
    assert (len(FILES), len(ANSWERS)) == (2, 2)
    assert len(LINES) > 10


def test_every_file_of_hooks_is_on_the_page() -> None:
    for place in hook_files("/p", "/home/me", "/home/me/.config/hookd"):
        if place.runs and place.layer != "managed":
            short = place.path.removeprefix("/p/").replace("/home/me/", "~/")
            assert f"`{short}`" in PAGE, short
    assert f"`{MANAGED}`" in PAGE
    assert f"`{MANAGED_MACOS}`" in PAGE


@pytest.mark.parametrize("name", COMMON_KEYS)
def test_every_key_of_an_entry_is_on_the_page_or_is_another_name_of_one(name: str) -> None:
    others = {"background", "rewake", "onFailure", "once"}
    assert f"`{name}`" in PAGE or name in others or f"`{name}: true`" in PAGE


def test_the_examples_that_are_named_are_there() -> None:
    names = re.findall(r"`([a-z-]+\.sh)`", PAGE)
    assert sorted(names) == sorted(path.name for path in (ROOT / "examples" / "hooks").glob("*.sh"))


@pytest.mark.parametrize(("alias", "event"), re.findall(r"`(\w+\.?\w*)` (?:is )?([A-Z]\w+)", PAGE))
def test_the_names_of_other_programs_mean_what_is_said(alias: str, event: str) -> None:
    assert event in EVENT_ALIASES[alias]


def test_the_slash_command_may_run_what_it_runs() -> None:
    text = (ROOT / "examples" / "commands" / "hooks.md").read_text("utf-8")
    allowed = re.search(r"(?m)^allowed-tools: Bash\((.*):\*\)$", text)
    runs = re.search(r"(?m)^!`(.*)`$", text)
    assert allowed is not None
    assert runs is not None
    assert runs[1].startswith(allowed[1])
