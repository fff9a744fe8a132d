"""The daemon's log: logger, file, incidents."""
