"""`hookd policy`: show and set the built-in policies."""
