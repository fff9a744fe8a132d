"""Methods for user hooks: the hooks, the trust in a project's hooks, and the runs."""
