"""One warm daemon for the hooks of coding agents."""

__version__ = "0.1.0"
