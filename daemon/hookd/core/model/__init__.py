"""The values that decisions take and return: facts, fact requests, effects, verdicts, methods."""
