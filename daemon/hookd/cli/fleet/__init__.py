"""`hookd fleet` and `agents`: who is doing what, and the fleet's terminals."""
