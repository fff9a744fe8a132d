"""One warm daemon for all Claude Code hooks."""

__version__ = "0.1.0"
