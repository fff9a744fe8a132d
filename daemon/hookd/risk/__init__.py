"""The home of what a command line may do that somebody will miss."""

from hookd.risk.analyze import dangers, judged

__all__ = ["dangers", "judged"]
