"""Effects: what a decision causes, as values; one dataclass each, and `union` of them all.

The code that executes them belongs to store/writes and daemon/after_commit.
"""
