"""Helpers that several policies share; no policy is here."""
