"""What a model is told, and what is kept of what was said."""
