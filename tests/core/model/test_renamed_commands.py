"""A former name leads to a command that exists, and is never a present one."""

from hookd.cli import COMMANDS
from hookd.core.model.renamed_commands import RENAMED_COMMANDS, current_command
from support.parametrize import parametrize_all


@parametrize_all("former", RENAMED_COMMANDS)
def test_a_former_name_leads_to_a_command(former: str) -> None:
    assert former not in COMMANDS
    assert current_command(former) in COMMANDS


@parametrize_all("name", ["event", "stats", "no-such"])
def test_other_names_stay(name: str) -> None:
    assert current_command(name) == name
