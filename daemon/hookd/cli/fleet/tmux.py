"""The home of `hookd fleet tmux` and `hookd fleet focus`: the fleet's terminals."""

import click

from hookd.cli.fleet import tmux_conf
from hookd.cli.lib import output, transport
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem
from hookd.core.sessions import tmux as terminals


@click.command(
    epilog="""\b
    Examples:
      hookd fleet focus %3 --socket /tmp/tmux-1000/fleet
      hookd fleet focus "$TMUX_PANE" --socket "${TMUX%%,*}"
    """
)
@click.argument("pane")
@click.option("--socket", required=True, metavar="PATH", help="The socket of the tmux server.")
@click.option("--server", type=click.IntRange(min=1), metavar="PID", help="Its process.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def focus(pane: str, socket: str, server: int | None, as_json: bool) -> None:
    """Say that a person looks at a pane: its agent, if it waited for attention, is checked.

    tmux runs this by the lines of `hookd fleet tmux`. PANE is tmux's name for it, such as %3.
    """
    if not terminals.is_pane(pane):
        raise Problem(
            f"{output.cell(pane)} is no pane of tmux.", "tmux list-panes -a -F '#{pane_id}'"
        )
    found = call("fleet.focus", {"pane": pane, "socket": socket, "server": server})
    if as_json:
        output.show_json(found)
    elif found["agent"] is None:
        click.echo(f"No agent runs in {pane}.")
    else:
        did = "is checked" if found["checked"] else "did not wait for attention"
        click.echo(f"{output.cell(found['agent'])} {did}.")


@click.command(
    name="tmux",
    epilog="""\b
    Examples:
      hookd fleet tmux >> ~/.tmux.conf
      hookd fleet tmux > fleet.conf && tmux -L fleet source-file fleet.conf
    """,
)
def tmux() -> None:
    """Print the lines for your tmux.conf: labels of windows by their status, and the focus hook."""
    click.echo(tmux_conf.render(str(transport.hookd())), nl=False)
