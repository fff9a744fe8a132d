"""The fleet's terminals: the only place that runs tmux."""
