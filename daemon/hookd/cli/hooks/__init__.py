"""`hookd hook` and `trust`: the user hooks, their files, trial runs and history."""
