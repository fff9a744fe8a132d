"""Inline code in other languages (`python -c`, `node -e`, SQL) and its effects.

Only the recognition of code and its effects belongs here; which effects are risks is decided by
`hookd.risk.rules`.
"""
