"""The home of which files of hooks do not hold as a whole, as the daemon has found them."""

from hookd import paths
from hookd.cli.hooks import own_files
from hookd.cli.lib import output
from hookd.cli.lib.client import call
from hookd.cli.lib.errors import Problem


def unread() -> list[str]:
    """Return a sentence for each of the user's files that cannot be read, all projects aside.

    Those that `hookd start --settings` named are among them; the settings are told of elsewhere. A
    daemon that does not know of hooks has none.
    """
    try:
        problems = call("commands.list", {"root": None}).get("problems", [])
    except Problem:
        return []
    own = str(paths.paths().settings)
    whole = [one for one in problems if one["fatal"] and not one["key"] and one["path"] != own]
    return [output.cell(f"{own_files.in_home(one['path'])}: {one['sentence']}") for one in whole]
