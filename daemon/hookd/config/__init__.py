"""Models of the settings, and reading and editing them. No policy's own options."""
