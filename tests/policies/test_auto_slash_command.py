"""Custom slash commands: their files, arguments, and names that lead nowhere."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookd.core.context_window.injections import has_tag
from hookd.core.model.daemon_state import DaemonState
from hookd.core.model.facts import Guard
from hookd.events.model import UserPrompt, UserPromptExpansion
from hookd.events.protocol import utf16_length
from hookd.policies.auto_slash_command import POLICY
from support.disk import Disk

FILES = {
    ".hookd/commands/ship.md": "---\ndescription: Ships.\n---\nShip $1 to $2. All: $ARGUMENTS\n",
    ".hookd/commands/git/tidy.md": "Tidy up.",
    ".hookd/commands/greet.md": "Never: the client's.",
    ".hookd/secret.md": "secret",
    ".claude/commands/greet.md": "Greet $1.",
    "home/.claude/skills/plan/SKILL.md": "---\nname: plan\n---\n",
    ".hookd/commands/plan.md": "Never: a skill.",
    "home/hookd/commands/mine.md": "The user's own.",
    "home/hookd/commands/ship.md": "Never: the project's comes first.",
}


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    disk = Disk(tmp_path / "orders", FILES)
    daemon = DaemonState(
        claude=disk.path("home/.claude"), settings=disk.path("home/hookd/settings.json")
    )
    disk.facts = replace(disk.facts, daemon=daemon)
    return disk


def says(disk: Disk, prompt: str, prompt_id: str = "p1", **options: Any) -> str:
    """Return the text of the command that the model is given, without its first line."""
    event = UserPrompt(hook_event_name="UserPromptSubmit", prompt=prompt, prompt_id=prompt_id)
    text = disk.says(POLICY, event, mode="enforce", **options)
    assert not text or (has_tag(text) and prompt.split(maxsplit=1)[0] in text)
    return text.partition("\n")[2]


CALLS = [
    ("/ship a b", "Ship a to b. All: a b"),
    ('  /ship "a b"  c ', 'Ship a b to c. All: "a b"  c'),
    ("/ship", "Ship  to . All: "),
    ("/ship a\nb", "Ship a to b. All: a\nb"),
    ("/ship $2 $ARGUMENTS", "Ship $2 to $ARGUMENTS. All: $2 $ARGUMENTS"),
    ("/ship $(id) `id`", "Ship $(id) to `id`. All: $(id) `id`"),
    ("/ship \\1 \\g<0>", "Ship \\1 to \\g<0>. All: \\1 \\g<0>"),
    ("/git:tidy", "Tidy up."),
    ("/mine", "The user's own."),
    ("/unknown", ""),
    ("/greet Ann", ""),
    ("/plan", ""),
    ("/Ship a", ""),
    ("Do /ship a", ""),
    ("/ship/a", ""),
    ("/../secret", ""),
    ("/..:secret", ""),
    ("/git/tidy", ""),
    ("/ship.md", ""),
    ("/1", ""),
    ("/", ""),
    ("", ""),
    ("/ralph-loop a", ""),
]


@pytest.mark.parametrize(("prompt", "text"), CALLS)
def test_a_call_is_answered_with_the_text_of_its_file(prompt: str, text: str, disk: Disk) -> None:
    assert says(disk, prompt) == text
    assert disk.rounds <= 1


def test_a_prompt_that_the_client_has_expanded_is_left_to_it(disk: Disk) -> None:
    expansion = UserPromptExpansion(
        hook_event_name="UserPromptExpansion",
        command_name="ship",
        prompt="/ship a b",
        prompt_id="p1",
    )
    disk.asks(POLICY, expansion, mode="enforce")
    assert says(disk, "/ship a b", "p1") == ""
    assert says(disk, "/ship a b", "p2") == "Ship a to b. All: a b"
    assert says(disk, "/ship c d", "p1") == "Ship c to d. All: c d", "typed into the same turn"


def test_a_prompt_of_a_machine_is_no_call(disk: Disk) -> None:
    event = UserPrompt(hook_event_name="UserPromptSubmit", prompt="/ship a", source="loop_wakeup")
    assert disk.asks(POLICY, event, mode="enforce") is None


def test_the_names_that_are_answered_are_an_option(disk: Disk) -> None:
    assert says(disk, "/ship a b", only=("git:tidy",)) == ""
    assert says(disk, "/git:tidy", only=("git:tidy",)) == "Tidy up."


def test_no_link_leads_out_of_the_folder(disk: Disk) -> None:
    (disk.root / ".hookd/commands/out.md").symlink_to(disk.root / ".hookd/secret.md")
    assert says(disk, "/out") == ""


def test_a_folder_that_is_a_link_out_of_the_project_is_none(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    (tmp_path / "away/ship.md").write_text("away")
    other = Disk(tmp_path / "other", {"a.py": "x"})
    (other.root / ".hookd").mkdir()
    (other.root / ".hookd/commands").symlink_to(tmp_path / "away")
    assert says(other, "/ship") == ""


def test_a_file_that_a_guard_holds_back_is_not_brought(disk: Disk) -> None:
    rule = (
        '{"id": "shut", "urgency": "block", "payload": {"text": "No."},'
        ' "toolFilter": {"include": ["Read(*/ship.md)"]}}'
    )
    disk.facts = replace(disk.facts, guards=(Guard(1, "shut", "user", rule),))
    assert says(disk, "/ship a b") == ""
    assert says(disk, "/git:tidy") == "Tidy up."


def test_long_texts_and_long_words_are_cut(disk: Disk) -> None:
    disk.write({".hookd/commands/long.md": "$ARGUMENTS " * 5_000})
    text = says(disk, "/long " + "é" * 1_000_000)
    assert utf16_length(text) <= 6_000
    path = disk.path(".hookd/commands/long.md")
    assert text.endswith(f"[cut: the whole text is in {path}]")


@pytest.mark.parametrize("prompt", ["/" + "a" * 1_000_000, "/a:" * 300_000, "/a" + " " * 1_000_000])
def test_a_large_prompt_is_read_in_one_pass(prompt: str, disk: Disk) -> None:
    assert says(disk, prompt) == ""
