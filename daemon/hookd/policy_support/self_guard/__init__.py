"""Analysis for the policy `self-guard`: how a call would change hookd or its protected files.

Pure: what is on disk comes as facts. Rules for other dangers of commands are in `hookd.risk`.
"""
