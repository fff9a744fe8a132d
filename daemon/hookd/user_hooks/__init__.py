"""Running the user's own hooks: programs, requests over HTTP, questions to a model."""
