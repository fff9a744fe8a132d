"""`hookd service`: the daemon as a service. Nothing here starts it without a service manager."""
