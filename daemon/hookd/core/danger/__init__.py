"""The home of what a command line may do that somebody will miss."""

from hookd.core.danger.walk import dangers

__all__ = ["dangers"]
