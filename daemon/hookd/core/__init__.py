"""The words: events, facts, effects, opinions and the pure rules that several parts share.

Nothing here touches the world: no clock, no environment, no files, no SQL.
"""
