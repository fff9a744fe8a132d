"""`hookd completion`: the script by which a shell completes commands, options and names."""

from collections.abc import Mapping
from pathlib import Path

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from hookd import paths
from hookd.cli.lib import output
from hookd.cli.lib.errors import Problem
from hookd.cli.lib.options import json_option

_VARIABLE = "_HOOKD_COMPLETE"
"""Variable by which a script asks hookd for completions; any script of ours has it."""

_SHELLS = ("bash", "zsh", "fish")
_PLACES: Mapping[str, tuple[str, str, str]] = {
    "bash": ("XDG_DATA_HOME", ".local/share", "bash-completion/completions/hookd"),
    "zsh": ("XDG_DATA_HOME", ".local/share", "zsh/site-functions/_hookd"),
    "fish": ("XDG_CONFIG_HOME", ".config", "fish/completions/hookd.fish"),
}
"""The user's folder for completions: a variable, what it is by default, the file in there."""

_NEXT: Mapping[str, str] = {
    "bash": "open a new shell; it needs the package bash-completion, and bash 4.4",
    "zsh": "have this line in ~/.zshrc, before compinit: fpath=({folder} $fpath)",
    "fish": "open a new shell",
}


@click.command(
    epilog="""\b
    Examples:
      hookd completion bash --install        write it to your completions
      hookd completion bash --uninstall      remove it again
      eval "$(hookd completion bash)"        try it in this shell
      hookd completion fish > ~/hookd.fish
    """
)
@click.argument("shell", type=click.Choice(_SHELLS))
@click.option("--install", "act", flag_value="install", help="Write it to your own folder.")
@click.option("--uninstall", "act", flag_value="uninstall", help="Remove it from there.")
@json_option("Print the file and what was done as JSON.")
def completion(shell: str, act: str | None, as_json: bool) -> None:
    """Print the script that completes hookd in bash, zsh or fish.

    It completes commands, options, policies, guard rules, agents, and the newest events, sessions
    and efforts. No file of your shell is changed.
    """
    script = _script(shell)
    if act is None:
        click.echo(script, nl=False)
        return
    file = _file(shell)
    _expect_ours(file)
    done = _install(file, script) if act == "install" else _uninstall(file)
    if as_json:
        output.show_json({"file": str(file), "done": done})
        return
    click.echo(f"{output.cell(file)}: {done}.")
    if act == "install":
        click.echo(f"  next: {_NEXT[shell].format(folder=output.cell(file.parent))}")


def _script(shell: str) -> str:
    """Return click's script for a shell."""
    from hookd.cli import main  # noqa: PLC0415 - it imports this module

    classes = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
    # The source of the class for bash would start a bash to learn its version.
    return ShellComplete.source(classes[shell](main, {}, "hookd", _VARIABLE)).lstrip("\n")


def _file(shell: str) -> Path:
    """Return the file that the shell reads without being told."""
    variable, default, name = _PLACES[shell]
    if shell == "bash" and (own := paths.variable("BASH_COMPLETION_USER_DIR")):
        return Path(own) / "completions" / "hookd"
    base = paths.variable(variable) or ""
    return (Path(base) if base.startswith("/") else Path.home() / default) / name


def _expect_ours(file: Path) -> None:
    """Raise Problem if there is a file that is not a script of ours."""
    try:
        ours = _VARIABLE in file.read_text("utf-8", "replace")
    except FileNotFoundError:
        return
    except OSError as error:
        raise Problem(f"{file}: {error.strerror}.", f"ls -ld {file}") from None
    if not ours:
        raise Problem(f"{file} is not hookd's.", f"move it away: mv {file} {file}.old")


def _install(file: Path, script: str) -> str:
    if file.is_file() and file.read_text("utf-8") == script:
        return "was up to date"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(script, "utf-8")
    return "written"


def _uninstall(file: Path) -> str:
    if not file.exists():
        return "was not there"
    file.unlink()
    return "removed"
