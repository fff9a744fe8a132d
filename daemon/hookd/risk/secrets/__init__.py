"""Rules for secrets: the programs that read, print or send them.

Risks without a secret (deletion, publishing, ...) belong in `hookd.risk.rules`.
"""
