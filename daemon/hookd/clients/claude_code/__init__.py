"""Claude Code: its answers, registration, status line entry, transcript check."""
