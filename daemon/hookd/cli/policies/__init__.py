"""`hookd policies`: show and set the built-in policies."""
