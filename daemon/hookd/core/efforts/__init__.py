"""The work: efforts and how they begin, skills and their phases, log entries."""
