"""The home of where a person stands: the folders whose project is meant where none is named."""

from pathlib import Path

from hookd.cli.lib.client import identity


def projects() -> tuple[str, ...]:
    """Return the roots that the project may have: the session's own, then this folder and up."""
    env = identity()
    here = Path(env["CWD"]).resolve()
    own = env.get("CLAUDE_PROJECT_DIR")
    roots = [*([Path(own).resolve()] if own else []), here, *here.parents]
    return tuple(dict.fromkeys(map(str, roots)))
