"""The user's own hooks, pure: their form, when one matches, what it is told, what it says."""
