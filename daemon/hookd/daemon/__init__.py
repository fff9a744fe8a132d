"""The daemon's process: app, lock, socket file, reload, self check, maintenance, notifications.

No decision is made here.
"""
