"""`hookd mcp`: hookd's tools for agents by the Model Context Protocol."""
