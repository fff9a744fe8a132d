"""Read-only queries for board, browser and metrics, each within a time limit.

They run in the process that shows the result, on the database file, never in the daemon.
"""
