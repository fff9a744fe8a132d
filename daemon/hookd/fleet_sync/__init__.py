"""The process of `hookd fleet sync`: sends the outbox to the central store, fetches signed items.

It reads the daemon's database and changes nothing in it: what is to change, it asks of the daemon.
"""
