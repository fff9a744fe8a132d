"""Core: the model of facts and effects, and the pure rules that decide on events.

No clock, environment, files, processes or SQL: a decision asks for facts and returns effects.
"""
