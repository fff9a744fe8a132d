"""One-shot judge: evaluate one hook event without the daemon, on a read-only database."""
