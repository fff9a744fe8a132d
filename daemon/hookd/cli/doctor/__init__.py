"""`hookd doctor`: the command, its report, and `checks/`, one finding a module."""
