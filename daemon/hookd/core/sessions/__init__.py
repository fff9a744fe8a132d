"""Sessions: opening a session, the status of agents, loops, and the tmux panes of the fleet.

The text for a new session belongs to core/context_window.
"""
