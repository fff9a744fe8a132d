"""Asynchronous client of the daemon's socket: calls, and subscriptions that reconnect.

For the board and the web server. Commands use `cli/lib/client.py`, which is synchronous.
"""
