"""Methods for `hookd run`, which starts a client and restarts it."""
