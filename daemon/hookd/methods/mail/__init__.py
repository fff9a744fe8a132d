"""Mail of agents to each other."""
