"""`hookd service`: systemd and launchd units for the daemon."""
