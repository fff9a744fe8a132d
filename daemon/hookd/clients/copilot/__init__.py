"""GitHub Copilot CLI: its payloads, answers, capabilities and registration."""
