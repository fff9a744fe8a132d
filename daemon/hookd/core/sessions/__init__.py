"""Sessions: open sessions, agent status, loops, system notes."""
