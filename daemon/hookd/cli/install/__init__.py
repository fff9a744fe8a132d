"""`hookd install` and `uninstall`: shims, registration, options. No daemon is needed."""
