"""Evaluation of an event: policies in order, allow rules, pause, stop limit, notices.

A single policy belongs to the package policies.
"""
