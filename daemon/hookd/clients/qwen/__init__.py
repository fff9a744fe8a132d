"""Qwen Code: its payloads, answers, capabilities and registration."""
