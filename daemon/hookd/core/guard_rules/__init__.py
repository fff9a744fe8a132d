"""Guard rules: their shape, when one fires, and what it says."""
