"""User hooks: parse and merge their settings, match events, and build their environment.

Running hooks belongs to user_hooks, reading a reply to the adapter of the client.
"""
