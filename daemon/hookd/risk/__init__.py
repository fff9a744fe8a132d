"""The home of what a command line may do that somebody will miss."""

from hookd.risk.analyze import assess, assess_text

__all__ = ["assess", "assess_text"]
