"""Core model: facts, fact requests, effects, verdicts, and the contracts of methods and policies.

Values only: rules that decide belong to the other packages of core.
"""
