"""Methods for `hookd run`, which starts a client and starts it anew."""
