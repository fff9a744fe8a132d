"""Opencode: its payloads, answers, capabilities, registration and plugin."""
