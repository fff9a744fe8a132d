"""Catalogue of programs: their traits, their flags, and the rules about their risks.

Data only, one module per subject, so that `shell` and every package above it may import it. Code
that evaluates a call belongs to `risk/rules`.
"""
