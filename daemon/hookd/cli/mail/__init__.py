"""Commands about mail of agents."""
