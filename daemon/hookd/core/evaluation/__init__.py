"""Evaluation of an event: policies asked in order, pause, stop limit, notices, explanation."""
