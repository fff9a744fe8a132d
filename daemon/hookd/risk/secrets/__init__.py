"""Rules for secrets: which programs read, print or send them, and what a pipe makes of it.

What is no secret (deletion, publishing, ...) belongs in `hookd.risk.rules`.
"""
