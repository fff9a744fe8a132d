"""Gemini CLI: its payloads, answers, capabilities and registration."""
