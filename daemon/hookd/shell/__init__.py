"""Parsing of bash: which commands a text runs, and with which words.

Nothing in here judges what a command does; that is in `hookd.risk`. It imports nothing above it.
"""
