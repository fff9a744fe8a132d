"""Efforts: their life cycle, phases, log entries and todos; skills and how they are parsed.

Sessions and agents belong to core/sessions.
"""
