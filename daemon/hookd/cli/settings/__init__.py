"""`hookd settings`: show and check the settings files."""
