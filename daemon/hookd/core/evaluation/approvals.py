"""Approvals: which permission requests wait for a person outside the client."""

from hookd.config.models import ApprovalOptions

RULE = "approvals"
"""Author of a decision that a person made outside the client."""

DENIED = "A person denied this call in hookd, without giving a reason."
"""What the model reads if a person denies a call without a message."""


def holds(options: ApprovalOptions, agent: str | None, project: str | None) -> bool:
    """Return whether the requests of an agent in a project wait; None: there is no such name.

    >>> holds(ApprovalOptions(projects={"/work": True, "/work/a": False}), None, "/work/b")
    True
    """
    if agent is not None and agent in options.agents:
        return options.agents[agent]
    if not options.projects:
        return options.hold
    folders = {folder.rstrip("/"): wanted for folder, wanted in options.projects.items()}
    place = project.rstrip("/") if project else None
    while place is not None:
        if place in folders:
            return folders[place]
        place = place.rpartition("/")[0] if place else None
    return options.hold


def anywhere(options: ApprovalOptions) -> bool:
    """Return whether the requests of any agent or project wait."""
    return options.hold or True in options.agents.values() or True in options.projects.values()
