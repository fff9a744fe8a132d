"""`hookd completion`: scripts that shells accept, what they complete, and their file."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from hookd.cli import COMMANDS
from support.home import HOOKD, Home
from support.parametrize import parametrize_all

FILES = {
    "bash": "share/bash-completion/completions/hookd",
    "zsh": "share/zsh/site-functions/_hookd",
    "fish": "config/fish/completions/hookd.fish",
}


def folders(home: Home) -> dict[str, str]:
    """Return variables that put the files of all shells below the home."""
    return {"XDG_DATA_HOME": str(home.path / "share"), "XDG_CONFIG_HOME": str(home.path / "config")}


def offered(home: Home, line: str) -> list[str]:
    """Return what is offered for a line whose last word is completed."""
    words = line.split(" ")
    env = {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_HOOKD_COMPLETE": "bash_complete",
    }
    lines = home.hookd(env=env).stdout.splitlines()
    return [one.removeprefix("plain,") for one in lines if one]


@parametrize_all(
    ("line", "expected"),
    [
        ("hookd pol", ["policy"]),
        ("hookd policy sh", ["show"]),
        ("hookd policies sh", ["show"]),
        ("hookd policy show destr", ["destructive-guard"]),
        ("hookd policy set --sc", ["--scope"]),
        ("hookd policy set --scope p", ["project"]),
        ("hookd help policy sh", ["show"]),
        ("hookd completion f", ["fish"]),
        ("hookd hook add SessionS", ["SessionStart"]),
        ("hookd event --fol", ["--follow"]),
        ("hookd why ", []),
    ],
)
def test_commands_options_and_names_are_completed(
    home: Home, line: str, expected: list[str]
) -> None:
    assert offered(home, line) == expected


def test_at_the_top_all_commands_are_offered_by_their_present_names(home: Home) -> None:
    shown = [name for name, (group, _, _) in COMMANDS.items() if group]
    assert offered(home, "hookd ") == shown


def test_subcommands_of_checkpoint_and_allow_are_offered(home: Home) -> None:
    assert "restore" in offered(home, "hookd checkpoint ")
    assert offered(home, "hookd allow ") == ["list", "remove"]


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_with_the_script(home: Home) -> None:
    script = home.path / "script"
    script.write_text(home.hookd("completion", "bash").stdout)
    lines = (
        f". {script}; COMP_WORDS=({HOOKD} policy sh); COMP_CWORD=2;"
        f' _hookd_completion {HOOKD} sh policy; echo "${{COMPREPLY[@]}}"; complete -p hookd'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", lines],
        env=home.env,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.splitlines() == ["show", "complete -o nosort -F _hookd_completion hookd"]
    assert done.stderr == ""


@parametrize_all(("shell", "name"), FILES.items())
def test_the_script_is_installed_on_request_and_removed(home: Home, shell: str, name: str) -> None:
    file = home.path / name
    env = folders(home)
    script = home.hookd("completion", shell, env=env).stdout
    assert not file.exists()
    assert "_HOOKD_COMPLETE" in script
    done = home.hookd("completion", shell, "--install", env=env)
    assert file.read_text() == script
    assert done.stdout.startswith(f"{file}: written.\n  next: ")
    again = json.loads(home.hookd("completion", shell, "--install", "--json", env=env).stdout)
    assert again == {"file": str(file), "done": "was up to date"}
    assert "removed" in home.hookd("completion", shell, "--uninstall", env=env).stdout
    assert not file.exists()
    assert "was not there" in home.hookd("completion", shell, "--uninstall", env=env).stdout


def test_a_file_of_others_is_not_replaced(home: Home) -> None:
    file = home.path / FILES["fish"]
    file.parent.mkdir(parents=True)
    file.write_text("# mine")
    for option in ("--install", "--uninstall"):
        done = home.hookd("completion", "fish", option, check=False, env=folders(home))
        assert (done.returncode, file.read_text()) == (1, "# mine")
        assert f"{file} is not hookd's." in done.stderr
        assert "next: " in done.stderr


def test_an_unwritable_folder_is_named(home: Home) -> None:
    Path(home.path / "share").write_text("a file")
    done = home.hookd("completion", "bash", "--install", check=False, env=folders(home))
    assert done.returncode == 1
    assert "Not a directory" in done.stderr
